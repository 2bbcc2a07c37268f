"""`helix-hooks check-config`: errors in the settings, rules and approvals files."""

from contextlib import closing

import click

from .. import git
from ..check import configuration, watched
from ..check.trees import Index, Tree
from ..check.work_tree import WorkTree
from ..console.output import print_message, print_result
from ..errors import UsageError
from ..paths import APPROVALS_FILE, DECLARATIONS, PYPROJECT, RULES_FILE, SETTINGS
from .frame import command, complete_file, console, git_root

EXAMPLE = """examples:
  helix-hooks check-config              check the files of the work tree
  helix-hooks check-config --staged     check the files of the next commit"""

_DEFAULTS = "no settings found; the defaults apply"
_FILES = (SETTINGS, PYPROJECT, RULES_FILE, APPROVALS_FILE, *DECLARATIONS)


@command(
    "check-config",
    example=EXAMPLE,
    arguments={"PATH": "ignored; a hook may pass the changed files"},
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, shell_complete=complete_file)
@click.option("--staged", is_flag=True, help="check staged content")
def run(*, paths: tuple[str, ...], staged: bool) -> int:  # noqa: ARG001 - hooks pass changed files
    """Print the errors in the settings files; return 2 if there are any.

    Raises:
        UsageError: The folder is not in a git repository.
    """
    repository = git.repository()
    if staged:
        repository = git_root("--staged")
    if not repository:
        raise UsageError(watched.NO_REPOSITORY)
    with closing(Index(repository)) as index:
        if staged:
            tree: Tree = index
            report = configuration.examine(tree, None)
        else:
            tree = WorkTree(repository, index)
            report = configuration.examine(tree, index)
        summary = _summary(tree)
    for error in report.errors:
        print_message(error)
    if report.errors:
        return 2
    if not console().quiet:
        print_result("".join(f"{line}\n" for line in (summary, *report.notes)))
    return 0


def _summary(tree: Tree) -> str:
    present = [path for path in _FILES if tree.has(path)]
    if not present:
        return _DEFAULTS
    return f"{', '.join(present)}: no findings"
