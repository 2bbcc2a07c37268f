"""What people say on a pull request, and what time does: commands, votes, deadlines, on the fake GitHub and with its clock."""

import json
import re
from typing import Any

import pytest

from helix_hooks.decision.run_record import read
from helix_hooks.pull.summary_comment import STICKY
from tests.conftest import Repository, Run
from tests.fakes.github.server import GRAPHQL, FakeGitHub, Fault, Token
from tests.fakes.runner import ADR, BROKEN, READER, WRITER, WRITES, Job
from tests.stories.pull_request.scene import (
    FORBIDDEN,
    ME,
    REPOSITORY,
    UNSURE,
    People,
    after,
    answers,
    base_has,
    check,
    main_has,
    policy,
    push,
    reactions,
    summary,
)


def test_a_person_decides_in_a_comment(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    head = people.pending()
    assert f"/helix approve {head}" in summary(github) and "maintain or admin" in summary(github)
    github.requests.clear()
    done = people.says("max", f"Looks fine.\n\n/helix approve {head} we talked about it")
    assert (done.code, check(github).conclusion, done.out) == (
        0,
        "success",
        "Approved by @\u200bmax\n",
    )
    assert reactions(github) == ["eyes", "rocket"] and not answers(github)
    (sticky,) = (item.body for item in github.comments.values() if item.author == ME)
    assert sticky.startswith("### ✅ Approved by") and f"max approved {head}" in sticky
    before = [seen.verb for seen in github.requests].index("PATCH")
    patched = [
        number
        for number, seen in enumerate(github.requests)
        if seen.verb == "PATCH" and "check-runs" in seen.path
    ]
    assert before < patched[0] < 12, [f"{seen.verb} {seen.path}" for seen in github.requests]
    later = push(
        repository,
        ADR,
        (repository.root / ADR).read_text() + "\nOne more sentence that nobody has looked at.\n",
    )
    assert people.run(**UNSURE).code == 4 and check(github).conclusion == "action_required"
    assert f"The approval of max: it was for {head}, but {later[:7]} was pushed later" in summary(
        github
    )


@pytest.mark.parametrize(
    ("by", "said", "reason"),
    [
        (
            "alice",
            "/helix approve HEAD",
            "deciding requires the role maintain or admin, but @alice has the role write",
        ),
        (
            "eve",
            "/helix approve HEAD",
            "deciding requires the role maintain or admin, but @eve has the role write",
        ),
        ("nobody", "/helix approve HEAD", "but @nobody has the role none"),
        ("max", "/helix approve", "the commit SHA is missing (expected the reviewed commit)"),
        (
            "max",
            "/helix approve looks good",
            "the commit SHA is missing (expected the reviewed commit)",
        ),
        ("max", "/helix approve abc", "the commit SHA is missing (expected the reviewed commit)"),
        ("max", "/helix approve 0123456", "it was for 0123456, but HEAD was pushed later"),
        (
            "max",
            "/helix approve HEAD for code",
            "unknown approval type 'code' (available: adr",
        ),
        (
            "eve",
            "/helix reject no",
            "deciding requires the role maintain or admin, but @eve has the role write",
        ),
        ("eve", "/helix rewiew", "unknown command 'rewiew' (available: approve, reject"),
        (
            "tim",
            "/helix review",
            "another run requires the role write or maintain or admin; @tim has the role triage",
        ),
        ("max", "/helix review code", "there is no approval type 'code' here; there are adr"),
        (
            "max",
            "/helix override 0123456 HEAD it is fine",
            "0123456 is not a finding of this commit",
        ),
        ("max", "/helix explain nothing-such", "there is no built-in rule or brief 'nothing-such'"),
    ],
)
@pytest.mark.sampled
def test_what_does_not_count_is_answered_with_the_reason(
    by: str, said: str, reason: str, github: FakeGitHub, people: People
) -> None:
    github.people["tim"] = "triage"
    head = people.pending()
    assert people.says(by, said.replace("HEAD", head)).code == 0
    (told,) = answers(github)
    plain = told.replace("\u200b", "").replace("\\", "")
    assert reason.replace("HEAD", head) in plain and "was not carried out" in plain
    assert ("\n/helix " in plain) == ("has the role" not in reason), (
        "a line is offered to those for whom it would count"
    )
    assert check(github).conclusion == "action_required" and reactions(github) == [
        "eyes",
        "confused",
    ]
    assert people.last.outputs["again"] == "no"


def test_the_author_who_may_decide_does_not_decide_this(github: FakeGitHub, people: People) -> None:
    github.people["alice"] = "admin"
    head = people.pending()
    people.says("alice", f"/helix approve {head}")
    assert (
        "authors cannot approve their own pull request" in answers(github)[0]
        and check(github).conclusion == "action_required"
    )


@pytest.mark.further
def test_a_sole_maintainer_is_named_by_the_policy(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    github.people["alice"] = "admin"
    policy(repository, "{sole_maintainer: alice}")
    head = people.pending()
    people.says("alice", f"/helix approve {head}")
    assert check(github).conclusion == "success" and "allowed by policy.sole_maintainer" in summary(
        github
    ).replace("\\", "")


@pytest.mark.parametrize(
    "text",
    ["`/helix approve HEAD`", "```\n/helix approve HEAD\n```", "> /helix approve HEAD", "    /helix approve HEAD", "<!-- /helix approve HEAD -->",
     "please /helix approve HEAD", "no command at all", "~~/helix approve HEAD~~"],
)  # fmt: skip
@pytest.mark.sampled
def test_what_is_no_command_is_not_even_looked_at(
    text: str, github: FakeGitHub, people: People
) -> None:
    head = people.pending()
    github.requests.clear()
    done = people.says("max", text.replace("HEAD", head))
    assert done.code == 0 and not github.requests
    assert people.run(**UNSURE).code == 4


def test_a_bot_and_our_own_words_are_not_heard(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    github.people["helper[bot]"] = "admin"
    github.requests.clear()
    assert people.says("helper[bot]", f"/helix approve {head}").code == 0 and not github.requests
    assert people.run(**UNSURE).code == 4


def test_a_comment_that_becomes_an_approval_by_an_edit_is_none(
    github: FakeGitHub, people: People
) -> None:
    """Attack by a hostile pull request: make another comment an approval by editing it, also within the second in which it was written.
    Answer: GitHub's GraphQL says whether it was edited; where it does not answer, nothing is approved.
    Shown by: `test_a_comment_that_becomes_an_approval_by_an_edit_is_none`, `tests/stories/pull_request/test_edited_comments.py`.
    """
    head = people.pending()
    comment = github.comment(1, "max", "nice work")
    github.edit_comment(comment, f"/helix approve {head}")
    assert people.told(comment, "edited", sender="max", before="nice work").code == 0
    assert people.run(**UNSURE).code == 4 and "edited comments do not count" in summary(github)


def test_a_vote_that_somebody_else_edits_is_told(github: FakeGitHub, people: People) -> None:
    """Attack by a hostile pull request: edit or delete another person's vote.
    Answer: an approval no longer counts, an objection stays, and the check names the voter.
    Shown by: `test_a_vote_that_somebody_else_edits_is_told`, `test_an_objection_can_not_be_deleted_away`.
    """
    head = people.pending()
    text = f"/helix approve {head}"
    comment = github.comment(1, "max", text)
    people.told(comment)
    assert check(github).conclusion == "success"
    github.edit_comment(comment, "never mind")
    people.told(comment, "edited", sender="eve", before=text)
    assert check(
        github
    ).conclusion == "failure" and "eve edited or deleted a vote of @max" in summary(github).replace(
        "\u200b", ""
    )
    people.says("max", text)
    assert check(github).conclusion == "success"


def test_an_objection_can_not_be_deleted_away(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    comment = github.comment(1, "anna", "/helix reject the way back is missing")
    people.told(comment)
    assert check(github).conclusion == "failure" and "the way back is missing" in summary(github)
    github.delete_comment(comment)
    people.says("max", f"/helix approve {head}")
    assert check(github).conclusion == "failure" and "anna asks for changes" in summary(
        github
    ).replace("\u200b", "")
    people.says("anna", f"/helix approve {head}")
    assert check(github).conclusion == "success"


def test_an_objection_holds_over_a_push(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    people.pending()
    people.says("anna", "/helix reject the way back is missing")
    push(repository, ADR, (repository.root / ADR).read_text() + "\nA sentence more.\n")
    assert people.run().code == 1 and "the way back is missing" in summary(github)


def test_who_may_ask_for_another_run(github: FakeGitHub, people: People) -> None:
    people.pending()
    people.says("eve", "/helix review")
    assert (people.last.outputs["again"], people.last.outputs["fresh"]) == (
        "yes",
        "",
    ) and reactions(github)[-1] == "rocket"
    people.says("eve", "/Helix Rerun adr")
    assert (people.last.outputs["again"], people.last.outputs["fresh"]) == ("yes", "adr")


@pytest.mark.further
def test_a_maintainer_brings_the_judge_to_a_fork(github: FakeGitHub, people: People) -> None:
    github.close_pull(1)
    github.open_pull(2, author="mallory", from_fork=True)
    assert people.run(2).code == 4 and "/helix review" in summary(github)
    people.says("mallory", "/helix review", 2)
    assert people.last.outputs["again"] == "no"
    people.says("max", "/helix review", 2)
    assert people.last.outputs["again"] == "yes"
    job = people.last
    assert (
        job.step("snapshot", GITHUB_TOKEN=READER, HELIX_ANEW=job.outputs["asked"]).code == 0
        and job.step("check").code == 0
    )
    assert (
        job.step("judge", **people.judge()).code == 0
        and job.step("publish", GITHUB_TOKEN=WRITER).code == 0
    )
    assert check(github).conclusion == "success"


def test_questions_are_answered_once(github: FakeGitHub, people: People) -> None:
    people.pending()
    comment = github.comment(
        1,
        "bob",
        "/helix help\n/helix explain section-missing\n/helix explain migration\n/helix status",
    )
    people.told(comment)
    people.told(comment)
    (told,) = answers(github)
    assert (
        "`/helix approve SHA [for TYPE] [REASON]`" in told
        and "section-missing" in told
        and "no rollback is possible" in told
        and "Waiting for a maintainer" in told
    )
    assert check(github).conclusion == "action_required"


def test_an_issue_is_no_pull_request(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    head = people.pending()
    comment = github.comment(1, "max", f"/helix approve {head}")
    job = Job.of_comment(github, repository, people.folder / "issue", comment)
    event = json.loads((job.folder / "event.json").read_text())
    del event["issue"]["pull_request"]
    (job.folder / "event.json").write_text(json.dumps(event))
    github.requests.clear()
    assert job.step("command", GITHUB_TOKEN=WRITER).code == 0 and not github.requests


@pytest.mark.further
def test_a_vote_before_the_first_run_counts_when_it_is_there(
    github: FakeGitHub, people: People
) -> None:
    head = github.head(1)
    people.says("max", f"/helix approve {head[:7]}")
    assert (
        f"No run for {head[:7]} has finished yet" in answers(github)[0]
        and f"the full SHA {head}" in answers(github)[0]
    )
    assert people.run(**UNSURE).code == 4 and "was given before this commit" in summary(github)
    people.says("max", f"/helix approve {head}")
    assert check(github).conclusion == "success"


@pytest.mark.further
def test_a_whole_name_counts_before_the_first_run(github: FakeGitHub, people: People) -> None:
    people.says("max", f"/helix approve {github.head(1)}")
    assert people.run(**UNSURE).code == 0


@pytest.mark.further
def test_settings_that_changed_since_are_looked_at_first(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    head = people.pending()
    repository.git("checkout", "--quiet", "main")
    push(repository, "config/approvals.yaml", "policy: {minimum_approvals: 2}\n")
    people.says("max", f"/helix approve {head}")
    assert (
        people.last.outputs["again"] == "yes"
        and "settings of the base have changed" in answers(github)[0]
    )
    assert check(github).conclusion == "action_required"
    assert people.run(**UNSURE).code == 4 and "1 of 2 approvals" in summary(github)


@pytest.mark.further
def test_settings_behind_a_link_that_changed_since_are_looked_at_first(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    one = "policy: {minimum_approvals: 1}\n"
    base_has(
        repository,
        {"gate/approvals.yaml": one},
        {"config/approvals.yaml": "../gate/approvals.yaml"},
    )
    head = people.pending()
    repository.git("checkout", "--quiet", "main")
    push(repository, "gate/approvals.yaml", one.replace("1", "2"))
    people.says("max", f"/helix approve {head}")
    assert (
        people.last.outputs["again"] == "yes"
        and "settings of the base have changed" in answers(github)[0]
    )
    assert people.run(**UNSURE).code == 4 and "1 of 2 approvals" in summary(github)


@pytest.mark.further
def test_two_people_and_their_types(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{minimum_approvals: 2}")
    head = people.pending()
    people.says("max", f"/helix approve {head} for adr")
    assert "1 of 2 approvals" in summary(github) and check(github).conclusion == "action_required"
    people.says("max", f"/helix approve {head}")
    assert check(github).conclusion == "action_required", "one person is one person"
    people.says("anna", f"/helix approve {head}")
    assert check(github).conclusion == "success"


def test_a_finding_is_overridden_by_name(
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
    refusing: dict[str, Any] = {"structured": {"result": "needs_revision", "findings": [finding]}}
    assert people.run(**refusing).code == 1
    head = github.head(1)[:7]
    people.says("max", f"/helix approve {head}")
    assert check(github).conclusion == "failure", "what is rejected is not approved away"
    (sticky,) = (
        item.body for item in github.comments.values() if item.body.rstrip().endswith(STICKY)
    )
    (line,) = re.findall(r"^/helix override .*$", sticky, re.MULTILINE)
    people.says("max", line.replace("REASON", "the old system stays until spring"))
    assert check(github).conclusion == "success", "his approval still stands"
    assert "overridden by max: the old system stays until spring" in summary(github)
    push(
        repository,
        ADR,
        (repository.root / ADR).read_text().replace("Three services", "Three of the services"),
    )
    assert people.run(**refusing).code == 1, "a push knows nothing of it"


def test_what_the_policy_does_not_name_is_not_overridden(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{overrides: [migration]}")
    push(repository, ADR, BROKEN)
    assert people.run().code == 1
    found = read(check(github).output["text"])
    assert found
    people.says(
        "max",
        f"/helix override {found.rule_findings[0].fingerprint[:8]} {github.head(1)[:7]} we know",
    )
    assert (
        "policy.overrides does not list 'section-missing'" in answers(github)[0]
        and check(github).conclusion == "failure"
    )


@pytest.mark.further
def test_an_approval_may_hold_for_the_same_content(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{approvals_hold_for: content}")
    head = people.pending()
    people.says("max", f"/helix approve {head}")
    push(repository, "src/other.py", "print('not watched')\n")
    assert people.run(**UNSURE).code == 0 and f"max approved {head}" in summary(github)
    push(repository, ADR, (repository.root / ADR).read_text() + "\nOne more sentence.\n")
    assert people.run(**UNSURE).code == 4 and "was pushed later" in summary(github)


@pytest.mark.further
def test_a_team_decides_where_the_token_can_read_it(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    github.teams["acme/architects"] = ("eve",)
    policy(repository, "{approvers: {teams: [acme/architects]}}")
    head = people.pending()
    people.says("eve", f"/helix approve {head}")
    assert "is in acme/architects can't be read with this token" in answers(github)[0]
    github.tokens[WRITER] = Token(ME, {**WRITES, "members": "read"})
    people.says("max", f"/helix approve {head}")
    assert "deciding requires a member of acme/architects" in answers(github)[1]
    assert check(github).conclusion == "success" and f"eve approved {head}" in summary(github), (
        "she had said so"
    )


@pytest.mark.further
def test_a_role_of_the_organisation_is_what_it_is_built_on(
    github: FakeGitHub, people: People
) -> None:
    """GitHub says of one that is built on maintain that it may write, as its API always did."""
    github.roles["architect"] = "maintain"
    github.people["rosa"] = "architect"
    head = people.pending()
    people.says("rosa", f"/helix approve {head}")
    assert (
        "rosa has the role write" in answers(github)[0]
        and check(github).conclusion == "action_required"
    )
    people.says("rosa", "/helix review")
    assert people.last.outputs["again"] == "yes"


def test_a_review_is_heard_by_its_own_event(github: FakeGitHub, people: People) -> None:
    people.pending()
    github.review(1, "max")
    assert people.job(event="pull_request_review").step("command", GITHUB_TOKEN=WRITER).code == 0
    assert check(github).conclusion == "success"
    github.review(1, "anna", "CHANGES_REQUESTED", body="wait")
    people.job(event="pull_request_review").step("command", GITHUB_TOKEN=WRITER)
    assert check(github).conclusion == "failure"


def test_a_vote_on_the_second_page_counts(github: FakeGitHub, people: People) -> None:
    """GitHub lists 100 comments at a time."""
    head = people.pending()
    for number in range(130):
        github.comment(1, "eve", f"A thought, number {number}.")
    people.says("max", f"/helix approve {head}")
    assert check(github).conclusion == "success"


def test_two_people_at_the_same_moment(
    github: FakeGitHub, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run that read less writes last, and looks once more."""
    head = people.pending()
    real, late = github.answer, iter(["/helix reject wait"])

    def answer(request: Any) -> Any:
        if request.verb == "PATCH" and "check-runs" in request.path and (body := next(late, "")):
            github.comment(1, "anna", body)
        return real(request)

    monkeypatch.setattr(github, "answer", answer)
    people.says("max", f"/helix approve {head}")
    assert check(github).conclusion == "failure" and "wait" in summary(github)


def test_a_forged_record_of_another_app_is_none(github: FakeGitHub, people: People) -> None:
    """Attack by a hostile pull request: leave a record on a check run of one's own.
    Answer: only that of the App that writes ours counts, for its own commit.
    """
    head = people.pending()
    github.tokens["ghs_other"] = Token("other[bot]", WRITES)
    run = check(github)
    body = {
        "name": "helix",
        "head_sha": run.sha,
        "status": "completed",
        "conclusion": "success",
        "external_id": "helix1:1:approved|0",
        "output": run.output,
    }
    job = people.job()
    import urllib.request

    request = urllib.request.Request(
        f"{github.url}{REPOSITORY}/check-runs",
        json.dumps(body).encode(),
        {"Authorization": "token ghs_other"},
        method="POST",
    )
    assert urllib.request.urlopen(request).status == 201 and job
    people.says("max", f"/helix approve {head}")
    assert check(github).author == "other[bot]" and check(github).conclusion == "success", (
        "which is not ours to change"
    )
    assert github.runs[run.id].conclusion == "success", "and ours is the one that counts"


def test_github_is_down_for_a_command(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    github.faults += [Fault("GET", ".*", 503, {"message": "x"}, times=100)]
    done = people.says("max", f"/helix approve {head}")
    assert (
        done.code == 3
        and done.err.count("\n") == 1
        and check(github).conclusion == "action_required"
    )


def test_what_may_not_be_written_is_said_in_the_log(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    github.faults += [Fault("POST", f"{REPOSITORY}/issues/.*", 403, FORBIDDEN, times=9)]
    done = people.says("eve", f"/helix approve {head}")
    assert done.code == 0 and "the answer could not be written: GitHub answered 403" in done.err


@pytest.mark.further
def test_an_audit_computes_it_again(
    github: FakeGitHub,
    repository: Repository,
    people: People,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only with a token that reads, and only from GitHub."""
    for name, value in (
        ("GITHUB_TOKEN", READER),
        ("GITHUB_API_URL", github.url),
        ("GITHUB_REPOSITORY", "acme/decisions"),
    ):
        monkeypatch.setenv(name, value)
    nothing = run("audit", "1")
    assert nothing.code == 1 and "no run of the gate has recorded a result" in nothing.out
    policy(repository, "{autonomy: milestone, minimum_approvals: 2}")
    head = people.pending()
    for by, text in (
        ("alice", f"approve {head}"),
        ("max", f"approve {head} for adr"),
        ("anna", f"approve {head} as discussed"),
    ):
        people.says(by, f"/helix {text}")
    github.requests.clear()
    shown = run("audit", "1")
    assert shown.code == 0 and {seen.verb for seen in github.requests if seen.path != GRAPHQL} == {
        "GET"
    }
    assert "decision  approved" in shown.out and "which agrees with this data" in shown.out
    assert "autonomy milestone, 2 of: the role maintain or admin" in shown.out
    assert re.search(rf"vote .* UTC  anna  approve {head}: as discussed  \[counts\]", shown.out)
    assert re.search(
        rf"vote .* UTC  alice  approve {head}  \[deciding requires the role", shown.out
    )
    told = json.loads(run("audit", "1", "--format", "json").out)
    assert (
        [vote["counts"] for vote in told["votes"]] == [False, True, True]
        and told["state"] == "approved"
        and told["agrees"]
    )
    assert told["verdicts"][0]["files"].keys() == {ADR} and len(told["policy"]["settings"]) == 64
    forged = check(github)
    github.runs[forged.id] = forged._replace(conclusion="failure")
    assert (
        run("audit", "1").code == 1
        and "which does NOT agree with this data" in run("audit", "1").out
    )
    assert run("audit", "x").code == 2 and run("audit", "99").code == 3


# Time


def test_a_deadline_blocks_and_only_another_run_asks_anew(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{deadlines: {uncertainty: 24h}}")
    head = people.pending()
    assert re.search(
        r"decides about commit `\w{7}`, until .*\d\d:\d\d UTC\. Approve in a review, or comment",
        summary(github),
    )
    after(github, 23)
    people.sweep()
    assert check(github).conclusion == "action_required"
    after(github, 2)
    assert "#1: Deadline passed" in people.sweep().out
    assert check(
        github
    ).conclusion == "failure" and "nobody decided before the deadline" in summary(github)
    people.says("max", f"/helix approve {head}")
    assert (
        "it came after the deadline" in answers(github)[-1]
        and check(github).conclusion == "failure"
    )
    people.says("max", "/helix review")
    job = people.last
    job.step("snapshot", GITHUB_TOKEN=READER, HELIX_ANEW=job.outputs["asked"])
    job.step("check")
    job.step("judge", **people.judge(**UNSURE))
    assert job.step("publish", GITHUB_TOKEN=WRITER).code == 0, (
        "the question is open again, and max has looked at this very commit"
    )


@pytest.mark.further
def test_an_escalation_calls_once_and_then_blocks(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    github.teams["acme/board"] = ("anna",)
    policy(
        repository,
        "{deadlines: {uncertainty: 1h}, on_expiry: {action: escalate, escalate_to: [anna, acme/board]}}",
    )
    people.pending()
    after(github, 1)
    people.sweep()
    calls = [
        item.body for item in github.comments.values() if "Its deadline has passed" in item.body
    ]
    assert len(calls) == 1 and calls[0].startswith("@anna @acme/board: ")
    assert (
        github.asked[1] == ["anna", "board"]
        and github.assigned[1] == ["anna"]
        and check(github).conclusion == "action_required"
    )
    after(github, 1)
    people.sweep()
    people.run(**UNSURE)
    assert sum("Its deadline has passed" in item.body for item in github.comments.values()) == 1
    after(github, 24)
    people.sweep()
    assert check(
        github
    ).conclusion == "failure" and "nobody decided before the deadline" in summary(github)


def test_silence_approves_what_the_policy_lets_it_and_nothing_critical(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    text = "{autonomy: full_control, deadlines: {critical: 1h, routine: 1h, uncertainty: 1h}, on_expiry: {action: auto_approve}}"
    main_has(
        repository,
        "config/approvals.yaml",
        f"approvals: {{adr: {{action: pr_merge}}}}\npolicy: {text}\n",
    )
    assert people.run().code == 4 and "a merge needs a maintainer here" in summary(github)
    after(github, 1)
    people.sweep()
    assert check(
        github
    ).conclusion == "success" and "nobody objected before the deadline" in summary(github)


def test_silence_approves_nothing_critical(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """Attack by a hostile pull request: wait until a deadline approves.
    Answer: nothing critical, uncertain or unseen is ever approved by time.
    """
    policy(
        repository,
        "{autonomy: autonomous, deadlines: {critical: 1h}, on_expiry: {action: auto_approve}}",
    )
    assert people.run().code == 4
    after(github, 1)
    people.sweep()
    assert check(
        github
    ).conclusion == "failure" and "nobody decided before the deadline" in summary(github)


@pytest.mark.further
def test_a_sweep_asks_little_of_what_is_not_due(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{deadlines: {uncertainty: 24h}}")
    people.pending()
    for number in range(2, 13):
        repository.git("branch", f"b{number}", "main")
        github.open_pull(number, head=f"b{number}")
    people.sweep()  # which sees what the run itself has written behind its reading
    github.requests.clear()
    people.sweep()
    assert len(github.requests) == 1 + 12 + 1, "the list, each pull request, and the files of main"
    assert {seen.verb for seen in github.requests} == {"GET"}
    after(github, 25)
    github.requests.clear()
    people.sweep()
    assert len(github.requests) <= 1 + 12 + 1 + 12 and check(github).conclusion == "failure"
    people.sweep()
    github.requests.clear()
    people.sweep()
    assert len(github.requests) == 1 + 12 + 1, "what is blocked is looked at once"


def test_a_sweep_counts_a_review_that_set_off_no_run(github: FakeGitHub, people: People) -> None:
    people.pending()
    after(github, 1)
    github.review(1, "max")
    people.sweep()
    assert check(github).conclusion == "success"


def test_a_closed_pull_request_is_left_alone(github: FakeGitHub, people: People) -> None:
    head = people.pending()
    github.close_pull(1)
    people.says("max", f"/helix review\n/helix approve {head}")
    assert (
        "the pull request is closed" in answers(github)[0] and people.last.outputs["again"] == "no"
    )
    assert check(github).conclusion == "action_required"


@pytest.mark.further
def test_an_objection_is_remembered_where_there_is_enough_to_mend_without_it(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    good = (repository.root / ADR).read_text()
    push(repository, ADR, BROKEN)
    people.run()
    comment = github.comment(1, "max", "/helix reject the owner is missing too")
    people.told(comment)
    github.delete_comment(comment)
    push(repository, ADR, good)
    assert people.job(before=github.runs[max(github.runs)].sha).steps(
        people.judge()
    ).code == 1 and "max asks for changes" in summary(github)


@pytest.mark.further
def test_a_sweep_goes_on_behind_one_that_fails(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{deadlines: {uncertainty: 1h}}")
    people.pending()
    repository.git("branch", "other", "main")
    github.open_pull(2, head="other")
    after(github, 2)
    sha = repository.git("rev-parse", "other").stdout.strip()
    github.faults += [
        Fault("GET", f"{REPOSITORY}/commits/{sha}/check-runs", 500, {"message": "x"}, times=9)
    ]
    done = people.sweep()
    assert (
        done.code == 3
        and "#2: GitHub failed repeatedly" in done.err
        and check(github).conclusion == "failure"
    )


def test_a_draft_has_no_deadline(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(repository, "{deadlines: {expertise: 1h}}")
    github.pulls[1] = github.pulls[1]._replace(draft=True)
    assert people.run().code == 4
    after(github, 5)
    people.sweep()
    assert check(github).conclusion == "action_required"
