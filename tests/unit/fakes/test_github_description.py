"""Whatever departs from GitHub's own description is noted: what is asked of the fake and what it answers."""

from collections.abc import Callable
from typing import Any

import pytest
from github import GithubException

from tests.conftest import Repository
from tests.fakes.github import comments
from tests.fakes.github.server import FakeGitHub, Fault
from tests.unit.fakes.scene import LONG, Scene, history, populate, refusal

pytestmark = pytest.mark.slow
"""It starts a process, or a server, for nearly each test."""


PLACE = {
    "path": LONG,
    "start_line": 1,
    "end_line": 1,
    "annotation_level": "warning",
    "message": "m",
}
REVIEW = "POST /repos/acme/decisions/pulls/1/reviews: body: "
DEPARTURES = {
    "an unknown key": (
        "pulls/1/reviews",
        {"draft": True},
        f"{REVIEW}draft: ReposOwnerRepoPullsPullNumberReviewsPostBody has no such key",
    ),
    "an unknown key within": (
        "pulls/1/reviews",
        {"event": "COMMENT", "comments": [{"path": LONG, "body": "b", "subject_type": "line"}]},
        f"{REVIEW}comments[0].subject_type: ReposOwnerRepoPullsPullNumberReviewsPostBodyPropCommentsItems has no such key",
    ),
    "an unknown key where any is let pass": (
        "check-runs",
        {"name": "adr", "head_sha": "change", "annotations": []},
        "POST /repos/acme/decisions/check-runs: body: annotations: ReposOwnerRepoCheckRunsPostBodyOneof1 has no such key",
    ),
    "null": (
        "pulls/1/reviews",
        {"body": None},
        f"{REVIEW}body: ReposOwnerRepoPullsPullNumberReviewsPostBody does not allow null",
    ),
    "a number as text": (
        "pulls/1/reviews",
        {"event": "COMMENT", "comments": [{"path": LONG, "body": "b", "line": "5"}]},
        "POST /repos/acme/decisions/pulls/1/reviews: comments.list[ReposOwnerRepoPullsPullNumberReviewsPostBodyPropCommentsItems].0.line.int: Input should be a valid integer",
    ),
    "51 annotations": (
        "check-runs",
        {
            "name": "adr",
            "head_sha": "change",
            "output": {"title": "t", "summary": "s", "annotations": [PLACE] * 51},
        },
        "POST /repos/acme/decisions/check-runs: output.ReposOwnerRepoCheckRunsPostBodyPropOutput.annotations: Value should have at most 50 items after validation, not 51",
    ),
    "a long summary": (
        "check-runs",
        {"name": "adr", "head_sha": "change", "output": {"title": "t", "summary": "x" * 65_536}},
        "POST /repos/acme/decisions/check-runs: output.ReposOwnerRepoCheckRunsPostBodyPropOutput.summary: String should have at most 65535 characters",
    ),
    "nothing": (
        "issues/1/comments",
        None,
        "POST /repos/acme/decisions/issues/1/comments: body: missing",
    ),
}


@pytest.mark.parametrize("name", DEPARTURES)
def test_a_request_that_departs_from_the_description_is_refused_and_noted(
    scene: Scene, name: str
) -> None:
    path, body, expected = DEPARTURES[name]
    with pytest.raises(GithubException) as caught:
        scene.ask("POST", path, body)
    assert (refusal(caught)[0], scene.fake.wrong) == (422, [expected])
    scene.fake.wrong.clear()
    assert not scene.fake.reviews and not scene.fake.comments and not scene.fake.runs


def test_a_parameter_that_github_does_not_know_is_noted(scene: Scene) -> None:
    scene.ask("GET", "pulls?state=opened&label=adr")
    start = "GET /repos/acme/decisions/pulls: query"
    assert [error.partition(" literal")[0] for error in scene.fake.wrong] == [
        f"{start} label: not a parameter",
        f"{start} state:",
    ]
    scene.fake.wrong.clear()


def test_a_request_is_measured_even_where_a_fault_answers_it(scene: Scene) -> None:
    scene.fake.faults.append(Fault("POST", ".*", 503))
    with pytest.raises(GithubException):
        scene.ask("POST", "issues/1/comments", {"text": "hello"})
    assert [error.partition("comments: ")[2] for error in scene.fake.wrong] == [
        "body: Field required"
    ]
    scene.fake.wrong.clear()


@pytest.mark.parametrize(
    ("path", "reason"),
    [("pulls/1/merge", "not played here"), ("adrs", "GitHub has no such operation")],
)
def test_what_is_not_played_is_noted(scene: Scene, path: str, reason: str) -> None:
    with pytest.raises(GithubException):
        scene.ask("GET", path)
    assert scene.fake.wrong == [f"GET /repos/acme/decisions/{path}: {reason}"]
    scene.fake.wrong.clear()


ANSWERS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "missing": (lambda answer: answer.pop("user"), "user: Field required"),
    "unknown": (
        lambda answer: answer.update(colour="red"),
        "response: colour: IssueComment has no such key",
    ),
    "null": (
        lambda answer: answer.update(author_association=None),
        "response: author_association: IssueComment does not allow null",
    ),
    "text": (lambda answer: answer.update(id="7"), "id: Input should be a valid integer"),
    "deep": (lambda answer: answer["user"].pop("node_id"), "user.node_id: Field required"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_departs_from_the_description_fails_the_test(
    repository: Repository, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    history(repository)
    whole, (spoil, expected) = comments._payload, ANSWERS[name]

    def spoilt(*given: Any) -> dict[str, Any]:
        found = whole(*given)
        spoil(found)
        return found

    monkeypatch.setattr(comments, "_payload", spoilt)
    fake = FakeGitHub(repository.root)
    populate(fake)
    with pytest.raises(AssertionError) as caught, fake:
        Scene(fake, repository).pull().create_issue_comment("hello")
    assert str(caught.value).splitlines() == [
        f"POST /repos/acme/decisions/issues/1/comments: answered 201: {expected}"
    ]


def test_another_failure_is_not_hidden_by_what_was_wrong(repository: Repository) -> None:
    fake = FakeGitHub(repository.root)
    fake.wrong.append("something")
    with pytest.raises(KeyError), fake:
        _ = fake.pulls[7]


def test_a_failure_of_the_fake_itself_is_noted(scene: Scene) -> None:
    scene.fake.open_pull(2, head="nowhere")
    with pytest.raises(OSError, match="Connection aborted"):
        _ = scene.remote().get_pull(2).title
    assert scene.fake.wrong == ["the fake failed: LookupError('no branch nowhere')"]
    scene.fake.wrong.clear()
