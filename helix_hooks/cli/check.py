"""`helix-hooks check`: Layers 1 to 3."""

from types import SimpleNamespace
from typing import TYPE_CHECKING

from .. import files, git
from ..adr.check import CheckReport, check
from ..errors import HelixError, UsageError
from ..finding import SEVERITIES
from ..report import FORMATS, github, text
from ..settings import READ, Settings, load
from .main import colored, complain, write

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

EXAMPLE = """examples:
  helix-hooks check                                 every ADR of the repository
  helix-hooks check docs/adr/014-docs.md            one ADR
  helix-hooks check --staged                        what the next commit would contain
  helix-hooks check --format json docs/adr          for programs"""


_OPTIONS = frozenset(("--format", "--output", "--template", "--concept", "--fail-on", "--quiet", "--color", "--help", "-h", "--"))


def add_arguments(parser: "ArgumentParser") -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="ADRs or folders (default: every ADR of the repository)")
    parser.add_argument("--staged", action="store_true", help="check the staged content; without PATHs, of all staged ADRs")
    parser.add_argument("--matching", action="store_true", help="with --staged: of the PATHs, only those the settings call ADRs (for hooks)")
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print the findings (default: text)")
    parser.add_argument("--output", metavar="FILE", help="write the report to FILE instead of standard output")
    parser.add_argument("--template", metavar="NAME", help="auto, helix, madr, nygard or one of the settings (default: the settings', else auto)")
    parser.add_argument("--concept", metavar="FILE", help="compare the ADR with this concept (exactly one ADR)")
    parser.add_argument(
        "--fail-on", choices=("error", "warning", "never"), default="error", help="the mildest severity that exits 1 (default: error)"
    )


def from_hook(arguments: list[str]) -> SimpleNamespace | None:
    """The options of a call as the hook makes it, read without argparse; None for any other call.

    All that follows is a path, also one that begins with a hyphen: hooks put no `--` before them.
    """
    if arguments[:2] != ["--staged", "--matching"] or any(argument.partition("=")[0] in _OPTIONS for argument in arguments):
        return None
    return SimpleNamespace(paths=arguments[2:], staged=True, matching=True, format="text", output=None, template=None, concept=None, fail_on="error",
                           quiet=False, color="auto")  # fmt: skip


def run(options: "Namespace") -> int:
    repository = git.repository()
    if options.staged and not repository:
        raise UsageError("--staged needs a git repository, and this folder is not in one")
    if options.matching and not options.staged:
        raise UsageError("--matching goes with --staged")
    index = git.Index(repository) if repository else None
    try:
        report = _check(options, repository, index)
    finally:
        if index:
            index.close()
    _print(report, options)
    return _exit_code(report, options.fail_on)


def _check(options: "Namespace", repository: str | None, index: git.Index | None) -> CheckReport:
    root = repository or "."
    paths = files.given(repository, options.paths)
    tree: files.Tree = files.WorkTree(root, index)
    if options.staged and index:
        tree = files.StagedTree(index)
        index.look_up([*READ, *files.neighbours(paths)])
    settings = _with_template(load(tree.read, files.packaged), options.template)
    if options.staged and index:
        selection = files.select_staged(index, root, paths, settings, options.matching)
    else:
        selection = files.select(tree, root, paths, settings)
    if not selection.paths:
        where = f"; looked for {', '.join(settings.paths)}" if not options.paths and not options.staged else ""
        complain(f"no ADR to check{where}")
    sources = files.sources(tree, selection, settings, _concept(options, repository, tree, len(selection.paths)))
    return check(sources, settings.ruleset, selection.skipped)


def _with_template(settings: Settings, name: str | None) -> Settings:
    if name is None:
        return settings
    names = ("auto", *settings.ruleset.templates)
    if name not in names:
        raise UsageError(f"there is no template {name!r}; there are {', '.join(names)}")
    return settings._replace(ruleset=settings.ruleset._replace(template=name))


def _concept(options: "Namespace", repository: str | None, tree: files.Tree, count: int) -> str | None:
    if not options.concept:
        return None
    if count != 1:
        raise UsageError(f"--concept goes with exactly one ADR, and there are {count}")
    (path,) = files.given(repository, [options.concept])
    if not tree.has(path):
        raise UsageError(f"{path}: there is no such file to compare with")
    return path


def _print(report: CheckReport, options: "Namespace") -> None:
    if options.format == "json":
        from ..report import json

        rendered = json.render(report)
    elif options.format == "github":
        rendered = github.render(report)
    else:
        rendered = text.render(report, colored(options) and not options.output, options.quiet)
    if not options.output:
        write(rendered)
        return
    try:
        with open(options.output, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(rendered)
    except OSError as error:
        raise HelixError(f"the report could not be written to {options.output}: {error.strerror}") from None


def _exit_code(report: CheckReport, fail_on: str) -> int:
    if fail_on == "never":
        return 0
    failing = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return int(any(report.count(severity) for severity in failing))
