"""The report of a check with `--statistics`, or with a part of the rules left out."""

from importlib import import_module

from ..adr.check_report import CheckReport
from ..console.output import colored, print_message
from ..report import json, rule_counts, text
from .hook import CheckOutput, findings


def rendered(report: CheckReport, output: CheckOutput, *, is_commit: bool) -> str:
    """Return the report. Where it can't say itself that rules were left out, a message does."""
    if output.format == "json":
        return _json(report, output)
    if output.format == "text":
        if output.statistics:
            shown = _statistics(report, output)
        else:
            shown = findings(report, output, is_commit=is_commit)
        if not output.quiet:
            return shown + _choice(report)
    else:
        shown = str(import_module(f"helix_hooks.report.{output.format}").render(report))
    if report.left_out:
        print_message(rule_counts.choice(report))
    return shown


def _json(report: CheckReport, output: CheckOutput) -> str:
    fields = json.payload(report)
    if report.left_out:
        fields["left_out"] = {"rules": report.left_out, "findings": report.hidden}
    if output.statistics:
        fields["statistics"] = rule_counts.payload(report)
    return json.dumped(fields, sum(len(file.findings) for file in report.files))


def _statistics(report: CheckReport, output: CheckOutput) -> str:
    shown = rule_counts.table(report, _is_colored(output))
    if output.quiet:
        return shown
    skipped = report._replace(files=())
    notes = text.render(skipped, _is_colored(output)) if report.skipped else ""
    return notes + shown + rule_counts.totals(report)


def _choice(report: CheckReport) -> str:
    line = rule_counts.choice(report)
    return f"{line}\n" if line else ""


def _is_colored(output: CheckOutput) -> bool:
    return colored(output.color) and not output.file
