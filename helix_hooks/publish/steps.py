"""The next steps, each with the command to paste, and the reasons of a state. Pure."""

from ..config.policy import wanted
from ..decision.assess import in_words
from ..decision.commands import APPROVE, REJECT, REVIEW, written
from ..decision.decide import Decision
from ..decision.handover import Handover
from ..decision.questions import of_protected
from ..decision.reasons import FIX, NEW_ID
from ..decision.rounds import exhausted
from ..decision.states import APPROVED, BLOCKED, FAILED, PENDING, REJECTED, Reason
from ..decision.whose import whose
from ..finding import Finding
from ..paths import APPROVALS_FILE
from ..text import code, inline, moment
from .links import Links

_NAMED = 10
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
    who = inline(whose(handover.deciders))
    verb = "approve commit" if handover.deciders.minimum > 1 else "approves or rejects commit"
    commit = handover.target.head[:7]
    return f"**Next:** {who} {verb} `{commit}`{until}, {to.box('in a comment')}."


def steps(handover: Handover, decision: Decision, to: Links) -> str:
    """Return the next steps and who must take them, with each command to paste in a block."""
    if decision.asked:
        return _to_decide(handover, decision, to)
    if decision.state == APPROVED:
        return "".join(f"{inline(reason.text)}.\n" for reason in decision.reasons)
    step = f"{next_step(handover, decision, to)}\n"
    if not _may_run_again(handover, decision):
        return step
    comment = to.box("Write a comment")
    return (
        f"{step}\n{comment} with this line (requires write, maintain or admin):\n\n"
        f"{block(written(REVIEW))}"
    )


def _may_run_again(handover: Handover, decision: Decision) -> bool:
    if handover.target.merges or decision.state not in (BLOCKED, FAILED, PENDING):
        return False
    return not any(reason.by for reason in decision.reasons)


def _to_decide(handover: Handover, decision: Decision, to: Links) -> str:
    """Return the information for a decider: the deadline, the commands, and who may decide."""
    head = handover.target.head
    parts = [
        f"{next_step(handover, decision, to)[:-1]}:\n",
        block(written(APPROVE, head)),
        _by_type(decision, head),
        "or, with your reason in place of REASON:\n",
        block(written(REJECT, "REASON")),
        f"Allowed: {inline(wanted(handover.deciders))}, except authors of the change.\n",
        _locked_out(handover, decision),
        _delegates(handover),
        _by_agents(handover),
    ]
    judge = _judge_again(handover, decision)
    if judge:
        parts.append(f"{judge}\n\n{block(written(REVIEW))}")
    return "\n".join(filter(None, parts))


def _locked_out(handover: Handover, decision: Decision) -> str:
    """Return the setting for a repository with one maintainer: authors may not approve."""
    author, deciders = decision.author, handover.deciders
    if not author or author.endswith("[bot]") or deciders.sole or not deciders.roles:
        return ""
    line = code(f"sole_maintainer: {author}")
    return f"No other maintainer? Add {line} to `policy` in `{APPROVALS_FILE}`.\n"


def _by_type(decision: Decision, head: str) -> str:
    """Return the commands that approve one type each; "" if there is only one."""
    types = dict.fromkeys(reason.about for reason in decision.asked if reason.about)
    if len(types) < 2:
        return ""
    blocks = [block(written(APPROVE, head, "for", name)) for name in types]
    return "\n".join(
        ["<details><summary>Approve one type only</summary>\n", *blocks, "</details>\n"]
    )


def _delegates(handover: Handover) -> str:
    """Return the delegates at the time of this run; "" if there are none."""
    at = handover.carried.looked
    active = [item for item in handover.deciders.delegates if item.is_active(at)]
    if not active:
        return ""
    names = "; ".join(f"{item.to} for {item.giver} until {item.until}" for item in active[:_NAMED])
    more = f"; and {len(active) - _NAMED} more" if len(active) > _NAMED else ""
    return f"Delegates: {inline(names)}{more}.\n"


def _by_agents(handover: Handover) -> str:
    """Return why the work of coding agents needs more approvals; "" if it does not."""
    names, minimum = handover.agents, handover.deciders.minimum
    if not names or minimum == handover.policy.deciders.minimum:
        return ""
    wrote = f"Coding agents wrote part of the change ({inline(', '.join(names))})"
    return f"{wrote}, so policy.authors.agents requires {minimum} approvals.\n"


def _judge_again(handover: Handover, decision: Decision) -> str:
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


def block(line: str) -> str:
    """Return one command in a code block of its own, so that its copy button copies only it."""
    return f"```\n{line}\n```\n"


def why(handover: Handover, decision: Decision, to: Links) -> str:
    """Return the reasons of the state, one line each, without findings that are listed below."""
    if decision.state == APPROVED:
        return ""
    reasons = [_short(item, handover) for item in decision.reasons if _is_shown(item, decision)]
    if not reasons:
        return ""
    # Two findings may have the same text; the first one is the worst.
    findings = {in_words(item.finding): item.finding for item in reversed(handover.findings)}
    heading = "**Why a person must decide**" if decision.asked else "**Why**"
    lines = (_because(reason, findings, decision, to) for reason in reasons)
    return f"{heading}\n\n{''.join(lines)}"


def _is_shown(reason: Reason, decision: Decision) -> bool:
    """Return whether a reason has more information than the findings below."""
    is_unanswerable = decision.state == PENDING and not decision.asked
    if is_unanswerable or decision.state not in (REJECTED, PENDING):
        return True
    return bool(reason.is_question or reason.by or reason.about or reason.way_out == NEW_ID)


def _short(reason: Reason, handover: Handover) -> Reason:
    """Return a reason without the names of protected files, which are listed below."""
    text = reason.text
    for question in of_protected(handover.protected, handover.protected_left_out):
        text = text.replace(question.text, "the change touches protected files, listed below")
    return reason._replace(text=text)


def _because(reason: Reason, findings: dict[str, Finding], decision: Decision, to: Links) -> str:
    until = f" (until {moment(reason.due)})" if reason.due and reason.due != decision.due else ""
    finding = findings.get(reason.finding)
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
