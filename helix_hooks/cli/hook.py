"""`check` as the hook calls it, parsed without click; and the run that both parsers lead to.

Light: click would cost a hook a quarter of its time.
"""

import os
import sys

from ..check.options import CheckOptions, opened
from ..console.output import colored, columns, print_message, print_result
from ..errors import ConfigError, HelixError, UsageError
from ..finding import FAIL_ON
from ..records import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..adr.check_report import CheckReport
    from ..check.run import CheckContext
    from .observed import ObservedCheck
else:  # loaded where a flag asks for it; a quoted name in a NamedTuple would cost a millisecond
    ObservedCheck = object

_BASELINE = ".helix-baseline.json"
_LONG = 30
"""Findings after which a terminal no longer shows where a list began."""

_FLAGS = ("--staged", "--matching", "--all", "--quiet", "-q")


class CheckOutput(NamedTuple):
    """The destination of a check's result, and the severity at which it fails.

    With `statistics`, numbers by rule take the place of findings; with `exit_zero`, findings do not
    fail. `observed` shows how the check goes.
    """

    format: str = "text"
    file: str | None = None
    fail_on: str = "error"
    quiet: bool = False
    color: str = "auto"
    statistics: bool = False
    exit_zero: bool = False
    observed: ObservedCheck | None = None


def plain(words: list[str]) -> list[str]:
    """Return the words of a hook's call, where no Markdown file can be taken for an option.

    Hooks put no `--` before the names of files, and a file may be called `--output=x.md`.
    """
    if "--matching" not in words:
        return words
    end = words.index("--") if "--" in words else len(words)
    return [
        f"./{word}" if number < end and word.startswith("-") and word.endswith(".md") else word
        for number, word in enumerate(words)
    ]


def parsed(words: list[str]) -> tuple[CheckOptions, CheckOutput] | None:
    """Return the options of a call as hooks make it; None for any other call, which click
    parses.
    """
    flags, paths, fail_on = set[str](), list[str](), "error"
    rest = iter(words)
    for word in rest:
        if word == "--fail-on" or word.startswith("--fail-on="):
            fail_on = word.partition("=")[2] if "=" in word else next(rest, "")
            if fail_on not in FAIL_ON:
                return None
        elif word in _FLAGS:
            flags.add(word)
        elif word.startswith("-"):
            return None
        else:
            paths.append(word)
    if "--staged" not in flags:
        return None
    is_quiet = not flags.isdisjoint(("--quiet", "-q"))
    options = CheckOptions(
        paths=tuple(paths),
        staged=True,
        matching="--matching" in flags,
        all="--all" in flags,
        uses_cache=True,
    )
    return options, CheckOutput(fail_on=fail_on, quiet=is_quiet)


def check(options: CheckOptions, output: CheckOutput) -> int:
    """Check, print the report or write the baseline, and return the exit code."""
    writes_baseline = not options.use_baseline
    if writes_baseline and (options.paths or options.staged or options.since):
        message = "--write-baseline counts every ADR of the work tree"
        raise UsageError(f"{message}; leave PATHs, --staged and --since out")
    with opened(options) as target:
        from ..check import run

        context = run.prepare(options, target)
        _tell(context.notices)
        result = output.observed.check(context) if output.observed else run.check(context)
        _tell(result.notices)
        if writes_baseline:
            return _write_baseline(context, result.report)
        _print(result.report, output, is_commit=options.staged)
        if output.observed:
            output.observed.end(context, result.report)
        if result.incomplete:
            return 3
        is_failed = run.fails(result.report, output.fail_on)
        if is_failed and output.exit_zero:
            print_message("the check failed; the exit code is 0 because of --exit-zero")
        return int(is_failed and not output.exit_zero)


def _tell(notices: tuple[str, ...]) -> None:
    for line in notices:
        print_message(line)


def _print(report: "CheckReport", output: CheckOutput, *, is_commit: bool) -> None:
    text = _rendered(report, output, is_commit=is_commit)
    if output.file:
        _save(text, output.file, f"the report could not be written to {output.file}")
    else:
        print_result(text)


def _rendered(report: "CheckReport", output: CheckOutput, *, is_commit: bool) -> str:
    """Return the report; with `is_commit`, also how to go on where it stops one."""
    if output.statistics or report.left_out:
        from .counted import rendered

        return rendered(
            report,
            output.format,
            _listed(report, output, is_commit=is_commit) if output.format == "text" else "",
            statistics=output.statistics,
            quiet=output.quiet,
            color=colored(output.color) and not output.file,
        )
    if output.format == "text":
        return _listed(report, output, is_commit=is_commit)
    from importlib import import_module

    return str(import_module(f"helix_hooks.report.{output.format}").render(report))


def _listed(report: "CheckReport", output: CheckOutput, *, is_commit: bool) -> str:
    """Return the findings as text; with `is_commit`, also how to go on where they stop one."""
    from ..report import text

    color, width = colored(output.color) and not output.file, 0 if output.file else columns()
    shown = text.render(report, color, output.quiet, width)
    says_more = is_commit and not output.quiet
    way_out = text.way_out(report, output.fail_on) if says_more else ""
    return shown + _numbers(report, output) + (way_out or _last_lines(report, output))


def _last_lines(report: "CheckReport", output: CheckOutput) -> str:
    """Return what a person can do next, at a terminal or in the log of a CI: fix, read pages.

    At a terminal with colours each rule is a link to its page already.
    """
    is_terminal = sys.stdout.isatty()
    is_read = is_terminal or os.environ.get("CI", "") not in ("", "0", "false")
    if output.quiet or output.file or not is_read:
        return ""
    from ..report import last_lines

    is_linked = is_terminal and colored(output.color)
    pages = "" if is_linked else last_lines.pages(report)
    return last_lines.fixable(report) + pages


def _numbers(report: "CheckReport", output: CheckOutput) -> str:
    """Return the numbers by rule at the end of a long list that a person reads."""
    count = sum(len(file.findings) for file in report.files)
    if count <= _LONG or output.quiet or output.file or not sys.stdout.isatty():
        return ""
    from ..report import rule_counts

    return f"\n{rule_counts.table(report, colored(output.color), is_short=True)}"


def _write_baseline(context: "CheckContext", report: "CheckReport") -> int:
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
    print_result(f"{path}: {counted} findings counted{use}\n")
    return 0


def _save(text: str, path: str, problem: str) -> None:
    """Write a file. Raises HelixError with a problem, which names the file, and the reason."""
    from .. import writing

    try:
        writing.replace(path, text.encode(errors="backslashreplace"))
    except OSError as error:
        raise HelixError(f"{problem}: {error.strerror}") from None
