"""Record passed deadlines, and import the decisions that check runs have recorded.

Nothing waits for it: each look at an entry computes the same from its facts. A sweep records it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ..errors import HelixError, UsageError
from ..flow import answering
from ..flow.answering import RunAnswer, leave_to_worker
from ..flow.client import exists
from ..flow.open_questions import open_questions
from ..phases.run_state import APPROVE, Decider
from ..text import counted
from ..waiting.entry import ProjectPolicy
from ..waiting.flow_entry import RunQuestion, is_approved_by_time
from ..waiting.trail import TrailEvent
from . import store
from .place import QueuePlace, policy_of
from .recorded import import_recorded
from .telling import tell_all

_RULE = Decider("the policy, since the deadline has passed", verified=False, is_rule=True)


class Swept(NamedTuple):
    """One line for each change, and one for each part that could not be read."""

    changes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


def sweep(place: QueuePlace, now: int) -> Swept:
    """Record passed deadlines. A failed part does not stop the others."""
    if not exists(place.flow):
        return Swept()
    by = policy_of(place)
    return _done(
        (
            ("the requests", lambda: Swept(_requests(place))),
            ("the flows", lambda: Swept(_flows(place, by, now))),
        )
    )


def sweep_all(place: QueuePlace, environment: Mapping[str, str], now: int) -> Swept:
    """Record passed deadlines, import decisions from GitHub, then notify people."""
    return _done(
        (
            ("the deadlines", lambda: sweep(place, now)),
            ("the recorded decisions", lambda: _import_decisions(place, environment)),
            ("notifications", lambda: _notifications(place, environment, now)),
        )
    )


def _done(parts: Iterable[tuple[str, Callable[[], Swept]]]) -> Swept:
    changes, failures = list[str](), list[str]()
    for name, do in parts:
        try:
            part = do()
        except HelixError as error:
            failures.append(f"{name}: {error}")
            continue
        changes += part.changes
        failures += part.failures
    return Swept(tuple(changes), tuple(failures))


def _import_decisions(place: QueuePlace, environment: Mapping[str, str]) -> Swept:
    """Import the decisions of the check runs of the work tree's repository."""
    if not place.repository:
        return Swept()
    with store.opened(place.flow) as db:
        found = import_recorded(db, (place.repository,), environment)
    lines = (f"{counted(found.added, 'decision')} of pull requests recorded",)
    return Swept(lines if found.added else (), found.partial)


def _notifications(place: QueuePlace, environment: Mapping[str, str], now: int) -> Swept:
    done = tell_all(place, environment, now)
    lines = (f"{counted(done.sent, 'message')} sent",) if done.sent else ()
    return Swept(lines, done.failures)


def _requests(place: QueuePlace) -> tuple[str, ...]:
    with store.opened(place.flow) as db:
        return tuple(map(_line, db.sweep(db.now())))


def _line(event: TrailEvent) -> str:
    return f"{event.request}: {event.kind.replace('_', ' ')}"


def _flows(place: QueuePlace, by: ProjectPolicy, now: int) -> tuple[str, ...]:
    """Approve what the policy approves after its deadline."""
    if not by.policy.deadlines:
        return ()
    late = [item for item in open_questions(place.flow) if is_approved_by_time(item, by, now)]
    lines = [line for item in late if (line := _approve(place, item, now))]
    if lines:
        leave_to_worker()
    return tuple(lines)


def _approve(place: QueuePlace, asked: RunQuestion, now: int) -> str:
    """Approve a question, and return a line; "" if it was answered in between."""
    run, phase = asked.state.run, asked.question.name
    try:
        checked = answering.checked(place.flow, RunAnswer(APPROVE, run, phase), now)
    except UsageError:
        return ""
    if checked.decided.number != asked.question.number:
        return ""
    answering.send(place.flow, checked, _RULE)
    return f"{run}/{phase}: approved by {_RULE.in_words}"
