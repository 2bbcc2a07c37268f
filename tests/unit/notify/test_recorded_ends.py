"""The end of a pull request, by the decision that its check run has recorded."""

import pytest

from helix_hooks.notify.notices import Ending, Notice, recorded_end
from tests.unit.notify.notified import NOW, PROJECT, notice

APPROVED = Ending("approved", "max", NOW + 9)


def ending(end: Ending, before: Notice | None = None, key: tuple[str, int] = (PROJECT, 12)) -> Ending | None:  # fmt: skip
    return recorded_end(before or notice(), {key: end})


def test_the_last_decision_says_how_it_ended() -> None:
    assert ending(APPROVED) == APPROVED
    rejected = Ending("rejected", "", NOW + 9)
    assert ending(rejected) == rejected


def test_without_such_a_decision_the_end_is_not_known() -> None:
    assert recorded_end(notice(), {}) is None
    assert ending(APPROVED, key=(PROJECT, 13)) is None
    assert ending(APPROVED, key=("acme/other", 12)) is None


@pytest.mark.parametrize("since", [NOW, NOW + 1])
def test_a_decision_about_an_earlier_question(since: int) -> None:
    before = notice()._replace(since=since)
    assert ending(Ending("approved", "max", NOW - 1), before) is None


def test_a_question_that_waited_again() -> None:
    assert ending(APPROVED, notice()._replace(since=NOW + 1)) is None


def test_a_request_has_no_decision_of_a_check_run() -> None:
    assert ending(APPROVED, notice(source="request", id="6ab7827c")) is None
