"""Pull requests waiting for a person, as entries of the queue: what is asked, by whom, and at what cost of requests."""

import re

import pytest

from helix_hooks.errors import UsageError
from helix_hooks.pull import pull_list
from helix_hooks.queue.pull_detail import CHANGED, detail
from helix_hooks.queue.pulls import entries, of_owner
from helix_hooks.waiting.entry import ESCALATED, EXPIRED, FAILED, WAITING, QueueEntry, Viewer
from helix_hooks.waiting.right import is_turn
from tests.conftest import Repository
from tests.fakes.github.server import GRAPHQL, FakeGitHub, Fault, Token
from tests.stories.pull_request.crowd import HEADS, crowd
from tests.stories.pull_request.scene import FAILS, People, after, policy, push

MAX = "ghp_max000000000000000"
NAME = "acme/decisions"
READS = {"contents": "read", "pull-requests": "read", "checks": "read", "issues": "read"}


@pytest.fixture
def environment(github: FakeGitHub) -> dict[str, str]:
    """What a maintainer's shell has."""
    github.tokens[MAX] = Token("max", READS)
    return {
        "GITHUB_TOKEN": MAX,
        "GITHUB_API_URL": github.url,
        "GITHUB_SERVER_URL": "https://github.example",
        "HELIX_GITHUB_PAUSE": "0",
    }


def only(environment: dict[str, str]) -> QueueEntry:
    found, partial = entries([NAME], environment)
    assert len(found) == 1 and not partial, partial
    return found[0]


def requests(github: FakeGitHub) -> list[str]:
    """Return the requests so far, and forget them."""
    found = [f"{seen.status} {seen.path.rpartition('/')[2]}" for seen in github.requests]
    github.requests.clear()
    return found


def test_an_entry_says_who_must_decide_what_and_how(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    policy(repository, "{deadlines: {uncertainty: 24h}}")
    people.pending()
    head = github.head(1)
    entry = only(environment)
    assert entry.id == "acme/decisions#1" and entry.source == "pull_request"
    assert (entry.title, entry.category, entry.state) == ("A change", "uncertainty", WAITING)
    assert entry.turn == "Waiting for a maintainer: approve adr"
    assert (entry.asked_by, entry.head, entry.action) == ("alice", head, "")
    assert entry.ways_on == (f"/helix approve {head}", "/helix reject REASON")
    assert entry.url == "https://github.example/acme/decisions/pull/1#issue-comment-box"
    assert entry.due_at - entry.asked_at == 24 * 3600
    assert entry.deciders.roles == ("maintain", "admin") and entry.excluded == ("alice",)
    assert (entry.approvals, entry.minimum) == (0, 1)
    assert entry.recommendation.answer == "approve" and entry.recommendation.confidence == 0.5
    assert "docs/adr/0007-kafka.md" in entry.files and entry.impact


def test_what_does_not_wait_is_not_there(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    assert entries([NAME], environment) == ((), ())  # the gate has not run
    assert people.run().code == 0
    assert entries([NAME], environment) == ((), ())


def test_the_list_is_that_of_the_last_run_and_an_opened_entry_that_of_now(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    head = people.pending()
    entry = only(environment)
    github.comment(1, "max", f"/helix approve {head}")
    answered = only(environment)
    assert answered.answered == ("max",) and answered.turn == entry.turn
    assert answered.reasons[-1] == "the gate has not counted the answer of @max yet"
    assert detail(entry, environment).left_out == (CHANGED,), "it waits for nobody now"
    (comment,) = (item.id for item in github.comments.values() if item.author == "max")
    github.edit_comment(comment, "/helix approve", within_the_second=False)
    assert detail(entry, environment).entry.invalidated == (
        "the approval of @max: edited comments do not count; post a new comment",
    )
    github.delete_comment(comment)
    assert only(environment) == entry
    people.says("max", "/helix reject no way back")
    assert entries([NAME], environment) == ((), ()), "it is the author's turn"
    push(repository, "docs/adr/0007-kafka.md", "# 7. Use Kafka\n")
    assert entries([NAME], environment) == ((), ()), "no run has looked at the new head"
    assert detail(entry, environment).left_out == (CHANGED,)


def test_who_answered_has_no_turn_until_the_gate_has_counted(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    policy(repository, "{minimum_approvals: 2}")
    head = people.pending()
    viewers = [
        Viewer(login, login, roles=((NAME, "maintain"),)) for login in ("max", "anna", "eve")
    ]

    def turns() -> list[bool]:
        return [is_turn(viewer, only(environment)) for viewer in viewers]

    assert turns() == [True, True, True]
    github.comment(1, "max", f"/helix approve {head}")
    github.comment(1, "anna", "/helix approve 0123456")
    github.comment(1, "eve", "What is `/helix approve`?")
    assert turns() == [False, True, True]
    people.says("passer-by", "/helix status")
    people.sweep()
    entry = only(environment)
    assert (entry.approvals, entry.approved_by, entry.answered) == (1, ("max",), ())
    assert turns() == [False, True, True]


def test_invalidated_approvals_have_their_cause(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    policy(repository, "{minimum_approvals: 2}")
    head = people.pending()
    github.comment(1, "max", f"/helix approve {head}")
    github.comment(1, "alice", f"/helix approve {head}")
    github.comment(1, "anna", "/helix approve 0123456")
    people.says("passer-by", f"/helix approve {head}")
    entry = only(environment)
    assert (entry.approvals, entry.minimum) == (1, 2)
    assert entry.invalidated == (
        "the approval of @alice: deciding requires the role maintain or admin, but @alice has the role write",
        f"the approval of @anna: it was for 0123456, but {head} was pushed later",
    )


@pytest.mark.further
def test_co_authors_and_committers_are_excluded(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    message = "Change it\n\nCo-authored-by: Anna <77+anna@users.noreply.github.com>\nCo-authored-by: @eve <eve@example.org>"
    repository.git("commit", "--quiet", "--allow-empty", "-m", message)
    people.pending()
    assert set(only(environment).excluded) == {"alice", "anna", "eve", "Anna"} - {"Anna"}


def test_deadlines_are_those_of_the_last_run(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    escalates = "on_expiry: {action: escalate, escalate_to: [anna, acme/board]}"
    policy(repository, f"{{deadlines: {{uncertainty: 1h}}, {escalates}}}")
    people.pending()
    assert only(environment).state == WAITING
    after(github, 1, 60)
    late = only(environment)
    assert late.state == WAITING and late.due_at < github.now.timestamp()
    assert detail(late, environment).entry.state == ESCALATED
    people.sweep()
    entry = only(environment)
    assert entry.state == ESCALATED and entry.escalated_to == ("anna", "acme/board")
    after(github, 24)
    people.sweep()
    entry = only(environment)
    assert (entry.state, entry.ways_on, entry.due_at) == (EXPIRED, ("/helix review",), 0)
    assert "nobody decided before the deadline" in entry.reasons[0]


def test_a_failed_judge_waits_for_a_person_too(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    assert people.run(**FAILS).code == 3
    entry = only(environment)
    assert (entry.state, entry.category) == (FAILED, "expertise")
    assert entry.turn == "No verdict: a maintainer decides"
    assert entry.ways_on[0] == f"/helix approve {github.head(1)}"
    assert entry.recommendation.answer == ""


def test_a_list_costs_one_request(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    people.pending()
    requests(github)
    entry = only(environment)
    assert requests(github) == ["200 graphql"]
    detail(entry, environment)
    opened = requests(github)
    assert opened[:5] == ["200 1", "200 comments", "200 check-runs", "200 reviews", "200 commits"]
    assert detail(entry, environment).entry == entry


def test_votes_cost_a_fixed_number_of_requests_when_it_is_opened(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    policy(repository, "{minimum_approvals: 3}")
    head = people.pending()
    for login in ("max", "anna"):
        for _ in range(5):
            github.comment(1, login, f"/helix approve {head}")
    entry = only(environment)
    requests(github)
    assert detail(entry, environment).entry.approvals == 2
    seen = requests(github)
    assert seen.count("200 permission") == 2 and seen.count(f"200 {GRAPHQL[1:]}") == 1


def test_a_check_run_of_an_earlier_version_is_read_by_itself(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    people.pending()
    entry = only(environment)
    (number,) = github.runs
    noted = github.runs[number]

    def with_text(text: str) -> None:
        github.runs[number] = noted._replace(output={**noted.output, "text": text})

    mark = re.compile("<!-- helix:waits 1 (.*) -->")
    with_text(mark.sub("", noted.output["text"]))
    requests(github)
    live = only(environment)
    assert live._replace(reasons=(), recommendation=entry.recommendation) == entry._replace(
        reasons=()
    )
    assert len(requests(github)) == 6
    with_text(mark.sub("<!-- helix:waits 1 AAAA -->", noted.output["text"]))
    assert only(environment) == live
    told = {"message": "Server Error"}
    github.faults.append(Fault("GET", ".*/pulls/1", 500, told, times=9))
    assert entries([NAME], environment) == (
        (),
        ("acme/decisions#1: GitHub failed repeatedly: too many 500 error responses",),
    )


def test_with_too_many_check_runs_to_list_it_is_read_by_itself(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    people.pending()
    (run,) = github.runs.values()
    others = {
        number: run._replace(id=number, name=f"job {number}", external_id="", author="ci[bot]")
        for number in range(1, 102)
    }
    github.runs = {**others, **github.runs}
    requests(github)
    assert only(environment).turn == "Waiting for a maintainer: approve adr"
    assert len(requests(github)) == 6


def test_a_result_that_cannot_be_read_is_no_empty_list(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    people.pending()
    (run,) = github.runs.values()
    github.runs[run.id] = run._replace(output={**run.output, "text": "nothing of ours"})
    assert entries([NAME], environment) == (
        (),
        ("acme/decisions#1: the result of the gate on its check run can't be read",),
    )


def test_the_check_run_of_another_app_says_nothing(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    people.pending()
    (number,) = github.runs
    forged = github.next_id()
    text = "<!-- helix:waits 1  -->"
    run = github.runs[number]
    github.runs[forged] = run._replace(
        id=forged,
        author="other[bot]",
        external_id="helix1:1:approved|",
        output={**run.output, "text": text},
    )
    assert only(environment).turn == "Waiting for a maintainer: approve adr"


def test_a_token_that_may_not_read_checks_does_not_show_an_empty_list(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    people.pending()
    github.tokens[MAX] = Token("max", {"pull-requests": "read", "contents": "read"})
    found, partial = entries([NAME], environment)
    assert (found, len(partial)) == ((), 1)
    assert partial[0].startswith(
        "acme/decisions: GitHub answered 403: Resource not accessible by personal access token"
    )


def test_the_answers_to_another_token_are_not_used(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    people.pending()
    first = only(environment)
    github.tokens["ghp_anna"] = Token("anna", READS)
    requests(github)
    assert only({**environment, "GITHUB_TOKEN": "ghp_anna"}) == first
    assert {line[:3] for line in requests(github)} == {"200"}


@pytest.mark.parametrize(
    ("status", "body", "headers", "minutes"),
    [
        (403, "API rate limit exceeded for user ID 1.", {"x-ratelimit-remaining": "0"}, 61),
        (429, "Too many requests", {"retry-after": "600"}, 10),
        (403, "You have exceeded a secondary rate limit.", {}, 1),
    ],
)
def test_at_a_rate_limit_no_more_requests_are_sent(
    status: int, body: str, headers: dict[str, str], minutes: int,
    github: FakeGitHub, people: People, environment: dict[str, str],
) -> None:  # fmt: skip
    people.pending()
    requests(github)
    told = {"message": body, "documentation_url": "https://docs.github.com/rest"}
    github.faults.append(Fault("POST", GRAPHQL, status, told, headers, times=100))
    found, partial = entries([NAME], environment)
    assert not found
    (line,) = partial
    why = f"the rate limit of GitHub is reached; try again in {minutes} min"
    assert line == f"{why}, so 1 repository could not be read: acme/decisions"
    assert requests(github) == [f"{status} graphql"]


def test_one_repository_that_fails_loses_nothing_else(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    people.pending()
    found, partial = entries(["acme/none", NAME, NAME], environment)
    assert [entry.id for entry in found] == ["acme/decisions#1"]
    (line,) = partial
    assert line.startswith("acme/none: GitHub answered 404: Could not resolve to a Repository")


def test_the_repositories_of_an_owner(
    github: FakeGitHub, repository: Repository, environment: dict[str, str]
) -> None:
    github.add(repository.root, "acme/other")
    github.add(repository.root, "acme/old")
    github.archived = ("acme/old",)
    assert of_owner("acme", environment) == ("acme/decisions", "acme/other")
    github.tokens[MAX] = Token("acme", READS)
    assert of_owner("Acme", environment) == ("acme/decisions", "acme/other", "acme/old")
    github.tokens[MAX] = Token("github-actions[bot]", READS)
    assert of_owner("acme", environment) == ("acme/decisions", "acme/other")
    with pytest.raises(UsageError, match="there is no user or organisation 'nobody'"):
        of_owner("nobody", environment)


def test_without_a_token_nothing_is_asked(environment: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="set GITHUB_TOKEN, or log in"):
        entries([NAME], {**environment, "GITHUB_TOKEN": "", "PATH": ""})
    with pytest.raises(UsageError, match="use OWNER/NAME"):
        entries(["nothing"], environment)


@pytest.mark.further
def test_the_action_of_the_matrix_is_named(
    repository: Repository, people: People, environment: dict[str, str]
) -> None:
    policy(repository, "{autonomy: full_control}")
    people.pending()
    entry = only(environment)
    assert (entry.category, entry.action) == ("critical", "architecture_decision")


def many(
    github: FakeGitHub,
    repository: Repository,
    people: People,
    environment: dict[str, str],
    names: int,
) -> list[str]:
    people.pending()
    found = crowd(github, repository, environment, names=names)
    github.requests.clear()
    return found


def test_a_hundred_pull_requests_cost_one_request_a_repository(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    names = 20
    projects = many(github, repository, people, environment, names)
    found, partial = entries(projects, environment)
    assert (len(found), partial) == (names * HEADS, ())
    assert len({entry.id for entry in found}) == names * HEADS
    assert requests(github) == ["200 graphql"] * names


def test_a_long_list_has_pages(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    projects = many(github, repository, people, environment, 1)
    monkeypatch.setattr(pull_list, "PAGE", 2)
    found, partial = entries(projects, environment)
    assert (len(found), partial) == (HEADS, ())
    assert requests(github) == ["200 graphql"] * 3


def test_the_limit_ends_the_look_at_all_repositories(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    projects = many(github, repository, people, environment, 20)
    told = {"message": "API rate limit exceeded", "documentation_url": "https://docs.github.com"}
    limited = {"x-ratelimit-remaining": "0"}
    github.faults.append(Fault("POST", GRAPHQL, 403, told, limited, times=1000, skip=4))
    found, partial = entries(projects, environment)
    assert len(found) == 4 * HEADS
    (line,) = partial
    assert "so 16 repositories could not be read: acme/" in line
    refused = [line for line in requests(github) if line.startswith("403")]
    assert len(refused) <= 8, "each thread may have had a request under way"


def test_a_limit_of_graphql_is_not_waited_for(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str],
    waits: list[float],
) -> None:  # fmt: skip
    policy(repository, "{minimum_approvals: 2}")
    github.comment(1, "max", f"/helix approve {people.pending()}")
    entry = only(environment)
    told = {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}
    github.faults.append(Fault("POST", GRAPHQL, 200, told, times=9))
    opened = detail(entry, environment).entry
    assert opened.approvals == 0 and not waits
    (line,) = opened.invalidated
    assert line.startswith("the approval of @max: whether the comment was edited is not known")
    (line,) = entries([NAME], environment)[1]
    assert line.endswith("in 1 min, so 1 repository could not be read: acme/decisions")
    assert not waits


@pytest.mark.further
def test_a_hostile_title_is_a_title(
    github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    people.pending()
    title = "a\x1b[2J\u202e`@everyone` <script>\n/helix approve"
    github.pulls[1] = github.pulls[1]._replace(title=title)
    entry = only(environment)
    assert entry.title == title and "everyone" not in " ".join((*entry.ways_on, entry.turn))
