"""All that one run sends to GitHub, as plain values. Pure."""

from typing import NamedTuple

from ..decision.chain import Chain, in_comment
from ..decision.decide import Decision
from ..decision.fingerprints import marked
from ..decision.handover import Handover
from ..decision.pull_request import Comment, PullRequest
from ..decision.states import MOVED
from .check_run import CheckRun, check_run, is_noted
from .escalation import Escalation, escalation
from .line_comments import ReviewPayload, doubles, fixed, review
from .links import links
from .sticky import has_status, is_wanted, says_the_same, spent_before, stickies_of, sticky
from .turn import Turn, turn


class Payloads(NamedTuple):
    """The texts to send; None for a text that is there already.

    `fixed` are new bodies of earlier comments at lines, by id; `twice` are duplicates among these
    comments. `sticky` is the new body of the comment that stays, `sticky_id` the one to edit (0:
    none yet), `page` its body in any case, `before` its body now, and `spare` further such
    comments, left by two runs at once. `looks` says that a commit status may stand there, written
    where no check run could be.
    """

    review: ReviewPayload | None = None
    fixed: tuple[tuple[int, str], ...] = ()
    sticky: str | None = None
    sticky_id: int = 0
    check_run: CheckRun | None = None
    escalation: Escalation | None = None
    page: str = ""
    before: str = ""
    twice: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    looks: bool = False
    turn: Turn | None = None


def payloads(
    handover: Handover,
    pull: PullRequest,
    decision: Decision,
    ours: int,
    at_lines: bool = True,
    decisions: Chain = Chain(),  # noqa: B008 - it is frozen
    server: str = "",
) -> Payloads:
    """Return what is to be sent.

    `ours` is the number of the user in whose name we write, by which our earlier comments are
    known. Without `at_lines` the comments in the diff stay as they are. `decisions` are those so
    far, with this one. `server` is the address of GitHub for people, "" for texts without links.
    """
    target = handover.target
    if decision.state == MOVED and pull.head == target.head:
        return Payloads()  # the check of this commit is that of the run for the other branch
    stickies = stickies_of(pull.comments, ours)
    before = stickies[0] if stickies else None
    calls = escalation(handover, decision, pull.comments, ours)
    handover = _carrying(handover, stickies, calls, at_lines)
    to = links(server, target.repository, pull.number, target.head, before.id if before else 0)
    run = check_run(handover, pull, decision, decisions, to)
    if pull.head != target.head or not pull.is_open:
        return Payloads(check_run=run, looks=target.merges)
    body = (
        sticky(handover, decision, decisions, to) if is_wanted(handover, decision, before) else ""
    )
    is_same = before is not None and says_the_same(before.body, body)
    of_lines = pull.line_comments if at_lines else ()
    mine = [item for item in of_lines if item.by.id == ours and marked(item.body)[0]]
    return Payloads(
        review=review(handover, mine, to) if at_lines else None,
        fixed=fixed(handover, of_lines, mine),
        sticky=body if body and not is_same else None,
        sticky_id=before.id if before else 0,
        check_run=run,
        escalation=calls,
        page=body,
        before=before.body if before else "",
        twice=doubles(handover, of_lines, mine),
        spare=tuple(item.id for item in stickies[1:]),
        looks=_looks(handover, pull, stickies),
        turn=turn(handover, decision, pull, ours, decisions, to),
    )


def _carrying(
    handover: Handover, stickies: list[Comment], calls: Escalation | None, at_lines: bool
) -> Handover:
    """Return the hand-over with the cost of all runs, and whether an escalation was sent.

    A run `at_lines` is one with judges; any other has their costs from the run before.
    """
    carried = handover.carried
    before = max(map(spent_before, stickies), default=0.0)
    spent = max(carried.spent, before + (handover.cost if at_lines else 0))
    return handover._replace(
        carried=carried._replace(spent=spent, escalated=carried.escalated or calls is not None)
    )


def _looks(handover: Handover, pull: PullRequest, stickies: list[Comment]) -> bool:
    """Return whether a commit status may stand at this commit: a run has noted it, or no check run
    is there.

    If the last run was about another commit, as the comment says, no status has come so far here.
    """
    if any(has_status(item.body) for item in stickies) or (pull.status and is_noted(pull.status)):
        return True
    last = in_comment(stickies[0].body) if stickies else None
    return pull.status is None and (last is None or last.commit == handover.target.head)
