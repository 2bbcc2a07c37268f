"""What the real GitHub refuses, the fake refuses: reviews, comments, check runs, statuses, and what a token may not do."""

from typing import Any, NamedTuple

import pytest
from github import GithubException

from tests.fakes.github.server import Token
from tests.unit.fakes.scene import LONG, Scene, refusal

pytestmark = pytest.mark.slow
"""It starts a process, or a server, for nearly each test."""

UNPROCESSABLE = (422, "Unprocessable Entity")
TOO_LONG = "x" * 65_537


def at(line: int, path: str = LONG, **more: Any) -> Any:
    return {"path": path, "body": "Look.", "line": line, "side": "RIGHT", **more}


PLACES = {
    "context": (at(8), None),
    "removed": (at(5, side="LEFT"), None),
    "context on the left": (at(2, side="LEFT"), None),
    "within one hunk": (at(33, start_line=27), None),
    "above the hunk": (at(1), "Line could not be resolved"),
    "between hunks": (at(15), "Line could not be resolved"),
    "beyond the file": (at(400), "Line could not be resolved"),
    "added is not on the left": (at(1, "docs/added.md", side="LEFT"), "Line could not be resolved"),
    "across hunks": (at(30, start_line=5), "Line could not be resolved"),
    "first line below the last": (at(5, start_line=6), "Line could not be resolved"),
    "one line twice": (at(5, start_line=5), "Line could not be resolved"),
    "no text": (at(1, "docs/picture"), "Line could not be resolved"),
    "the old name": (at(1, "docs/old.md"), "Path could not be resolved"),
    "not in the change": (at(1, "README.md"), "Path could not be resolved"),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.sampled
def test_a_comment_needs_a_place_in_the_diff_and_a_review_is_all_or_nothing(
    scene: Scene, name: str
) -> None:
    comment, reason = PLACES[name]
    if reason is None:
        scene.pull().create_review(event="COMMENT", comments=[at(5), comment])
        places = [(each.path, each.line) for each in scene.pull().get_review_comments()]
        assert places == [(LONG, 5), (comment["path"], comment["line"])]
    else:
        with pytest.raises(GithubException) as caught:
            scene.pull().create_review(event="COMMENT", comments=[at(5), comment])
        assert refusal(caught) == (*UNPROCESSABLE, [reason])
        assert not scene.fake.reviews and not scene.fake.remarks


class Refused(NamedTuple):
    """A request to a path of the repository, and what GitHub says to it."""

    path: str
    body: dict[str, Any]
    status: int
    says: str
    token: str = "bot"
    verb: str = "POST"


REVIEW, RUNS, COMMENTS, ASKED = (
    "pulls/1/reviews",
    "check-runs",
    "issues/1/comments",
    "issues/comments/ASKED",
)
APPROVE = {"event": "APPROVE"}
NO_COMMIT, NO_RIGHT = "Commit is not part of the pull request", "Resource not accessible by"
LIMIT = "ody is too long (maximum is 65536 characters)"
LOST = [at(15), at(1, "README.md"), at(16)]
LOST_SAYS = "Line could not be resolved, Path could not be resolved, and Line could not be resolved"


def comment(text: str = "", *places: Any) -> dict[str, Any]:
    return {"event": "COMMENT", "body": text, "comments": [*places]}


def run(**annotation: Any) -> dict[str, Any]:
    place = {"path": LONG, "start_line": 1, "end_line": 1}
    whole = {**place, "annotation_level": "warning", "message": "Look.", **annotation}
    output = {"title": "ADRs", "summary": "s", "annotations": [whole]}
    return {"name": "adr", "head_sha": "HEAD", "output": output}


REFUSED = {
    "comments without a place": Refused(REVIEW, comment("", *LOST), 422, LOST_SAYS),
    "a review of the base": Refused(REVIEW, {**APPROVE, "commit_id": "BASE"}, 422, NO_COMMIT),
    "a review of a short hash": Refused(REVIEW, {**APPROVE, "commit_id": "SHORT"}, 422, NO_COMMIT),
    "a review of an old head": Refused(REVIEW, {**APPROVE, "commit_id": "OLD"}, 422, NO_COMMIT),
    "an approval of one's own": Refused(REVIEW, APPROVE, 422, "Can not approve your own", "alice"),
    "an approval of a workflow": Refused(REVIEW, APPROVE, 422, "Actions is not permitted to app"),
    "an empty review": Refused(REVIEW, comment(), 422, "Body can't be blank"),
    "a long review": Refused(REVIEW, comment(TOO_LONG), 422, f"B{LIMIT}"),
    "a long line comment": Refused(REVIEW, comment("", at(5, body=TOO_LONG)), 422, f"B{LIMIT}"),
    "a long comment": Refused(COMMENTS, {"body": TOO_LONG}, 422, f"b{LIMIT}"),
    "a long edit": Refused(ASKED, {"body": TOO_LONG}, 422, f"b{LIMIT}", "alice", "PATCH"),
    "an edit of another's": Refused(ASKED, {"body": "Not mine"}, 403, NO_RIGHT, verb="PATCH"),
    "a run of a person": Refused(RUNS, run(), 403, "authenticate via a GitHub App.", "alice"),
    "a run without the right": Refused(RUNS, run(), 403, f"{NO_RIGHT} integration", "poor"),
    "a run of another app": Refused(
        "check-runs/RUN", {"conclusion": "success"}, 403, "Invalid app_id `15368`", "other", "PATCH"
    ),
    "columns over two lines": Refused(RUNS, run(end_line=2, start_column=1), 422, "annotations"),
    "a long title": Refused(RUNS, run(title="x" * 256), 422, "annotations"),
    "a long message": Refused(RUNS, run(message=TOO_LONG), 422, "annotations"),
    "a long status": Refused(
        "statuses/HEAD", {"state": "success", "description": "x" * 141}, 422, "maximum is 140"
    ),
    "a comment without the right": Refused(
        COMMENTS, {"body": "hello"}, 403, f"{NO_RIGHT} personal access token", "reader"
    ),
    "an unknown token": Refused(COMMENTS, {"body": "hello"}, 401, "Bad credentials", "stranger"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_github_refuses_is_refused_and_changes_nothing(scene: Scene, name: str) -> None:
    fake, refused = scene.fake, REFUSED[name]
    fake.tokens["reader"] = Token("alice", {"pull-requests": "read"})
    fake.actions_may_approve = False
    old = scene.sha()
    scene.git.git("commit", "--quiet", "--amend", "--message", "Pushed anew")
    check = scene.remote().create_check_run("adr", scene.sha())
    words = {"OLD": old, "BASE": scene.sha("main"), "SHORT": scene.sha()[:10], "HEAD": scene.sha()}
    words |= {"ASKED": str(fake.comment(1, "alice", "Why?")), "RUN": str(check.id)}
    *folders, last = refused.path.split("/")
    path = "/".join((*folders, words.get(last, last)))
    body = {key: words.get(str(value), value) for key, value in refused.body.items()}
    before = state(scene)
    with pytest.raises(GithubException) as caught:
        scene.ask(refused.verb, path, body, refused.token)
    status, message, errors = refusal(caught)
    assert status == refused.status
    assert refused.says in f"{message} {errors}"
    assert state(scene) == before


def state(scene: Scene) -> list[dict[int, Any]]:
    fake = scene.fake
    return [
        dict(items)
        for items in (fake.reviews, fake.remarks, fake.comments, fake.runs, fake.statuses)
    ]


def test_what_may_be_written_is_written_to_its_limit(scene: Scene) -> None:
    body = "x" * 65_536
    assert scene.pull().create_review(event="COMMENT", body=body).body == body
    assert scene.pull().create_issue_comment(body).body == body
    assert scene.pull("other").create_review(event="APPROVE").state == "APPROVED"
    status = scene.remote().get_commit(scene.sha()).create_status
    assert status("success", description="y" * 140).description == "y" * 140
