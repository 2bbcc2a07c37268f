"""Everything that one run sends to GitHub, as plain values. Pure."""

from typing import NamedTuple

from ..decision.chain import Chain, in_comment
from ..decision.decide import Decision
from ..decision.handover import Handover, marked
from ..decision.pull_request import NOBODY, Comment, PullRequest
from ..decision.states import MOVED
from .check_run import CheckRun, check_run, is_noted
from .line_comments import ReviewPayload, doubles, fixed, review
from .links import Links, links
from .summary_comment import (
    has_status,
    is_up_to_date,
    is_wanted,
    spent_before,
    stickies_of,
    sticky_body,
)
from .turn import Call, escalation, turn


class Payloads(NamedTuple):
    """The texts to send; None for a text that is already there.

    `fixed` are new bodies of earlier comments at lines, by id; `twice` are duplicates among these
    comments. `sticky` is the new body of the summary comment, `sticky_id` the one to edit (0: none
    yet), `page` its body in any case, `before` its current body, and `spare` further such comments,
    left by two runs at the same time. `looks`: there may be a commit status, written when no check
    run could be written.
    """

    review: ReviewPayload | None = None
    fixed: tuple[tuple[int, str], ...] = ()
    sticky: str | None = None
    sticky_id: int = 0
    check_run: CheckRun | None = None
    escalation: Call | None = None
    page: str = ""
    before: str = ""
    twice: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    looks: bool = False
    turn: Call | None = None


def payloads(
    handover: Handover,
    pull: PullRequest,
    decision: Decision,
    ours: int,
    at_lines: bool = True,
    decisions: Chain = Chain(),  # noqa: B008 - it is frozen
    server: str = "",
    waits: str = "",
) -> Payloads:
    """Return the texts to send.

    `ours` is the number of our user, which identifies our earlier comments. Without `at_lines` the
    comments in the diff remain unchanged. `decisions` are all recorded ones, including this one.
    `server` is the address of GitHub for people, "" for texts without links. `waits` is the mark
    for the queue.
    """
    target = handover.target
    if decision.state == MOVED and pull.head == target.head:
        return Payloads()  # the check of this commit is that of the run for the other branch
    stickies = stickies_of(pull.comments, ours)
    before = stickies[0] if stickies else Comment(id=0, by=NOBODY, body="")
    calls = escalation(handover, decision, pull.comments, ours)
    handover = _carrying(handover, stickies, calls, at_lines)
    to = links(server, target.repository, pull.number, target.head, before.id)
    run = check_run(handover, pull, decision, decisions, to, waits)
    if pull.head != target.head or not pull.is_open:
        return Payloads(check_run=run, looks=target.merges)
    body = ""
    if is_wanted(handover, decision, bool(stickies)):
        body = sticky_body(handover, decision, decisions, to)
    sent = Payloads(
        sticky=None if is_up_to_date(before.body, body) else body,
        sticky_id=before.id,
        check_run=run,
        escalation=calls,
        page=body,
        before=before.body,
        spare=tuple(item.id for item in stickies[1:]),
        looks=_looks(handover, pull, stickies),
        turn=turn(handover, decision, pull, ours, decisions, to),
    )
    return _with_line_comments(sent, handover, pull, ours, to) if at_lines else sent


def _with_line_comments(
    sent: Payloads, handover: Handover, pull: PullRequest, ours: int, to: Links
) -> Payloads:
    """Return the texts with new comments at lines, and changes to earlier ones."""
    everything = pull.line_comments
    mine = [item for item in everything if item.by.id == ours and marked(item.body)[0]]
    return sent._replace(
        review=review(handover, mine, to),
        fixed=fixed(handover, everything, mine),
        twice=doubles(handover, everything, mine),
    )


def _carrying(
    handover: Handover, stickies: list[Comment], calls: Call | None, at_lines: bool
) -> Handover:
    """Return the hand-over with the cost of all runs, and whether an escalation was sent.

    Only a run `at_lines` has judges; any other has their costs from the run before.
    """
    carried = handover.carried
    spent = max(map(spent_before, stickies), default=0.0)
    if at_lines:
        spent += handover.cost
    return handover._replace(
        carried=carried._replace(
            spent=max(carried.spent, spent), escalated=carried.escalated or calls is not None
        )
    )


def _looks(handover: Handover, pull: PullRequest, stickies: list[Comment]) -> bool:
    """Return whether there may be a commit status at this commit.

    That is the case if a run has noted it, or if there is no check run. If the last run was about
    another commit, according to the comment, no status has been written here yet.
    """
    if any(has_status(item.body) for item in stickies) or (pull.status and is_noted(pull.status)):
        return True
    if pull.status is not None:
        return False
    last = in_comment(stickies[0].body) if stickies else None
    return last is None or last.commit == handover.target.head
