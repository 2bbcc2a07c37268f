"""`helix-hooks check`: parse, call, print.

Light: git is set to work before all that checks is loaded.
"""

from typing import TYPE_CHECKING, NamedTuple

from ..check.options import CheckOptions, opened
from ..console.output import colored, complain, write
from ..errors import ConfigError, HelixError, UsageError
from ..report import FORMATS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from ..adr.examine import CheckReport
    from ..check.run import CheckContext

EXAMPLE = """examples:
  helix-hooks check                                 every ADR of the repository
  helix-hooks check docs/adr/014-docs.md            one ADR
  helix-hooks check --staged                        what the next commit would contain
  helix-hooks check --since origin/main             what this branch changes, measured by what held before
  helix-hooks check --write-baseline                count what is there now; only what is new is reported from then on
  helix-hooks check --format json docs/adr          for programs"""

_BASELINE = ".helix-baseline.json"


class Output(NamedTuple):
    """Where the result of a check goes, and when it fails."""

    format: str = "text"
    file: str | None = None
    fail_on: str = "error"
    quiet: bool = False
    color: str = "auto"


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


def run(options: "Namespace") -> int:
    """Check as the parsed command line says."""
    asked = CheckOptions(
        paths=tuple(options.paths),
        staged=options.staged,
        matching=options.matching,
        all=options.all,
        since=options.since,
        baseline=options.baseline,
        use_baseline=not options.write_baseline,
        template=options.template,
        concept=options.concept,
    )
    output = Output(
        format=options.format,
        file=options.output,
        fail_on=options.fail_on,
        quiet=options.quiet,
        color=options.color,
    )
    return check(asked, output)


def from_hook(arguments: list[str]) -> tuple[CheckOptions, Output] | None:
    """Return the options of a call as the hook makes it; None for any other call.

    A Markdown file is a path, also one that begins with a hyphen: hooks put no `--` before them.
    """
    paths = arguments[2:]
    if arguments[:2] != ["--staged", "--matching"]:
        return None
    if any(word.startswith("-") and not word.endswith(".md") for word in paths):
        return None
    return CheckOptions(tuple(paths), staged=True, matching=True), Output()


def check(options: CheckOptions, output: Output) -> int:
    """Check, print the report or write the baseline, and return the exit code."""
    writes_baseline = not options.use_baseline
    if writes_baseline and (options.paths or options.staged or options.since):
        message = "--write-baseline counts every ADR of the work tree"
        raise UsageError(f"{message}; leave PATHs, --staged and --since out")
    with opened(options) as target:
        from ..check import run

        context = run.prepare(options, target)
        _tell(context.notices)
        result = run.check(context)
        _tell(result.notices)
        if writes_baseline:
            return _write_baseline(context, result.report)
        _print(result.report, output)
        return 3 if result.incomplete else int(run.fails(result.report, output.fail_on))


def _tell(notices: tuple[str, ...]) -> None:
    for line in notices:
        complain(line)


def _print(report: "CheckReport", output: Output) -> None:
    text = _rendered(report, output)
    if output.file:
        _save(text, output.file, f"the report could not be written to {output.file}")
    else:
        write(text)


def _rendered(report: "CheckReport", output: Output) -> str:
    if output.format == "text":
        from ..report import text

        return text.render(report, colored(output.color) and not output.file, output.quiet)
    from importlib import import_module

    return str(import_module(f"helix_hooks.report.{output.format}").render(report))


def _write_baseline(context: "CheckContext", report: "CheckReport") -> int:
    import os

    from ..adr import baseline
    from ..repository.links import WRONG

    path = context.options.baseline or context.settings.baseline or _BASELINE
    findings = [finding for file in report.files for finding in file.findings]
    place = context.tree.place(path)
    if place.kind == WRONG and place.links:
        raise ConfigError(path, 1, "", f"{place.reason}; nothing is written there")
    place_on_disk = os.path.join(context.target.root, path)
    _save(baseline.render(findings), place_on_disk, f"{path} could not be written")
    counted = sum(finding.severity != "info" for finding in findings)
    use = "" if context.settings.baseline else f"; name it in the settings: `baseline: {path}`"
    write(f"{path}: {counted} findings counted{use}\n")
    return 0


def _save(text: str, path: str, problem: str) -> None:
    """Write a file. Raises HelixError with a problem, which names the file, and the reason."""
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        raise HelixError(f"{problem}: {error.strerror}") from None
