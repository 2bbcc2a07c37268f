"""What a person reads of a run: the same page in the check, in the comment on the pull request and in the job's summary.

The state first, then what is missing and who can give it, then what was found, then what it rests on.
"""

import re
from email.utils import formatdate

from ..approval.people import wanted
from ..approval.verdict import ApprovalResult
from ..report.plain import counted
from .command import APPROVE, OVERRIDE, REJECT
from .handover import SETTINGS_BROKEN, Handover, Said
from .harmless import capped, code, fenced, inline, plain
from .outcome import Outcome
from .state import APPROVED, BLOCKED, BROKEN, FAILED, MOVED, PENDING, REJECTED
from .votes import Vote

_HEADS = {
    APPROVED: "approved",
    REJECTED: "to mend",
    PENDING: "a person decides",
    FAILED: "no result",
    BROKEN: "the settings are broken",
    MOVED: "superseded",
    BLOCKED: "blocked: nobody decided in time",
}
_PERSON = "a person approves, see below"
_WORDS = {APPROVE: "The approval", REJECT: "The objection", OVERRIDE: "The override"}
_SIGNS = {"error": "❌", "warning": "⚠️", "info": "ℹ️"}
_QUOTED = 1_500
"""Characters of a quote that are shown."""

_BLOCK = re.compile(r"```mermaid\n(?:[^`\n]*\n)*```")
_TITLE = 120
_CENT = 0.01
_NAMED = 5
"""Files that are named."""

MORE = "*There is more than fits here; the job's log and summary have the rest.*"


def title(given: Handover, outcome: Outcome) -> str:
    """One line for the list of checks."""
    first = outcome.reasons[0].what
    if outcome.state == REJECTED and given.said:
        errors = sum(item.finding.severity == "error" for item in given.said)
        first = counted(errors, "error") if errors else first
    text = plain(f"{_HEADS[outcome.state]}: {first}")
    return text if len(text) <= _TITLE else f"{text[: _TITLE - 1]}…"


def page(given: Handover, outcome: Outcome, most: int) -> str:
    """The whole page in Markdown, at most so many characters."""
    given = outcome.given or given
    parts = [
        f"### {_HEADS[outcome.state].capitalize()}\n",
        _reasons(outcome),
        _votes(outcome),
        _to_decide(given, outcome),
        _types(given),
        _advice(given),
        _findings(given),
        _picture(given),
        _basis(given),
    ]
    return capped("\n".join(part for part in parts if part), MORE, most)


def _reasons(outcome: Outcome) -> str:
    """What is missing, who can give it, and until when."""
    if outcome.state == APPROVED:
        return "".join(f"{inline(reason.what)}\n" for reason in outcome.reasons)
    timed = any(reason.due for reason in outcome.reasons)
    ends = [f" {_until(reason.due)} |" if timed else "" for reason in outcome.reasons]
    rows = "".join(f"| {_cell(reason.what)} | {_cell(reason.way_out or _PERSON)} |{end}\n" for reason, end in zip(outcome.reasons, ends, strict=True))
    head = "| what is missing | who can give it |"
    return f"{head} until |\n|---|---|---|\n{rows}" if timed else f"{head}\n|---|---|\n{rows}"


def _until(due: int) -> str:
    return moment(due) if due else " "


def moment(at: int) -> str:
    """A time for people, to the minute."""
    return f"{formatdate(at, usegmt=True)[:-7]} UTC"


def _cell(text: str) -> str:
    return inline(text) or " "


def _votes(outcome: Outcome) -> str:
    return "".join(_refused(vote) for vote in outcome.refused)


def _refused(vote: Vote) -> str:
    return f"- {_WORDS.get(vote.said.kind, 'What')} of {inline(vote.said.by.login)} does not count: {inline(vote.refused)}.\n"


def _to_decide(given: Handover, outcome: Outcome) -> str:
    """What somebody needs who is asked: whether it is for them, and the lines to paste."""
    if not outcome.asked:
        return ""
    head, deciders = given.subject.head, given.policy.deciders
    types = list(dict.fromkeys(item.about for item in outcome.asked if item.about))
    narrow = [f"/helix approve {head} for {types[0]}"] if len(types) > 1 else []
    lines = "\n".join([f"/helix approve {head}", *narrow, "/helix reject REASON"])
    many = f" {deciders.minimum} of them are needed." if deciders.minimum > 1 else ""
    whose = f"Who may decide: {inline(wanted(deciders))}; never who wrote part of it.{many}"
    return f"{whose} Paste one of these lines into a comment:\n\n```\n{lines}\n```\n"


def _types(given: Handover) -> str:
    """A row for each approval type."""
    rows = [_row(judged.verdict) for judged in given.judged]
    rows += [f"| {code(name)} | no judge | {_cell(reason)} | |\n" for name, _, reason in given.stated]
    return f"| approval | verdict | what it says | by |\n|---|---|---|---|\n{''.join(rows)}" if rows else ""


def _advice(given: Handover) -> str:
    return "".join(
        f"- {code(judged.verdict.approval_type)} advises: {inline(text)}\n" for judged in given.judged for text in judged.verdict.recommendations
    )


def _row(verdict: ApprovalResult) -> str:
    said = "no verdict" if verdict.failed else f"{verdict.result.replace('_', ' ')}, {verdict.confidence:.2f} sure"
    summary = verdict.findings[0].message if verdict.failed and verdict.findings else verdict.summary
    return f"| {code(verdict.approval_type)} | {said} | {_cell(summary)} | {_cell(_took(verdict))} |\n"


def _took(verdict: ApprovalResult) -> str:
    about = verdict.agent_context
    if about.cached:
        return "answered before"
    cost = "cost not stated" if about.cost_usd is None else _dollars(about.cost_usd)
    return f"{about.model or about.agent}, {counted(about.turns, 'turn')}, {about.duration_seconds:.0f} s, {cost}"


def _dollars(amount: float) -> str:
    return f"${amount:.{2 if amount >= _CENT else 4}f}"


def _findings(given: Handover) -> str:
    """Each finding; what is wrong with the settings stands among the reasons already."""
    return "".join(f"{_line(item)}\n" for item in given.findings if item.finding.check != SETTINGS_BROKEN)


def _picture(given: Handover) -> str:
    """How the decisions hang together; only what is one block from its first fence to its last is shown."""
    if not _BLOCK.fullmatch(given.graph):
        return ""
    return f"<details><summary>How these decisions hang together</summary>\n\n{given.graph}\n\n</details>\n"


def _line(item: Said) -> str:
    finding = item.finding
    help = f"<br>{inline(finding.help)}" if finding.help else ""
    return f"- {_SIGNS[finding.severity]} {code(f'{finding.path}:{finding.line}')} {inline(finding.message)} ({code(finding.check)}){help}"


def comment(item: Said) -> str:
    """A comment at the lines of a finding: the finding, then why, then the way out."""
    finding = item.finding
    parts = [f"{_SIGNS[finding.severity]} **{inline(finding.message)}**\n"]
    if finding.evidence:
        parts.append(fenced(finding.evidence[:_QUOTED]))
    if finding.help:
        parts.append(f"→ {inline(finding.help)}\n")
    if item.place and not (item.place.first <= finding.line <= item.place.last):
        parts.append(f"Meant is line {finding.line}.\n")
    parts.append(f"<sub>{finding.severity}, {code(finding.check)}</sub>\n")
    return "\n".join(parts)


def _basis(given: Handover) -> str:
    subject = given.subject
    lines = [f"{counted(given.adrs, 'ADR')} at {subject.head[:7]}, by the settings of {subject.base[:7]}."]
    lines += _reviewed(given)
    lines += [f"Not checked: {inline(text)}." for text in given.skipped]
    return f"<sub>{' '.join(lines)}</sub>\n"


def _reviewed(given: Handover) -> list[str]:
    """The files that judges have read, and what that took so far."""
    paths = given.read
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    files = [f"Judged: {', '.join(code(path) for path in paths[:_NAMED])}{more}."] if paths else []
    return [*files, *([f"Spent on this pull request: {inline(_dollars(given.kept.spent))}."] if given.kept.spent else [])]
