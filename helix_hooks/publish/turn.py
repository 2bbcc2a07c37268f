"""The title with the state and whose turn it is, and the steps that change the state. Pure."""

from email.utils import formatdate

from ..config.policy import Deciders, wanted
from ..decision.assess import in_words
from ..decision.commands import APPROVE, REJECT, REVIEW, written
from ..decision.decide import Decision
from ..decision.handover import BASE, CHANGE, Handover
from ..decision.questions import of_protected
from ..decision.states import APPROVED, BLOCKED, BROKEN, FAILED, MOVED, PENDING, REJECTED, Reason
from ..finding import Finding
from ..text.inert import code, inline, plain
from ..text.printable import counted
from .links import Links

LONGEST = 60
"""Maximum characters of a title; a phone shows no more in the list of checks."""

_MAINTAINERS = {"maintain", "admin"}
_NAMED = 2
"""People that a title names."""


def title(handover: Handover, decision: Decision) -> str:
    """Return the state and whose turn it is, for the list of checks."""
    text = plain(_title(decision.handover or handover, decision))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def whose(deciders: Deciders) -> str:
    """Return who is to decide, in a few words."""
    if deciders.minimum > 1:
        return f"{deciders.minimum} {'maintainers' if _are_maintainers(deciders) else 'people'}"
    if deciders.roles and not (deciders.users or deciders.teams):
        return "a maintainer" if _are_maintainers(deciders) else f"the role {deciders.roles[0]}"
    if deciders.users and not (deciders.roles or deciders.teams) and len(deciders.users) <= _NAMED:
        return " or ".join(f"@{name}" for name in deciders.users)
    return "a person"


def _are_maintainers(deciders: Deciders) -> bool:
    return {*deciders.roles} <= _MAINTAINERS and not (deciders.users or deciders.teams)


def _title(handover: Handover, decision: Decision) -> str:
    first = decision.reasons[0]
    if decision.state == APPROVED:
        return _approved(handover, decision)
    if first.text.startswith("see #"):  # another pull request at this commit
        return f"Not approved: {first.text}"
    if decision.state == REJECTED:
        return f"Changes wanted by @{first.by[0]}: author to fix" if first.by else f"Author to fix: {_wrong(handover, decision)}"
    if decision.asked:
        return _asking(handover, decision)
    if decision.state == FAILED:
        return _failed(decision)
    return {
        PENDING: "Not approved: take it out of the queue" if handover.target.merges else "Waiting: see what is to be done",
        BROKEN: _broken(handover),
        MOVED: "Superseded: a newer run counts",
        BLOCKED: "Deadline passed: ask again with /helix review",
    }[decision.state]


def _broken(handover: Handover) -> str:
    sides = {item.side for item in handover.broken}
    if BASE in sides:
        return "Settings of the base are broken: repair them first"
    return "Author to fix: the change breaks the settings" if CHANGE in sides else "Settings are broken: repair them first"


def _asking(handover: Handover, decision: Decision) -> str:
    deciders = handover.policy.deciders
    if decision.state == FAILED:
        return f"No verdict: {whose(deciders)} {'decide' if deciders.minimum > 1 else 'decides'}"
    return f"Waiting for {whose(deciders)}: {_questions(decision)}"


def _failed(decision: Decision) -> str:
    first = decision.reasons[0]
    if first.by:
        return f"No verdict, and @{first.by[0]} wants changes" if first.state == REJECTED else f"A vote was changed: @{first.by[0]} votes again"
    is_judge = any(reason.is_question for reason in decision.reasons)
    return "No verdict: ask the judge again" if is_judge else "No result: run it again"


def _approved(handover: Handover, decision: Decision) -> str:
    names = list(dict.fromkeys(name for reason in decision.reasons for name in reason.by))
    if names:
        more = f" and {len(names) - 1} more" if len(names) > _NAMED else ""
        return f"Approved by {' and '.join(f'@{name}' for name in names[: 1 if more else _NAMED])}{more}"
    if not handover.applies:
        return "Approved: nothing here for this gate to check"
    return "Approved by the judge" if handover.judged else "Approved: no judge was needed"


def _wrong(handover: Handover, decision: Decision) -> str:
    errors = sum(item.finding.severity == "error" for item in handover.findings)
    return counted(errors, "error") if errors else decision.reasons[0].text


def _questions(decision: Decision) -> str:
    types = dict.fromkeys(reason.about for reason in decision.asked)
    return counted(len(decision.asked), "question") if len(types) > 1 or "" in types else f"approve {next(iter(types))}"


def moment(at: int) -> str:
    """Return a time for people, to the minute."""
    return f"{formatdate(at, usegmt=True)[:-7]} UTC"


def next_step(handover: Handover, decision: Decision, to: Links) -> str:
    """Return the next step and whose it is, in one line without a command to paste."""
    if decision.asked:
        until = f", until {moment(decision.due)}" if decision.due else ""
        who = inline(whose(handover.policy.deciders))
        verb = "approve commit" if handover.policy.deciders.minimum > 1 else "approves or rejects commit"
        return f"**Next:** {who} {verb} `{handover.target.head[:7]}`{until}, {to.box('in a comment')}."
    if decision.state == APPROVED:
        return "**Next:** nothing is to be done."
    if decision.state == REJECTED and not decision.reasons[0].by:
        return "**Next:** the author fixes the findings and pushes."
    ways = dict.fromkeys(reason.way_out for reason in decision.reasons if reason.way_out)
    return f"**Next:** {'; also: '.join(map(inline, ways)) or 'see why below'}."


def steps(handover: Handover, decision: Decision, to: Links) -> str:
    """Return the next steps and whose they are, with each line to paste in a block of its own."""
    if decision.asked:
        return _to_decide(handover, decision, to)
    if decision.state == APPROVED:
        return "".join(f"{inline(reason.text)}.\n" for reason in decision.reasons)
    told = f"{next_step(handover, decision, to)}\n"
    return (
        f"{told}\n{to.box('Write a comment')} with this line (write, maintain or admin may):\n\n{block(written(REVIEW))}"
        if _may_run_again(handover, decision)
        else told
    )


def _may_run_again(handover: Handover, decision: Decision) -> bool:
    if handover.target.merges or decision.state not in (BLOCKED, FAILED, PENDING):
        return False
    return not any(reason.by for reason in decision.reasons)


def _to_decide(handover: Handover, decision: Decision, to: Links) -> str:
    """Return what a decider needs: the deadline, the lines to paste, and who may decide."""
    head, deciders = handover.target.head, handover.policy.deciders
    types = list(dict.fromkeys(item.about for item in decision.asked if item.about))
    narrow = [block(written(APPROVE, head, "for", name)) for name in types] if len(types) > 1 else []
    folded = "\n".join(["<details><summary>Approve one type alone</summary>\n", *narrow, "</details>\n"]) if narrow else ""
    judge = _judge_again(handover, decision)
    parts = [
        f"{next_step(handover, decision, to)[:-1]}:\n",
        block(written(APPROVE, head)),
        folded,
        "or, with your reason in place of REASON:\n",
        block(written(REJECT, "REASON")),
        f"Who may: {inline(wanted(deciders))}; nobody who wrote part of the change.\n",
        f"{judge}\n\n{block(written(REVIEW))}" if judge else "",
    ]
    return "\n".join(part for part in parts if part)


def _judge_again(handover: Handover, decision: Decision) -> str:
    """Return the words before `/helix review` where a judge could look before a person must; else ""."""
    if any(reason.state == FAILED for reason in decision.asked):
        return "To ask the judge again instead:"
    if handover.no_judge and (handover.target.draft or handover.target.from_fork):
        return "To ask the judge first (write, maintain or admin may):"
    return ""


def block(line: str) -> str:
    """Return one command in a block of its own, so that the copy button takes no other."""
    return f"```\n{line}\n```\n"


def why(handover: Handover, decision: Decision, to: Links) -> str:
    """Return the reasons of the state, one line each, without findings that the page lists below."""
    if decision.state == APPROVED:
        return ""
    told = [reason for reason in decision.reasons if reason.is_question or reason.by or reason.about or decision.state not in (REJECTED, PENDING)]
    if decision.state == PENDING and not decision.asked:
        told = list(decision.reasons)
    findings = {in_words(item.finding): item.finding for item in reversed(handover.findings)}
    for item in of_protected(handover.protected, handover.protected_left_out):  # the page lists these files
        told = [reason._replace(text=reason.text.replace(item.text, "the change touches protected files, listed below")) for reason in told]
    heading = "**Why a person is asked**" if decision.asked else "**Why**"
    return f"{heading}\n\n{''.join(_because(reason, findings, decision, to) for reason in told)}" if told else ""


def _because(reason: Reason, findings: dict[str, Finding], decision: Decision, to: Links) -> str:
    until = f" (until {moment(reason.due)})" if reason.due and reason.due != decision.due else ""
    found = findings.get(reason.finding)
    if not found:
        return f"- {inline(reason.text)}{until}\n"
    where = to.file(f"{code(found.path)}, line {found.line}", found.path, found.line)
    before, _, behind = reason.text.partition(reason.finding)
    about = f"{inline(before)} " if before else ""
    return f"- {about}{where}: {inline(found.message + behind)}{until} <sub>{inline(found.check)}</sub>\n"


def asked_about(decision: Decision) -> set[str]:
    """Return the texts of the findings that are among the reasons, and need not be listed again."""
    return {reason.finding for reason in decision.reasons if reason.finding}
