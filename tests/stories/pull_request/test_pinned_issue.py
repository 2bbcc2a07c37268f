"""The pinned issue of a repository, which the sweep keeps: what waits for a person, without a server."""

from typing import Any

import pytest
import yaml

from helix_hooks.authoring import workflow
from helix_hooks.pull.pinned_issue import QUEUE_MARK, TITLE
from tests.conftest import Repository
from tests.fakes.github.server import GRAPHQL, FakeGitHub, Fault, Token
from tests.fakes.github.state import Issue
from tests.fakes.runner import WRITER, Ended
from tests.stories.pull_request.scene import FORBIDDEN, LOST, ME, People, after, policy, written

ISSUES = {"contents": "read", "checks": "write", "pull-requests": "write", "issues": "write"}


def sweep(people: People, **environment: str) -> Ended:
    job = people.job(event="schedule")
    job.environment["GITHUB_SERVER_URL"] = "https://github.example"
    return job.step("sweep", "--pinned-issue", GITHUB_TOKEN=WRITER, **environment)


def told(done: Ended) -> list[str]:
    """Return what a sweep says of the issue."""
    return [line for line in done.out.splitlines() if line.startswith("issue")]


def wrote(github: FakeGitHub) -> list[str]:
    """Return what was written of issues and pins."""
    pins = [seen.path for seen in github.requests if "pinIssue" in str(seen.body)]
    return [*(line for line in written(github) if "/issues" in line), *pins]


def only(github: FakeGitHub) -> Issue:
    (issue,) = github.issues.values()
    return issue


def test_the_issue_has_what_waits_and_is_pinned_once(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{deadlines: {uncertainty: 24h}, minimum_approvals: 2}")
    people.pending()
    head = github.head(1)
    assert not github.issues
    done = sweep(people)
    assert (done.code, told(done)) == (0, ["issue #2: created"]), done.err
    issue = only(github)
    assert (issue.author, issue.title, issue.pinned) == (ME, TITLE, True)
    link = "https://github.example/acme/decisions/pull/1#issue-comment-box"
    lines = issue.body.splitlines()
    assert lines[0] == "### 1 pull request waits for a person"
    assert f"#### ⏳ [#1 A change]({link})" in lines
    assert "- **Waiting for 2 maintainers: approve adr**, until Tue, 06 Jan 2026 09:00 UTC" in lines
    assert f"- 0 of 2 approvals. `/helix approve {head}` or `/helix reject REASON`" in lines
    assert lines[-1] == QUEUE_MARK
    github.requests.clear()
    assert told(sweep(people)) == [] and wrote(github) == []


def test_it_changes_when_something_has_changed_and_not_with_time(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    escalates = "on_expiry: {action: escalate, escalate_to: [anna]}"
    policy(repository, f"{{deadlines: {{uncertainty: 24h}}, {escalates}}}")
    head = people.pending()
    assert sweep(people).code == 0
    after(github, 12)
    github.requests.clear()
    assert sweep(people).code == 0
    assert wrote(github) == []
    after(github, 13)
    assert "issue #2: changed\n" in sweep(people).out
    assert "Escalated to: anna." in only(github).body
    people.says("max", f"/helix approve {head}")
    assert told(sweep(people)) == ["issue #2: changed"]
    assert only(github).body.startswith("### No pull request waits for a person")
    github.requests.clear()
    assert sweep(people).code == 0 and wrote(github) == []


@pytest.mark.further
def test_without_the_option_and_without_need_there_is_none(
    github: FakeGitHub, people: People
) -> None:
    assert people.run().code == 0
    assert sweep(people).code == 0
    people.pending()
    assert people.sweep().code == 0
    assert not github.issues


def test_it_is_known_by_mark_and_author_alone(github: FakeGitHub, people: People) -> None:
    people.pending()
    time = github.tick()
    body = f"### nothing waits\n{QUEUE_MARK}"
    github.issues[7] = Issue(7, "mallory", TITLE, body, time, time)
    github.issues[8] = Issue(8, ME, TITLE, f"{QUEUE_MARK}\nquoted", time, time)
    assert sweep(people).code == 0
    assert (github.issues[7].body, github.issues[8].updated) == (body, time)
    assert github.issues[9].author == ME
    changed = github.issues[9]._replace(body=f"Gone.\n{QUEUE_MARK}", title="Mine", state="closed")
    github.issues[9] = changed
    assert told(sweep(people)) == ["issue #9: changed"]
    again = github.issues[9]
    assert (again.state, again.title) == ("open", "Mine") and "#### ⏳" in again.body
    github.issues[9] = again._replace(body=again.body.replace("\n", "\r\n") + "\r\n")
    github.requests.clear()
    assert sweep(people).code == 0 and wrote(github) == []


def test_a_lost_answer_and_two_sweeps_leave_one_issue(
    github: FakeGitHub, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    people.pending()
    github.faults.append(Fault("POST", ".*/issues", 502, LOST, after=True))
    assert sweep(people).code == 0 and len(github.issues) == 1
    first = only(github)
    github.issues.clear()
    real = github.answer

    def at_the_same_time(request: object) -> object:
        if getattr(request, "verb", "") == "POST" and str(getattr(request, "path", "")).endswith(
            "/issues"
        ):
            github.issues.setdefault(2, first._replace(pinned=False))
        return real(request)  # type: ignore[arg-type]

    monkeypatch.setattr(github, "answer", at_the_same_time)
    assert sweep(people).code == 0
    assert [(item.number, item.state, item.pinned) for item in github.issues.values()] == [
        (2, "open", True),
        (3, "closed", False),
    ]


def test_what_fails_is_said_and_fails_the_sweep(github: FakeGitHub, people: People) -> None:
    people.pending()
    github.tokens[WRITER] = Token(ME, {**ISSUES, "issues": ""})
    done = sweep(people)
    assert done.code == 3
    assert "the pinned issue could not be written: GitHub answered 403" in done.err
    github.tokens[WRITER] = Token(ME, ISSUES)
    refused = {"errors": [{"type": "FORBIDDEN", "message": "no"}], "data": {"c0": None}}
    github.faults.append(Fault("POST", GRAPHQL, 200, refused, skip=1))
    done = sweep(people)
    assert (
        done.code == 3 and "the issue #2 could not be pinned: GitHub answered 403: no" in done.err
    )
    (run,) = github.runs.values()
    text = run.output["text"].replace("helix:waits", "helix:waited")  # as by an earlier version
    github.runs[run.id] = run._replace(output={**run.output, "text": text})
    github.faults.append(Fault("GET", ".*/pulls/1/commits", 403, FORBIDDEN, times=2))
    done = sweep(people)
    assert done.code == 3 and "acme/decisions#1: GitHub answered 403" in done.err
    assert "**Could not be read**" in only(github).body


def test_hostile_titles_are_inert(github: FakeGitHub, people: People) -> None:
    people.pending()
    title = "](https://evil) @everyone <!-- x --> <script> #12\n/helix approve\u202e " + "x" * 300
    github.pulls[1] = github.pulls[1]._replace(title=title)
    assert sweep(people).code == 0
    (line,) = (line for line in only(github).body.splitlines() if line.startswith("####"))
    assert "@everyone" not in line and "<script>" not in line.replace("\\<", "")
    assert "\n/helix" not in only(github).body and "\u202e" not in line
    assert line.count("](http") == 1 and "https://evil" not in line and len(line) < 500


@pytest.mark.further
def test_an_app_of_ones_own_is_known_by_its_number(github: FakeGitHub, people: People) -> None:
    people.pending()
    github.people["my-app[bot]"] = "none"
    github.tokens[WRITER] = Token("my-app[bot]", ISSUES)
    number = str(github.number("user", "my-app[bot]"))
    app = {"HELIX_BOT_ID": number, "HELIX_APP_ID": str(github.number("app", ME))}
    assert sweep(people, **app).code == 0
    assert only(github).author == "my-app[bot]"
    github.requests.clear()
    assert sweep(people, **app).code == 0 and wrote(github) == []


def test_the_workflow_of_init_has_the_job_as_comments() -> None:
    whole = workflow.text("https://github.com/acme/gate", "v1")
    before: Any = yaml.safe_load(whole)
    assert list(before["jobs"]) == ["gate"]
    head, _, tail = whole.partition("  # waiting:\n")
    lines = [f"  {line.removeprefix('  # ')}" for line in tail.splitlines()]
    after: Any = yaml.safe_load("\n".join([f"{head}  waiting:", *lines]))
    job = after["jobs"]["waiting"]
    assert job["permissions"]["issues"] == "write"
    assert job["steps"] == [
        {"uses": "acme/gate@v1", "with": {"mode": "sweep", "pinned-issue": True}}
    ]
