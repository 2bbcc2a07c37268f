"""The text of the summary comment, of the job's summary, and of the check. Pure.

The comment and the job's summary have the full text; the check has the part that GitHub does not
show next to it. The order: next steps, reasons, protected files and relaxed rules, changes,
findings, verdicts. It has no table, which would scroll sideways on a phone.
"""

import re
from collections.abc import Iterable

from ..adr.rules.gate.gate_relaxed import gate_relaxed
from ..config.workflows import CHECK
from ..decision.assess import in_words
from ..decision.commands import APPROVE, OVERRIDE, REJECT
from ..decision.counting import STRANGER, CountedVote
from ..decision.decide import Decision
from ..decision.handover import ChangedAdr, Handover, PlacedFinding
from ..decision.states import APPROVED, BLOCKED, BROKEN, FAILED, MOVED, PENDING, REJECTED
from ..text import capped, code, counted, inline
from ..verdict.approval_result import LIGHT, ApprovalResult
from .claimed import claimed_section
from .earlier import declining, earlier_section
from .findings_section import findings_section, overrides_section
from .links import NOWHERE, Links
from .steps import asked_about, steps, why
from .title import title

_WORDS = {APPROVE: "The approval", REJECT: "The objection", OVERRIDE: "The override"}
_STATES = {
    APPROVED: "✅",
    REJECTED: "❌",
    PENDING: "⏳",
    FAILED: "❌",
    BROKEN: "❌",
    MOVED: "⚪",
    BLOCKED: "❌",
}

_BLOCK = re.compile(r"```mermaid\n(?:[^`\n]*\n)*```")
_CENT = 0.01
_UNFOLDED = 10
"""Maximum number of lines of a list that are not folded."""
_NAMED = 5
"""Maximum number of files that are named."""

MORE = "*The report is too long for this comment; see the job's log and summary for the rest.*"


def page(handover: Handover, decision: Decision, most: int, to: Links = NOWHERE) -> str:
    """Return the full text in Markdown, at most `most` characters."""
    handover = decision.handover or handover
    changed = _changed(handover, to)
    listed = asked_about(decision)
    findings = [item for item in handover.findings if in_words(item.finding) not in listed]
    # A decider reads what is changed before the findings; an author the findings first.
    before, behind = (changed, "") if decision.asked else ("", changed)
    sections = [
        f"### {_STATES[decision.state]} {inline(title(handover, decision))}\n",
        steps(handover, decision, to),
        why(handover, decision, to),
        claimed_section(handover, to),
        _touched(handover, decision, to),
        _votes(decision),
        before,
        findings_section(findings, to),
        _verdicts(handover),
        earlier_section(handover, to),
        behind,
        overrides_section(handover, to),
        declining(handover, to),
        _picture(handover),
        _basis(handover, to),
    ]
    return _joined(sections, most)


def _joined(sections: list[str], most: int) -> str:
    return capped("\n".join(filter(None, sections)), MORE, most)


def brief(
    handover: Handover,
    decision: Decision,
    most: int,
    to: Links = NOWHERE,
    annotated: Iterable[PlacedFinding] = (),
    is_alone: bool = False,
) -> str:
    """Return the text of the check.

    GitHub shows its title above, and the `annotated` findings below. The rest is in the summary
    comment; a check that `is_alone` has no such comment.
    """
    handover = decision.handover or handover
    below = {*annotated}
    listed = asked_about(decision)
    findings = [item for item in handover.findings if item not in below]
    findings = [item for item in findings if in_words(item.finding) not in listed]
    sections = [
        steps(handover, decision, to),
        why(handover, decision, to),
        claimed_section(handover, to),
        _touched(handover, decision, to),
        _votes(decision),
        findings_section(findings, to),
    ]
    if is_alone:
        details = [_verdicts(handover), _changed(handover, to), _picture(handover)]
        sections.append("\n".join(filter(None, details)))
    else:
        sections.append(f"{_below(len(below))}See {to.page('the helix comment')} for more.\n")
    sections.append(_basis(handover, NOWHERE))
    return _joined(sections, most)


def _below(count: int) -> str:
    """Return how many findings GitHub shows below the check; "" for none."""
    if not count:
        return ""
    lines = "its line" if count == 1 else "their lines"
    return f"{counted(count, 'finding')} below, at {lines}. "


def _votes(decision: Decision) -> str:
    """Return ignored votes while a question is open, without those of STRANGER users."""
    if not decision.asked:
        return ""
    rows = [_refused(item) for item in decision.refused if item.speaker != STRANGER]
    if not rows:
        return ""
    return f"**Ignored votes**\n\n{''.join(rows)}"


def _refused(item: CountedVote) -> str:
    return (
        f"- {_WORDS.get(item.vote.kind, 'What')} of {inline(item.vote.by.login)}: "
        f"{inline(item.refused)}.\n"
    )


def _touched(handover: Handover, decision: Decision, to: Links) -> str:
    """Return protected files, relaxed rules, and whether no judge has reviewed the change."""
    is_relaxed = _asks_about_relaxed(handover, decision)
    if not (handover.protected or handover.loosened or is_relaxed or handover.repair):
        return ""
    sections = []
    if all(judged.verdict.failed for judged in handover.judged):
        sections.append("**No judge has reviewed this change.**\n")
    if handover.repair:
        sections += [
            "Settings that the repair relaxes are not listed. Review the diff.\n",
            _folded(
                "Errors in the settings of the base branch", map(inline, handover.repair.errors)
            ),
        ]
    sections += [
        _folded("Protected files that the change touches", _protected(handover, to)),
        _folded("Rules, rubrics and policy: relaxed or changed", map(inline, handover.loosened)),
    ]
    return "\n".join(filter(None, sections))


def _asks_about_relaxed(handover: Handover, decision: Decision) -> bool:
    """Return whether a question is about a relaxed setting that hides an error."""
    listed = asked_about(decision)
    relaxed = [item.finding for item in handover.findings if item.finding.check == gate_relaxed.id]
    return any(in_words(finding) in listed for finding in relaxed)


def _protected(handover: Handover, to: Links) -> list[str]:
    # A deleted file has no hash, and a link to it would lead nowhere.
    present = {path for path, hash in handover.files if hash}
    files = [
        to.file(code(path), path) if path in present else code(path) for path in handover.protected
    ]
    if handover.protected_left_out:
        files.append(f"and {handover.protected_left_out} more")
    return files


def _folded(head: str, lines: Iterable[str]) -> str:
    """Return a list under its head, folded if it is long."""
    items = [f"- {line}\n" for line in lines]
    if not items:
        return ""
    if len(items) <= _UNFOLDED:
        return f"**{head}**\n\n{''.join(items)}"
    return f"<details><summary>{head}: {len(items)}</summary>\n\n{''.join(items)}\n</details>\n"


def _changed(handover: Handover, to: Links) -> str:
    """Return the changed ADRs, and the other changed files that the gate watches."""
    rows = [_adr(item, to) for item in handover.changed]
    others = handover.adrs - len(rows)
    if rows and others > 0:
        verb = "is" if others == 1 else "are"
        rows.append(f"- Impact: {counted(others, 'more ADR')} {verb} affected\n")
    rows += _other_files(handover, to)
    if not rows:
        return ""
    return f"**Changes**\n\n{''.join(rows)}"


def _other_files(handover: Handover, to: Links) -> list[str]:
    """Return a line with the other changed files that the gate watches; [] if there are none.

    Protected files have a list of their own.
    """
    listed = {*handover.protected, *(item.path for item in handover.changed)}
    files = [(path, hash) for path, hash in handover.files if path not in listed]
    names = [
        to.file(code(path), path) if hash else f"{code(path)} (deleted)"
        for path, hash in files[:_NAMED]
    ]
    if not names:
        return []
    left = len(files) - len(names) + handover.files_left_out
    more = f" and {left} more" if left else ""
    return [f"- {', '.join(names)}{more}\n"]


def _adr(item: ChangedAdr, to: Links) -> str:
    name = " ".join(filter(None, (item.name, item.title))) or item.path
    status = inline(item.status or "no status")
    if item.supersedes:
        status += inline(f", supersedes {', '.join(item.supersedes)}")
    return f"- {to.file(inline(name), item.path)}: {status}\n"


def _verdicts(handover: Handover) -> str:
    rows = [_verdict(judged.verdict) for judged in handover.judged]
    rows += [
        f"- {code(name)}: no judge. {inline(reason)}\n" for name, _, reason in handover.unjudged
    ]
    if not rows:
        return ""
    return f"**Judges**\n\n{''.join(rows)}"


def _verdict(verdict: ApprovalResult) -> str:
    """Return a verdict in one line, with its advice below."""
    answer, summary = "no verdict", ""
    # The reasons above explain why a judge failed.
    if not verdict.failed:
        answer = f"{verdict.result.replace('_', ' ')}, confidence {verdict.confidence:.2f}"
        summary = f" {inline(verdict.summary)}" if verdict.summary else ""
    rows = [f"- {code(verdict.approval_type)}: **{answer}**.{summary}\n"]
    if verdict.question_left:
        rows.append(f"  - Asks for a person: {inline(verdict.question_left)}\n")
    rows += [f"  - Advice: {inline(text)}\n" for text in verdict.recommendations]
    return "".join(rows)


def _took(verdict: ApprovalResult) -> str:
    """Return the model of a verdict, with its turns, time and cost."""
    context = verdict.agent_context
    light = ", the light judge" if context.decided_by == LIGHT else ""
    if context.cached:
        return f"answered before{light}"
    cost = "cost not stated" if context.cost_usd is None else _dollars(context.cost_usd)
    return (
        f"{context.model or context.agent}{light}, {counted(context.turns, 'turn')}, "
        f"{context.duration_seconds:.0f} s, {cost}"
    )


def _dollars(amount: float) -> str:
    digits = 2 if amount >= _CENT else 4
    return f"${amount:.{digits}f}"


def _picture(handover: Handover) -> str:
    """Return the graph of the decisions."""
    # The text comes from an earlier job. Anything else than one block of Mermaid is omitted.
    if not _BLOCK.fullmatch(handover.graph):
        return ""
    return (
        f"<details><summary>How these decisions are related</summary>\n\n{handover.graph}\n\n"
        "</details>\n"
    )


def _basis(handover: Handover, to: Links) -> str:
    """Return the commits, settings, models and costs in small print."""
    target = handover.target
    subject = f"{counted(handover.adrs, 'ADR')} at" if handover.adrs else "At"
    lines = [f"{subject} {target.head[:7]}, using the settings at {target.base[:7]}."]
    lines += [
        f"{code(judged.verdict.approval_type)}: {inline(_took(judged.verdict))}."
        for judged in handover.judged
    ]
    lines += [*_named(handover), *_reviewed(handover), *_spent(handover)]
    lines += [f"Not checked: {inline(text)}." for text in handover.skipped]
    if to.server:
        lines.append(f"See {to.checks('the check')}.")
    return f"<sub>{' '.join(lines)}</sub>\n"


def _named(handover: Handover) -> list[str]:
    """Return a line with the name of the check if it is not the required one."""
    target = handover.target
    if target.check == CHECK:
        return []
    branch, name = code(target.base_ref), code(target.check)
    return [f"{branch} is neither the default branch nor protected: the check is {name}."]


def _reviewed(handover: Handover) -> list[str]:
    """Return a line with the files that judges have read; [] for none."""
    paths = handover.files_read
    if not paths:
        return []
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return [f"Judged: {', '.join(map(code, paths[:_NAMED]))}{more}."]


def _spent(handover: Handover) -> list[str]:
    """Return a line with the cost on the pull request so far; [] without any."""
    spent, soft = handover.carried.spent, handover.policy.soft_budget
    if not spent:
        return []
    warning = ""
    if soft is not None and spent > soft:
        warning = f", above the soft limit of {inline(_dollars(soft))}"
    return [f"Spent on this pull request: {inline(_dollars(spent))}{warning}."]
