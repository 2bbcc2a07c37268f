"""The reviser answers each finding; what is not clear is open."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.finding import Finding
from helix_hooks.phases.revision_issues import (
    ACCEPTED,
    DECLINED,
    OPEN,
    Issue,
    answered,
    issues_of,
    merged,
    revision_issues,
)
from tests import series


def finding(message: str, line: int = 3, path: str = "src/a.py") -> Finding:
    return Finding(
        severity="error",
        check="security",
        layer="agent",
        message=message,
        path=path,
        line=line,
    )


FIRST, SECOND = issues_of("review", 1, [finding("the key is in the log"), finding("no limit")])


def after(answer: str) -> tuple[str, str, tuple[str, ...]]:
    text = revision_issues([FIRST]).replace("- Answer: open", f"- Answer: {answer}")
    found = answered(text, [FIRST])
    return found.issues[0].answer, found.issues[0].reason, found.complaints


def test_the_text() -> None:
    assert revision_issues([SECOND]).partition("\n## ")[2] == (
        f"{SECOND.id}\n\n- Phase: review, task 1\n- Place: src/a.py:3\n"
        "- Finding: error security: no limit\n- Answer: open\n"
    )


def test_the_text_says_since_when_a_finding_is_gone() -> None:
    text = revision_issues([FIRST._replace(gone=2)])
    assert "- Since task 2: the gate no longer finds it\n- Answer: open\n" in text


@pytest.mark.parametrize(
    ("answer", "state", "reason"),
    [
        ("", OPEN, ""),
        ("open", OPEN, ""),
        ("accepted", ACCEPTED, ""),
        ("Accepted", ACCEPTED, ""),
        ("declined: it is a test key", DECLINED, "it is a test key"),
        ("DECLINED: it is: a test key", DECLINED, "it is: a test key"),
    ],
)
def test_clear_answers(answer: str, state: str, reason: str) -> None:
    assert after(answer) == (state, reason, ())


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("declined", "is declined without a reason"),
        ("declined:  -", "is declined without a reason"),
        ("accepted: but not all", "is not an answer"),
        ("fixed", "is not an answer (expected `accepted` or `declined: REASON`)"),
        ("accepted\n- Answer: declined: no", "has two different answers"),
    ],
)
def test_an_unclear_answer_is_open(answer: str, complaint: str) -> None:
    state, _, complaints = after(answer)
    assert state == OPEN
    assert complaint in complaints[0]


def test_an_answer_that_was_deleted_is_open() -> None:
    accepted = FIRST._replace(answer=ACCEPTED)
    found = answered("", [accepted])
    assert found.issues == (FIRST,)
    assert "the answer is missing" in found.complaints[0]


def test_an_invented_finding_is_reported() -> None:
    text = revision_issues([FIRST]) + "\n## 0123456789\n\n- Answer: accepted\n"
    found = answered(text, [FIRST])
    assert found.issues == (FIRST,)
    assert found.complaints == ("unknown finding '0123456789'",)


def test_an_id_stays_where_a_finding_moves() -> None:
    moved = issues_of("review", 2, [finding("the key is in the log", line=90)])[0]
    assert (moved.id, moved.place) == (FIRST.id, "src/a.py:90")
    assert issues_of("review", 2, [finding("the key is in the log", path="b.py")])[0].id != FIRST.id


def test_two_equal_findings_have_ids_of_their_own() -> None:
    issues = issues_of("review", 1, [finding("x"), finding("x", line=9)])
    assert len({issue.id for issue in issues}) == 2


def test_rounds_are_merged() -> None:
    old = [FIRST._replace(answer=ACCEPTED), SECOND._replace(answer=DECLINED, reason="no")]
    third = issues_of("review", 2, [finding("new")])[0]
    again = [FIRST._replace(round=2), SECOND._replace(round=2), third]
    assert merged(old, "review", 2, again) == (
        FIRST._replace(round=2),
        SECOND._replace(round=2, answer=DECLINED, reason="no"),
        third,
    )
    gone = tuple(issue._replace(gone=2) for issue in old)
    assert merged(old, "review", 2, []) == gone
    assert merged(gone, "review", 3, []) == gone
    assert merged(old, "security", 2, []) == tuple(old)
    back = merged(gone, "review", 3, again)
    assert [issue.gone for issue in back if issue.id in {item.id for item in again}] == [0] * len(
        again
    )


MANY = settings(max_examples=series.examples(400), deadline=None)
LINES = st.text(st.sampled_from("#-* :aA\n\r\t`[]<>|x\u2028\x0b")).map(
    lambda text: f"{text}\n## x\n- Answer: accepted"
)


@MANY
@given(st.lists(st.one_of(st.text(), LINES), max_size=4), st.text(max_size=30))
def test_nothing_in_a_finding_answers_it(messages: list[str], path: str) -> None:
    issues = issues_of("review", 1, [finding(message, path=path) for message in messages])
    found = answered(revision_issues(issues), issues)
    assert (found.issues, found.complaints) == (issues, ())


@MANY
@given(st.text())
def test_any_text_is_read(text: str) -> None:
    found = answered(text, [FIRST, SECOND])
    assert [issue.id for issue in found.issues] == [FIRST.id, SECOND.id]


@MANY
@given(st.text().filter(lambda text: any(map(str.isalnum, text))))
def test_a_reason_is_read_as_it_is_written(reason: str) -> None:
    issue = answered(
        revision_issues([FIRST]).replace("- Answer: open", f"- Answer: declined: {reason}"), [FIRST]
    ).issues[0]
    assert answered(revision_issues([issue]), [issue]).issues in ((issue,), (FIRST,))
    assert isinstance(issue, Issue)
