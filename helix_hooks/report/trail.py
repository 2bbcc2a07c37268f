"""The result of `queue verify`, as text and as JSON."""

from ..text.plural import counted
from ..text.sanitize import at_line_start, printable
from ..waiting.stored import TrailReport
from .json import dumped

VERSION = 1


def render(report: TrailReport, format: str) -> str:
    """Return the result as text, or as JSON of version 1."""
    if format == "json":
        return _json(report)
    lines = [at_line_start(printable(fault, 300)) for fault in report.faults]
    if report.left_out:
        lines.append(f"and {counted(report.left_out, 'other fault')}")
    lines += [_summary(report), _signatures(report)]
    return "".join(f"{line}\n" for line in lines)


def _json(report: TrailReport) -> str:
    value = {
        "version": VERSION,
        "valid": not report.faults,
        "events": report.events,
        "requests": report.requests,
        "newest": _newest(report) or None,
        "signed": report.signed,
        "signatures_checked": report.has_key,
        "faults": list(report.faults),
        "faults_left_out": report.left_out,
    }
    return dumped(value, len(report.faults))


def _summary(report: TrailReport) -> str:
    read = f"{counted(report.events, 'event')}, {counted(report.requests, 'request')}"
    number = len(report.faults) + report.left_out
    state = f"INVALID, {counted(number, 'fault')}" if number else "the hash chain is valid"
    newest = _newest(report)
    if not newest:
        return f"{read}: {state}"
    return f"{read}: {state}; newest {newest}"


def _newest(report: TrailReport) -> str:
    """Return number and hash of the newest event; "" without events."""
    if not report.tip.number:
        return ""
    return f"{report.tip.number}:{report.tip.hash}"


def _signatures(report: TrailReport) -> str:
    if report.has_key:
        return f"signatures: {report.signed} of {report.events} were checked with this key"
    if report.signed:
        return f"signatures: {report.signed}, not checked, because HELIX_RECORD_KEY is not set"
    return "signatures: none; set HELIX_RECORD_KEY to sign new events"
