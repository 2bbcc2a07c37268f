"""What `helix-hooks check` does: settings, the ADRs, Layers 1 to 3, the report and the exit code."""

from typing import TYPE_CHECKING

from .. import files, git
from ..adr.check import CheckReport, check
from ..errors import HelixError, UsageError
from ..finding import SEVERITIES
from ..places import READ_FIRST, neighbours
from ..report import text
from ..settings import Settings, load
from .main import colored, complain, write

if TYPE_CHECKING:
    from argparse import Namespace


def run(options: "Namespace", repository: str | None, index: git.Index | None) -> int:
    report = _check(options, repository, index)
    _print(report, options)
    return _exit_code(report, options.fail_on)


def _check(options: "Namespace", repository: str | None, index: git.Index | None) -> CheckReport:
    root = repository or "."
    paths = git.given(repository, options.paths)
    tree: files.Tree = files.WorkTree(root, index)
    if options.staged and index:
        tree = files.StagedTree(index)
        index.look_up([*READ_FIRST, *neighbours(paths)])
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
    (path,) = git.given(repository, [options.concept])
    if not tree.has(path):
        raise UsageError(f"{path}: there is no such file to compare with")
    return path


def _print(report: CheckReport, options: "Namespace") -> None:
    if options.format == "json":
        from ..report import json

        rendered = json.render(report)
    elif options.format == "github":
        from ..report import github

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
