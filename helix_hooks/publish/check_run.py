"""The check run of a commit: conclusion, title, summary, annotations, and the hidden record. Pure.

A check run belongs to a commit, and several open pull requests may have it as their head. So its
`external_id` has the state of each of them.
"""

import hashlib
import json
from typing import Any, NamedTuple

from ..decision.chain import Chain
from ..decision.decide import Decision
from ..decision.handover import Handover, PlacedFinding
from ..decision.pull_request import PullRequest, Status
from ..decision.run_record import others as records_of_others
from ..decision.run_record import text
from ..decision.states import APPROVED, CONCLUSIONS, PENDING, Reason, worst
from ..text.sanitize import plain
from .line_comments import is_sayable
from .links import NOWHERE, Links
from .page import brief
from .sticky import LONGEST_PAGE, is_wanted
from .title import title

NAME = "helix"
"""The name of the check run, which a ruleset requires."""

EXTERNAL = "helix1:"
"""The prefix of the `external_id` of our check run."""

_BESIDE = "|status|"
"""In the `external_id`: a commit status of the same name stands beside the check run."""

MOST_ANNOTATIONS = 200
AT_ONCE = 50
"""Annotations that GitHub takes in one call (docs.github.com, "Update a check run")."""

_LEVELS = {"error": "failure", "warning": "warning", "info": "notice"}
_MESSAGE = 4_000


class CheckRun(NamedTuple):
    """Our check run, with the annotations in portions that GitHub takes.

    `whole` is the summary for where GitHub takes none of them, or no comment.
    """

    head: str
    conclusion: str
    external_id: str
    digest: str
    title: str
    summary: str
    text: str
    annotations: tuple[tuple[dict[str, Any], ...], ...]
    whole: str = ""


def check_run(
    handover: Handover,
    pull: PullRequest,
    decision: Decision,
    decisions: Chain = Chain(),  # noqa: B008 - it is frozen
    to: Links = NOWHERE,
) -> CheckRun:
    """Return the check run of the commit of a run. `decisions` are those so far, with this one."""
    shared = shared_decision(handover, pull, decision)
    placed = [item for item in handover.findings[:MOST_ANNOTATIONS] if is_sayable(item)]
    marks = [_annotation(item) for item in placed]
    digest = hashlib.sha256(json.dumps(marks, sort_keys=True).encode()).hexdigest()[:12]
    is_alone = handover.target.merges or not (to.comment or is_wanted(handover, decision, None))
    return CheckRun(
        head=handover.target.head,
        conclusion=shared.conclusion,
        external_id=_external_id(_states(handover, pull, decision), digest),
        digest=digest,
        title=title(handover, shared),
        summary=brief(handover, shared, LONGEST_PAGE, to, placed, is_alone),
        text=text(handover, _records(handover, pull), decisions),
        annotations=tuple(
            tuple(marks[start : start + AT_ONCE]) for start in range(0, len(marks), AT_ONCE)
        ),
        whole=brief(handover, shared, LONGEST_PAGE, to, is_alone=True),
    )


def _records(handover: Handover, pull: PullRequest) -> str:
    """Return the records of other pull requests that stand on the check run of this commit."""
    if not pull.status or handover.target.merges or pull.head != handover.target.head:
        return ""
    return records_of_others(pull.status.text, pull.number)


def _states(handover: Handover, pull: PullRequest, decision: Decision) -> dict[int, str]:
    """Return the state of each pull request at the commit.

    GitHub is asked for the others only if this one is approved.
    """
    others = _others(handover, pull) if decision.state == APPROVED else _known(handover, pull)
    return {**others, pull.number: decision.state}


def _external_id(states: dict[int, str], digest: str) -> str:
    pairs = ";".join(f"{number}:{states[number]}" for number in sorted(states))
    return f"{EXTERNAL}{pairs}|{digest}"


def shared_decision(handover: Handover, pull: PullRequest, decision: Decision) -> Decision:
    """Return the decision that the check and `/helix status` show: the worst of all at the
    commit.
    """
    if decision.state != APPROVED:
        return decision
    others = _others(handover, pull)
    state = worst([decision.state, *others.values()])
    blocking = [number for number, other in others.items() if other == state != decision.state]
    if not blocking:
        return decision
    return decision._replace(
        state=state, reasons=(Reason(state=state, text=f"see #{blocking[0]}, at the same commit"),)
    )


def _known(handover: Handover, pull: PullRequest) -> dict[int, str]:
    return {} if handover.target.merges or not pull.status else states_before(pull.status)


def _others(handover: Handover, pull: PullRequest) -> dict[int, str]:
    """Return the states of the other pull requests at the commit. One without a run is pending."""
    known = _known(handover, pull)
    return {number: known.get(number, PENDING) for number in pull.siblings}


def states_before(status: Status) -> dict[int, str]:
    """Return the states of the pull requests at this commit as earlier runs left them."""
    pairs = (
        part.partition(":")
        for part in status.external_id.removeprefix(EXTERNAL).partition("|")[0].split(";")
    )
    return {
        int(number): state
        for number, _, state in pairs
        if number.isdigit() and state in CONCLUSIONS
    }


def noted(run: CheckRun) -> CheckRun:
    """Return a check run with the note that a commit status of the same name stands beside it."""
    return run._replace(external_id=run.external_id.replace("|", _BESIDE, 1))


def is_noted(status: Status) -> bool:
    """Return whether a check run has the note of `noted`."""
    return _BESIDE in status.external_id


def _annotation(item: PlacedFinding) -> dict[str, Any]:
    finding = item.finding
    message = f"{finding.message}\n{finding.help}" if finding.help else finding.message
    return {
        "path": finding.path,
        "start_line": finding.line,
        "end_line": max(finding.line, finding.end_line),
        "annotation_level": _LEVELS[finding.severity],
        "title": plain(finding.check),
        "message": plain(message)[:_MESSAGE],
    }
