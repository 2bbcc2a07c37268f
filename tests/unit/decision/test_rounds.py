"""Rounds of judges: what the next run finds in the record of the last one, and when a person decides instead."""

from typing import Any

import pytest

from helix_hooks.config.policy import MOST_ROUNDS, Policy
from helix_hooks.decision import run_record, run_state
from helix_hooks.decision.handover import Handover, PlacedFinding
from helix_hooks.decision.rounds import cut, exhausted, last_rounds, rejected, with_rounds
from helix_hooks.decision.run_state import CarriedState, RejectedRound
from helix_hooks.text import MOST as MOST_OF_BODY
from helix_hooks.verdict.earlier import MOST, Decline, EarlierFinding, EarlierRound
from tests.unit.decision.table import HEAD, Row, facts

REPLY = Decline("alice", 1, 5, 6, "it is in the plan")


def given(found: str = "adr=reject", **more: Any) -> Handover:
    whole = facts(Row("", 0, "-", found, "-", "-", "", "", "")).given
    return whole._replace(**more)


def rounds(*commits: str, name: str = "adr") -> tuple[RejectedRound, ...]:
    return tuple(RejectedRound(name, (commit * 16)[:16]) for commit in commits)


def after(*done: RejectedRound, most: int = 2, **more: Any) -> str:
    policy = Policy(max_rounds=most)
    return exhausted(given("unjudged", policy=policy, carried=CarriedState(rounds=done), **more))


def test_when_no_judge_is_asked_any_more() -> None:
    assert after(*rounds("b")) == "" == after(*rounds("b"), *rounds("c", name="code"))
    assert after(*rounds("b", "c")) == "adr was rejected in 2 rounds (policy.max_rounds: 2)"
    assert after(*rounds("b"), RejectedRound("adr", HEAD[:16])), "somebody may push back to a head"
    assert after(*rounds("b", "c"), is_requested=True) == ""
    assert after(*rounds("b"), most=1).startswith(
        "adr was rejected in 1 round (policy.max_rounds: 1"
    )


def test_what_counts_as_a_round() -> None:
    judged = given("adr=ok code=reject docs=revise security=timeout").judged
    found = rejected(HEAD, (item.verdict for item in judged))
    assert [item.approval_type for item in found] == ["code", "docs"]
    assert {item.commit for item in found} == {HEAD[:16]}


def test_rounds_are_added_up_and_never_dropped_below_the_limit() -> None:
    many = [RejectedRound("adr", f"{number:016x}") for number in range(900)]
    kept = with_rounds(many, [*many, *rounds("b", name="code")])
    assert len(kept) == MOST_ROUNDS + 1 and with_rounds(kept, many) == kept


def test_a_mark_in_the_comment_knows_the_rounds() -> None:
    done = (*rounds("b", "c"), *rounds("d", name="my-type"))
    mark = run_state.rounds_mark(done)
    assert run_state.rounds_in(f"text\n{mark}more") == done and run_state.rounds_mark(()) == ""
    assert run_state.rounds_in(f"text {mark}") == (), "a mark stands on a line of its own"


def test_the_next_judge_is_told_of_the_last_verdict() -> None:
    (round,) = last_rounds(given())
    assert (round.approval_type, round.commit, len(round.findings)) == ("adr", HEAD, 1)
    assert last_rounds(given("adr=ok")) == () == last_rounds(given("adr=timeout"))


def test_a_judge_that_failed_has_answered_nothing() -> None:
    before = EarlierRound("adr", "b" * 40, (_earlier("a"),))
    assert last_rounds(given("adr=timeout", earlier=(before,))) == (before,)
    assert last_rounds(given("missing", earlier=(before,))) == (before,)
    assert last_rounds(given("adr=ok", earlier=(before,))) == ()


def _earlier(id: str, **more: Any) -> EarlierFinding:
    return EarlierFinding(id * 16, given().judged[0].placed[0].finding, **more)


def test_what_was_answered_stays_so_for_later_judges() -> None:
    run = given()
    before = EarlierRound(
        "adr",
        "b" * 40,
        (_earlier("a", answer="answered", decline=REPLY), _earlier("b", answer="fixed")),
    )
    (round,) = last_rounds(run._replace(earlier=(before,)))
    assert (round.findings[0].id[0], round.findings[0].answer) == ("a", "answered")
    assert len(round.findings) == 2 and len(round.asked) == 1


def test_more_errors_than_a_judge_is_told_are_counted() -> None:
    many = tuple(_earlier("a")._replace(id=f"{number:016x}") for number in range(MOST + 3))
    warning = many[0]._replace(id="f" * 16, finding=many[0].finding._replace(severity="warning"))
    (round,), lost = cut([EarlierRound("adr", "b" * 40, (warning, *many))])
    assert lost == 3 and len(round.findings) == MOST and warning not in round.findings


@pytest.mark.parametrize("size", [300_000, pytest.param(9_000_000, marks=pytest.mark.further)])
def test_a_long_record_loses_no_round_and_no_error_unseen(size: int) -> None:
    """What can't be kept is counted, so that a person decides."""
    run = given(carried=CarriedState(rounds=rounds("b", "c")))
    judged = run.judged[0]
    noise = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(4_000))
    items = tuple(
        PlacedFinding(
            finding=judged.placed[0].finding._replace(message=f"{number} {noise[number % 3000 :]}"),
            fingerprint=f"{number:016x}",
            by="adr",
        )
        for number in range(size // 4_000)
    )
    run = run._replace(judged=(judged._replace(placed=items),))
    text = run_record.text(run)
    state, record = run_state.read(text), run_record.read(text)
    assert len(text) <= MOST_OF_BODY and state.rounds == rounds("b", "c")
    kept = sum(len(item.placed) for item in record.judged) if record else 0
    assert kept == len(items) or (kept == 0 and state.unkept == len(items))
    mark = f"<!-- helix:waits 7 {'A' * 3_000} -->"
    marked = run_record.text(run, waits=mark)
    assert len(marked) <= MOST_OF_BODY
    assert run_record.read(marked) == record, "the mark for the queue takes no room from the record"
