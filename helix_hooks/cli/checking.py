"""A check with its output: the report or the baseline, and the exit code."""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from ..check.options import CheckOptions, opened
from ..console.output import colored, columns, print_message, print_result
from ..errors import ConfigError, HelixError, UsageError

if TYPE_CHECKING:
    from ..adr.check_report import CheckReport
    from ..check.run import CheckContext
    from .observed import ObservedCheck

_BASELINE = ".helix-baseline.json"
_LONG = 30
"""Number of findings after which the start of a list is no longer on the screen."""


class CheckOutput(NamedTuple):
    """The destination of a check's result, and the severity at which it fails.

    With `statistics`, numbers by rule replace the findings. With `exit_zero`, findings do not fail.
    `observed` shows the progress of the check.
    """

    format: str = "text"
    file: str | None = None
    fail_on: str = "error"
    quiet: bool = False
    color: str = "auto"
    statistics: bool = False
    exit_zero: bool = False
    observed: "ObservedCheck | None" = None


def check(options: CheckOptions, output: CheckOutput) -> int:
    """Check, print the report or write the baseline, and return the exit code.

    Raises:
        UsageError: --write-baseline is used with a selection of ADRs.
    """
    writes_baseline = not options.use_baseline
    if writes_baseline and (options.paths or options.staged or options.since):
        raise UsageError("--write-baseline cannot be used with PATHs, --staged or --since")
    with opened(options) as target:
        # Loaded only after the options are found right.
        from ..adr.check_report import exit_code
        from ..check import run

        context = run.prepare(options, target)
        for line in context.notices:
            print_message(line)
        check = output.observed.check if output.observed else run.check
        result = check(context)
        for line in result.notices:
            print_message(line)
        report = result.report
        if writes_baseline:
            return _write_baseline(context, report)
        # Runners show what a hook prints, so a hook without a finding prints nothing.
        is_plain = output.format == "text" and not (output.file or output.statistics)
        # Information is for readers, not for the author of a commit.
        says_nothing = not report.skipped and report.count("info") == len(report.findings)
        if not (options.matching and is_plain and says_nothing):
            text = _rendered(report, output, is_commit=options.staged)
            if output.file:
                _save(text, output.file, f"the report could not be written to {output.file}")
            else:
                print_result(text)
        if output.observed:
            output.observed.end(context, report)
        if result.incomplete:
            return 3
        code = exit_code(report, output.fail_on, is_branch=context.is_branch)
    if code and output.exit_zero:
        print_message("the check failed; the exit code is 0 because of --exit-zero")
        return 0
    return code


def _rendered(report: "CheckReport", output: CheckOutput, *, is_commit: bool) -> str:
    """Return the report; for a commit that it stops, also how to continue."""
    if output.format == "text":
        shown = _listed(report, output, is_commit=is_commit)
    else:
        # The modules of the other formats are not loaded.
        shown = str(import_module(f"helix_hooks.report.{output.format}").render(report))
    if not (output.statistics or report.left_out):
        return shown
    from .counted import rendered

    return rendered(
        report,
        output.format,
        shown,
        statistics=output.statistics,
        quiet=output.quiet,
        color=colored(output.color) and not output.file,
    )


def _listed(report: "CheckReport", output: CheckOutput, *, is_commit: bool) -> str:
    """Return the findings as text; for a commit that they stop, also how to continue."""
    from ..report import text

    width = 0 if output.file else columns()
    color = colored(output.color) and not output.file
    shown = text.render(report, color, output.quiet, width)
    if output.quiet:
        return shown
    is_terminal = sys.stdout.isatty()
    if is_terminal and not output.file and len(report.findings) > _LONG:
        from ..report import rule_counts

        shown += f"\n{rule_counts.listing(report, colored(output.color), is_short=True)}"
    way_out = text.way_out(report, output.fail_on) if is_commit else ""
    is_read = is_terminal or os.environ.get("CI", "") not in ("", "0", "false")
    if way_out or output.file or not is_read:
        return shown + way_out
    shown += text.fixable(report)
    # On a terminal with colours, each rule is a link to its page already.
    if not (is_terminal and colored(output.color)):
        shown += text.pages(report)
    return shown


def _write_baseline(context: "CheckContext", report: "CheckReport") -> int:
    from ..adr import baseline
    from ..adr.rules.registry import FIRM
    from ..check.trees import WRONG

    path = context.options.baseline or context.settings.baseline or _BASELINE
    place = context.tree.place(path)
    # A link could lead out of the repository.
    if place.kind == WRONG and place.links:
        raise ConfigError(path, 1, "", f"{place.reason}; nothing is written there")
    counting = [finding for finding in report.findings if finding.severity != "info"]
    # A baseline never suppresses firm rules, so their entries would be stale at once.
    recorded = [finding for finding in counting if finding.check not in FIRM]
    place_on_disk = os.path.join(context.target.root, path)
    _save(baseline.render(recorded), place_on_disk, f"{path} could not be written")
    is_used = bool(context.settings.baseline)
    print_result(_recorded_message(path, len(recorded), len(counting) - len(recorded), is_used))
    return 0


def _recorded_message(path: str, recorded: int, left: int, is_used: bool) -> str:
    message = f"{path}: {recorded} findings recorded"
    if not is_used:
        message += f"; add it to the settings: `baseline: {path}`"
    if left:
        message += f"; fix the other {left}, which no baseline can leave out"
    return f"{message}\n"


def _save(text: str, path: str, problem: str) -> None:
    """Write a file.

    Raises:
        HelixError: The file can't be written; the message starts with `problem`.
    """
    from .. import writing

    try:
        writing.replace(path, text.encode(errors="backslashreplace"))
    except OSError as error:
        raise HelixError(f"{problem}: {error.strerror}") from None
