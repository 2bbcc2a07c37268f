"""The next steps, with the commands to paste, and the reasons of the state. Pure.

The summary comment and the check begin with these texts; `/helix status` has the next step alone.
"""

from ..config.policy import wanted
from ..decision.commands import APPROVE, REJECT, REVIEW, written
from ..decision.decide import Decision
from ..decision.handover import Handover
from ..decision.reasons import FIX, NEW_ID, of_protected
from ..decision.rounds import exhausted
from ..decision.states import APPROVED, BLOCKED, FAILED, PENDING, REJECTED, Reason, in_words
from ..decision.who_may import whose
from ..finding import Finding
from ..paths import APPROVALS_FILE
from ..text import code, inline, moment
from .links import Links
from .markdown import block, folded, section

_MOST_DELEGATES = 10
"""Maximum number of delegates that are named."""


def next_step(handover: Handover, decision: Decision, to: Links) -> str:
    """Return the next step and who must take it, in one line without a command to paste."""
    if decision.asked:
        return _next_vote(handover, decision, to)
    if decision.state == APPROVED:
        return "**Next:** no action needed."
    ways = dict.fromkeys(reason.way_out for reason in decision.reasons if reason.way_out)
    if decision.state == REJECTED and not decision.reasons[0].by and {*ways} <= {FIX}:
        return "**Next:** the author fixes the findings and pushes."
    return f"**Next:** {'; also: '.join(map(inline, ways)) or 'see the reasons below'}."


def _next_vote(handover: Handover, decision: Decision, to: Links) -> str:
    until = f", until {moment(decision.due)}" if decision.due else ""
    deciders, commit = handover.deciders, handover.target.head[:7]
    verb = "decide" if deciders.minimum > 1 else "decides"
    comment = to.box("comment")
    way = f"Approve {to.review('in a review')}, or {comment}."
    # GitHub refuses a review by the author of a pull request.
    if deciders.sole and deciders.sole.casefold() == decision.author.casefold():
        way = f"Approve in a {comment}."
    return f"**Next:** {inline(whose(deciders))} {verb} about commit `{commit}`{until}. {way}"


def steps(handover: Handover, decision: Decision, to: Links) -> str:
    """Return the next steps and who must take them, with each command to paste in a block."""
    if decision.asked:
        return _to_decide(handover, decision, to)
    if decision.state == APPROVED:
        return "".join(f"{inline(reason.text)}.\n" for reason in decision.reasons)
    step = f"{next_step(handover, decision, to)}\n"
    may_run_again = decision.state in (BLOCKED, FAILED, PENDING) and not handover.target.merges
    if not may_run_again or any(reason.by for reason in decision.reasons):
        return step
    comment = to.box("Write a comment")
    return (
        f"{step}\n{comment} with this line (requires write, maintain or admin):\n\n"
        f"{block(written(REVIEW))}"
    )


def _to_decide(handover: Handover, decision: Decision, to: Links) -> str:
    """Return the information for a decider: the deadline, the commands, and who may decide."""
    head, deciders, author = handover.target.head, handover.deciders, decision.author
    parts = [
        f"{next_step(handover, decision, to)[:-1]}:\n",
        block(written(APPROVE, head)),
    ]
    types = dict.fromkeys(reason.about for reason in decision.asked if reason.about)
    if len(types) > 1:
        blocks = [block(written(APPROVE, head, "for", name)) for name in types]
        parts.append(folded("Approve one type only", "\n".join(blocks)))
    parts += [
        "or, with your reason in place of REASON:\n",
        block(written(REJECT, "REASON")),
        f"Allowed: {inline(wanted(deciders))}, except authors of the change.\n",
    ]
    # In a repository with one maintainer, the author may be the only decider.
    if author and not author.endswith("[bot]") and deciders.roles and not deciders.sole:
        line = code(f"sole_maintainer: {author}")
        parts.append(f"No other maintainer? Add {line} to `policy` in `{APPROVALS_FILE}`.\n")
    delegates = [
        f"{item.to} for {item.giver} until {item.until}"
        for item in deciders.delegates
        if item.is_active(handover.carried.looked)
    ]
    if len(delegates) > _MOST_DELEGATES:
        delegates[_MOST_DELEGATES:] = [f"and {len(delegates) - _MOST_DELEGATES} more"]
    if delegates:
        parts.append(f"Delegates: {inline('; '.join(delegates))}.\n")
    if handover.agents and deciders.minimum != handover.policy.deciders.minimum:
        parts.append(
            f"Coding agents wrote part of the change ({inline(', '.join(handover.agents))}), "
            f"so it needs {deciders.minimum} approvals.\n"
        )
    to_judge = _before_review(handover, decision)
    if to_judge:
        parts += [f"{to_judge}\n", block(written(REVIEW))]
    return "\n".join(parts)


def _before_review(handover: Handover, decision: Decision) -> str:
    """Return the words before `/helix review`, if a judge could run before a person decides."""
    if any(reason.state == FAILED for reason in decision.asked):
        return "To run the judge again instead:"
    if not handover.no_judge:
        return ""
    if handover.target.draft or handover.target.from_fork:
        return "To run the judge first (requires write, maintain or admin):"
    if exhausted(handover):
        return "To run the judge once more (requires write, maintain or admin):"
    return ""


def why(handover: Handover, decision: Decision, to: Links) -> str:
    """Return the reasons of the state, one line each, without findings that are listed below."""
    if decision.state == APPROVED:
        return ""
    # Two findings may have the same text; the first one is the worst.
    findings = {in_words(item.finding): item.finding for item in reversed(handover.findings)}
    lines = []
    for reason in decision.reasons:
        if not _is_shown(reason, decision):
            continue
        text = reason.text
        for question in of_protected(handover.protected, handover.protected_left_out):
            text = text.replace(question.text, "the change touches protected files, listed below")
        finding = findings.get(reason.finding)
        lines.append(_because(reason._replace(text=text), finding, decision, to))
    heading = "Why a person must decide" if decision.asked else "Why"
    return section(heading, lines)


def _is_shown(reason: Reason, decision: Decision) -> bool:
    """Return whether a reason has more information than the findings below."""
    is_unanswerable = decision.state == PENDING and not decision.asked
    if is_unanswerable or decision.state not in (REJECTED, PENDING):
        return True
    return bool(reason.is_question or reason.by or reason.about or reason.way_out == NEW_ID)


def _because(reason: Reason, finding: Finding | None, decision: Decision, to: Links) -> str:
    until = f" (until {moment(reason.due)})" if reason.due and reason.due != decision.due else ""
    if not finding:
        return f"- {inline(reason.text)}{until}\n"
    where = to.file(f"{code(finding.path)}, line {finding.line}", finding.path, finding.line)
    before, _, behind = reason.text.partition(reason.finding)
    topic = f"{inline(before)} " if before else ""
    message = inline(finding.message + behind)
    return f"- {topic}{where}: {message}{until} <sub>{inline(finding.check)}</sub>\n"


def asked_about(decision: Decision) -> set[str]:
    """Return the texts of findings that are among the reasons, so that no list repeats them."""
    return {reason.finding for reason in decision.reasons if reason.finding}
