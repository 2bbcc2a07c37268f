"""The report of a check with `--statistics`, `--select` or `--ignore`."""

from ..adr.check_report import CheckReport
from ..console.output import print_message
from ..report import json, rule_counts, text


def rendered(
    report: CheckReport, format: str, shown: str, *, statistics: bool, quiet: bool, color: bool
) -> str:
    """Return the report; `shown` is the one without numbers by rule.

    If the format can't show that rules were left out, a message is printed.
    """
    if format == "json":
        return _json(report, statistics=statistics)
    if format == "text" and statistics:
        shown = _statistics(report, quiet=quiet, color=color)
    if format == "text" and not quiet:
        return shown + _choice(report)
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
    shown = rule_counts.listing(report, color)
    if quiet:
        return shown
    notes = ""
    if report.skipped:
        # Without its files, the report shows only what was skipped.
        notes = text.render(report._replace(files=()), color)
    return notes + shown + rule_counts.totals(report)


def _choice(report: CheckReport) -> str:
    line = rule_counts.choice(report)
    if not line:
        return ""
    return f"{line}\n"
