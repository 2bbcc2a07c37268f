"""The counter of attempts: what it leads to, in every sequence of results.

Attack on a verification: a stop hook that loops for ever.
Answer: at most `max_retries` blocks, in any order of results.
Shown by: `tests/unit/verification/test_attempts.py`.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.verification.attempts import (
    BLOCKED,
    CAPPED,
    COMPLETE,
    EXHAUSTED,
    Attempts,
    AttemptState,
    advance,
    key_of,
)
from helix_hooks.verification.pending import (
    Records,
    after,
    begun,
    from_json,
    shown,
    to_json,
)
from helix_hooks.verification.result import (
    FAILED,
    UNAPPROVED,
    UNMET,
    UNPROVEN,
    VERIFIED,
    VerificationResult,
)
from tests import series
from tests.unit.verification.draws import RETRIES, STATES, TREES, attempt, missing, result


def stops(results: list[VerificationResult], max_retries: int = 2) -> list[AttemptState]:
    """Return the states of stops, each of which left another tree."""
    attempts: Attempts | None = None
    states = []
    for number, item in enumerate(results):
        key = key_of(item, "s")
        attempts, state = advance(attempts, key, item, f"tree {number}", max_retries, number)
        states.append(state)
    return states


def test_a_capped_contract_may_still_be_fulfilled_and_then_the_counter_begins_anew() -> None:
    results = [*[result(UNMET)] * 3, result(VERIFIED), result(UNMET)]
    assert [state.state for state in stops(results)][2:] == [CAPPED, COMPLETE, BLOCKED]
    assert stops(results)[-1] == AttemptState(BLOCKED, 1, 3)


@pytest.mark.parametrize("state", [FAILED, UNAPPROVED, UNPROVEN, "a state of another version"])
def test_what_is_no_verification_is_neither_an_attempt_nor_a_pass(state: str) -> None:
    other = result(UNMET)._replace(state=state, reason="git did not answer")
    found = stops([result(UNMET), other, other, result(UNMET), other, result(UNMET)])
    assert [item.attempt for item in found] == [1, 1, 1, 2, 2, 3]
    wanted = state if state in (UNAPPROVED, UNPROVEN) else FAILED
    assert [item.state for item in found] == [BLOCKED, wanted, wanted, BLOCKED, wanted, CAPPED]
    assert found[1].reason == "git did not answer"


def test_an_early_end_lasts_until_the_tree_changes() -> None:
    """An agent that stops twice to ask its user a question is verified again when it has worked."""
    item = result(UNMET)
    key = key_of(item, "s")
    first, _ = advance(None, key, item, "f", 3, 1)
    second, _ = advance(first, key, item, "f", 3, 2)
    third, state = advance(second, key, item, "g", 3, 3)
    assert state == AttemptState(BLOCKED, 3, 4)
    assert advance(third, key, item, "h", 3, 4)[1] == AttemptState(CAPPED, 4, 4, EXHAUSTED)


@pytest.mark.parametrize(
    "other",
    [
        result(UNMET)._replace(contract="c2"),
        result(UNMET)._replace(since="def"),
        result(UNMET)._replace(path="docs/adr/015-x.md"),
    ],
)
def test_another_contract_base_or_adr_has_a_counter_of_its_own(other: VerificationResult) -> None:
    assert [item.attempt for item in stops([result(UNMET), result(UNMET), other])] == [1, 2, 1]


def test_fewer_retries_than_attempts_are_capped_at_once() -> None:
    item = result(UNMET)
    attempts = Attempts(key_of(item, "s"), 4, "f", "", 1)
    _, state = advance(attempts, key_of(item, "s"), item, "g", 1, 2)
    assert state == AttemptState(CAPPED, 5, 5, EXHAUSTED)


STOPS = st.lists(
    st.tuples(st.lists(STATES, min_size=2, max_size=2), TREES, st.sampled_from(["s", "t"])),
    max_size=40,
)


@settings(max_examples=series.examples(400), deadline=None)
@given(STOPS, RETRIES)
def test_no_sequence_of_results_blocks_for_ever(
    drawn: list[tuple[list[str], str, str]], max_retries: int
) -> None:
    """Of two ADRs and two sessions: at most `max_retries` blocks of an ADR between two stops of its session in which all ADRs are verified."""
    records: Records = ()
    blocks: dict[tuple[str, str], int] = {}
    for number, (states, tree, session) in enumerate(drawn):
        results = [result(states[0], adr="014"), result(states[1], adr="015")]
        now = attempt(f"{tree}", session, max_retries, number)
        records, counted = after(records, results, now)
        records = from_json(to_json(records))
        for done in counted:
            key = (session, done.result.path)
            is_blocked = done.state.state == BLOCKED
            assert (done.state.state == COMPLETE) == (done.result.state == VERIFIED)
            assert bool(done.feedback) == (done.state.state in (BLOCKED, CAPPED))
            assert done.state.attempt <= done.state.runs == max_retries + 1
            blocks[key] = blocks.get(key, 0) + is_blocked
            assert blocks[key] <= max_retries
        if not any(done.state.state == BLOCKED for done in counted):
            for done in counted:
                if done.state.state == COMPLETE:
                    blocks[session, done.result.path] = 0


def test_an_agent_that_breaks_one_adr_to_fulfil_the_other_is_not_blocked_for_ever() -> None:
    records: Records = ()
    blocked = 0
    for number in range(20):
        states = (UNMET, VERIFIED) if number % 2 else (VERIFIED, UNMET)
        results = [result(states[0], adr="014"), result(states[1], adr="015")]
        records, counted = after(records, results, attempt(f"tree {number}", now=number))
        if not any(done.state.state == BLOCKED for done in counted):
            break
        blocked += 1
    assert blocked == 4


def test_what_is_verified_has_no_feedback_in_any_session() -> None:
    records: Records = ()
    for session in ("s", "t"):
        records, _ = after(
            records, [result(UNMET), result(UNMET, adr="015")], attempt(session=session)
        )
    assert shown(records).count("# Verification feedback") == 2, "of the last session"
    records, _ = after(records, [result(VERIFIED)], attempt())
    assert {item.adr_id for item in records if item.feedback} == {"ADR-015"}
    left = [item.attempts.key.session for item in records if item.adr_id == "ADR-014"]
    assert left == ["t"], "another session goes on counting"


def test_a_contract_of_which_nothing_can_be_shown_has_no_feedback_and_keeps_its_counter() -> None:
    records, _ = after((), [result(UNMET)], attempt())
    records, counted = after(records, [result(UNPROVEN)], attempt("u"))
    assert counted[0].state.state == UNPROVEN and not shown(records)
    records, counted = after(records, [result(UNMET)], attempt("v"))
    assert counted[0].state.attempt == 2


def test_a_new_start_has_a_new_counter_and_leaves_other_sessions_alone() -> None:
    records: Records = ()
    for session in ("run", "s"):
        records, _ = after(
            records, [result(UNMET), result(UNMET, adr="015")], attempt(session=session)
        )
    left = begun(records, [result(UNMET).path], "run")
    assert sorted((item.attempts.key.session, item.adr_id) for item in left) == [
        ("run", "ADR-015"),
        ("s", "ADR-014"),
        ("s", "ADR-015"),
    ]


def test_old_counters_are_dropped_and_questions_stay() -> None:
    records: Records = ()
    for number in range(3):
        records, _ = after(records, [result(UNMET)], attempt(f"{number}"))
    records, _ = after(records, [result(UNMET, adr="015")], attempt(session="t"))
    much_later = attempt(session="u", now=10_000_000)
    records, _ = after(records, [result(UNMET, adr="016")], much_later)
    assert [item.adr_id for item in records] == ["ADR-014", "ADR-016"]


def test_a_work_tree_has_a_hundred_records_at_most() -> None:
    records: Records = ()
    for number in range(150):
        records, _ = after(records, [result(UNMET)], attempt(session=f"{number}", now=number))
    assert len(records) == 100 and records[-1].attempts.key.session == "149"


def test_a_new_contract_replaces_the_feedback_on_the_old_one() -> None:
    records, _ = after((), [result(UNMET)], attempt())
    records, _ = after(records, [result(UNMET, since="def")], attempt("u"))
    assert [item.attempts.key.base for item in records] == ["def"]


def test_records_survive_as_json() -> None:
    item = result(UNMET)._replace(title='"quoted" \n \udcff', expectations=(missing("ä/b"),))
    records, _ = after((), [item], attempt())
    assert from_json(to_json(records)) == records


GOOD = to_json(after((), [result(UNMET)], attempt())[0])


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '{"version": 1, "records": []}', '{"version": 2}',
     '{"version": 2, "records": [1]}', '{"version": 2, "records": [{}]}', GOOD[:-20], "[" * 100_000,
     GOOD.replace('"number": 1', '"number": true'), GOOD.replace('"number": 1', '"number": -1'),
     GOOD.replace('"number": 1', '"number": "1"'), GOOD.replace('"session": "s"', '"session": 1'),
     GOOD.replace('"errors": [', '"errors": 1, "x": [')],
)  # fmt: skip
def test_damaged_records_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_json(text)


@settings(max_examples=series.examples(200), deadline=None)
@given(st.lists(st.tuples(TREES, st.sampled_from("stuv")), max_size=40), RETRIES)
def test_sessions_share_the_attempts_at_a_contract(
    drawn: list[tuple[str, str]], max_retries: int
) -> None:
    records: Records = ()
    blocked = 0
    for number, (tree, session) in enumerate(drawn):
        records, (done,) = after(
            records, [result(UNMET)], attempt(tree, session, max_retries, number)
        )
        blocked += done.state.state == BLOCKED
        assert blocked <= max_retries
        assert len([item for item in records if item.feedback]) == 1


def test_ordered_runs_are_counted_alone() -> None:
    records: Records = ()
    for number in range(3):
        records, _ = after(records, [result(UNMET)], attempt(f"{number}"))
    ordered = attempt("u", "run")._replace(is_ordered=True)
    records, (done,) = after(records, [result(UNMET)], ordered)
    assert done.state == AttemptState(BLOCKED, 1, 3)
    assert [item.attempts.key.session for item in records if item.feedback] == ["run"]
