"""Whatever departs from GitHub's own description is noted: what is asked of the fake and what it answers."""

from collections.abc import Callable
from typing import Any

import pytest
from github import GithubException

from tests.conftest import Repository
from tests.fakes.github import comments, description
from tests.fakes.github.server import FakeGitHub, Fault
from tests.unit.fakes.scene import LONG, Scene, history, populate, refusal

pytestmark = pytest.mark.slow
"""It starts a process, or a server, for nearly each test."""


def post(scene: Scene, path: str, body: Any) -> None:
    scene.remote().requester.requestJsonAndCheck(
        "POST", f"/repos/acme/decisions/{path}", input=body
    )


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
        "pulls/1/comments",
        {"body": "b", "commit_id": "c", "path": "p", "line": "5"},
        "POST /repos/acme/decisions/pulls/1/comments: line.int: Input should be a valid integer",
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
        post(scene, path, body)
    assert (refusal(caught)[0], scene.fake.wrong) == (422, [expected])
    scene.fake.wrong.clear()
    assert not scene.fake.reviews and not scene.fake.comments and not scene.fake.runs


def test_a_parameter_that_github_does_not_know_is_noted(scene: Scene) -> None:
    scene.remote().requester.requestJsonAndCheck(
        "GET", "/repos/acme/decisions/pulls?state=opened&label=adr"
    )
    start = "GET /repos/acme/decisions/pulls: query"
    assert [error.partition(" literal")[0] for error in scene.fake.wrong] == [
        f"{start} label: not a parameter",
        f"{start} state:",
    ]
    scene.fake.wrong.clear()


def test_a_request_is_measured_even_where_a_fault_answers_it(scene: Scene) -> None:
    scene.fake.faults.append(Fault("POST", ".*", 503))
    with pytest.raises(GithubException):
        post(scene, "issues/1/comments", {"text": "hello"})
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
        scene.remote().requester.requestJsonAndCheck("GET", f"/repos/acme/decisions/{path}")
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


def test_a_description_measures_both_ways() -> None:
    found = description.operation("PATCH", "/repos/a/b/pulls/comments/7")
    assert found and description.request_errors(found, {"page": "1"}, {"body": 7}) == [
        "query page: not a parameter",
        "body: Input should be a valid string",
    ]
    deletion = description.operation("DELETE", "/repos/a/b/pulls/comments/7")
    assert deletion and description.request_errors(deletion, {}, {}) == ["body: none is wanted"]
    assert (
        description.response_errors(deletion, None),
        description.response_errors(deletion, {}),
    ) == ([], ["response: none is described"])
    assert description.response_errors(deletion, {"message": "Not Found", "status": 404}, 404) == [
        "status.str: Input should be a valid string"
    ]


def test_operations_are_found_by_their_literal_words_first() -> None:
    paths = (
        "/repos/a/b/pulls/comments",
        "/repos/a/b/commits/x/y/check-runs",
        "/repos/a/b/commits/x",
    )
    assert [each.template for path in paths if (each := description.operation("GET", path))] == [
        "/repos/{owner}/{repo}/pulls/comments", "/repos/{owner}/{repo}/commits/{ref}/check-runs", "/repos/{owner}/{repo}/commits/{ref}",
    ]  # fmt: skip
    assert description.operation("GET", "/nowhere") is None
    reached = description.operation("GET", "/repos/a/b/commits/x%2Fy/status")
    assert (
        reached and description.values(reached, "/repos/a/b/commits/x%2Fy/status")["ref"] == "x/y"
    )
