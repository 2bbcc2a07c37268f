"""How the waiting of a pull request ended, by the decisions that its check runs have recorded."""

from typing import Any

import pytest

from helix_hooks.notify.notices import Ending, Notice, recorded_end
from helix_hooks.waiting.recorded_decisions import pull_ends
from helix_hooks.waiting.trail import IMPORTED, TrailEvent
from tests.unit.notify.notified import NOW, PROJECT, notice


def recorded(status: str, at: int = NOW + 9, number: int = 12, **fields: Any) -> TrailEvent:
    decision = {"status": status, "pull_request": number, "decided_at": at, **fields}
    return TrailEvent(
        number=1, at=at, kind=IMPORTED, request="", project=PROJECT, fields={"decision": decision}
    )


def ending(*events: TrailEvent, before: Notice | None = None) -> Ending | None:
    return recorded_end(before or notice(), pull_ends(events))


def test_the_last_decision_says_how_it_ended() -> None:
    votes = [{"said": "reject", "by": "eve"}, {"said": "approve", "by": "max"}]
    pending = recorded("pending", NOW)
    assert ending(pending, recorded("approved", votes=votes)) == Ending("approved", "max")
    assert ending(pending, recorded("rejected", votes=votes)) == Ending("rejected", "eve")
    assert ending(pending, recorded("approved")) == Ending("approved", "")
    assert ending(pending, recorded("auto_approved")) == Ending("auto_approved", "")


@pytest.mark.parametrize(
    "events",
    [
        (),
        (recorded("pending"),),
        (recorded("approved"), recorded("pending", NOW + 10)),
        (recorded("approved", NOW - 1),),  # about what was asked before
        (recorded("approved", number=13),),
        (recorded("approved")._replace(project="acme/other"),),
        (recorded("expired"),),
    ],
)
def test_without_such_a_decision_the_end_is_not_known(events: tuple[TrailEvent, ...]) -> None:
    assert ending(*events) is None


def test_of_a_question_that_waited_again_an_old_decision_says_nothing() -> None:
    assert ending(recorded("approved"), before=notice()._replace(since=NOW + 1)) is None


def test_a_request_has_no_decision_of_a_check_run() -> None:
    assert ending(recorded("approved"), before=notice(source="request", id="6ab7827c")) is None
