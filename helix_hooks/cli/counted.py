"""The report of a check with `--statistics`, or with a part of the rules left out."""

from importlib import import_module

from ..adr.check_report import CheckReport
from ..console.output import print_message
from ..report import json, rule_counts, text


def rendered(
    report: CheckReport, format: str, listed: str, *, statistics: bool, quiet: bool, color: bool
) -> str:
    """Return the report; `listed` are its findings as text.

    Where the report can't say itself that rules were left out, a message does.
    """
    if format == "json":
        return _json(report, statistics=statistics)
    if format == "text":
        shown = _statistics(report, quiet=quiet, color=color) if statistics else listed
        if not quiet:
            return shown + _choice(report)
    else:
        shown = str(import_module(f"helix_hooks.report.{format}").render(report))
    if report.left_out:
        print_message(rule_counts.choice(report))
    return shown


def _json(report: CheckReport, *, statistics: bool) -> str:
    fields = json.payload(report)
    if report.left_out:
        fields["left_out"] = {"rules": report.left_out, "findings": report.hidden}
    if statistics:
        fields["statistics"] = rule_counts.payload(report)
    return json.dumped(fields, sum(len(file.findings) for file in report.files))


def _statistics(report: CheckReport, *, quiet: bool, color: bool) -> str:
    shown = rule_counts.table(report, color)
    if quiet:
        return shown
    notes = text.render(report._replace(files=()), color) if report.skipped else ""
    return notes + shown + rule_counts.totals(report)


def _choice(report: CheckReport) -> str:
    line = rule_counts.choice(report)
    return f"{line}\n" if line else ""
