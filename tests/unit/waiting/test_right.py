"""Who may decide about an entry, and whose turn it is."""

import pytest

from helix_hooks.config.policy import Deciders, Delegate
from helix_hooks.waiting.entry import ESCALATED, FLOW, REQUEST, VERIFICATION, QueueEntry, Viewer
from helix_hooks.waiting.right import is_turn, refusal
from tests.unit.waiting.queued import MAX, NOBODY, NOW, PULL, entry

EVE = Viewer(
    name="eve", login="eve", roles=(("acme/shop", "write"),), teams=("acme/architects",), at=NOW
)
ALICE = Viewer(name="alice", login="Alice", roles=(("acme/shop", "admin"),), at=NOW)
REQUESTED = entry("6ab7827c", REQUEST, "Deploy")
ASKED_BY_NOBODY = REQUESTED._replace(asked_by_login=False, asked_by="robot (not verified)")


@pytest.mark.parametrize(
    ("viewer", "item", "words"),
    [
        (MAX, PULL, ""),
        (EVE, PULL, "deciding requires the role maintain or admin, but @eve has the role write"),
        (EVE, PULL._replace(deciders=Deciders(teams=("acme/Architects",))), ""),
        (EVE, PULL._replace(deciders=Deciders(roles=(), users=("Eve",))), ""),
        (EVE, PULL._replace(project="acme/other"), "@eve has the role none"),
        (ALICE, PULL, "@Alice is an author and can't approve it"),
        (ALICE, REQUESTED, "@Alice is the requester and can't approve it"),
        (ALICE, REQUESTED._replace(deciders=Deciders(sole="alice")), ""),
        (MAX, ASKED_BY_NOBODY, "GitHub did not confirm the requester robot (not verified)"),
        (NOBODY, PULL, "GitHub must confirm who you are: set GITHUB_TOKEN"),
        (NOBODY, entry("r/p", FLOW, "x", needs_login=False), ""),
        (NOBODY, entry("verify:x", VERIFICATION, "x"), ""),
    ],
)
def test_who_may_approve(viewer: Viewer, item: QueueEntry, words: str) -> None:
    found = refusal(viewer, item)
    assert words in found if words else not found


def test_whoever_asked_may_reject() -> None:
    assert not refusal(ALICE, REQUESTED, approves=False)
    assert not refusal(MAX, ASKED_BY_NOBODY, approves=False)
    assert refusal(EVE, REQUESTED, approves=False)


def test_whoever_has_approved_waits_for_others() -> None:
    assert is_turn(MAX, PULL._replace(minimum=2, approved_by=("eve",)))
    assert not is_turn(MAX, PULL._replace(minimum=2, approved_by=("Max",)))


def test_a_run_takes_one_approval() -> None:
    two = entry("r/p", FLOW, "x", deciders=Deciders(minimum=2), minimum=2)
    assert "minimum_approvals is 2" in refusal(MAX, two)
    assert not refusal(MAX, two, approves=False)


@pytest.mark.parametrize(
    ("giver", "since", "words"),
    [
        ("max", "2026-01-01", ""),
        ("max", "2026-01-06", "@eve is a delegate of @max on other days"),
        ("alice", "2026-01-01", "who is an author or the requester"),
        ("zoe", "2026-01-01", "@eve is a delegate of @zoe, who may not decide"),
    ],
)
def test_a_delegate_has_the_right_of_another_person(giver: str, since: str, words: str) -> None:
    delegates = (Delegate(giver, "eve", since, "2026-01-31"),)
    item = PULL._replace(deciders=Deciders(delegates=delegates))
    roles = {"max": "maintain", "alice": "admin", "zoe": "read"}
    eve = EVE._replace(lent=(("acme/shop", giver, roles[giver]),))
    found = refusal(eve, item)
    assert words in found if words else not found
    assert refusal(EVE._replace(lent=(("acme/docs", giver, "admin"),)), item)


def test_a_project_that_is_not_on_github_is_decided_at_its_machine() -> None:
    item = entry("6ab7827c", REQUEST, "Deploy", project="folder", needs_login=False)
    assert refusal(MAX, item) and not refusal(MAX._replace(is_here=True), item)
    asked_by_login = item._replace(needs_login=True)
    assert "GitHub must confirm" in refusal(MAX._replace(is_here=True), asked_by_login)
    assert refusal(MAX._replace(is_here=True), item._replace(repository="acme/docs"))


def test_a_proxy_confirms_who_approves_a_request_where_there_is_no_github() -> None:
    anna = Viewer(name="anna", login="anna", at=NOW, is_proxied=True)
    elsewhere = ASKED_BY_NOBODY._replace(
        repository="", deciders=Deciders(roles=(), users=("anna",)), excluded=("robot",)
    )
    assert not refusal(anna, elsewhere) and is_turn(anna, elsewhere)
    assert refusal(anna, elsewhere._replace(excluded=("Anna",)))
    run = elsewhere._replace(source=FLOW)
    assert refusal(anna, run._replace(requester=("Anna",)))
    here = Viewer(name="anna", login="", at=NOW, is_here=True)
    assert not refusal(here, run._replace(requester=("Anna",), needs_login=False))
    several = run._replace(deciders=run.deciders._replace(minimum=2))
    assert not refusal(anna, run) and "supports only one approval" in refusal(anna, several)
    assert refusal(anna, elsewhere._replace(repository="acme/shop"))
    assert refusal(anna._replace(is_proxied=False), elsewhere)
    assert refusal(anna._replace(login="eve"), elsewhere)


def test_a_hand_over_hides_nothing_at_a_terminal_and_after_an_escalation() -> None:
    handed = REQUESTED._replace(handed_to="ann")
    assert not is_turn(MAX, handed) and not refusal(MAX, handed)
    assert is_turn(MAX, handed._replace(handed_to="Max"))
    assert is_turn(MAX, handed._replace(state=ESCALATED))
    assert is_turn(NOBODY, handed._replace(needs_login=False, asked_by_login=False))
