"""The title with the state and whose turn it is, and the steps that change the state."""

from email.utils import formatdate

from ..config.policy import Deciders, wanted
from ..decision.assess import in_words
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


def title(given: Handover, outcome: Decision) -> str:
    """Return the state and whose turn it is, for the list of checks."""
    text = plain(_title(outcome.handover or given, outcome))
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


def _title(given: Handover, outcome: Decision) -> str:
    first = outcome.reasons[0]
    if outcome.state == APPROVED:
        return _approved(given, outcome)
    if first.text.startswith("see #"):  # another pull request at this commit
        return f"Not approved: {first.text}"
    if outcome.state == REJECTED:
        return f"Changes wanted by @{first.by[0]}: author to fix" if first.by else f"Author to fix: {_wrong(given, outcome)}"
    if outcome.asked:
        return _asking(given, outcome)
    if outcome.state == FAILED:
        return _failed(outcome)
    return {
        PENDING: "Not approved: take it out of the queue" if given.target.merges else "Waiting: see what is to be done",
        BROKEN: _broken(given),
        MOVED: "Superseded: a newer run counts",
        BLOCKED: "Deadline passed: ask again with /helix review",
    }[outcome.state]


def _broken(given: Handover) -> str:
    sides = {item.side for item in given.broken}
    if BASE in sides:
        return "Settings of the base are broken: repair them first"
    return "Author to fix: the change breaks the settings" if CHANGE in sides else "Settings are broken: repair them first"


def _asking(given: Handover, outcome: Decision) -> str:
    deciders = given.policy.deciders
    if outcome.state == FAILED:
        return f"No verdict: {whose(deciders)} {'decide' if deciders.minimum > 1 else 'decides'}"
    return f"Waiting for {whose(deciders)}: {_questions(outcome)}"


def _failed(outcome: Decision) -> str:
    first = outcome.reasons[0]
    if first.by:
        return f"No verdict, and @{first.by[0]} wants changes" if first.state == REJECTED else f"A vote was changed: @{first.by[0]} votes again"
    is_judge = any(reason.is_question for reason in outcome.reasons)
    return "No verdict: ask the judge again" if is_judge else "No result: run it again"


def _approved(given: Handover, outcome: Decision) -> str:
    names = list(dict.fromkeys(name for reason in outcome.reasons for name in reason.by))
    if names:
        more = f" and {len(names) - 1} more" if len(names) > _NAMED else ""
        return f"Approved by {' and '.join(f'@{name}' for name in names[: 1 if more else _NAMED])}{more}"
    if not given.applies:
        return "Approved: nothing here for this gate to check"
    return "Approved by the judge" if given.judged else "Approved: no judge was needed"


def _wrong(given: Handover, outcome: Decision) -> str:
    errors = sum(item.finding.severity == "error" for item in given.findings)
    return counted(errors, "error") if errors else outcome.reasons[0].text


def _questions(outcome: Decision) -> str:
    types = dict.fromkeys(reason.about for reason in outcome.asked)
    return counted(len(outcome.asked), "question") if len(types) > 1 or "" in types else f"approve {next(iter(types))}"


def moment(at: int) -> str:
    """A time for people, to the minute."""
    return f"{formatdate(at, usegmt=True)[:-7]} UTC"


def next_step(given: Handover, outcome: Decision, to: Links) -> str:
    """Return the next step and whose it is, in one line without a command to paste."""
    if outcome.asked:
        until = f", until {moment(outcome.due)}" if outcome.due else ""
        who = inline(whose(given.policy.deciders))
        verb = "approve commit" if given.policy.deciders.minimum > 1 else "approves or rejects commit"
        return f"**Next:** {who} {verb} `{given.target.head[:7]}`{until}, {to.box('in a comment')}."
    if outcome.state == APPROVED:
        return "**Next:** nothing is to be done."
    if outcome.state == REJECTED and not outcome.reasons[0].by:
        return "**Next:** the author fixes the findings and pushes."
    ways = dict.fromkeys(reason.way_out for reason in outcome.reasons if reason.way_out)
    return f"**Next:** {'; also: '.join(map(inline, ways)) or 'see why below'}."


def steps(given: Handover, outcome: Decision, to: Links) -> str:
    """Return the next steps and whose they are, with each line to paste in a block of its own."""
    if outcome.asked:
        return _to_decide(given, outcome, to)
    if outcome.state == APPROVED:
        return "".join(f"{inline(reason.text)}.\n" for reason in outcome.reasons)
    told = f"{next_step(given, outcome, to)}\n"
    return (
        f"{told}\n{to.box('Write a comment')} with this line (write, maintain or admin may):\n\n{block('/helix review')}"
        if _may_run_again(given, outcome)
        else told
    )


def _may_run_again(given: Handover, outcome: Decision) -> bool:
    if given.target.merges or outcome.state not in (BLOCKED, FAILED, PENDING):
        return False
    return not any(reason.by for reason in outcome.reasons)


def _to_decide(given: Handover, outcome: Decision, to: Links) -> str:
    """Return what a decider needs: the deadline, the lines to paste, and who may decide."""
    head, deciders = given.target.head, given.policy.deciders
    types = list(dict.fromkeys(item.about for item in outcome.asked if item.about))
    narrow = [block(f"/helix approve {head} for {name}") for name in types] if len(types) > 1 else []
    folded = "\n".join(["<details><summary>Approve one type alone</summary>\n", *narrow, "</details>\n"]) if narrow else ""
    judge = _judge_again(given, outcome)
    parts = [
        f"{next_step(given, outcome, to)[:-1]}:\n",
        block(f"/helix approve {head}"),
        folded,
        "or, with your reason in place of REASON:\n",
        block("/helix reject REASON"),
        f"Who may: {inline(wanted(deciders))}; nobody who wrote part of the change.\n",
        f"{judge}\n\n{block('/helix review')}" if judge else "",
    ]
    return "\n".join(part for part in parts if part)


def _judge_again(given: Handover, outcome: Decision) -> str:
    """Return the words before `/helix review` where a judge could look before a person must; else ""."""
    if any(reason.state == FAILED for reason in outcome.asked):
        return "To ask the judge again instead:"
    if given.no_judge and (given.target.draft or given.target.from_fork):
        return "To ask the judge first (write, maintain or admin may):"
    return ""


def block(line: str) -> str:
    """Return one command in a block of its own, so that the copy button takes no other."""
    return f"```\n{line}\n```\n"


def why(given: Handover, outcome: Decision, to: Links) -> str:
    """Return the reasons of the state, one line each. Findings to fix are not among them; the page lists them below."""
    if outcome.state == APPROVED:
        return ""
    told = [reason for reason in outcome.reasons if reason.is_question or reason.by or reason.about or outcome.state not in (REJECTED, PENDING)]
    if outcome.state == PENDING and not outcome.asked:
        told = list(outcome.reasons)
    findings = {in_words(item.finding): item.finding for item in reversed(given.findings)}
    for item in of_protected(given.protected, given.protected_left_out):  # the page lists these files
        told = [reason._replace(text=reason.text.replace(item.text, "the change touches protected files, listed below")) for reason in told]
    heading = "**Why a person is asked**" if outcome.asked else "**Why**"
    return f"{heading}\n\n{''.join(_because(reason, findings, outcome, to) for reason in told)}" if told else ""


def _because(reason: Reason, findings: dict[str, Finding], outcome: Decision, to: Links) -> str:
    until = f" (until {moment(reason.due)})" if reason.due and reason.due != outcome.due else ""
    found = findings.get(reason.finding)
    if not found:
        return f"- {inline(reason.text)}{until}\n"
    where = to.file(f"{code(found.path)}, line {found.line}", found.path, found.line)
    before, _, behind = reason.text.partition(reason.finding)
    about = f"{inline(before)} " if before else ""
    return f"- {about}{where}: {inline(found.message + behind)}{until} <sub>{inline(found.check)}</sub>\n"


def asked_about(outcome: Decision) -> set[str]:
    """Return the texts of the findings that stand among the reasons, and need not be listed again."""
    return {reason.finding for reason in outcome.reasons if reason.finding}
