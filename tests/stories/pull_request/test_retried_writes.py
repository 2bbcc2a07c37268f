"""A write is carried out once, whatever becomes of its answer; and of two runs at once, what they have written reads as if one had been."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import yaml

from helix_hooks.authoring import workflow
from helix_hooks.decision.handover import marked
from helix_hooks.doctor.workflow import lines
from helix_hooks.pull.summary_comment import STICKY
from tests.conftest import ROOT, Repository, Run
from tests.fakes.github.server import DROPPED, FakeGitHub, Fault
from tests.fakes.runner import ADR, BROKEN, READER, WRITER, Ended, Job
from tests.stories.pull_request.scene import (
    FORBIDDEN,
    LOST,
    ME,
    REPOSITORY,
    UNSURE,
    People,
    Runner,
    answers,
    check,
    policy,
    push,
    push_all,
    reactions,
    written,
)

LIMIT: dict[str, Any] = {
    "message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    "documentation_url": "https://docs.github.com/rest",
}
PAGE = "<html><body>Please sign in to this network.</body></html>"
REVIEW, COMMENT, CHECK = (
    f"{REPOSITORY}{path}" for path in ("/pulls/1/reviews", "/issues/1/comments", "/check-runs")
)
STATUS = f"{REPOSITORY}/statuses/.*"
KEY = {"HELIX_SIGNING_KEY": "a key of this repository"}
MANY = 102


@pytest.fixture
def broken(repository: Repository) -> str:
    return push(repository, ADR, BROKEN)


def sent(github: FakeGitHub, path: str, verb: str = "POST") -> list[int]:
    return [seen.status for seen in github.requests if seen.verb == verb and seen.path == path]


def ready(runner: Runner, **case: Any) -> Job:
    """A run that has done everything but `publish`."""
    job = runner.job()
    job.step("snapshot", GITHUB_TOKEN=READER)
    job.step("check")
    job.step("judge", **runner.judge(**case))
    return job


def published(job: Job) -> Ended:
    return job.step("publish", GITHUB_TOKEN=WRITER)


def before(
    github: FakeGitHub,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    path: str,
    do: Callable[[], object],
) -> None:
    """Let something happen just before a request is answered, once."""
    real, once = github.answer, iter([do])

    def answer(request: Any) -> Any:
        if request.verb == verb and request.path.endswith(path) and (now := next(once, None)):
            now()
        return real(request)

    monkeypatch.setattr(github, "answer", answer)


def many(repository: Repository, count: int, *, fixed: bool = False) -> None:
    """ADRs with so many findings in all, two in each; `fixed`: with none."""
    rest = "\n## Decision\n\nWe will use Kafka, since it keeps the orders of every service.\n\n## Consequences\n\nSomebody must run the broker.\n"
    adrs = {}
    for number in range(count // 2):
        text = f"# {number + 100}. Exchange orders\n\n## Status\n\nProposed\n\n## Context\n\nThree services exchange orders over HTTP, and lose some.\n"
        adrs[f"docs/adr/{number + 100:04}-x.md"] = text + (rest if fixed else "")
    push_all(repository, adrs)


WRONG: dict[str, tuple[Fault, list[float]]] = {
    "403 with Retry-After": (Fault("POST", "", 403, LIMIT, {"Retry-After": "7"}), [7]),
    "403 without": (Fault("POST", "", 403, LIMIT), [60]),
    "429 with Retry-After": (Fault("POST", "", 429, LIMIT, {"Retry-After": "5"}), [5]),
    "429 twice": (Fault("POST", "", 429, LIMIT, {"Retry-After": "5"}, times=2), [5, 5]),
    "502": (Fault("POST", "", 502, LOST), [0.5]),
    "502 three times": (Fault("POST", "", 502, LOST, times=3), [0.5, 1, 2]),
    "503 with Retry-After": (Fault("POST", "", 503, LOST, {"Retry-After": "3"}), [0.5]),
    "502, stored": (Fault("POST", "", 502, LOST, after=True), [0.5]),
    "403, stored": (Fault("POST", "", 403, LIMIT, {"Retry-After": "7"}, after=True), [7]),
    "no answer": (Fault("POST", "", DROPPED), [0.5]),
    "no answer, stored": (Fault("POST", "", DROPPED, after=True), [0.5]),
    "a page of a proxy": (Fault("POST", "", 200, PAGE), [0.5]),
    "a page of a proxy, stored": (Fault("POST", "", 200, PAGE, after=True), [0.5]),
    "half an answer, stored": (Fault("POST", "", 201, '{"id": 5, "bo', after=True), [0.5]),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.sampled
def test_a_post_is_carried_out_once(
    name: str, github: FakeGitHub, broken: str, runner: Runner, waits: list[float]
) -> None:
    fault, waited = WRONG[name]
    job = runner.job()
    job.step("snapshot", GITHUB_TOKEN=READER)
    job.step("check")
    github.faults += [fault._replace(path=path) for path in (REVIEW, COMMENT, CHECK)]
    done = published(job)
    assert (done.code, done.err, waits) == (1, "", waited * 3)
    assert (len(github.reviews), len(github.comments), len(github.runs), len(github.statuses)) == (
        1,
        1,
        1,
        0,
    )
    assert [len(sent(github, path)) for path in (REVIEW, COMMENT, CHECK)] == [
        1 if fault.after else 1 + fault.times
    ] * 3
    assert (
        len(github.remarks) == 2
        and check(github).sha == broken
        and len(check(github).annotations) == 2
    )


def test_a_missing_permission_is_an_answer(
    github: FakeGitHub, broken: str, runner: Runner, waits: list[float]
) -> None:
    github.faults += [
        Fault("POST", path, 403, FORBIDDEN, times=99) for path in (REVIEW, COMMENT, CHECK)
    ]
    assert runner.run().code == 1
    assert [sent(github, path) for path in (REVIEW, COMMENT, CHECK)] == [[403]] * 3 and not waits
    assert [(item.state, item.sha) for item in github.statuses.values()] == [("failure", broken)]


def test_a_limit_is_not_waited_for_without_end(
    github: FakeGitHub, broken: str, runner: Runner, waits: list[float]
) -> None:
    github.faults += [
        Fault("POST", REVIEW, 429, LIMIT, {"Retry-After": "3600"}),
        Fault("POST", COMMENT, 403, LIMIT, {"Retry-After": "50"}, times=99),
    ]
    done = runner.run()
    assert (
        done.code == 1
        and "the review could not be written: GitHub requires a wait of 3600 s (maximum 120 s)"
        in done.err
    )
    assert (
        waits == [50, 50]
        and sent(github, COMMENT) == [403] * 3
        and check(github).conclusion == "failure"
    )


def test_what_reads_waits_no_longer(
    github: FakeGitHub, broken: str, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ready(runner)
    slept: list[float] = []
    monkeypatch.setattr("urllib3.util.retry.time.sleep", slept.append)
    github.faults.append(
        Fault("GET", f"{REPOSITORY}/pulls/1", 429, LIMIT, {"Retry-After": "50"}, times=9)
    )
    done = published(job)
    assert (
        done.code == 3
        and [seconds for seconds in slept if seconds > 1] == [50, 50]
        and "(maximum 120 s)" in done.err
    )


def test_the_check_may_wait_though_all_else_has(
    github: FakeGitHub, broken: str, runner: Runner, waits: list[float]
) -> None:
    github.faults += [
        Fault("POST", REVIEW, 403, LIMIT, {"Retry-After": "110"}, times=2),
        Fault("POST", CHECK, 403, LIMIT, {"Retry-After": "110"}),
    ]
    assert runner.run().code == 1 and waits == [110, 110] and check(github).conclusion == "failure"


def test_a_primary_limit_is_waited_for_by_the_clock_of_github(
    github: FakeGitHub, broken: str, runner: Runner, waits: list[float]
) -> None:
    reset = str(int(github.now.timestamp()) + 60)
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": reset}
    message = {
        "message": "API rate limit exceeded for installation ID 1.",
        "documentation_url": "https://docs.github.com/rest",
    }
    github.faults.append(Fault("POST", CHECK, 403, message, headers))
    assert runner.run().code == 1 and len(github.runs) == 1
    assert len(waits) == 1 and 30 < waits[0] <= 61


def test_after_some_tries_the_next_place_is_taken(
    github: FakeGitHub, broken: str, runner: Runner
) -> None:
    github.faults.append(Fault("POST", CHECK, 502, LOST, times=99))
    done = runner.run()
    assert (
        done.code == 1
        and sent(github, CHECK) == [502] * 4
        and "the check run could not be written: GitHub answered 502" in done.err
    )
    assert [item.state for item in github.statuses.values()] == ["failure"]


def test_nothing_is_sent_again_where_nobody_can_look(
    github: FakeGitHub, broken: str, runner: Runner
) -> None:
    job = ready(runner)
    github.faults += [
        Fault("POST", REVIEW, 502, LOST, after=True),
        Fault("GET", f"{REPOSITORY}/pulls/1/comments", 404, FORBIDDEN, skip=1),
    ]
    assert published(job).code == 1 and sent(github, REVIEW) == [502] and len(github.reviews) == 1


@pytest.mark.parametrize(
    "fault",
    [Fault("POST", "", 502, LOST, after=True), Fault("POST", "", 429, LIMIT, {"Retry-After": "1"})],
)
def test_what_somebody_is_answered_is_written_once(
    fault: Fault, github: FakeGitHub, people: People
) -> None:
    people.pending()
    reaction = f"{REPOSITORY}/issues/comments/[0-9]+/reactions"
    github.faults += [
        fault._replace(path=COMMENT),
        fault._replace(path=reaction),
        fault._replace(path=reaction),
    ]
    assert people.says("bob", "/helix help").err == ""
    assert len(answers(github)) == 1 and reactions(github) == ["eyes", "rocket"]


def test_an_escalation_calls_once(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(
        repository,
        "{deadlines: {uncertainty: 1h}, on_expiry: {action: escalate, escalate_to: [anna]}}",
    )
    people.pending()
    github.now = github.now.replace(hour=github.now.hour + 2)
    ask, assign = f"{REPOSITORY}/pulls/1/requested_reviewers", f"{REPOSITORY}/issues/1/assignees"
    github.faults += [
        Fault("POST", path, 403, LIMIT, {"Retry-After": "1"}) for path in (COMMENT, ask, assign)
    ]
    assert people.sweep().err == ""
    assert sum("Its deadline has passed" in item.body for item in github.comments.values()) == 1
    assert (github.asked[1], github.assigned[1]) == (["anna"], ["anna"])


def test_a_status_is_written_once(github: FakeGitHub, broken: str, runner: Runner) -> None:
    github.faults += [
        Fault("POST", CHECK, 403, FORBIDDEN),
        Fault("POST", STATUS, 502, LOST, after=True),
    ]
    assert runner.run().code == 1 and len(github.statuses) == 1 and not github.runs


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.further
def test_annotations_are_added_once(
    stored: bool, github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    many(repository, MANY)
    github.faults.append(Fault("PATCH", f"{CHECK}/[0-9]+", 502, LOST, after=stored))
    assert runner.run().code == 1 and len(check(github).annotations) == MANY


@pytest.mark.further
def test_a_connection_that_ends_in_the_middle_leaves_a_conclusion(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    many(repository, MANY)
    github.faults.append(Fault("PATCH", f"{CHECK}/[0-9]+", DROPPED, times=99, skip=1))
    done = runner.run()
    assert (done.code, check(github).status, check(github).conclusion) == (
        1,
        "completed",
        "failure",
    )
    assert (
        "an annotation could not be written" in done.err
        and len(check(github).annotations) == 100
        and not github.statuses
    )
    github.faults.clear()
    assert runner.run().code == 1 and len(check(github).annotations) == MANY


# b. the commit status that was written where no check run could be


@pytest.mark.further
def test_an_old_status_says_what_the_check_says(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    """Attack by a hostile pull request: leave a green status or check run behind, beside the one that counts.
    Answer: all of ours at a commit say the same.
    Shown by: `test_an_old_status_says_what_the_check_says`, `test_two_check_runs_of_ours_say_the_same`.
    """
    good = (repository.root / ADR).read_text()
    repository.git("commit", "--quiet", "--allow-empty", "--message", "no findings")
    github.faults.append(Fault("POST", CHECK, 403, FORBIDDEN))
    assert runner.run().code == 0 and [item.state for item in github.statuses.values()] == [
        "success"
    ]
    assert runner.run(structured={"result": "rejected"}).code == 1
    assert [item.state for item in github.statuses.values()] == ["success", "failure"] and check(
        github
    ).conclusion == "failure"
    assert (
        runner.run(**UNSURE).code == 4
        and [item.state for item in github.statuses.values()][-1] == "pending"
    )
    count = len(github.statuses)
    assert runner.run(**UNSURE).code == 4 and len(github.statuses) == count, "it says so already"
    github.requests.clear()
    push(repository, ADR, good + "\nOne more sentence about the orders.\n")
    assert runner.run().code == 0 and len(github.statuses) == count, "another commit has none"


@pytest.mark.further
def test_a_vote_reaches_the_old_status_too(github: FakeGitHub, people: People) -> None:
    github.faults.append(Fault("POST", CHECK, 403, FORBIDDEN))
    assert people.run(**UNSURE).code == 4
    assert people.run(**UNSURE).code == 4
    people.says("max", f"/helix approve {github.head(1)}")
    assert (check(github).conclusion, [*github.statuses.values()][-1].state) == (
        "success",
        "success",
    )


@pytest.mark.further
def test_a_status_beside_an_older_check_run_is_noted_in_the_comment(
    github: FakeGitHub, people: People
) -> None:
    assert people.run(**UNSURE).code == 4
    github.faults += [
        Fault("PATCH", f"{CHECK}/[0-9]+", 502, LOST, times=4),
        Fault("POST", CHECK, 403, FORBIDDEN),
    ]
    assert people.run(structured={"result": "rejected"}).code == 1 and [
        item.state for item in github.statuses.values()
    ] == ["failure"]
    people.run(**UNSURE)
    assert [item.state for item in github.statuses.values()] == ["failure", "pending"] and check(
        github
    ).conclusion == "action_required"


# c. two runs at once


def test_two_runs_at_once_leave_one_comment(
    github: FakeGitHub, broken: str, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = ready(runner), ready(runner)
    before(github, monkeypatch, "POST", "/issues/1/comments", lambda: published(second))
    assert published(first).code == 1
    (sticky,) = github.comments.values()
    assert sticky.body.endswith(STICKY) and [
        *sent(github, f"{REPOSITORY}/issues/comments/{sticky.id}", "PATCH")
    ] == [200]


def test_a_comment_that_two_runs_have_left_goes_with_the_next(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    people.pending()
    (sticky,) = github.comments.values()
    spare = github.comment(1, ME, sticky.body.replace("spent=0.0100", "spent=0.5000"))
    theirs = github.comment(1, "mallory", sticky.body)
    assert people.run(**UNSURE).code == 4
    assert {*github.comments} == {sticky.id, theirs} and sent(
        github, f"{REPOSITORY}/issues/comments/{spare}", "DELETE"
    ) == [204]
    assert "spent=0.51" in github.comments[sticky.id].body, "what the other one knew is kept"


def test_an_objection_that_only_the_second_comment_knows_is_kept(
    github: FakeGitHub, people: People
) -> None:
    """Attack by a hostile pull request: have an objection forgotten, or green text shown, in the comment that stays.
    Answer: everything that our comments knew is kept; a changed text is written again.
    Shown by: `test_an_objection_that_only_the_second_comment_knows_is_kept`, `test_a_comment_that_somebody_has_changed_is_written_again`.
    """
    people.pending()
    (sticky,) = github.comments.values()
    anna = github.user("anna")["id"]
    ledger = f"<!-- helix:against=77:{int(github.now.timestamp())}:{anna}:anna -->\n{STICKY}"
    github.comment(1, ME, sticky.body.replace(STICKY, ledger))
    assert (
        people.run().code == 1
        and len(github.comments) == 1
        and "helix:against=77:" in github.comments[sticky.id].body
    )


@pytest.mark.further
def test_two_comments_at_a_line_about_one_finding_become_one(
    github: FakeGitHub, broken: str, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = ready(runner), ready(runner)
    before(github, monkeypatch, "POST", "/pulls/1/reviews", lambda: published(second))
    published(first)
    assert len(github.remarks) == 4
    answered = [*github.remarks][3]
    github.reply(answered, "alice", "why?")
    github.requests.clear()
    assert runner.run().code == 1
    left = [item for item in github.remarks.values() if not item.reply_to]
    assert (
        len(left) == len({marked(item.body) for item in left}) == 2 and answered in github.remarks
    )
    assert [line for line in written(github) if "check-runs" not in line] == ["POST /graphql 200"]


@pytest.mark.parametrize("by", ["the next run", "the schedule"])
@pytest.mark.further
def test_two_check_runs_of_ours_say_the_same(
    by: str, github: FakeGitHub, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = ready(people, **UNSURE), ready(people)
    before(github, monkeypatch, "POST", "/check-runs", lambda: published(second))
    published(first)
    assert [run.conclusion for run in github.runs.values()] == ["success", "action_required"]
    assert people.sweep().code == 0 if by == "the schedule" else people.run(**UNSURE).code == 4
    assert [run.conclusion for run in github.runs.values()] == [
        "action_required",
        "action_required",
    ]


@pytest.mark.further
def test_a_check_run_that_is_replaced_says_what_the_new_one_says(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    push(repository, ADR, BROKEN)
    job = ready(runner)
    place = job.folder / "helix/handover.json"
    data = json.loads(place.read_text())
    assert published(job).code == 1
    place.write_text(
        json.dumps(
            {
                **data,
                "rule_findings": [
                    {**item, "finding": {**item["finding"], "severity": "warning"}}
                    for item in data["rule_findings"]
                ],
                "no_judge": "no key",
            }
        )
    )
    assert published(job).code == 4
    assert [run.conclusion for run in github.runs.values()] == [
        "action_required",
        "action_required",
    ]


# f. and g. few requests


def test_an_unchanged_second_run_writes_the_check_alone(github: FakeGitHub, runner: Runner) -> None:
    assert runner.job().steps(runner.judge(**UNSURE), **KEY).code == 4
    for _ in range(2):
        github.requests.clear()
        assert runner.job().steps(runner.judge(**UNSURE), **KEY).code == 4
        assert written(github) == [f"PATCH /check-runs/{check(github).id} 200"]
        assert "answered before" in check(github).output["summary"]


@pytest.mark.further
def test_a_comment_that_somebody_has_changed_is_written_again(
    github: FakeGitHub, runner: Runner
) -> None:
    runner.job().steps(runner.judge(**UNSURE), **KEY)
    (sticky,) = github.comments.values()
    github.edit_comment(
        sticky.id, "### Approved\n\nAll is well.\n" + sticky.body.partition("\n")[2]
    )
    runner.job().steps(runner.judge(**UNSURE), **KEY)
    assert "All is well" not in github.comments[sticky.id].body


@pytest.mark.parametrize(("count", "at_once", "left"), [(100, 100, 0), (30, 20, 10)])
@pytest.mark.further
def test_many_fixed_findings_take_few_requests(
    count: int,
    at_once: int,
    left: int,
    github: FakeGitHub,
    repository: Repository,
    runner: Runner,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("helix_hooks.pull.line_comments.MOST_COMMENTS", count)
    monkeypatch.setattr("helix_hooks.pull.send._AT_ONCE", at_once)
    many(repository, count)
    first = runner.job().steps(runner.judge())
    assert first.code == 1 and len(github.remarks) == count
    many(repository, count, fixed=True)
    github.requests.clear()
    assert runner.run().code == 0
    assert len(github.requests) <= 17, [f"{seen.verb} {seen.path}" for seen in github.requests]
    assert sum(not item.body.startswith("✅ Fixed in ") for item in github.remarks.values()) == left
    (sticky,) = github.comments.values()
    assert (
        not left
        or f"{left} findings at lines of this change are fixed, but the comments there could not be updated"
        in sticky.body
    )


@pytest.mark.sampled
@pytest.mark.parametrize(
    "refusal",
    [
        Fault("POST", "/graphql", 403, FORBIDDEN, times=9),
        Fault(
            "POST",
            "/graphql",
            200,
            {"data": None, "errors": [{"type": "FORBIDDEN", "message": "not accessible"}]},
            times=9,
        ),
    ],
    ids=["403", "forbidden"],
)
def test_where_lines_can_not_be_told_the_comment_says_it(
    refusal: Fault, github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    good = (repository.root / ADR).read_text()
    push(repository, ADR, BROKEN)
    runner.run()
    push(repository, ADR, good)
    github.faults.append(refusal)
    done = runner.run()
    (sticky,) = github.comments.values()
    assert (
        done.code == 0
        and "2 findings at lines of this change are fixed, but the comments there could not be updated."
        in sticky.body
    )
    assert not any(
        item.body.startswith("✅") for item in github.remarks.values()
    ) and sticky.body.startswith("### ")
    github.faults.clear()
    assert runner.run().code == 0 and all(
        item.body.startswith("✅") for item in github.remarks.values()
    )
    assert "do not say" not in github.comments[sticky.id].body


def test_a_comment_at_a_line_that_is_gone_is_no_reason_to_leave_the_others(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    good = (repository.root / ADR).read_text()
    push(repository, ADR, BROKEN)
    runner.run()
    push(repository, ADR, good)
    job = ready(runner)
    real = github.answer

    def answer(request: Any) -> Any:
        if request.path == "/graphql" and len(github.remarks) == 2:
            github.delete_comment(min(github.remarks))
        return real(request)

    github.answer = answer  # type: ignore[method-assign]
    assert published(job).err == "" and [item.body[:7] for item in github.remarks.values()] == [
        "✅ Fixed"
    ]


# what else may be gone, locked or moved


def test_a_comment_that_is_gone_is_written_anew(
    github: FakeGitHub, repository: Repository, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    people.pending()
    (sticky,) = github.comments
    job = ready(people, structured={"result": "rejected"})
    before(
        github,
        monkeypatch,
        "PATCH",
        f"/issues/comments/{sticky}",
        lambda: github.delete_comment(sticky),
    )
    assert published(job).code == 1
    assert [item.body.endswith(STICKY) for item in github.comments.values()] == [
        True
    ] and sticky not in github.comments


@pytest.mark.sampled
@pytest.mark.parametrize("status", [403, 404, 422])
def test_a_check_run_that_nobody_can_change_gets_a_new_one(
    status: int, github: FakeGitHub, people: People
) -> None:
    people.pending()
    (number,) = github.runs
    github.faults.append(Fault("PATCH", f"{CHECK}/{number}", status, FORBIDDEN, times=9))
    people.says("max", f"/helix approve {github.head(1)}")
    assert len(github.runs) == 2 and check(github).conclusion == "success" and not github.statuses


def test_a_locked_conversation_costs_no_check(
    github: FakeGitHub, broken: str, runner: Runner
) -> None:
    locked = {
        "message": "Unable to create comment because issue is locked.",
        "documentation_url": "https://docs.github.com/rest",
    }
    github.faults += [Fault("POST", path, 403, locked) for path in (REVIEW, COMMENT)]
    done = runner.run()
    assert (
        done.code == 1
        and check(github).conclusion == "failure"
        and done.err.count("issue is locked") == 2
    )


def test_a_repository_in_the_archive_is_exit_3(
    github: FakeGitHub, broken: str, runner: Runner
) -> None:
    archived = {
        "message": "Repository was archived so is read-only.",
        "documentation_url": "https://docs.github.com/rest",
    }
    github.faults += [
        Fault("POST", path, 403, archived, times=9) for path in (REVIEW, COMMENT, CHECK, STATUS)
    ]
    done = runner.run()
    assert (
        done.code == 3
        and "neither a check run nor a commit status could be written" in done.err
        and "Traceback" not in done.err
    )


@pytest.mark.parametrize(
    "path",
    [
        "/pulls/1/comments",
        "/issues/1/comments",
        "/pulls/1",
        "/commits/[0-9a-f]+/check-runs",
        "/pulls/1/reviews",
    ],
)
@pytest.mark.sampled
def test_a_page_of_a_proxy_is_no_list(path: str, github: FakeGitHub, runner: Runner) -> None:
    job = ready(runner, **UNSURE)
    github.faults.append(Fault("GET", f"{REPOSITORY}{path}", 200, PAGE))
    done = published(job)
    assert (
        done.code == 3
        and "is not the API of GitHub" in done.err
        and "Traceback" not in done.err
        and not github.runs
    )


@pytest.mark.further
def test_the_longest_comment_is_taken(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    people.pending()
    (sticky,) = github.comments.values()
    against = ",".join(
        f"{number + 10**9}:1767603600:{number + 10**8}:{'x' * 39}" for number in range(100)
    )
    github.edit_comment(
        sticky.id, sticky.body.replace(STICKY, f"<!-- helix:against={against} -->\n{STICKY}")
    )
    adrs = {
        f"docs/adr/{number + 100:04}-{'x' * 60}.md": f"# {number + 100}. Exchange orders\n"
        for number in range(250)
    }
    push_all(repository, adrs)
    assert people.run().err == ""
    body = github.comments[sticky.id].body
    assert 60_000 < len(body) <= 65_536 and body.count("x" * 39 + ",") == 99


@pytest.mark.further
def test_the_comment_is_found_behind_a_hundred_others(github: FakeGitHub, people: People) -> None:
    for number in range(130):
        github.comment(1, "bob", f"comment {number}")
    people.pending()
    for number in range(120):
        github.comment(1, "bob", f"later {number}")
    assert people.run(structured={"result": "rejected"}).code == 1
    assert sum(item.body.endswith(STICKY) for item in github.comments.values()) == 1


# h. and i. what is no ADR, and what was read


@pytest.mark.parametrize(
    "name", ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "Claude.local.md", "adr.instructions.md"]
)
def test_instructions_to_agents_are_no_adr(name: str, repository: Repository, run: Run) -> None:
    repository.stage(f"docs/adr/{name}", "# Be kind\n")
    repository.commit()
    found = json.loads(run("check", "--format", "json").out)
    assert f"docs/adr/{name}" not in [file["path"] for file in found["files"]] and found["passed"]
    repository.stage(".helix-hooks.yaml", "paths: [docs/adr/**]\n")
    assert f"docs/adr/{name}" not in run("check", "--format", "json").out
    repository.stage(".helix-hooks.yaml", f"paths: [docs/adr/*-*.md, docs/adr/{name}]\n")
    assert f"docs/adr/{name}" in run("check", "--format", "json").out, (
        "the settings name this very file"
    )


def test_changed_instructions_are_for_a_person(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    push(repository, "docs/adr/AGENTS.md", "# Be kind\n")
    done = runner.run()
    assert done.code == 4 and "docs/adr/AGENTS.md" in check(github).output["summary"]


def test_changed_instructions_alone_are_for_a_person_where_adrs_lie(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    """Attack by a hostile pull request: steer agents by instructions among the ADRs.
    Answer: they are no ADR, no judge sees them, and a person decides.
    """
    repository.git("checkout", "--quiet", "-b", "other", "main")
    push(repository, "docs/adr/AGENTS.md", "# Be kind\n")
    github.open_pull(2, head="other")
    assert runner.run(2).code == 4 and "docs/adr/AGENTS.md" in check(github).output["summary"]


def test_what_is_judged_is_not_said_to_be_unread(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    text = (repository.root / ADR).read_text()
    push(
        repository,
        ADR,
        text + "\nIt is done in [the client](../../src/orders/kafka.py), which is to be written.\n",
    )
    runner.run()
    page = check(github).output["summary"]
    print(page)
    assert ADR in page.partition("Judged: ")[2].partition("\n")[0]
    assert f"Not checked: referenced-file-missing in {ADR}: " in page.replace("\\", "")


# d. runs that wait for each other


def groups(text: str, event: str, run: int, number: int | None) -> tuple[str, bool]:
    """The group of a run and whether it ends another one, by the expressions of a workflow that stand for GitHub's."""
    found = yaml.safe_load(text)["concurrency"]
    pushes = re.findall(r"pull_request\w*", found["group"])
    last = number if event in pushes and number else run
    name = re.sub(
        r"\$\{\{ [^}]*github.run_id \}\}",
        str(last),
        found["group"].replace("${{ github.event_name }}", event),
    )
    ends = found["cancel-in-progress"]
    return name, ends if isinstance(ends, bool) else f"'{event}'" in ends


@pytest.mark.parametrize("where", ["init", "one job"])
def test_no_run_for_a_comment_waits_in_a_group(where: str) -> None:
    """Attack by a hostile pull request: have a vote lost among waiting runs, or counted twice after a lost answer.
    Answer: each run for a comment has its own group, which `doctor` checks; stored writes are looked up before they are sent again.
    Shown by: `test_no_run_for_a_comment_waits_in_a_group`, `test_a_post_is_carried_out_once`.
    """
    page = (ROOT / "docs/github.md").read_text(encoding="utf-8")
    own = workflow.text("https://github.com/acme/gate", "v1")
    text = (
        own
        if where == "init"
        else next(
            part for part in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "jobs:" in part
        )
    )
    events = [*yaml.safe_load(text)[True]]
    assert "issue_comment" in events and "pull_request_target" in events
    for event in events:
        first, second = groups(text, event, 1, 7), groups(text, event, 2, 7)
        is_push = event in ("pull_request", "pull_request_target")
        assert (first[0] == second[0]) is is_push, event
        assert first[1] is (event == "pull_request") or not is_push, (
            "a run that asks a judge is not ended: what it cost would not be counted"
        )
    assert (
        groups(text, "pull_request_target", 1, 7)[0]
        != groups(text, "pull_request_target", 1, 8)[0]
        != groups(text, "pull_request", 1, 8)[0]
    )


def test_the_gate_lets_no_command_wait() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/gate.yml").read_text(encoding="utf-8"))["jobs"]
    assert (
        "concurrency" not in jobs["people"]
        and jobs["publish"]["concurrency"]["cancel-in-progress"] is False
    )


@pytest.mark.parametrize(
    ("group", "count"),
    [("helix", 1), ('{group: "helix-${{ github.ref }}"}', 1), ('"x-${{ github.run_id }}"', 0)],
)
def test_doctor_says_where_a_vote_can_be_lost(group: str, count: int) -> None:
    text = f"on: [issue_comment]\nconcurrency: {group}\njobs: {{}}\n"
    assert (
        sum(
            line.check == "workflow-concurrency" and "a vote can be lost" in line.message
            for line in lines(text.encode(), {})
        )
        == count
    )


# e. the check and `/helix status`


def approved_by(people: People) -> None:
    people.run(**UNSURE)
    people.says("max", f"/helix approve {people.github.head(1)}")


def objected_to(people: People) -> None:
    people.run()
    people.says("max", "/helix reject not yet")


def too_late(people: People) -> None:
    policy(people.repository, "{deadlines: {uncertainty: 1h}}")
    people.run(**UNSURE)
    people.github.now += timedelta(hours=3)
    people.sweep()


def with_findings(people: People) -> None:
    push(people.repository, ADR, BROKEN)
    people.run()


def broken_settings(people: People) -> None:
    push(people.repository, ".helix-hooks.yaml", "pathes: x\n")
    people.run()


def with_another(people: People) -> None:
    people.repository.git("branch", "mild", "main")
    people.github.open_pull(2, base="mild")
    people.github.protected = ("mild",)
    people.run()


STORIES: dict[str, tuple[Callable[[People], Any], str]] = {
    "approved": (lambda people: people.run(), "success"),
    "refused": (lambda people: people.run(structured={"result": "needs_revision"}), "failure"),
    "unsure": (lambda people: people.run(**UNSURE), "action_required"),
    "no verdict": (lambda people: people.run(exit=137), "failure"),
    "no key": (lambda people: people.job().steps(), "action_required"),
    "findings": (with_findings, "failure"),
    "objected to": (objected_to, "failure"),
    "approved by a person": (approved_by, "success"),
    "too late": (too_late, "failure"),
    "broken settings": (broken_settings, "failure"),
    "another pull request": (with_another, "action_required"),
}


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.sampled
def test_the_status_says_what_the_check_says(name: str, github: FakeGitHub, people: People) -> None:
    play, conclusion = STORIES[name]
    play(people)
    run = check(github)
    assert run.conclusion == conclusion
    github.requests.clear()
    assert people.says("bob", "/helix status").code == 0
    state = run.output["title"].replace("\u200b", "")
    said = answers(github)[-1].replace("\u200b", "")
    assert state.casefold() in said.splitlines()[0].replace("\\", "").casefold(), (
        run.output["title"],
        said,
    )
    assert name != "another pull request" or "#2" in said.replace("\\", "")
    assert check(github) == run and not any("check-runs" in line for line in written(github)), (
        "asking changes nothing"
    )
