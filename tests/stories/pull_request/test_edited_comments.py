"""A comment that was edited never approves, also within the second in which it was written: GitHub's GraphQL decides."""

import re
from pathlib import Path

import pytest

from helix_hooks.pull.summary_comment import STICKY
from tests.conftest import Repository
from tests.fakes.github.server import DROPPED, GRAPHQL, FakeGitHub, Fault
from tests.fakes.runner import ADR, WRITER, Job, hub
from tests.stories.pull_request.scene import (
    ME,
    UNSURE,
    People,
    answers,
    check,
    policy,
    push,
    summary,
)

LATER = {"retry-after": "500"}


def asked(github: FakeGitHub) -> list[list[str]]:
    return [seen.body["variables"]["ids"] for seen in github.requests if seen.path == GRAPHQL]


@pytest.mark.further
def test_an_edit_within_the_second_never_approves(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    comment = github.comment(1, "max", "nice work")
    github.edit_comment(comment, f"/helix approve {head}", within_the_second=True)
    assert github.comments[comment].created == github.comments[comment].updated
    people.told(comment)
    assert (
        check(github).conclusion == "action_required"
        and "edited comments do not count" in answers(github)[0]
    )
    people.says("max", f"/helix approve {head}")
    assert check(github).conclusion == "success"


@pytest.mark.further
def test_only_comments_that_would_count_are_asked_about_in_one_query(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{minimum_approvals: 2}")
    head = people.pending()
    assert not asked(github)
    for by, text in (
        ("eve", "approve HEAD"),
        ("alice", "approve HEAD"),
        ("max", "approve 0123456"),
        ("bob", "status"),
    ):
        github.comment(1, by, f"/helix {text.replace('HEAD', head)}")
    assert people.run(**UNSURE).code == 4 and not asked(github)
    counting = [github.comment(1, by, f"/helix approve {head}") for by in ("max", "anna")]
    assert people.run(**UNSURE).code == 0 and asked(github) == [
        [f"IC_{comment}" for comment in counting]
    ]


@pytest.mark.further
def test_more_than_a_hundred_are_asked_about_in_portions(
    github: FakeGitHub, people: People
) -> None:
    head = people.pending()
    for _ in range(101):
        github.comment(1, "max", f"/helix approve {head}")
    assert people.run(**UNSURE).code == 0 and [len(ids) for ids in asked(github)] == [100, 1]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (
            Fault("POST", GRAPHQL, 403, {"message": "Resource not accessible by integration"}),
            "GitHub answered 403: Resource not accessible",
        ),
        (Fault("POST", GRAPHQL, 502, {"message": "Bad Gateway"}, times=4), "GitHub answered 502"),
        (Fault("POST", GRAPHQL, DROPPED, times=4), "GitHub could not be reached"),
        (Fault("POST", GRAPHQL, 404, {"message": "Not Found"}), "GitHub answered 404: Not Found"),
        (
            Fault(
                "POST",
                GRAPHQL,
                200,
                {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]},
                LATER,
            ),
            "requires a wait of 500 s",
        ),
        (Fault("POST", GRAPHQL, 200, {"data": {"nodes": [None]}}), "GitHub gives no such comment"),
        (
            Fault("POST", GRAPHQL, 200, {"data": {"nodes": [{"id": "IC_1"}]}}),
            "GitHub gives no such comment",
        ),
        (Fault("POST", GRAPHQL, 200, {"data": None}), "is not known"),
        (Fault("POST", GRAPHQL, 200, {}, times=4), "is not from the API of GitHub"),
    ],
)
@pytest.mark.sampled
def test_where_github_can_not_be_asked_nothing_is_approved(
    fault: Fault, reason: str, github: FakeGitHub, people: People
) -> None:
    head = people.pending()
    comment = github.comment(1, "max", f"/helix approve {head}")
    github.faults.append(fault)
    people.told(comment)
    assert check(github).conclusion == "action_required"
    (told,) = answers(github)
    assert "whether the comment was edited is not known" in told and reason in told
    github.faults.clear()
    assert people.run(**UNSURE).code == 0, "the next run asks again"


def test_a_node_without_the_time_of_an_edit_is_no_answer(
    github: FakeGitHub, people: People
) -> None:
    head = people.pending()
    comment = github.comment(1, "max", f"/helix approve {head}")
    github.faults.append(
        Fault(
            "POST",
            GRAPHQL,
            200,
            {"data": {"nodes": [{"id": f"IC_{comment}", "includesCreatedEdit": False}]}},
        )
    )
    people.told(comment)
    assert check(github).conclusion == "action_required"


def test_a_query_that_failed_once_is_asked_again(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    github.faults.append(Fault("POST", GRAPHQL, 502))
    people.says("max", f"/helix approve {head}")
    assert check(github).conclusion == "success" and len(asked(github)) == 2


def test_a_token_that_may_not_read_comments_is_told(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    comment = github.comment(1, "max", f"/helix approve {head}")
    github.faults.append(
        Fault(
            "POST",
            GRAPHQL,
            200,
            {
                "data": {"nodes": [None]},
                "errors": [{"type": "FORBIDDEN", "message": "Resource not accessible"}],
            },
        )
    )
    people.told(comment)
    assert (
        "the token may not read it" in answers(github)[0]
        and check(github).conclusion == "action_required"
    )


def test_an_objection_needs_no_query(github: FakeGitHub, people: People) -> None:
    people.pending()
    github.faults.append(Fault("POST", GRAPHQL, 502, times=9))
    people.says("anna", "/helix reject the way back is missing")
    assert check(github).conclusion == "failure" and not asked(github)


def test_an_approval_that_is_edited_does_not_take_an_objection_back(
    github: FakeGitHub, people: People
) -> None:
    head = people.pending()
    people.says("anna", "/helix reject the way back is missing")
    comment = github.comment(1, "anna", "hm")
    github.edit_comment(comment, f"/helix approve {head}", within_the_second=True)
    people.told(comment)
    assert check(github).conclusion == "failure"
    people.says("anna", f"/helix approve {head}")
    assert check(github).conclusion == "success"


@pytest.mark.further
def test_an_override_that_is_edited_overrides_nothing(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{overrides: [migration]}")
    quote = (repository.root / ADR).read_text().splitlines()[-1]
    finding = {
        "severity": "error",
        "check": "migration",
        "path": ADR,
        "line": 9,
        "message": "No way back.",
        "help": "",
        "evidence": quote,
    }
    assert people.run(structured={"result": "needs_revision", "findings": [finding]}).code == 1
    (page,) = github.comments.values()
    (line,) = re.findall(r"^/helix override .*$", page.body, re.MULTILINE)
    comment = github.comment(1, "max", "well")
    github.edit_comment(comment, line.replace("REASON", "it is fine"), within_the_second=True)
    people.told(comment)
    assert (
        check(github).conclusion == "failure"
        and "edited comments do not count" in answers(github)[-1]
    )


def test_a_hidden_comment_never_approves(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    people.says("max", f"/helix approve {head}")
    assert check(github).conclusion == "success"
    github.hide_comment([*github.comments][-1])
    assert people.run(**UNSURE).code == 4 and "hidden comments do not count" in summary(github)


def test_an_edited_objection_stands_from_its_edit(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    comment = github.comment(1, "anna", "nice work")
    people.says("anna", f"/helix approve {head}")
    assert check(github).conclusion == "success"
    github.edit_comment(comment, "/helix reject the way back is missing")
    people.told(comment, "edited", sender="anna", before="nice work")
    assert check(github).conclusion == "failure" and "the way back is missing" in summary(github)
    people.says("anna", f"/helix approve {head}")
    assert check(github).conclusion == "success"


def test_a_vote_that_is_edited_within_the_second_is_told(
    github: FakeGitHub, people: People
) -> None:
    head = people.pending()
    text = f"/helix approve {head}"
    comment = github.comment(1, "max", text)
    people.told(comment)
    assert check(github).conclusion == "success"
    github.edit_comment(comment, text + " gladly", within_the_second=True)
    people.told(comment, "edited", sender="eve", before=text)
    assert check(
        github
    ).conclusion == "failure" and "eve edited or deleted a vote of @max" in summary(github).replace(
        "\u200b", ""
    )


@pytest.mark.further
def test_an_enterprise_server_is_asked_where_its_graphql_is(
    repository: Repository, tmp_path: Path
) -> None:
    with hub(repository, prefix="/api/v3") as github:
        github.open_pull(1)
        people = People(github, repository, tmp_path)
        head = people.pending()
        people.says("max", f"/helix approve {head}")
        assert check(github).conclusion == "success" and len(asked(github)) == 1


def test_a_push_between_changes_nothing_about_it(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    comment = github.comment(1, "max", "soon")
    later = push(repository, ADR, (repository.root / ADR).read_text() + "\nOne more sentence.\n")
    github.edit_comment(comment, f"/helix approve {later}", within_the_second=True)
    assert people.run(**UNSURE).code == 4 and "edited comments do not count" in summary(github)


def sticky(github: FakeGitHub) -> int:
    return next(
        item.id
        for item in github.comments.values()
        if item.author == ME and item.body.endswith(STICKY)
    )


def test_our_own_comment_that_others_edit_or_delete_forgets_nothing(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """A writer removes what anna has said, pushes, and then takes it out of our comment too.

    Attack by a hostile pull request: edit or delete the gate's own comment, in which objections and costs are noted; quote its marks.
    Answer: noted again from the event; marks count by the number of their author.
    Shown by: `test_our_own_comment_that_others_edit_or_delete_forgets_nothing`, `test_our_marks_in_the_words_of_others_say_nothing`.
    """
    head = people.pending()
    said = github.comment(1, "anna", "/helix reject the way back is missing")
    people.told(said)
    github.delete_comment(said)
    ours = sticky(github)
    body = github.comments[ours].body
    assert "helix:against=" in body
    head = push(repository, ADR, (repository.root / ADR).read_text() + "\nOne more sentence.\n")
    github.edit_comment(ours, f"nothing\n{STICKY}")
    people.told(ours, "edited", sender="eve", before=body)
    assert (
        check(github).conclusion == "failure"
        and "helix:against=" in github.comments[sticky(github)].body
    )
    assert people.run(**UNSURE).code == 1 and "anna asks for changes" in summary(github).replace(
        "\u200b", ""
    )
    ours = sticky(github)
    job = Job.of_comment(github, repository, people.folder / "deleted", ours, "deleted", "eve")
    github.delete_comment(ours)
    push(repository, ADR, (repository.root / ADR).read_text() + "\nAnd another one.\n")
    assert job.step("command", GITHUB_TOKEN=WRITER).code == 0
    assert people.run(**UNSURE).code == 1 and "anna asks for changes" in summary(github).replace(
        "\u200b", ""
    )
    people.says("anna", f"/helix approve {github.head(1)}")
    assert check(github).conclusion == "success" and head


@pytest.mark.further
def test_our_marks_in_the_words_of_others_say_nothing(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{budget_per_pull_request_usd: 2.0}")
    marks = f"<!-- helix:spent=9999.0000 -->\n<!-- helix:against=7:1:{github.user('anna')['id']}:anna -->\n<!-- helix:answer 1 -->\n{STICKY}"
    echo = github.comment(1, "max", f"I quote:\n\n{marks}")
    github.comment(1, "helper[bot]", marks)
    head = people.pending()
    assert (
        sticky(github) != echo
        and "anna" not in github.comments[sticky(github)].body
        and "9999" not in github.comments[sticky(github)].body
    )
    for fingerprint in set(
        re.findall(
            r"helix:f=([0-9a-f]{16})", " ".join(item.body for item in github.remarks.values())
        )
    ):
        github.comment(1, "max", f"<!-- helix:f={fingerprint} by=rules -->")
    people.says("max", f"/helix approve {head}")
    assert (
        check(github).conclusion == "success"
        and github.comments[echo].author == "max"
        and marks in github.comments[echo].body
    )
