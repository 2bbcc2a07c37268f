"""The title of a run with its state, who must act next, and the commands to paste for it. Pure."""

from ..config.policy import wanted
from ..decision.commands import APPROVE, REJECT, REVIEW, written
from ..decision.decide import Decision
from ..decision.handover import BASE, CHANGE, Handover
from ..decision.reasons import FIX, NEW_ID, of_protected
from ..decision.rounds import exhausted
from ..decision.states import (
    APPROVED,
    BLOCKED,
    BROKEN,
    FAILED,
    MOVED,
    PENDING,
    REJECTED,
    Reason,
    in_words,
)
from ..decision.who_may import whose
from ..finding import Finding
from ..paths import APPROVALS_FILE
from ..text import code, counted, inline, moment, plain
from ..verification.result import UNMET
from .links import Links

LONGEST = 60
"""Maximum characters of a title: a phone shows no more of it in the list of checks."""

_MOST_NAMES = 2
"""Maximum number of people or pull requests that a title names."""

_PLAIN = {
    PENDING: "Waiting: action required",
    MOVED: "Superseded by a newer run",
    BLOCKED: "Deadline passed: ask again with /helix review",
}


def title(handover: Handover, decision: Decision) -> str:
    """Return the state and who must act next, for the list of checks."""
    text = plain(_title(decision.handover or handover, decision))
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 1]}…"


def _title(handover: Handover, decision: Decision) -> str:
    first = decision.reasons[0]
    if decision.state == APPROVED:
        return _approved(handover, decision)
    if first.text.startswith("see #"):  # another pull request at this commit
        return f"Not approved: {first.text}"
    if decision.state == REJECTED:
        return _rejected(handover, decision)
    if decision.asked:
        return _asking(handover, decision)
    if decision.state == FAILED:
        return _failed(decision)
    if decision.state == BROKEN:
        return _broken(handover)
    return _without_question(handover, decision)


def _without_question(handover: Handover, decision: Decision) -> str:
    if decision.state != PENDING:
        return _PLAIN[decision.state]
    if decision.reasons[0].by:
        return f"Waiting for @{decision.reasons[0].by[0]}: a reason for the objection"
    if handover.target.merges:
        return f"Not approved: take {_to_take_out(handover, decision)} out of the queue"
    return _PLAIN[PENDING]


def _to_take_out(handover: Handover, decision: Decision) -> str:
    """Return the pull requests that block a group; "it" if the group has no other."""
    words = [reason.text.partition(" ")[0] for reason in decision.reasons]
    numbers = [word for word in words if word.startswith("#")]
    if len(handover.group) < _MOST_NAMES or not numbers:
        return "it"
    if len(numbers) > _MOST_NAMES:
        return f"{numbers[0]} and {len(numbers) - 1} more"
    return " and ".join(numbers)


def _broken(handover: Handover) -> str:
    sides = {item.side for item in handover.broken}
    if BASE in sides:
        return "Settings of the base are broken: repair them first"
    if CHANGE in sides:
        return "Author to fix: the change breaks the settings"
    return "Settings are broken: repair them first"


def _asking(handover: Handover, decision: Decision) -> str:
    deciders = handover.deciders
    if decision.state != FAILED:
        return f"Waiting for {whose(deciders)}: {_questions(decision)}"
    verb = "decide" if deciders.minimum > 1 else "decides"
    return f"No verdict: {whose(deciders)} {verb}"


def _failed(decision: Decision) -> str:
    first = decision.reasons[0]
    if first.by and first.state == REJECTED:
        return f"No verdict, changes requested by @{first.by[0]}"
    if first.by:
        return f"Vote changed: @{first.by[0]} votes again"
    if any(reason.is_question for reason in decision.reasons):
        return "No verdict: ask the judge again"
    return "No result: run it again"


def _approved(handover: Handover, decision: Decision) -> str:
    names: dict[str, None] = {}
    for reason in decision.reasons:
        names |= dict.fromkeys(f"@{name}" for name in reason.by)
    if len(names) > _MOST_NAMES:
        return f"Approved by {next(iter(names))} and {len(names) - 1} more"
    if names:
        return f"Approved by {' and '.join(names)}"
    if not handover.applies:
        return "Approved: no relevant changes"
    return "Approved by the judge" if handover.judged else "Approved: no judge was needed"


def _rejected(handover: Handover, decision: Decision) -> str:
    first = decision.reasons[0]
    if first.by:
        return f"Changes requested by @{first.by[0]}: author to fix"
    errors = sum(item.finding.severity == "error" for item in handover.findings)
    if errors:
        return f"Author to fix: {counted(errors, 'error')}"
    return f"Author to fix: {_not_implemented(handover) or first.text}"


def _not_implemented(handover: Handover) -> str:
    names = [item.name for item in handover.claimed if item.blocks and item.state == UNMET]
    if not names:
        return ""
    if len(names) > 1:
        return f"{len(names)} ADRs are not implemented"
    return f"{names[0]} is not implemented"


def _questions(decision: Decision) -> str:
    types = dict.fromkeys(reason.about for reason in decision.asked)
    if len(types) == 1 and "" not in types:
        return f"approve {next(iter(types))}"
    return counted(len(decision.asked), "question")


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
    names = "; ".join(
        f"{item.to} for {item.giver} until {item.until}" for item in active[:_MOST_DELEGATES]
    )
    more = f"; and {len(active) - _MOST_DELEGATES} more" if len(active) > _MOST_DELEGATES else ""
    return f"Delegates: {inline(names)}{more}.\n"


def _by_agents(handover: Handover) -> str:
    """Return why the work of coding agents needs more approvals; "" if it does not."""
    names, minimum = handover.agents, handover.deciders.minimum
    if not names or minimum == handover.policy.deciders.minimum:
        return ""
    wrote = f"Coding agents wrote part of the change ({inline(', '.join(names))})"
    return f"{wrote}, so it needs {minimum} approvals.\n"


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
