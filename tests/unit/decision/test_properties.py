"""What holds of every decision, whatever is found and whoever says what. The facts are drawn in the words of tests/cases/decisions/table.txt, so that
a counterexample reads as a row of it.

Attack by a hostile pull request: approve with a stale, short or foreign commit name; from an edited comment; after the deadline; for another type.
Answer: refused with the reason.
Shown by: `tests/cases/decisions`, `test_what_does_not_count_...`.

Attack by a hostile pull request: approve through a delegate: one's own change or request, a second vote with the same right, a vote on another day, a chain of delegates, a bot as delegate.
Answer: refused; a right counts once, and the policy of the base defines the days and the givers.
Shown by: `tests/cases/decisions`, `test_each_approval_rests_on_as_many_rights_as_are_asked_for`, `test_nobody_approves_their_own_change_through_a_delegate`, `test_no_delegate_of_this_run`.
"""

import base64
import hashlib
import re
import zlib
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from helix_hooks.config.policy import CONTENT as HOLDS_FOR_CONTENT
from helix_hooks.decision import run_record, run_state
from helix_hooks.decision.commands import APPROVE, USAGES, Command, commands
from helix_hooks.decision.decide import decide, of_pull_request
from helix_hooks.decision.handover import Handover, PlacedFinding, RunTarget, Unjudged
from helix_hooks.decision.pull_request import Comment, Person
from helix_hooks.decision.run_state import CarriedState, Objection, Tampering
from helix_hooks.decision.states import CONCLUSIONS
from helix_hooks.decision.votes import EffectiveVotes, Vote, count_votes, effective_votes
from helix_hooks.finding import Finding
from helix_hooks.pull import replies
from helix_hooks.pull.summary_text import page
from helix_hooks.pull.title import title
from tests import series
from tests.unit.decision.draws import (
    CRITICAL,
    DEADLINES,
    DECIDERS,
    NEITHER,
    OBJECTIONS,
    OTHERS,
    PULL,
    THEN,
    UNSURE,
    ballots,
    came_to,
    counting,
    finds,
    handovers,
    harmless,
    hostile,
    logins,
    made,
    moments,
    numbers,
    outside,
    policies,
    remembered,
    rooms,
    row,
    times,
    votes,
    words,
)
from tests.unit.decision.table import ASKED, CAST, CONTENT, HEAD, NEXT, ROLES, Facts
from tests.unit.pull.hostile import LIVE

strict_policies = words(
    ("", "min=2"),
    ("", "holds=content"),
    ("level=full_control budget=5", "level=autonomous budget=5"),
    DEADLINES,
    THEN,
)


@settings(max_examples=series.examples(400), deadline=None)
@given(rooms)
def test_every_decision_has_a_reason_and_is_green_only_where_it_is_approved(given: Facts) -> None:
    found = given.decided()
    assert found.reasons and all(reason.text for reason in found.reasons)
    assert found.state in CONCLUSIONS and (found.conclusion == "success") == (
        found.state == "approved"
    ) == (found.exit_code == 0)
    assert found.conclusion not in ("neutral", "skipped") and (
        not found.due or found.due > given.now
    )


@settings(max_examples=series.examples(400), deadline=None)
@given(
    policies,
    finds.filter(lambda found: "moved" not in found),
    st.lists(votes(), max_size=6),
    times,
    st.booleans(),
)
def test_a_push_leaves_no_approval(
    policy: str, found: str, said: list[str], now: str, same: bool
) -> None:
    """What is found anew is approved only where it would be if nobody had spoken; the kept content is the one exception."""
    before = row(policy, found, said, now)
    given = before.given._replace(
        target=before.given.target._replace(head=NEXT, content=CONTENT if same else "9" * 64)
    )
    known = before.known._replace(
        contents={**before.known.contents, HEAD: CONTENT, HEAD[:7]: CONTENT}
    )
    pushed = Facts(given, before.pull._replace(head=NEXT), known, before.now)
    if pushed.decided().state == "approved" and not (
        same and given.policy.holds_for == HOLDS_FOR_CONTENT
    ):
        untouched = given._replace(carried=given.carried._replace(tampered=()))
        assert decide(of_pull_request(untouched, pushed.pull, now=pushed.now)).state == "approved"


@settings(max_examples=series.examples(400), deadline=None)
@given(policies, finds, st.lists(votes(), max_size=5), votes(DECIDERS, OBJECTIONS), times)
def test_an_objection_approves_nothing(
    policy: str, found: str, said: list[str], objection: str, now: str
) -> None:
    if row(policy, found, [*said, objection], now).decided().state == "approved":
        assert row(policy, found, said, now).decided().state == "approved"


@settings(max_examples=series.examples(300), deadline=None)
@given(policies, finds, st.lists(votes(), max_size=5), votes(DECIDERS, ("-", "[-]")))
def test_the_last_word_of_a_decider_is_an_objection(
    policy: str, found: str, said: list[str], objection: str
) -> None:
    last = f"{objection.partition('@')[0]}@2000d"
    given = row(policy, found, [*said, last])
    assert given.decided().state != "approved" or not given.given.applies


@settings(max_examples=series.examples(300), deadline=None)
@given(rooms, st.randoms(use_true_random=False))
def test_the_order_in_which_github_lists_does_not_matter(given: Facts, random: Any) -> None:
    comments, reviews = list(given.pull.comments), list(given.pull.reviews)
    random.shuffle(comments)
    random.shuffle(reviews)
    listed = given._replace(
        pull=given.pull._replace(comments=tuple(comments), reviews=tuple(reviews))
    )
    assert listed.decided() == given.decided()


@settings(max_examples=series.examples(300), deadline=None)
@given(
    policies,
    finds,
    st.lists(votes().map(lambda text: f"{text.partition('@')[0]}@2"), max_size=6),
    st.randoms(use_true_random=False),
)
def test_who_was_first_within_a_second_does_not_matter(
    policy: str, found: str, said: list[str], random: Any
) -> None:
    other = random.sample(said, len(said))
    assert row(policy, found, said).decided().state == row(policy, found, other).decided().state


@settings(max_examples=series.examples(400), deadline=None)
@given(
    strict_policies,
    st.sampled_from(CRITICAL),
    st.lists(votes(OTHERS) | votes(DECIDERS, (*OBJECTIONS, *NEITHER)), max_size=6),
    times,
)
def test_what_is_critical_is_never_approved_without_somebody_who_may(
    policy: str, found: str, said: list[str], now: str
) -> None:
    assert row(policy, found, said, now).decided().state != "approved"


@settings(max_examples=series.examples(400), deadline=None)
@given(policies, st.sampled_from((*CRITICAL, *UNSURE)), st.lists(votes(), max_size=5), times, times)
def test_time_alone_approves_nothing_that_is_for_a_person(
    policy: str, found: str, said: list[str], one: str, other: str
) -> None:
    sooner, later = sorted(
        (row(policy, found, said, one), row(policy, found, said, other)),
        key=lambda given: given.now,
    )
    assert sooner.decided().state == "approved" or later.decided().state != "approved"


@settings(
    max_examples=series.examples(400),
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much],
)
@given(policies, finds, st.lists(votes(), max_size=5), votes())
def test_a_vote_that_is_refused_changes_nothing(
    policy: str, found: str, said: list[str], more: str
) -> None:
    with_it = row(policy, found, [*said, more])
    number = len(said) + 1
    judged = [
        item
        for item in count_votes(with_it.given, with_it.pull, with_it.known)
        if item.source == number
    ]
    assume(judged and all(item.refused and not item.withdraws for item in judged))
    assume(
        "tampered" not in found
    )  # where somebody else has touched a vote, its author speaks again, and be it in vain
    without = row(policy, found, said)
    assert (with_it.decided().state, with_it.decided().reasons) == (
        without.decided().state,
        without.decided().reasons,
    )


@settings(
    max_examples=series.examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much],
)
@given(rooms, st.data())
@pytest.mark.further
def test_an_objection_that_is_remembered_outlives_its_comment(
    given: Facts, data: st.DataObject
) -> None:
    before = given.decided()
    assume(before.state == "rejected")
    remembered = effective_votes(count_votes(given.given, given.pull, given.known)).remembered()
    left = tuple(item for item in given.pull.comments if data.draw(st.booleans()))
    edited = tuple(item._replace(edited=item.edited or data.draw(st.booleans())) for item in left)
    after = given._replace(
        given=given.given._replace(carried=given.given.carried._replace(objections=remembered)),
        pull=given.pull._replace(comments=edited),
    )
    assert after.decided().state != "approved"


@settings(max_examples=series.examples(120), deadline=None)
@given(remembered(logins))
@pytest.mark.slow
def test_what_is_kept_is_read_again(given: CarriedState) -> None:
    assert run_state.read(run_state.text(given)) == given
    assert (
        run_state.read(f"\n{run_state.text(given)}\n{run_state.text(CarriedState(7))}") == given
    ), "the first of them counts"


@settings(max_examples=series.examples(100), deadline=None)
@example(CarriedState(objections=(Objection(1, 1, 1, "max"), Objection(2, 2, 2, "a b")), since=5))
@given(remembered(hostile))
def test_what_is_kept_is_read_again_whatever_people_are_called(given: CarriedState) -> None:
    """At least what has to do with other people, the times and what was spent."""
    found = run_state.read(run_state.text(given))
    assert (found.since, found.spent, len(found.objections), len(found.tampered)) == (
        given.since,
        given.spent,
        len(given.objections),
        len(given.tampered),
    )


@settings(max_examples=series.examples(300), deadline=None)
@given(st.text() | st.lists(st.sampled_from(["<!-- helix:kept spent=", "1.0000", " since=", "99", " against=", "1:2:3:max", ",", ":", " touched=", "1:2:3:max:eve",
                                            " sealed=", " encrypted=", ".", " -->", "\n", "9" * 30, "\u0664"]), max_size=14).map("".join))  # fmt: skip
def test_no_text_crashes_what_reads_what_was_kept(text: str) -> None:
    found = run_state.read(text)
    assert run_state.opened(found, b"a key of this repository", "acme/decisions") == {}
    assert run_state.read(run_state.text(found)) == found, "what was read once stays as it is"


@settings(max_examples=series.examples(80), deadline=None)
@given(handovers)
@pytest.mark.slow
def test_a_record_is_read_again(given: Handover) -> None:
    """But for what is left out on purpose: the seal, the picture, and the globs of the policy, which a run reads at the base."""
    found = run_record.read(run_record.text(given))
    assert found is not None
    assert found == given._replace(graph="", carried=given.carried._replace(sealed=""))
    assert decide(of_pull_request(found, PULL, now=9))._replace(handover=None) == decide(
        of_pull_request(given, PULL, now=9)
    )._replace(handover=None)
    assert run_state.read(run_record.text(given)) == given.carried


@pytest.mark.slow
def test_a_record_that_is_cut_down_keeps_the_numbers() -> None:
    many: dict[str, Any] = {
        name: tuple(f"{name}/{n}/{'ab' * 1900}{n * 7919}" for n in range(2000))
        for name in ("protected", "loosened")
    }
    run = Handover(
        RunTarget("o/r", 1, "a" * 40, "b" * 40, "b" * 40, "c" * 32, "d" * 64), no_judge="", **many
    )
    data = run_record.read(run_record.text(run), 1)
    assert data
    record = data
    assert len(record.protected) + record.protected_left_out == 2000
    assert record.loosened[-1] == "and 1996 more"


@settings(max_examples=series.examples(300), deadline=None)
@given(st.text() | st.binary().map(lambda data: f"<!-- helix:record {base64.b64encode(data).decode()} -->")
       | (st.binary() | st.text().map(str.encode)).map(lambda data: f"<!-- helix:record {base64.b64encode(zlib.compress(data)).decode()} -->")
       | st.from_regex("<!-- helix:record [A-Za-z0-9+/=]+ -->", fullmatch=True))  # fmt: skip
@example(f"<!-- helix:record {base64.b64encode(zlib.compress(b'[' * 100_000)).decode()} -->")
@example(f"<!-- helix:record {base64.b64encode(zlib.compress(b'1' * 100_000)).decode()} -->")
@example(f"<!-- helix:record {base64.b64encode(zlib.compress(b'{}' * 9)[:-6]).decode()} -->")
def test_no_text_crashes_what_reads_a_record(text: str) -> None:
    assert run_record.read(text) is None


@pytest.mark.parametrize("fail_on", [
    "error",
    "warning",
])  # fmt: skip
def test_a_record_that_is_too_long_is_no_better_than_the_run(fail_on: str) -> None:
    texts = [
        base64.b64encode(hashlib.sha512(str(number).encode()).digest()).decode()
        for number in range(1000)
    ]
    said = tuple(
        PlacedFinding(
            Finding(fail_on, "section-too-short", "rules", text, "docs/adr/0001.md"),
            f"{number:016x}",
        )
        for number, text in enumerate(texts)
    )
    given = row("-", "missing", []).given._replace(rule_findings=said, fail_on=fail_on)
    assert decide(of_pull_request(given, PULL)).state == "rejected"
    found = run_record.read(run_record.text(given))
    assert found is None or decide(of_pull_request(found, PULL)).state == "rejected"


LINES = ("/helix approve a1b2c3d", "/helix reject it is late", "  /helix help", "/HELIX status", "text", "", "`", "```", "~~~", "> ", "<!--", "-->", "<pre>", "---", "- ", "    ",
         "\t", "[x]: /y", "<a title='", "| a |", "|---|", "\r", "\u2028", "# ", "\\", "&lt;")  # fmt: skip
comments = (
    st.text(max_size=200)
    | st.lists(st.sampled_from(LINES), max_size=12).map("\n".join)
    | st.lists(st.sampled_from((*LINES, "\n")), max_size=20).map("".join)
)


def lines(text: str) -> list[str]:
    return re.split("\r\n|\r|\n", text)


@settings(max_examples=series.examples(500), deadline=None)
@given(comments)
def test_no_comment_crashes_what_looks_for_commands(text: str) -> None:
    for found in commands(text):
        assert found.name in USAGES and re.fullmatch("([0-9a-f]{7,40})?", found.commit)
    assert len(commands(text)) <= len(text)


def silent(comment: str) -> bool:
    """Whether nothing is heard; where programs don't agree what a line is, an objection may be, and no approval."""
    found = commands(comment)
    return not found or (
        re.search("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", comment) is not None
        and not counting(found)
    )


@settings(max_examples=series.examples(500), deadline=None)
@given(comments, st.sampled_from("`~"), st.sampled_from(["", "text", " helix"]))
def test_nothing_between_fences_is_a_command(text: str, sign: str, info: str) -> None:
    fence = sign * max(
        3, 1 + max((len(run) for run in re.findall(re.escape(sign) + "+", text)), default=0)
    )
    for comment in (
        f"{fence}{info}\n{text}\n{fence}",
        f"Look:\n\n{fence}{info}\n{text}\n{fence}\n",
        f"{fence}{info}\n{text}",
    ):
        assert silent(comment)


@settings(max_examples=series.examples(500), deadline=None)
@given(comments)
def test_nothing_in_a_quote_is_a_command(text: str) -> None:
    for sign in ("> ", ">", " > ", "> > ", "    "):
        assert silent("\n".join(f"{sign}{line}" for line in lines(text)))


@settings(max_examples=series.examples(300), deadline=None)
@given(
    comments.filter(
        lambda text: (
            "-->" not in text and not text.startswith((">", "->")) and not text.endswith("-")
        )
    )
)
def test_nothing_in_a_comment_of_html_is_a_command(text: str) -> None:
    assert silent(f"<!--{text}-->") and silent(f"<!--\n{text}\n-->")


@settings(max_examples=series.examples(300), deadline=None)
@given(comments)
def test_what_a_bot_writes_says_nothing_and_what_was_edited_approves_nothing(text: str) -> None:
    for by, edited, states in (
        (CAST["ci"], False, ("pending",)),
        (CAST["max"], True, ("pending", "rejected")),
    ):
        given = row("-", "no-judge", [])
        given = given._replace(
            pull=given.pull._replace(comments=(Comment(1, by, text, ASKED + 1, edited),))
        )
        assert given.decided().state in states


tamperings = made(Tampering, source=numbers, at=moments, id=numbers, login=hostile, by=hostile)


@settings(max_examples=series.examples(80), deadline=None)
@given(handovers, ballots, st.lists(tamperings, max_size=1), st.sampled_from([60_000, 1_500]))
@pytest.mark.slow
def test_nothing_on_the_page_is_live(
    given: Handover, said: EffectiveVotes, touched: list[Tampering], most: int
) -> None:
    found = came_to(given, said, touched)
    harmless(page(given, found, most))
    harmless(replies.status(given, found))
    assert not LIVE.search(title(given, found))


@settings(max_examples=series.examples(100), deadline=None)
@given(hostile, hostile)
def test_nothing_on_the_page_of_what_is_approved_is_live(reason: str, login: str) -> None:
    given = row("-", "adr=blanks", []).given
    stated = given._replace(unjudged=(Unjudged("adr", "skipped", reason),))
    asked = given._replace(unjudged=(), no_judge=reason or "why")
    approval = Vote(Person(login, 1), APPROVE, ASKED, 1, commit=HEAD)
    for found in (
        decide(of_pull_request(stated, PULL)),
        decide(of_pull_request(asked, PULL, EffectiveVotes((approval,)), ASKED + 1)),
    ):
        assert found.state == "approved"
        harmless(page(given, found, 60_000))


@settings(max_examples=series.examples(60), deadline=None)
@given(handovers, st.sampled_from(sorted(USAGES)), hostile, st.lists(hostile, max_size=2))
@pytest.mark.slow
@pytest.mark.further
def test_nothing_in_an_answer_is_live(
    given: Handover, name: str, reason: str, more: list[str]
) -> None:
    refusal = replies.refusal(Command(name), reason, HEAD)
    harmless(refusal)
    harmless(replies.help())
    parts = [
        refusal,
        *(replies.refusal(Command(name), text, "") for text in more),
        replies.status(given, decide(of_pull_request(given, PULL))),
    ]
    whole = replies.answer(5, parts)
    assert whole.count("<!--") == 1 and replies.answered(
        [Comment(1, CAST["ci"], whole)], CAST["ci"].id
    ) == {5}
    assert not counting(commands(whole)) and not LIVE.search(outside(whole).rpartition("\n<!--")[0])


@settings(max_examples=series.examples(400), deadline=None)
@given(
    policies.filter(lambda policy: "auto_approve" not in policy),
    st.sampled_from(("adr=unsure", "adr=unsure by-agent", "adr=asks")),
    st.lists(votes(what=("+head", "-", "[+head]")), max_size=6),
)
def test_each_approval_rests_on_as_many_rights_as_are_asked_for(
    policy: str, found: str, said: list[str]
) -> None:
    """Whose right it is, is computed anew here: by role, or by the delegate's giver on the first day."""
    case = row(policy, found, said, "1h")
    decision = case.decided()
    if decision.state != "approved":
        return
    deciders, names = (
        case.given.deciders,
        {name for reason in decision.reasons for name in reason.by},
    )
    givers = {item.to: item.giver for item in deciders.delegates}
    roles = {name: ROLES.get(name) in deciders.roles for name in {*names, *givers.values()}}
    holders = {name if roles[name] else givers[name] for name in names}
    assert all(roles[holder] for holder in holders)
    assert len(holders) == len(names) >= deciders.minimum
    wrote = {"alice", "bob", "cora"} - {deciders.sole}
    assert not wrote & (names | holders)
