"""What the real GitHub refuses, the fake refuses: reviews, comments in the diff, check runs and statuses."""

from datetime import timedelta
from typing import Any

import pytest
from github import GithubException
from github.CheckRun import CheckRun

from tests.unit.fakes.scene import BOT, LONG, UNPROCESSABLE, Scene, refusal, text

pytestmark = pytest.mark.slow
"""It starts a process, or a server, for nearly each test."""


def at(line: int, path: str = LONG, **more: Any) -> Any:
    return {"path": path, "body": "Look.", "line": line, "side": "RIGHT", **more}


def test_a_review_with_its_comments(scene: Scene) -> None:
    pull = scene.pull()
    review = pull.create_review(
        scene.remote().get_commit(scene.sha()),
        "Sound.",
        "COMMENT",
        [at(5), at(8, start_line=3, start_side="LEFT")],
    )
    first, second = pull.get_review_comments()
    assert (review.state, review.commit_id, review.user.login, review.submitted_at is not None) == (
        "COMMENTED",
        scene.sha(),
        BOT,
        True,
    )
    assert (first.line, first.side, first.position) == (5, "RIGHT", 5)
    assert (
        first.diff_hunk
        == "@@ -2,7 +2,7 @@ line 1\n line 2\n line 3\n line 4\n-line 5\n+line 5 changed"
    )
    assert (second.start_line, second.start_side, second.line, second.pull_request_review_id) == (
        3,
        "LEFT",
        8,
        review.id,
    )
    assert [(each.id, each.body) for each in pull.get_reviews()] == [(review.id, "Sound.")]


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
        assert [(each.path, each.line) for each in scene.pull().get_review_comments()] == [
            (LONG, 5),
            (comment["path"], comment["line"]),
        ]
    else:
        with pytest.raises(GithubException) as caught:
            scene.pull().create_review(event="COMMENT", comments=[at(5), comment])
        assert refusal(caught) == (*UNPROCESSABLE, [reason])
        assert not scene.fake.reviews and not scene.fake.remarks


def test_all_that_has_no_place_is_named_in_one_sentence(scene: Scene) -> None:
    with pytest.raises(GithubException) as caught:
        scene.pull().create_review(event="COMMENT", comments=[at(15), at(1, "README.md"), at(16)])
    assert refusal(caught)[2] == [
        "Line could not be resolved, Path could not be resolved, and Line could not be resolved"
    ]


def test_a_review_is_of_a_commit_of_the_pull_request(scene: Scene) -> None:
    old = scene.sha()
    scene.git.git("commit", "--quiet", "--amend", "--message", "Pushed anew")
    for sha in (old, scene.sha("main"), scene.sha()[:10]):
        with pytest.raises(GithubException) as caught:
            scene.pull().requester.requestJsonAndCheck(
                "POST", f"{scene.pull().url}/reviews", input={"commit_id": sha, "event": "APPROVE"}
            )
        assert refusal(caught) == (*UNPROCESSABLE, ["Commit is not part of the pull request"])
        with pytest.raises(GithubException) as caught:
            scene.pull().create_review_comment("Look.", sha, LONG, 5)
        assert refusal(caught)[2][0]["message"] == "commit_id is not part of the pull request"
    assert not scene.fake.reviews


def test_nobody_approves_their_own_pull_request(scene: Scene) -> None:
    with pytest.raises(GithubException) as caught:
        scene.pull("alice").create_review(event="APPROVE")
    assert refusal(caught) == (*UNPROCESSABLE, ["Can not approve your own pull request"])
    assert scene.pull("alice").create_review(body="A word", event="COMMENT").state == "COMMENTED"
    assert scene.pull().create_review(event="APPROVE").state == "APPROVED"


def test_actions_approve_only_where_they_may(scene: Scene) -> None:
    scene.fake.actions_may_approve = False
    with pytest.raises(GithubException) as caught:
        scene.pull().create_review(event="APPROVE")
    assert refusal(caught) == (
        *UNPROCESSABLE,
        ["GitHub Actions is not permitted to approve pull requests."],
    )
    assert scene.pull("other").create_review(event="APPROVE").state == "APPROVED"


@pytest.mark.parametrize(
    "given", [{"body": "x" * 65_537}, {"body": "", "comments": [at(5, body="x" * 65_537)]}]
)
def test_a_review_has_65536_characters_at_most(scene: Scene, given: dict[str, Any]) -> None:
    with pytest.raises(GithubException) as caught:
        scene.pull().create_review(event="COMMENT", **given)
    assert refusal(caught) == (*UNPROCESSABLE, ["Body is too long (maximum is 65536 characters)"])
    assert scene.pull().create_review(event="COMMENT", body="x" * 65_536).body == "x" * 65_536


def test_a_review_says_something(scene: Scene) -> None:
    with pytest.raises(GithubException) as caught:
        scene.pull().create_review(event="REQUEST_CHANGES")
    assert refusal(caught) == (*UNPROCESSABLE, ["Body can't be blank"])


def test_a_pending_review_is_its_authors_own(scene: Scene) -> None:
    pending = scene.pull().create_review(body="Later", comments=[at(5)])
    assert (pending.state, pending.raw_data.get("submitted_at")) == ("PENDING", None)
    assert (
        [each.id for each in scene.pull().get_reviews()],
        list(scene.pull("alice").get_reviews()),
    ) == ([pending.id], [])
    assert list(scene.pull("alice").get_review_comments()) == []
    with pytest.raises(GithubException) as caught:
        scene.pull().create_review(body="Again")
    assert refusal(caught)[2] == ["User can only have one pending review per pull request"]


def test_people_review_on_the_page(scene: Scene) -> None:
    old = scene.sha()
    first = scene.fake.review(1, "carol")
    scene.git.commit("More")
    scene.fake.review(1, "dave", "CHANGES_REQUESTED", body="No.")
    scene.fake.dismiss(first)
    found = [
        (each.user.login, each.state, each.commit_id, each.body)
        for each in scene.pull().get_reviews()
    ]
    assert found == [
        ("carol", "DISMISSED", old, ""),
        ("dave", "CHANGES_REQUESTED", scene.sha(), "No."),
    ]


def test_a_thread_in_the_diff(scene: Scene) -> None:
    pull = scene.pull()
    comment = pull.create_review_comment("Look.", scene.sha(), LONG, 5)
    answered = scene.fake.reply(comment.id, "alice", "I see.")
    again = pull.create_review_comment(
        body="Good.", commit=scene.sha(), path=LONG, in_reply_to=answered
    )
    found = [
        (each.user.login, each.raw_data.get("in_reply_to_id"), each.line)
        for each in pull.get_review_comments()
    ]
    assert found == [(BOT, None, 5), ("alice", comment.id, 5), (BOT, comment.id, 5)]
    assert [(each.user.login, each.state, each.body) for each in pull.get_reviews()] == [
        (name, "COMMENTED", "") for name in (BOT, "alice", BOT)
    ]
    comment.edit("Look again.")
    again.delete()
    scene.fake.edit_comment(answered, "I see it.")
    pull.create_review_comment_reply(answered, "Well.")
    assert [each.body for each in pull.get_review_comments()] == [
        "Look again.",
        "I see it.",
        "Well.",
    ]
    assert [each.body for each in pull.get_review_comments(sort="updated", direction="desc")] == [
        "Well.",
        "I see it.",
        "Look again.",
    ]
    with pytest.raises(GithubException) as caught:
        pull.get_review_comment(answered).delete()
    assert (refusal(caught)[0], len(scene.fake.remarks)) == (403, 3)


def test_a_comment_on_a_whole_file(scene: Scene) -> None:
    comment = scene.pull().create_review_comment(
        "Why?", scene.sha(), "docs/picture", subject_type="file"
    )
    assert [comment.raw_data[key] for key in ("line", "subject_type", "path")] == [
        None,
        "file",
        "docs/picture",
    ]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"path": LONG, "line": 15}, "pull_request_review_thread.line"),
        ({"path": "README.md", "line": 1}, "pull_request_review_thread.path"),
    ],
)
def test_a_single_comment_needs_a_place_too(
    scene: Scene, given: dict[str, Any], field: str
) -> None:
    with pytest.raises(GithubException) as caught:
        scene.pull().create_review_comment("Look.", scene.sha(), **given)
    assert (refusal(caught)[1], refusal(caught)[2][0]["field"], scene.fake.remarks) == (
        "Validation Failed",
        field,
        {},
    )


def test_a_comment_moves_with_its_line_and_is_outdated_when_the_line_is_touched(
    scene: Scene,
) -> None:
    comment, kept = (
        scene.fake.remark(1, "carol", "Look.", LONG, 30),
        scene.fake.remark(1, "carol", "Before.", LONG, 5, "LEFT"),
    )
    made = scene.sha()
    scene.git.stage(LONG, "above\n" + text(5, 30))
    scene.git.commit("Above")
    found = scene.pull().get_review_comment(comment)
    assert (found.line, found.original_line, found.commit_id, found.original_commit_id) == (
        31,
        30,
        scene.sha(),
        made,
    )
    scene.git.stage(LONG, text(5))
    scene.git.commit("Undone")
    found = scene.pull().get_review_comment(comment)
    assert [found.raw_data[key] for key in ("line", "position", "original_line", "commit_id")] == [
        None,
        None,
        30,
        made,
    ]
    assert (
        scene.pull().get_review_comment(kept).line,
        scene.pull().get_review_comment(kept).side,
    ) == (5, "LEFT")


def test_the_clock_goes_on_and_can_be_set_forward(scene: Scene) -> None:
    scene.fake.now += timedelta(days=1)
    later = scene.pull().create_issue_comment("Later")
    assert later.created_at > scene.fake.now - timedelta(minutes=1)
    with pytest.raises(ValueError, match="the clock stands at"):
        scene.fake.now -= timedelta(seconds=1)


def start(scene: Scene, token: str = "bot", **given: Any) -> CheckRun:
    return scene.remote(token).create_check_run("adr", scene.sha(), **given)


def annotation(line: int, **more: Any) -> Any:
    return {
        "path": LONG,
        "start_line": line,
        "end_line": line,
        "annotation_level": "warning",
        "message": "Look.",
        **more,
    }


def test_a_check_run_from_start_to_end(scene: Scene) -> None:
    run = start(scene, status="in_progress", external_id="7")
    assert (run.status, run.app.id, run.app.slug, run.external_id) == (
        "in_progress",
        15368,
        "github-actions",
        "7",
    )
    assert run.raw_data["conclusion"] is None and [pull.number for pull in run.pull_requests] == [1]
    run.edit(output={"title": "ADRs", "summary": "One", "annotations": [annotation(1)] * 50})
    run.edit(
        conclusion="failure",
        output={
            "summary": "Two",
            "annotations": [annotation(2, title="T", start_column=1, end_column=2)],
        },
    )
    again = scene.remote().get_check_run(run.id)
    assert (again.status, again.conclusion, again.completed_at is not None) == (
        "completed",
        "failure",
        True,
    )
    assert (again.output.title, again.output.summary, again.output.annotations_count) == (
        "ADRs",
        "Two",
        51,
    )
    found = list(again.get_annotations())
    assert (len(found), found[0].raw_data["title"], found[50].start_line, found[50].title) == (
        51,
        None,
        2,
        "T",
    )


def test_check_runs_of_one_name_may_be_many_and_the_latest_counts(scene: Scene) -> None:
    first, second, other = start(scene, conclusion="failure"), start(scene), start(scene, "other")
    commit = scene.remote().get_commit(scene.sha())
    assert first.status == "completed"
    assert [run.id for run in commit.get_check_runs()] == [other.id, second.id]
    assert [run.id for run in commit.get_check_runs(check_name="adr", filter="all")] == [
        other.id,
        second.id,
        first.id,
    ]
    assert [run.id for run in commit.get_check_runs(filter="all", status="completed")] == [first.id]
    assert commit.get_check_runs(check_name="else").totalCount == 0
    assert list(scene.remote().get_commit("main").get_check_runs()) == []


def test_check_runs_belong_to_apps(scene: Scene) -> None:
    with pytest.raises(GithubException) as caught:
        start(scene, "alice")
    assert refusal(caught) == (403, "You must authenticate via a GitHub App.", None)
    with pytest.raises(GithubException) as caught:
        start(scene, "poor")
    assert refusal(caught) == (403, "Resource not accessible by integration", None)
    run = start(scene)
    with pytest.raises(GithubException) as caught:
        scene.remote("other").get_check_run(run.id).edit(conclusion="success")
    assert refusal(caught)[0] == 403 and "Invalid app_id `15368`" in refusal(caught)[1]
    assert [each.conclusion for each in scene.fake.runs.values()] == [None]


WRONG_OUTPUTS: dict[str, dict[str, object]] = {
    "51 annotations": {"annotations": [annotation(1)] * 51},
    "summary": {"summary": "x" * 65_536},
    "text": {"text": "x" * 65_536},
}


@pytest.mark.parametrize("name", WRONG_OUTPUTS)
def test_an_output_has_its_limits(scene: Scene, name: str) -> None:
    output = {"title": "ADRs", "summary": "s", **WRONG_OUTPUTS[name]}
    for attempt in (
        lambda: start(scene, output=output),
        lambda: scene.remote().get_check_run(9).edit(output=output),
    ):
        with pytest.raises(GithubException) as caught:
            attempt()
        assert refusal(caught)[0] == 422 and refusal(caught)[1].startswith("Invalid request.\n\n")
    assert not scene.fake.runs
    assert scene.fake.wrong and all("should have at most" in error for error in scene.fake.wrong)
    scene.fake.wrong.clear()


@pytest.mark.parametrize(
    "given", [{"end_line": 2, "start_column": 1}, {"title": "x" * 256}, {"message": "x" * 65_537}]
)
def test_an_annotation_has_its_limits(scene: Scene, given: dict[str, Any]) -> None:
    with pytest.raises(GithubException) as caught:
        start(
            scene, output={"title": "ADRs", "summary": "s", "annotations": [annotation(1, **given)]}
        )
    assert refusal(caught) == (
        422,
        "Validation Failed",
        [{"resource": "CheckRun", "code": "invalid", "field": "annotations"}],
    )
    assert not scene.fake.runs


def test_statuses_come_together(scene: Scene) -> None:
    commit = scene.remote().get_commit(scene.sha())
    assert commit.get_combined_status().state == "pending"
    assert (
        commit.create_status("failure", context="adr", description="x" * 140).creator.login == BOT
    )
    commit.create_status("success", context="build", target_url="https://example.org")
    assert commit.get_combined_status().state == "failure"
    commit.create_status("success", context="adr")
    found = commit.get_combined_status()
    assert (found.state, found.total_count) == ("success", 2)
    assert {each.context: each.description for each in found.statuses} == {
        "adr": None,
        "build": None,
    }
    with pytest.raises(GithubException) as caught:
        commit.create_status("success", description="x" * 141)
    assert refusal(caught)[2][0]["message"] == "description is too long (maximum is 140 characters)"
