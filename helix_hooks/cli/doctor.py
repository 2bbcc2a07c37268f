"""`helix-hooks doctor` and `check-config`: gaps in the set-up of the gate, errors in its settings.

Both change nothing.
"""

import os
from contextlib import closing

from .. import git
from ..check import configuration, watched
from ..check.trees import Index, Tree
from ..check.work_tree import WorkTree
from ..console import print_message, print_result
from ..doctor import OFF, Line, as_json, as_text, clone, hosted, notifications, passes
from ..errors import UsageError
from ..paths import APPROVALS_FILE, PYPROJECT, RULES_FILE, SETTINGS, WORKFLOW
from ..queue.place import place_of
from . import shared

_NO_WORKFLOW = Line(
    "workflow",
    OFF,
    f"there is no {WORKFLOW}, so pull requests are not checked",
    "helix-hooks init --github",
)
_FILES = (SETTINGS, PYPROJECT, RULES_FILE, APPROVALS_FILE)


@shared.command(
    "doctor",
    example="""examples:
  helix-hooks doctor                     check this clone
  GITHUB_TOKEN=... helix-hooks doctor    check its repository on GitHub too
  helix-hooks doctor --repo acme/decisions --format json

The token must be able to read contents and administration.

states:
  ok       correct
  off      not set up, and nothing needs it
  unknown  could not be determined
  missing  needed, and not set up
  unsafe   set up, but it can be bypassed""",
    exits={
        0: "nothing is missing or unsafe",
        1: "something is missing or unsafe",
        3: "GitHub could not be reached; the clone was checked",
    },
)
@shared.repo
@shared.formats()
def doctor(*, repo: str, format: str) -> int:
    """Print the gaps in the set-up; return an exit code for the worst one."""
    root = git.root_for("doctor")
    with closing(Index(root)) as index:
        tree = WorkTree(root, index)
        config = configuration.examine(tree, index)
        project = place_of(root, os.environ).project
        has_failed = False
        github = [_NO_WORKFLOW]
        if repo or tree.has(WORKFLOW) or index.has(WORKFLOW):
            there = hosted.examine(root, repo, tree.read(WORKFLOW), config.deciders, os.environ)
            github = [*clone.pull_requests(tree, config), *there.lines]
            has_failed = there.failed
        sections = {
            "hook": [*clone.hooks(root, tree, os.environ)],
            "settings": [
                *clone.settings(tree, config),
                notifications.line(root, project, config.deciders, os.environ),
            ],
            "GitHub": github,
            "judge": [*clone.judge(tree, config)],
        }
    code = int(not passes(sections))
    if config.errors:
        code = 2
    elif has_failed:
        code = 3
    text = as_text(sections, shared.console().colored, shared.console().quiet)
    print_result(as_json(sections, passed=not code) if format == "json" else text)
    return code


@shared.command(
    "check-config",
    example="""examples:
  helix-hooks check-config              check the files of the work tree
  helix-hooks check-config --staged     check the files of the next commit""",
)
@shared.paths("[PATH]...", "ignored; a hook may pass the changed files")
@shared.flag("--staged", "check staged content")
def check_config(*, paths: tuple[str, ...], staged: bool) -> int:  # noqa: ARG001 - hooks pass changed files
    """Print the errors in the settings files; return 2 if there are any.

    Raises:
        UsageError: The folder is not in a git repository.
    """
    repository = git.repository()
    if staged:
        repository = git.root_for("--staged")
    if not repository:
        raise UsageError(watched.NO_REPOSITORY)
    with closing(Index(repository)) as index:
        if staged:
            tree: Tree = index
            report = configuration.examine(tree, None)
        else:
            tree = WorkTree(repository, index)
            report = configuration.examine(tree, index)
        present = [path for path in _FILES if tree.has(path)]
    for error in report.errors:
        print_message(error)
    if report.errors:
        return 2
    if not shared.console().quiet:
        summary = "no settings found; the defaults apply"
        if present:
            summary = f"{', '.join(present)}: no findings"
        print_result("".join(f"{line}\n" for line in (summary, *report.notes)))
    return 0
