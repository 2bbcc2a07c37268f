"""`helix-hooks check`: the command line.

Light: git is set to work before all that checks is loaded.
"""

from types import SimpleNamespace
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..paths import wanted
from ..report import FORMATS
from ..repository import git
from ..repository.revisions import Head

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

EXAMPLE = """examples:
  helix-hooks check                                 every ADR of the repository
  helix-hooks check docs/adr/014-docs.md            one ADR
  helix-hooks check --staged                        what the next commit would contain
  helix-hooks check --since origin/main             what this branch changes, measured by what held before
  helix-hooks check --write-baseline                count what is there now; only what is new is reported from then on
  helix-hooks check --format json docs/adr          for programs"""


def add_arguments(parser: "ArgumentParser") -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="ADRs or folders (default: every ADR of the repository)")
    parser.add_argument("--staged", action="store_true", help="check the staged content; without PATHs, of all staged ADRs")
    parser.add_argument("--matching", action="store_true", help="with --staged: of the PATHs, only those the settings call ADRs (for hooks)")
    parser.add_argument("--all", action="store_true", help="with --staged: every ADR of the index, not only those that differ from HEAD")
    parser.add_argument("--since", metavar="REV", help="what was changed (staged or committed) since parting from REV; old findings become info")
    parser.add_argument("--baseline", metavar="FILE", help="leave out the findings that FILE counts; a count that is too high is an error")
    parser.add_argument(
        "--write-baseline", action="store_true", help="write the baseline: what is found now (default FILE: the settings', else .helix-baseline.json)"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print the findings (default: text)")
    parser.add_argument("--output", metavar="FILE", help="write the report to FILE instead of standard output")
    parser.add_argument("--template", metavar="NAME", help="auto, helix, madr, nygard or one of the settings (default: the settings', else auto)")
    parser.add_argument("--concept", metavar="FILE", help="compare the ADR with this concept (exactly one ADR)")
    parser.add_argument(
        "--fail-on", choices=("error", "warning", "never"), default="error", help="the mildest severity that exits 1 (default: error)"
    )


def from_hook(arguments: list[str]) -> SimpleNamespace | None:
    """The options of a call as the hook makes it, read without argparse; None for any other call.

    A Markdown file is a path, also one that begins with a hyphen: hooks put no `--` before them.
    """
    if arguments[:2] != ["--staged", "--matching"] or any(word.startswith("-") and not word.endswith(".md") for word in arguments[2:]):
        return None
    return SimpleNamespace(paths=arguments[2:], staged=True, matching=True, all=False, since=None, baseline=None, write_baseline=False,
                           format="text", output=None, template=None, concept=None, fail_on="error", quiet=False, color="auto")  # fmt: skip


def run(options: "Namespace") -> int:
    repository = git.repository()
    _refuse(options, repository)
    index = git.Index(repository) if repository else None
    head = Head(repository, index) if repository and index else None
    try:
        if options.staged and index and options.paths:
            index.expect(wanted(git.given(repository, options.paths)), read=True)
        elif repository and not (options.paths or options.staged):
            git.ahead(repository)
        from ..check import run

        return run.run(options, repository, index, head)
    finally:
        git.forget()
        for opened in (index, head):
            if opened:
                opened.close()


def _refuse(options: "Namespace", repository: str | None) -> None:
    """Flags that do not go together."""
    if (options.staged or options.since) and not repository:
        raise UsageError(f"{'--staged' if options.staged else '--since'} needs a git repository, and this folder is not in one")
    if (options.matching or options.all) and not options.staged:
        raise UsageError(f"{'--matching' if options.matching else '--all'} goes with --staged")
    if options.all and (options.paths or options.since):
        raise UsageError("--all means every ADR; leave the PATHs and --since out")
    if options.write_baseline and (options.paths or options.staged or options.since):
        raise UsageError("--write-baseline counts every ADR of the work tree; leave PATHs, --staged and --since out")
    if not (repository or options.paths):
        message = "this folder is not in a git repository; name files or folders, or run `git init` here"
        raise UsageError(message)
