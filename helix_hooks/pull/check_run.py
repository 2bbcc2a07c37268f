"""The check run of a commit: conclusion, title, summary, annotations, and the hidden record. Pure.

A check run belongs to a commit, and several open pull requests may have it as their head. So its
`external_id` has the state of each of them.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..config.workflows import CHECK
from ..decision.chain import Chain
from ..decision.decide import Decision
from ..decision.handover import Handover, PlacedFinding
from ..decision.pull_request import PullRequest, Status
from ..decision.run_record import others as records_of_others
from ..decision.run_record import text
from ..decision.states import APPROVED, CONCLUSIONS, PENDING, Reason, worst
from ..text import plain
from .line_comments import is_sayable
from .links import NOWHERE, Links
from .summary_comment import LONGEST_PAGE, is_wanted
from .summary_text import brief
from .title import title

EXTERNAL = "helix1:"
"""The prefix of the `external_id` of our check run."""

_BESIDE = "|status|"
"""In the `external_id`: there is also a commit status of the same name."""

MOST_ANNOTATIONS = 200
AT_ONCE = 50
"""Annotations that GitHub accepts in one call (docs.github.com, "Update a check run")."""

_LEVELS = {"error": "failure", "warning": "warning", "info": "notice"}
_MESSAGE = 4_000


class CheckRun(NamedTuple):
    """Our check run of a `name`, with the annotations in portions that GitHub accepts.

    `whole` is the summary if GitHub accepts no annotations, or no comment.
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
    name: str = CHECK


def check_run(
    handover: Handover,
    pull: PullRequest,
    decision: Decision,
    decisions: Chain = Chain(),  # noqa: B008 - it is frozen
    to: Links = NOWHERE,
    waits: str = "",
) -> CheckRun:
    """Return the check run of the commit of a run.

    `decisions` are all recorded ones, including this one. `waits` is the mark for the queue.
    """
    shared = shared_decision(handover, pull, decision)
    placed = [item for item in handover.findings[:MOST_ANNOTATIONS] if is_sayable(item)]
    annotations = [_annotation(item) for item in placed]
    digest = hashlib.sha256(json.dumps(annotations, sort_keys=True).encode()).hexdigest()[:12]
    has_comment = bool(to.comment) or is_wanted(handover, decision, False)
    return CheckRun(
        head=handover.target.head,
        conclusion=shared.conclusion,
        external_id=_external_id(_states(handover, pull, decision), digest),
        digest=digest,
        title=title(handover, shared),
        summary=brief(
            handover,
            shared,
            LONGEST_PAGE,
            to,
            annotated=placed,
            is_alone=handover.target.merges or not has_comment,
        ),
        text=text(handover, _records(handover, pull), decisions, waits),
        annotations=tuple(_portions(annotations)),
        whole=brief(handover, shared, LONGEST_PAGE, to, is_alone=True),
        name=handover.target.check,
    )


def _portions(annotations: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
    for start in range(0, len(annotations), AT_ONCE):
        yield tuple(annotations[start : start + AT_ONCE])


def _records(handover: Handover, pull: PullRequest) -> str:
    """Return the records of other pull requests on the check run of this commit."""
    if not pull.status or handover.target.merges or pull.head != handover.target.head:
        return ""
    return records_of_others(pull.status.text, pull.number)


def _states(handover: Handover, pull: PullRequest, decision: Decision) -> dict[int, str]:
    """Return the state of each pull request at the commit.

    The others are fetched from GitHub only if this one is approved.
    """
    others = _others if decision.state == APPROVED else _recorded
    return {**others(handover, pull), pull.number: decision.state}


def _external_id(states: dict[int, str], digest: str) -> str:
    pairs = ";".join(f"{number}:{states[number]}" for number in sorted(states))
    return f"{EXTERNAL}{pairs}|{digest}"


def shared_decision(handover: Handover, pull: PullRequest, decision: Decision) -> Decision:
    """Return the worst decision at the commit, for the check and for `/helix status`."""
    if decision.state != APPROVED:
        return decision
    others = _others(handover, pull)
    state = worst([decision.state, *others.values()])
    if state == decision.state:
        return decision
    blocking = next(number for number, other in others.items() if other == state)
    reason = Reason(state=state, text=f"see #{blocking}, at the same commit")
    return decision._replace(state=state, reasons=(reason,))


def _recorded(handover: Handover, pull: PullRequest) -> dict[int, str]:
    if handover.target.merges or not pull.status:
        return {}
    return states_before(pull.status)


def _others(handover: Handover, pull: PullRequest) -> dict[int, str]:
    """Return the states of the other pull requests at the commit. One without a run is pending."""
    recorded = _recorded(handover, pull)
    return {number: recorded.get(number, PENDING) for number in pull.siblings}


def states_before(status: Status) -> dict[int, str]:
    """Return the states of the pull requests at this commit after earlier runs."""
    listed = status.external_id.removeprefix(EXTERNAL).partition("|")[0]
    states = {}
    for part in listed.split(";"):
        number, _, state = part.partition(":")
        if number.isdigit() and state in CONCLUSIONS:
            states[int(number)] = state
    return states


def noted(run: CheckRun) -> CheckRun:
    """Return a check run with the note that there is also a commit status of the same name."""
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
