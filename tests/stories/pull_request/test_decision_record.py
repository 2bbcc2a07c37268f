"""Decisions as they were taken: the chain on the check run by itself, then stories on the fake GitHub, each up to the audit."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.audit.collect import validator
from helix_hooks.audit.confirmed import Record, denied
from helix_hooks.decision import chain, run_record, run_state
from helix_hooks.decision.chain import Chain
from helix_hooks.decision.handover import Handover, RunTarget
from helix_hooks.decision.pull_request import Person, PullRequest, Status
from helix_hooks.decision.run_state import CarriedState
from tests import series
from tests.conftest import ROOT, Repository, Result, Run
from tests.fakes.github.server import FakeGitHub, Fault, Token
from tests.fakes.runner import ADR, BROKEN, READER, WRITER, Job
from tests.stories.pull_request.scene import (
    FORBIDDEN,
    REPOSITORY,
    UNSURE,
    People,
    after,
    check,
    in_between,
    main_has,
    policy,
    push,
    push_all,
)

KEY, OTHER = b"a long secret of this repository", b"another long secret"
SIGNS = {"HELIX_RECORD_KEY": KEY.decode()}
FITS = validator()
FIELDS: dict[str, Any] = {
    "version": 1, "id": "x", "project_id": 5, "repository": "acme/decisions", "pull_request": 7, "status": "pending", "title": "a",
    "reasons": [], "commit": "c" * 40, "queue": False, "closed": False, "base": "b" * 40, "base_ref": "main", "settings": "", "content": "", "files": {},
    "files_left_out": 0, "category": None, "action_type": None, "requested_by": "alice", "requested_by_id": 1, "requested_at": None,
    "decided_at": 100, "expires_at": None, "escalated": False, "escalation_policy": {"action": "block", "escalate_to": []},
    "autonomy": None, "minimum_approvals": 1, "approvers": {"roles": [], "users": [], "teams": []}, "votes": [], "votes_left_out": 0,
    "confidence_score": None, "ai_recommendation": None, "reasoning": None, "judges": [],
}  # fmt: skip


def made(*titles: str, key: bytes = b"", number: int = 7, **more: Any) -> Chain:
    found = Chain(number)
    for title in titles:
        found = chain.added(found, {**FIELDS, "pull_request": number, "title": title, **more}, key)
    return found


def wrong(found: Chain, key: bytes = b"", project: int = 5) -> list[str]:
    return [link.wrong for link in chain.links(found, project, key, FITS)]


def signatures(found: Chain, key: bytes = b"") -> list[str]:
    return [link.signature for link in chain.links(found, 5, key, FITS)]


# The chain


def test_a_chain_is_read_as_it_was_written() -> None:
    found = made("one", "two", "three", key=KEY)
    again = chain.read(f"before{chain.block(found)}\nbehind", 7)
    assert (
        again == found
        and wrong(again, KEY) == ["", "", ""]
        and signatures(again, KEY) == ["valid"] * 3
    )
    assert [json.loads(line)["previous"] for line in again.lines] == [
        "",
        *map(chain.hashed, found.lines[:2]),
    ]
    assert [json.loads(line)["line"] for line in again.lines] == [1, 2, 3]


def test_an_old_check_run_has_no_chain() -> None:
    assert chain.read("<!-- helix:kept spent=0.0000 sealed=. -->", 7) == Chain(7)
    assert chain.block(Chain(7)) == "" and chain.tip(Chain(7), "c" * 40) == ""


def swapped(lines: list[str]) -> list[str]:
    return [lines[1], lines[0], lines[2]]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (swapped, "expected decision 1, got decision 2"),
        (lambda lines: [lines[0], lines[2]], "expected decision 2, got decision 3"),
        (
            lambda lines: [lines[0].replace("one", "eno"), *lines[1:]],
            "decision 2 has a wrong hash of the previous one",
        ),
        (
            lambda lines: [lines[0].replace('"line":1', '"line":9'), *lines[1:]],
            "expected decision 1, got decision 9",
        ),
        (lambda lines: [lines[0], "{}", lines[2]], "decision 2 can't be read"),
        (lambda lines: [lines[0], '{"a":' * 2000, lines[2]], "decision 2 can't be read"),
        (
            lambda lines: [lines[0].replace("pending", "perhaps"), *lines[1:]],
            "decision 1 can't be read",
        ),
        (
            lambda lines: [lines[0].replace('"one"', '"\\ud800"'), *lines[1:]],
            "has a wrong hash of the previous one",
        ),
    ],
)
def test_a_changed_chain_is_broken(change: Callable[[list[str]], list[str]], named: str) -> None:
    """Attack by a hostile pull request: forge, change, cut or swap recorded decisions; take those of another pull request or repository; take the signature off.
    Answer: the chain of hashes breaks, the comment of the gate knows where it ends, and with `record-key` the signature is wrong; no decision is taken from the record.
    Shown by: `test_a_changed_chain_is_broken`, `test_a_rewritten_check_run_is_found`, `test_without_the_key_a_forged_record_is_not_signed`, `test_no_decision_is_taken_from_the_record`.
    """
    found = made("one", "two", "three", key=KEY)
    forged = chain.read(chain.block(found._replace(lines=tuple(change([*found.lines])))), 7)
    told = wrong(forged)
    assert any(named in text for text in told), told


def test_the_last_line_is_kept_by_its_signature_alone() -> None:
    """Nothing comes behind it that has its hash."""
    found = made("one", "two", key=KEY)
    forged = found._replace(lines=(found.lines[0], found.lines[1].replace("two", "owt")))
    assert wrong(forged) == ["", ""] and signatures(forged, KEY) == ["valid", "wrong"]
    assert signatures(forged) == ["not checked"] * 2
    bare = made("one", "two")
    assert signatures(bare, KEY) == signatures(bare) == ["none"] * 2
    taken_off = found._replace(lines=(re.sub(',"signature":"[0-9a-f]+"', "", found.lines[0]),))
    assert signatures(taken_off, KEY) == ["none"]


def test_a_key_that_was_changed() -> None:
    found = chain.added(made("one", key=OTHER), {**FIELDS, "title": "two"}, KEY)
    assert signatures(found, KEY) == ["other key", "valid"] and signatures(found, OTHER) == [
        "valid",
        "other key",
    ]
    assert not chain.is_signed(made("one", key=OTHER), KEY) and chain.is_signed(found, KEY)
    named_ours = made("one", key=OTHER).lines[0].replace(chain.key_id(OTHER), chain.key_id(KEY))
    assert signatures(Chain(7, (named_ours,)), KEY) == ["wrong"]


@pytest.mark.parametrize(("number", "project"), [(8, 5), (7, 6)])
def test_a_chain_of_another_pull_request_or_repository(number: int, project: int) -> None:
    """Signed by the same key, as the other pull requests of the repository are."""
    theirs = made("one", "two", key=KEY, number=number, project_id=project)
    replayed = chain.read(chain.block(theirs._replace(number=7)), 7)
    assert signatures(replayed, KEY) == ["valid"] * 2
    assert wrong(replayed) == [
        f"decision {line} is about acme/decisions, pull request {number}" for line in (1, 2)
    ]


def test_what_has_no_room_is_dropped_and_counted() -> None:
    found = made(*(f"decision {number}" for number in range(60)), key=KEY)
    text = chain.block(found)
    again = chain.read(text, 7)
    assert (
        len(text) <= chain.LONGEST
        and again.dropped > 30
        and again.length == 60
        and again.last == found.last
    )
    assert wrong(again) == [""] * len(again.lines) and again.before == chain.hashed(
        found.lines[again.dropped - 1]
    )
    more = chain.added(again, {**FIELDS, "title": "one more"}, KEY)
    assert more.newest["line"] == 61 and wrong(more)[-1] == ""
    assert wrong(again._replace(lines=again.lines[1:]))[0], "one more than was said"
    assert wrong(again._replace(dropped=0))[0] and wrong(again._replace(before="0" * 64))[0]
    assert len(chain.read(chain.block(found, 0), 7).lines) == 1, "the newest has always room"


def test_several_pull_requests_at_one_commit_have_a_chain_each() -> None:
    ours, theirs = made("ours"), made("theirs", number=8)
    text = chain.block(ours) + chain.block(theirs)
    assert chain.read(text, 7).lines == ours.lines and chain.read(text, 8).lines == theirs.lines
    assert chain.read(text, 7).others == chain.block(theirs) and chain.read(text, 9).others == text


def test_a_comment_knows_where_a_chain_ends() -> None:
    found = made("one", "two", "three")
    end = chain.in_comment(f"text\n{chain.tip(found, 'c' * 40)}more")
    assert end == (3, found.last, "c" * 40) and chain.is_on(end, found)
    longer = chain.added(found, FIELDS)
    assert chain.is_on(end, longer), "it went on"
    cut = found._replace(lines=found.lines[:2])
    assert chain.is_on(end, cut) is False, "it was cut"
    assert chain.is_on(end, made("one", "two", "other")) is False, "it was rewritten"
    assert chain.is_on(end, Chain(7, longer.lines[3:], 4, found.last)) is None
    assert chain.in_comment("no mark") is None


def noise(size: int) -> str:
    """Text that nothing makes smaller."""
    parts = (
        base64.b64encode(hashlib.sha512(str(number).encode()).digest()).decode()
        for number in range(size // 88)
    )
    return "".join(parts).replace("=", "")


@pytest.mark.parametrize(
    ("sealed", "skipped", "others"),
    [(0, 0, 0), (30_000, 0, 20_000), (30_000, 30_000, 9_000), (30_000, 60_000, 60_000)],
)
def test_the_newest_decision_has_room_beside_all_else(
    sealed: int, skipped: int, others: int
) -> None:
    found = made(*(f"decision {number}" for number in range(30)), key=KEY)
    given = Handover(RunTarget("acme/decisions", 7, "c" * 40, "b" * 40, "b" * 40, "0" * 32), skipped=tuple(noise(skipped)[at : at + 900] for at in
                     range(0, skipped, 900)), carried=CarriedState(sealed=noise(sealed)))  # fmt: skip
    text = run_record.text(given, f"\n{noise(others)}", found)
    assert (
        len(text) <= 65_000
        and run_record.read(text, 7)
        and run_state.read(text).sealed == noise(sealed)
    )
    again = chain.read(text, 7)
    assert again.last == found.last and again.length == 30 and set(wrong(again, KEY)) == {""}


@settings(max_examples=series.examples(100), deadline=None)
@given(st.lists(st.text(), min_size=1, max_size=4), st.booleans())
def test_any_text_is_read_as_it_was_written(titles: list[str], is_signed: bool) -> None:
    found = made(*titles, key=KEY if is_signed else b"")
    text = chain.block(found)
    assert chain.read(text, 7) == found and text.count("-->") == 1
    assert [
        link.fields.get("title") for link in chain.links(found, 5, KEY, lambda _: True)
    ] == titles


@settings(max_examples=series.examples(100), deadline=None)
@given(
    st.text()
    | st.from_regex(
        r"<!-- helix:decisions 7 \d{1,6}:[0-9a-f]{64}?\n(\{[^\n]*\}\n)+-->", fullmatch=True
    )
)
def test_no_text_crashes_what_reads_a_chain(text: str) -> None:
    for link in chain.links(chain.read(text, 7), 5, KEY, FITS):
        assert link.wrong or link.fields
    assert chain.in_comment(text) is None


def test_what_is_lost_is_said() -> None:
    """The lines are gone, or were cut; what our comment knows of them stays."""
    found = made("one", "two", "three")
    end = chain.in_comment(chain.tip(found, "c" * 40))
    assert end and chain.compared(found, end) == found and chain.compared(found, None) == found
    gone = chain.added(chain.compared(Chain(7), end), FIELDS)
    assert (gone.length, gone.newest["line"], gone.newest["previous"]) == (
        4,
        4,
        found.last,
    ) and wrong(gone) == [""]
    cut = chain.added(chain.compared(found._replace(lines=found.lines[:1]), end), FIELDS)
    assert cut.newest["doubt"] == f"3 {found.last}" and wrong(cut) == ["", ""] and cut.doubt == ""


HOSTILE = "--> <!-- @everyone </details> ``` #1 \u202e \x7f \x1b[31m ]] \\--\\-- -----> ghp_0123456789abcdefghij \U0001f600 \n{}\n-->"


def test_a_hostile_text_stays_in_its_line() -> None:
    """Attack by a hostile pull request: write a reason that ends the hidden comment, mentions people or holds a token.
    Answer: escaped, made harmless, cut.
    Shown by: `test_a_hostile_text_stays_in_its_line`, `test_words_of_a_vote_stay_words`.
    """
    found = made(HOSTILE, "two")
    text = chain.block(found)
    assert chain.read(text, 7) == found and json.loads(found.lines[0])["title"] == HOSTILE
    inside = text.removeprefix("\n<!--").removesuffix("-->")
    assert not re.search(r"--|[<>@#`&\x7f]", inside) and text.isascii() and text.count("\n") == 4
    small = made("x", decided_at=1, confidence_score=1e-05)
    assert small.newest["confidence_score"] == 1e-05


# A record and the check run that has it


@pytest.mark.parametrize(
    ("status", "conclusion", "external", "said"),
    [
        ("approved", "success", "7:approved", ""),
        ("auto_approved", "success", "7:approved", ""),
        ("pending", "action_required", "7:pending", ""),
        ("expired", "failure", "7:blocked", ""),
        ("failed", "failure", "7:failed", ""),
        ("approved", "failure", "7:approved;8:rejected", ""),
        ("rejected", "success", "8:approved", ""),
        ("approved", "failure", "7:approved", "the check run says failure"),
        ("pending", "success", "7:pending", "the check run says success"),
        ("pending", "success", "7:pending;8:approved", "the check run says success"),
        ("rejected", "failure", "7:failed", "the check run is about the state failed"),
        ("approved", "success", "", ""),
    ],
)
def test_a_check_run_says_what_the_record_says(
    status: str, conclusion: str, external: str, said: str
) -> None:
    found = made("one", status=status)
    there = Record(
        found, chain.links(found, 5, b"", FITS), Status(1, conclusion, f"helix1:{external}|abc")
    )
    told = [*denied(there, PullRequest(7, Person("alice", 1), "c" * 40, "b" * 40, is_open=True))]
    assert len(told) == bool(said) and all(said in text for text in told), told


# Stories


def lines(github: FakeGitHub, number: int = 1, commit: str = "") -> list[dict[str, Any]]:
    """The decisions on the latest check run, or on that of a commit, each as it fits its schema."""
    runs = [run for run in github.runs.values() if commit in ("", run.sha)]
    found = chain.read(runs[-1].output["text"], number)
    decisions = [json.loads(line) for line in found.lines]
    assert all(map(FITS, decisions)), decisions
    return decisions


def stati(github: FakeGitHub, number: int = 1) -> list[str]:
    return [item["status"] for item in lines(github, number)]


@pytest.fixture
def audited(github: FakeGitHub, run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The audit of a pull request, as somebody who may only read calls it."""
    for name, value in (
        ("GITHUB_TOKEN", READER),
        ("GITHUB_API_URL", github.url),
        ("GITHUB_REPOSITORY", "acme/decisions"),
    ):
        monkeypatch.setenv(name, value)

    def call(*arguments: str, key: bytes = b"") -> Result:
        monkeypatch.setenv("HELIX_RECORD_KEY", key.decode())
        return run("audit", *(arguments or ("1",)))

    return call


def approved(
    github: FakeGitHub,
    people: People,
    by: str = "max",
    words: str = "as discussed",
    **environment: str,
) -> int:
    """A pull request about which somebody was asked, and that they approve; their comment."""
    job = people.job()
    job.steps(people.judge(**UNSURE), **environment)
    comment = github.comment(1, by, f"/helix approve {github.head(1)} {words}")
    people.told(comment, **environment)
    assert check(github).conclusion == "success"
    return comment


def test_a_decision_is_recorded_with_all_that_it_rests_on(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(
        repository,
        "{autonomy: milestone, deadlines: {critical: 24h}, on_expiry: {action: escalate, escalate_to: [anna]}}",
    )
    comment = approved(github, people, **SIGNS)
    asked, decided = lines(github)
    assert (asked["status"], decided["status"]) == ("pending", "approved") and asked["votes"] == []
    max_id = github.number("user", "max")
    (vote,) = decided["votes"]
    assert vote == {
        "by": "max", "by_id": max_id, "role": "maintain", "as": "role", "said": "approve", "commit": github.head(1), "at": vote["at"], "types": [],
        "finding": None, "reason": "as discussed", "source": {"id": comment, "kind": "comment"},
    }  # fmt: skip
    assert (
        vote["at"] <= decided["decided_at"]
        and decided["expires_at"] == asked["requested_at"] + 24 * 3600
    )
    assert (
        decided["escalation_policy"] == {"action": "escalate", "escalate_to": ["anna"]}
        and decided["category"] == "critical"
    )
    assert (decided["autonomy"], decided["action_type"], decided["requested_by"]) == (
        "milestone",
        "architecture_decision",
        "alice",
    )
    blob = repository.git("rev-parse", f"HEAD:{ADR}").stdout.strip()
    assert (
        decided["files"] == {ADR: blob}
        and len(decided["settings"]) == len(decided["content"]) == 64
    )
    (judge,) = decided["judges"]
    assert (
        judge["model"]
        and judge["duration_seconds"] > 0
        and judge["cost_usd"] == 0.01
        and decided["confidence_score"] == 0.5
    )
    assert decided["ai_recommendation"] == "approved" and decided["reasoning"].startswith("adr: ")
    assert decided["key"] == chain.key_id(KEY) and len(decided["signature"]) == 64
    assert decided["previous"] == chain.hashed(chain.read(check(github).output["text"], 1).lines[0])


@pytest.mark.further
def test_the_same_decision_is_recorded_once(github: FakeGitHub, people: People) -> None:
    people.pending()
    people.run(structured={"confidence": 0.6})
    people.sweep()
    people.says("eve", "/helix status")
    people.says("eve", f"/helix approve {github.head(1)}")
    assert stati(github) == ["pending"], (
        "another run, another confidence, and a vote that does not count decide nothing"
    )
    people.says("max", f"/helix approve {github.head(1)}")
    people.says("max", "/helix reject wait")
    people.says("max", f"/helix approve {github.head(1)}")
    assert stati(github) == ["pending", "approved", "rejected", "approved"]
    people.run(**UNSURE)
    assert len(stati(github)) == 4


@pytest.mark.further
def test_a_key_that_comes_later_signs_what_stands(
    github: FakeGitHub, people: People, audited: Callable[..., Result]
) -> None:
    people.run()
    assert [item["key"] for item in lines(github)] == [None]
    for _ in range(2):
        people.job().steps(people.judge(), **SIGNS)
    assert [item["key"] for item in lines(github)] == [None, chain.key_id(KEY)], "once"
    people.run()
    assert len(lines(github)) == 2, "a step without the key records nothing anew"
    assert audited(key=KEY).code == 0 and "signed with this key" in audited(key=KEY).out
    assert audited(key=OTHER).code == 1 and "signed with another key" in audited(key=OTHER).out


@pytest.mark.further
def test_who_lost_the_role_has_decided_all_the_same(
    github: FakeGitHub, people: People, audited: Callable[..., Result]
) -> None:
    approved(github, people, **SIGNS)
    github.close_pull(1, merged=True)
    github.people["max"] = "read"
    done = audited(key=KEY)
    assert done.code == 0, done.out
    head = github.head(1)[:7]
    assert ", merged Mon, 05 Jan 2026" in done.out and "decision  approved, decided" in done.out
    assert re.search(rf"vote .*max  approve {head}: as discussed  \[role maintain\]", done.out)
    assert "record    2 decisions; the chain is whole; signed with this key" in done.out
    assert re.search(
        r"no longer so +@max has the role read now, and had the role maintain", done.out
    )
    assert re.search(rf"confirmed +@max said approve {head} in comment", done.out) and re.search(
        rf"confirmed +the head is {head}", done.out
    )
    assert (
        re.search(rf"confirmed +{ADR} is [0-9a-f]{{12}}", done.out)
        and "can't be confirmed  the verdict on adr" in done.out
    )
    assert (
        "today     it would be pending: adr: confidence 0.50 is below" in done.out
        and "CONTRADICTED" not in done.out
    )
    told = json.loads(audited("1", "--format", "json").out)
    assert (told["state"], told["agrees"], told["contradictions"]) == ("pending", False, [])
    recorded = told["recorded"]
    assert (
        recorded["decision"]["status"] == "approved"
        and recorded["chain"] == "whole"
        and recorded["signature"] == "not checked"
    )
    assert {
        "state": "no longer so",
        "what": "@max has the role read now, and had the role maintain",
    } in recorded["facts"]
    assert {seen.verb for seen in github.requests if seen.token == READER} == {"GET"}


@pytest.mark.further
def test_a_comment_that_was_deleted_has_decided_all_the_same(
    github: FakeGitHub, people: People, audited: Callable[..., Result]
) -> None:
    """Attack by a hostile pull request: undo a decision after the merge: delete or edit the comment, take the role away, dismiss the review.
    Answer: the record keeps it decided, and the audit says what has changed.
    Shown by: `test_a_comment_that_was_deleted_has_decided_all_the_same`, `test_who_lost_the_role_has_decided_all_the_same`, `test_reviews_and_teams`.
    """
    comment = approved(github, people)
    github.close_pull(1, merged=True)
    job = Job.of_comment(
        github, people.repository, people.folder / "deleted", comment, "deleted", "max"
    )
    github.delete_comment(comment)
    job.step("command", GITHUB_TOKEN=WRITER)
    done = audited()
    assert done.code == 0, done.out
    assert "decision  approved, decided" in done.out and re.search(
        r"no longer so +@max said approve .* which has since been deleted", done.out
    )
    assert stati(github) == ["pending", "approved", "pending"], (
        "what came behind the merge stands there too"
    )


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (
            lambda fake, comment: fake.edit_comment(comment, "never mind"),
            "no longer so .* which has since been edited",
        ),
        (
            lambda fake, comment: fake.people.pop("max"),
            "can't be confirmed +@max had the role maintain: the account no longer exists",
        ),
        (
            lambda fake, comment: fake.people.update(max="admin"),
            "no longer so +@max has the role admin now, and had the role maintain",
        ),
        (
            lambda fake, comment: fake.comments.update(
                {comment: fake.comments[comment]._replace(author="eve")}
            ),
            "contradicted +@max said approve .* which is by @eve",
        ),
        (
            lambda fake, comment: fake.comments.update(
                {comment: fake.comments[comment]._replace(body="/helix reject no")}
            ),
            "contradicted .* which says something else",
        ),
    ],
)
@pytest.mark.sampled
def test_what_github_can_still_confirm(change: Callable[[FakeGitHub, int], Any], fact: str, github: FakeGitHub, people: People,
                                       audited: Callable[..., Result]) -> None:  # fmt: skip
    comment = approved(github, people)
    github.close_pull(1, merged=True)
    change(github, comment)
    done = audited()
    assert re.search(fact, done.out), done.out
    assert done.code == ("contradicted" in fact)


@pytest.mark.further
def test_reviews_and_teams(
    github: FakeGitHub, repository: Repository, people: People, audited: Callable[..., Result]
) -> None:
    """The token of a workflow can't read a team; that of an App can."""
    policy(repository, "{approvers: {teams: [acme/board]}}")
    github.teams["acme/board"] = ("anna",)
    github.tokens[WRITER] = github.tokens[WRITER]._replace(
        permissions={**github.tokens[WRITER].permissions, "members": "read"}
    )
    people.pending()
    review = github.review(1, "anna")
    people.job(event="pull_request_review").step("command", GITHUB_TOKEN=WRITER)
    assert (
        lines(github)[-1]["votes"][0]["as"] == "team" and lines(github)[-1]["status"] == "approved"
    )
    github.close_pull(1, merged=True)
    done = audited()
    assert (
        "can't be confirmed  @anna was in a deciding team: this token can't read it" in done.out
        and done.code == 0
    ), done.out
    assert re.search(rf"confirmed +@anna said approve .* in review {review}", done.out)
    github.tokens[READER] = github.tokens[READER]._replace(
        permissions={**github.tokens[READER].permissions, "members": "read"}
    )
    assert re.search("confirmed +@anna is in a deciding team", audited().out)
    github.teams["acme/board"] = ()
    github.dismiss(review)
    done = audited()
    assert (
        "@anna is in no deciding team now" in done.out
        and "which has since been dismissed" in done.out
        and done.code == 0
    )


@pytest.mark.further
def test_a_push_goes_on_with_the_chain(
    github: FakeGitHub, repository: Repository, people: People, audited: Callable[..., Result]
) -> None:
    approved(github, people, **SIGNS)
    first = github.head(1)
    for number in range(2):  # the first is overtaken before a run has seen it
        push(repository, ADR, (repository.root / ADR).read_text() + f"\nSentence {number}.\n")
    people.job().steps(people.judge(**UNSURE), **SIGNS)
    assert [(item["status"], item["commit"]) for item in lines(github)] == [
        ("pending", first), ("approved", first), ("pending", github.head(1)),
    ]  # fmt: skip
    assert len(lines(github, commit=first)) == 2
    people.told(github.comment(1, "max", f"/helix approve {github.head(1)}"), **SIGNS)
    github.close_pull(1, merged=True)
    assert (
        audited(key=KEY).code == 0
        and "record    4 decisions; the chain is whole" in audited(key=KEY).out
    )


@pytest.mark.further
def test_a_push_goes_on_without_a_comment_of_the_gate(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """Where all was green there is none, and the event says what was there."""
    assert people.run().code == 0 and not github.comments
    before = github.head(1)
    push(repository, ADR, (repository.root / ADR).read_text() + "\nOne more sentence.\n")
    people.job(before=before).steps(people.judge())
    assert [item["commit"] for item in lines(github)] == [before, github.head(1)]


@pytest.mark.further
def test_decisions_without_a_vote(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    good = (repository.root / ADR).read_text()
    assert people.run().code == 0
    (judged,) = lines(github)
    assert (judged["status"], judged["title"], judged["votes"]) == (
        "approved",
        "adr: the judge approves",
        [],
    )
    assert judged["ai_recommendation"] == "approved" and judged["judges"][0]["model"]
    for text, case, status in (
        (BROKEN, {}, "rejected"),
        (good, {"exit": 1, "result": None}, "failed"),
        (good + " ", {}, "approved"),
    ):
        before = github.head(1)
        push(repository, ADR, text + ("" if text == BROKEN else f"\n{status}\n"))
        people.job(before=before).steps(people.judge(**case))
        assert lines(github)[-1]["status"] == status, lines(github)[-1]
    before = github.head(1)
    repository.git("checkout", "--quiet", "main", "--", "docs/adr")
    repository.git("commit", "--quiet", "--allow-empty", "-am", "taken back")
    people.job(before=before).steps(people.judge())
    assert len(lines(github)) == 5


@pytest.mark.further
def test_a_person_in_the_place_of_a_failed_judge(github: FakeGitHub, people: People) -> None:
    assert people.run(exit=1, result=None).code == 3
    people.says("max", f"/helix approve {github.head(1)} I have read it")
    failed, decided = lines(github)
    assert (failed["status"], failed["judges"][0]["failed"], failed["ai_recommendation"]) == (
        "failed",
        True,
        None,
    )
    assert (decided["status"], decided["category"], decided["votes"][0]["reason"]) == (
        "approved",
        "expertise",
        "I have read it",
    )


AUTO = "approvals: {adr: {action: pr_merge}}\npolicy: {autonomy: full_control, deadlines: {routine: 24h}, on_expiry: {action: auto_approve}}\n"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("settings", "status"),
    [(AUTO, "auto_approved"), (AUTO.replace("auto_approve", "block"), "expired")],
)
def test_time_decides_and_it_is_recorded(settings: str, status: str, github: FakeGitHub, repository: Repository, people: People,
                                         audited: Callable[..., Result]) -> None:  # fmt: skip
    main_has(repository, "config/approvals.yaml", settings)
    people.run()
    after(github, 25)
    people.sweep()
    people.sweep()
    asked, decided = lines(github)
    assert (asked["status"], decided["status"], decided["category"], decided["votes"]) == (
        "pending",
        status,
        "routine",
        [],
    )
    assert decided["expires_at"] == asked["expires_at"] == asked["requested_at"] + 24 * 3600
    assert audited().code == 0


@pytest.mark.further
def test_a_merge_queue_goes_on_with_the_chain(
    github: FakeGitHub, repository: Repository, people: People, audited: Callable[..., Result]
) -> None:
    approved(github, people, **SIGNS)
    repository.git("checkout", "--quiet", "main")
    push(repository, "README.md", "# Meanwhile\n")
    repository.git("checkout", "--quiet", "-b", "queue")
    repository.git("merge", "--quiet", "--no-edit", "change")
    merged = repository.git("rev-parse", "queue").stdout.strip()
    job = people.job(event="merge_group")
    event = json.loads((job.folder / "event.json").read_text())
    event["merge_group"] |= {
        "head_sha": merged,
        "base_sha": repository.git("rev-parse", "main").stdout.strip(),
    }
    (job.folder / "event.json").write_text(json.dumps(event))
    assert job.steps(None, **SIGNS).code == 0
    found = lines(github, commit=merged)
    assert [(item["status"], item["queue"]) for item in found] == [
        ("pending", False),
        ("approved", False),
        ("approved", True),
    ]
    assert found[-1]["commit"] == merged and found[-1]["title"].startswith(
        "#\u200b1 is approved at"
    )
    github.close_pull(1, merged=True)
    done = audited(key=KEY)
    assert done.code == 0 and "record    2 decisions" in done.out, (
        "GitHub merged another commit than the queue's"
    )


@pytest.mark.further
def test_two_pull_requests_at_one_commit(
    github: FakeGitHub, repository: Repository, people: People, audited: Callable[..., Result]
) -> None:
    repository.git("branch", "other", "main")
    github.open_pull(2, base="other")
    github.protected = ("other",)
    people.run(1, **UNSURE)
    people.run(2, **UNSURE)
    people.says("max", f"/helix approve {github.head(1)}", number=1)
    people.says("anna", f"/helix approve {github.head(2)}", number=2)
    people.run(1, **UNSURE)
    assert (stati(github, 1), stati(github, 2)) == (
        ["pending", "approved"],
        ["pending", "approved"],
    )
    assert [item["votes"][0]["by"] for item in (lines(github, 1)[-1], lines(github, 2)[-1])] == [
        "max",
        "anna",
    ]
    for number in ("1", "2"):
        github.close_pull(int(number), merged=True)
        assert audited(number).code == 0, audited(number).out


# What somebody could do to it


def rewritten(github: FakeGitHub, change: Callable[[str], str], **more: str) -> None:
    """Somebody who may write checks has rewritten ours."""
    run = check(github)
    github.runs[run.id] = run._replace(
        output={**run.output, "text": change(run.output["text"])}, **more
    )


def unsigned(found: Chain) -> dict[str, Any]:
    """The newest decision, for somebody who writes another one like it."""
    return {name: value for name, value in found.newest.items() if name != "signature"}


def test_a_rewritten_check_run_is_found(
    github: FakeGitHub, people: People, audited: Callable[..., Result]
) -> None:
    approved(github, people, **SIGNS)
    github.close_pull(1, merged=True)
    whole = check(github)
    cases: list[tuple[Callable[[str], str], str]] = [
        (
            lambda text: text.replace('"by":"max"', '"by":"anna"'),
            "the signature of decision 2 is wrong",
        ),
        (
            lambda text: text.replace('"status":"pending"', '"status":"failed"'),
            "decision 2 has a wrong hash of the previous one",
        ),
        (
            lambda text: text.replace('"pull_request":1', '"pull_request":2'),
            "decision 1 is about acme/decisions, pull request 2",
        ),
        (
            lambda text: re.sub(r'\n\{"version[^\n]*(?=\n-->)', "", text),
            "the chain was cut or rewritten",
        ),
        (
            lambda text: re.sub(r"\n<!-- helix:decisions [^>]*-->", "", text),
            "no check run has them any more",
        ),
    ]
    for change, what in cases:
        rewritten(github, change)
        done = audited(key=KEY)
        assert done.code == 1 and re.search(f"CONTRADICTED  .*{what}", done.out), done.out
        github.runs[whole.id] = whole
    assert audited(key=KEY).code == 0
    github.runs[whole.id] = whole._replace(conclusion="failure")
    assert (
        audited(key=KEY).code == 1
        and "the check run says failure, and the last decision is approved" in audited(key=KEY).out
    )


@pytest.mark.further
def test_without_the_key_a_forged_record_is_not_signed(
    github: FakeGitHub, people: People, audited: Callable[..., Result]
) -> None:
    """A workflow that may write checks writes a decision of its own behind ours."""
    people.job().steps(people.judge(**UNSURE), **SIGNS)
    found = chain.read(check(github).output["text"], 1)
    forged = chain.added(
        found, {**unsigned(found), "status": "approved", "title": "@max approved it"}
    )
    rewritten(
        github,
        lambda text: text.replace(chain.block(found), chain.block(forged)),
        conclusion="success",
    )
    github.close_pull(1, merged=True)
    done = audited(key=KEY)
    assert (
        done.code == 1
        and "CONTRADICTED  decision 2 is not signed, and one before it is" in done.out
    )
    assert "CONTRADICTED  the helix comment names" not in done.out, "it may well go on"


def test_what_was_merged_against_the_decision_is_said(github: FakeGitHub, repository: Repository, people: People,
                                                      audited: Callable[..., Result]) -> None:  # fmt: skip
    people.pending()
    github.close_pull(1, merged=True)
    done = audited()
    assert (
        done.code == 1
        and "CONTRADICTED  it was merged although the decision was pending" in done.out
    )


@pytest.mark.further
def test_a_push_that_nobody_looked_at_is_merged(
    github: FakeGitHub, repository: Repository, people: People, audited: Callable[..., Result]
) -> None:
    approved(github, people)
    push(repository, ADR, BROKEN)
    github.close_pull(1, merged=True)
    done = audited()
    assert done.code == 1 and re.search(
        r"it was merged at \w{7}, and the decision is about \w{7}", done.out
    ), done.out


@pytest.mark.further
def test_a_record_of_before_is_no_reason_to_fail(
    github: FakeGitHub, people: People, audited: Callable[..., Result]
) -> None:
    approved(github, people)
    github.close_pull(1, merged=True)
    rewritten(github, lambda text: re.sub(r"\n<!-- helix:decisions [^>]*-->", "", text))
    for id, comment in github.comments.items():
        github.comments[id] = comment._replace(
            body=re.sub("<!-- helix:decided .*-->\n", "", comment.body)
        )
    done = audited()
    assert done.code == 0 and "record    none" in done.out and "decision  approved" in done.out
    people.github.people["max"] = "read"
    assert audited().code == 1, "then there is only what can be computed now"


def test_no_decision_is_taken_from_the_record(github: FakeGitHub, people: People) -> None:
    people.job().steps(people.judge(**UNSURE), **SIGNS)
    found = chain.read(check(github).output["text"], 1)
    vote = {"by": "max", "by_id": github.number("user", "max"), "role": "maintain", "as": "role", "said": "approve", "commit": github.head(1),
            "at": 1, "types": [], "finding": None, "reason": None, "source": {"id": 1, "kind": "comment"}}  # fmt: skip
    forged = chain.added(found, {**unsigned(found), "status": "approved", "votes": [vote]}, KEY)
    rewritten(github, lambda text: text.replace(chain.block(found), chain.block(forged)))
    people.says("eve", "/helix status")
    people.sweep()
    people.run(**UNSURE)
    assert check(github).conclusion == "action_required" and stati(github) == [
        "pending",
        "approved",
        "pending",
    ]


def test_words_of_a_vote_stay_words(github: FakeGitHub, people: People) -> None:
    secret = "ghp_0123456789abcdefghijABCDEF"
    approved(github, people, words=f"--> @everyone {secret} closes #3 {'long ' * 200}")
    text = check(github).output["text"]
    (vote,) = lines(github)[-1]["votes"]
    assert secret not in text and "(a secret)" in vote["reason"] and len(vote["reason"]) <= 260
    assert "@everyone" not in vote["reason"] and text.count("<!--") == text.count("-->")
    github.requests.clear()


@pytest.mark.further
def test_many_files_are_cut_and_the_rest_is_hashed(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """The check run has room for 65,535 characters."""
    text = (repository.root / ADR).read_text()
    adrs = {
        f"docs/adr/{number:04}-kafka-{'x' * 80}.md": text.replace("# 7.", f"# {number}.")
        for number in range(100, 190)
    }
    push_all(repository, adrs)
    people.run(**UNSURE)
    (decided,) = lines(github)
    assert (
        5 < len(decided["files"]) < 50
        and len(decided["files"]) + decided["files_left_out"] >= 90
        and len(decided["content"]) == 64
    )
    assert len(check(github).output["text"]) < 65_535


def test_a_chain_that_was_cut_is_not_healed(
    github: FakeGitHub, people: People, audited: Callable[..., Result]
) -> None:
    """Somebody takes the last decisions away, and the gate goes on."""
    people.pending()
    first = chain.read(check(github).output["text"], 1)
    people.says("max", "/helix reject no")
    cut = chain.read(check(github).output["text"], 1)
    rewritten(github, lambda text: text.replace(chain.block(cut), chain.block(first)))
    assert audited().code == 1 and "the chain was cut or rewritten" in audited().out
    people.says("max", f"/helix approve {github.head(1)}")
    assert lines(github)[-1]["doubt"] == f"2 {cut.last}"
    assert "decisions before decision" in audited().out


@pytest.mark.further
def test_a_check_run_that_could_not_be_written(github: FakeGitHub, people: People) -> None:
    """Then there is a commit status without a record; our comment knows that there was a decision."""
    github.faults += [Fault("POST", f"{REPOSITORY}/check-runs", 403, FORBIDDEN)]
    people.run(**UNSURE)
    assert github.statuses and not github.runs
    people.run(**UNSURE)
    found = chain.read(check(github).output["text"], 1)
    assert (found.dropped, found.length) == (1, 2) and found.newest[
        "previous"
    ] == found.before != ""


@pytest.mark.further
def test_two_people_in_the_same_moment_are_both_in_the_record(github: FakeGitHub, repository: Repository, people: People,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    policy(repository, "{minimum_approvals: 2}")
    head = people.pending()
    in_between(
        github, monkeypatch, "PATCH", lambda: github.comment(1, "anna", f"/helix approve {head}")
    )
    people.says("max", f"/helix approve {head}")
    assert stati(github) == ["pending", "pending", "approved"]
    assert [[vote["by"] for vote in item["votes"]] for item in lines(github)] == [
        [],
        ["max"],
        ["max", "anna"],
    ]


def test_the_key_goes_to_the_jobs_that_publish() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/gate.yml").read_text(encoding="utf-8"))["jobs"]
    uses = [
        step["with"]
        for job in jobs.values()
        for step in job["steps"]
        if "mode" in step.get("with", {})
    ]
    assert {step["mode"] for step in uses if "record-key" in step} == {
        "command",
        "sweep",
        "publish",
    }
    assert not any(
        "record-key" in step for step in uses if step["mode"] in ("snapshot", "check", "judge")
    )


@pytest.mark.further
def test_an_account_that_was_renamed(
    github: FakeGitHub, people: People, audited: Callable[..., Result]
) -> None:
    """Only its number stays, and another account may take the name."""
    comment = approved(github, people)
    github.close_pull(1, merged=True)
    github._numbers["user", "maxine"] = github._numbers.pop(("user", "max"))
    github.comments[comment] = github.comments[comment]._replace(author="maxine")
    github.people["maxine"] = "maintain"
    done = audited()
    assert (
        re.search(r"confirmed +@maxine \(@max then\) has the role maintain", done.out)
        and done.code == 0
    ), done.out
    github.delete_comment(comment)
    done = audited()
    assert (
        "no longer so        the name @max belongs to another account now" in done.out
        and done.code == 0
    ), done.out


@pytest.mark.further
def test_a_run_that_is_overtaken_leaves_the_chain(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    people.pending()
    first = github.head(1)
    job = people.job()
    job.step("snapshot", GITHUB_TOKEN=READER)
    job.step("check")
    job.step("judge", **people.judge(**UNSURE))
    push(repository, ADR, (repository.root / ADR).read_text() + "\nOne more sentence.\n")
    assert (
        job.step("publish", GITHUB_TOKEN=WRITER).code == 3
        and check(github).conclusion == "cancelled"
    )
    assert [item["commit"] for item in lines(github, commit=first)] == [first], (
        "superseded decides nothing"
    )
    people.run(**UNSURE)
    assert [item["commit"] for item in lines(github)] == [first, github.head(1)]


@pytest.mark.further
def test_a_github_that_is_down_is_no_audit(
    github: FakeGitHub, people: People, audited: Callable[..., Result]
) -> None:
    approved(github, people)
    github.tokens[READER] = Token("github-actions[bot]", {})
    assert audited().code == 3
