"""Decisions about pull requests from the queue: a comment of the person, which the gate counts like any other."""

from typing import Any

import pytest

from helix_hooks.errors import HelixError, UsageError
from helix_hooks.queue.pull_answer import post
from helix_hooks.queue.pull_detail import detail
from helix_hooks.queue.pulls import entries
from helix_hooks.waiting.entry import QueueEntry
from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub, Fault, Token
from tests.fakes.runner import ADR
from tests.stories.pull_request.scene import (
    LOST,
    People,
    after,
    check,
    main_has,
    policy,
    push,
    written,
)

READS = {"contents": "read", "pull-requests": "read", "checks": "read", "issues": "write"}
TOKENS = {login: f"ghp_{login}00000000000000" for login in ("max", "anna", "alice", "eve")}


@pytest.fixture
def environment(github: FakeGitHub, tmp_path: Any) -> dict[str, str]:
    for login, token in TOKENS.items():
        github.tokens[token] = Token(login, READS)
    return {
        "GITHUB_TOKEN": TOKENS["max"],
        "GITHUB_API_URL": github.url,
        "GITHUB_SERVER_URL": "https://github.example",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "HELIX_GITHUB_PAUSE": "0",
    }


@pytest.fixture
def entry(people: People, environment: dict[str, str]) -> QueueEntry:
    people.pending()
    (found,) = entries(["acme/decisions"], environment)[0]
    return found


def of(github: FakeGitHub, login: str) -> list[str]:
    return [item.body for item in github.comments.values() if item.author == login]


def test_an_approval_is_the_comment_of_the_person_and_the_gate_counts_it(
    entry: QueueEntry, github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    github.requests.clear()
    url = post(entry, "approve", "as discussed", TOKENS["max"], environment)
    assert url.startswith("http") and "/acme/decisions/pull/1#issuecomment-" in url
    assert of(github, "max") == [f"/helix approve {entry.head} as discussed"]
    assert written(github)[-1] == "POST /issues/1/comments 201"
    (comment,) = (item.id for item in github.comments.values() if item.author == "max")
    assert people.told(comment).code == 0
    assert check(github).conclusion == "success"
    assert entries(["acme/decisions"], environment) == ((), ())


def test_a_rejection_has_its_reason(
    entry: QueueEntry, github: FakeGitHub, people: People, environment: dict[str, str]
) -> None:
    post(entry, "reject", "the way back\nis missing", TOKENS["anna"], environment)
    assert of(github, "anna") == ["/helix reject the way back is missing"]
    (comment,) = (item.id for item in github.comments.values() if item.author == "anna")
    people.told(comment)
    assert check(github).conclusion == "failure"
    assert "Changes requested by @" in str(check(github).output["title"])


@pytest.mark.parametrize(
    ("login", "answer", "words"),
    [
        ("alice", "approve", "@alice has the role write"),
        ("eve", "reject", "@eve has the role write"),
        ("max", "approved", "invalid answer 'approved'"),
    ],
)
def test_who_may_not_decide_posts_nothing(
    login: str, answer: str, words: str, entry: QueueEntry, github: FakeGitHub, environment: dict[str, str],
) -> None:  # fmt: skip
    with pytest.raises(UsageError, match=words):
        post(entry, answer, "because", TOKENS[login], environment)
    assert not of(github, login)


def test_the_author_and_co_authors_never_approve_their_own_change(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    github.people["alice"] = "admin"
    message = "Change it\n\nCo-authored-by: anna <anna@example.org>"
    repository.git("commit", "--quiet", "--allow-empty", "-m", message)
    people.pending()
    (entry,) = entries(["acme/decisions"], environment)[0]
    with pytest.raises(UsageError, match="authors cannot approve their own pull request"):
        post(entry, "approve", "", TOKENS["alice"], environment)
    with pytest.raises(UsageError, match="@anna is an author of the change"):
        post(entry, "approve", "", TOKENS["anna"], environment)
    post(entry, "reject", "not yet", TOKENS["anna"], environment)
    assert not of(github, "alice") and of(github, "anna") == ["/helix reject not yet"]


def test_what_was_pushed_since_is_not_approved(
    entry: QueueEntry, github: FakeGitHub, repository: Repository, environment: dict[str, str]
) -> None:
    push(repository, "notes.md", "More.\n")
    with pytest.raises(UsageError, match=f"was pushed since {entry.head[:7]}; look at it again"):
        post(entry, "approve", "", TOKENS["max"], environment)
    github.close_pull(1)
    with pytest.raises(UsageError, match="is closed or merged"):
        post(entry, "approve", "", TOKENS["max"], environment)
    assert not of(github, "max")


def test_of_two_answers_the_second_is_told(
    entry: QueueEntry, github: FakeGitHub, environment: dict[str, str]
) -> None:
    post(entry, "approve", "", TOKENS["max"], environment)
    with pytest.raises(UsageError, match=r"no longer waits for a person: Approved by @.*max"):
        post(entry, "approve", "", TOKENS["anna"], environment)
    assert not of(github, "anna")


def test_after_the_deadline_nothing_is_approved(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    policy(repository, "{deadlines: {uncertainty: 1h}}")
    people.pending()
    after(github, 2)
    (entry,) = entries(["acme/decisions"], environment)[0]
    with pytest.raises(UsageError, match="an approval has no effect; `/helix review` sets"):
        post(entry, "approve", "", TOKENS["max"], environment)


@pytest.mark.parametrize("login", ["github-actions[bot]", "nobody"])
def test_a_token_that_is_no_persons_posts_nothing(
    login: str, entry: QueueEntry, github: FakeGitHub, environment: dict[str, str]
) -> None:
    before = len(github.comments)
    if login.endswith("[bot]"):
        github.tokens["ghs_bot"] = Token(login, READS)
    with pytest.raises(
        HelixError, match=r"the token does not belong to a person: GitHub answered 40[13]"
    ):
        post(entry, "approve", "", "ghs_bot", environment)
    assert len(github.comments) == before


def test_a_lost_answer_posts_one_comment(
    entry: QueueEntry, github: FakeGitHub, environment: dict[str, str]
) -> None:
    github.faults.append(Fault("POST", ".*/comments", 502, LOST, after=True))
    url = post(entry, "approve", "fine", TOKENS["max"], environment)
    assert "#issuecomment-" in url and len(of(github, "max")) == 1


def test_details_have_the_decision_before_and_after(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("helix_hooks.pull.repository.MOST_BYTES", 5_000)
    kafka = (repository.root / ADR).read_text()
    old, new = kafka.replace("# 7.", "# 9."), kafka.replace("# 7. Use", "# 9. Really use")
    main_has(repository, "docs/adr/0009-broker.md", old)
    push(repository, "docs/adr/0009-broker.md", new)
    long = kafka.replace("# 7.", "# 10.") + "\nMore to say.\n" * 400
    push(repository, "docs/adr/0010-long.md", long)
    people.run(result={"is_error": True})
    (entry,) = entries(["acme/decisions"], environment)[0]
    shown = detail(entry, environment)
    documents = {item.path: (item.before, item.after) for item in shown.documents}
    assert documents["docs/adr/0009-broker.md"] == (old, new)
    assert documents[ADR] == ("", (repository.root / ADR).read_text())
    assert shown.left_out == (
        "docs/adr/0010-long.md is too long, or not a plain file, and is not shown",
    )


def test_a_delegate_decides_in_the_place_of_a_decider_and_not_beside_them(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    days = "since: 2026-01-01, until: 2026-01-31"
    policy(repository, f"{{minimum_approvals: 2, delegates: [{{from: max, to: eve, {days}}}]}}")
    people.pending()
    (entry,) = entries(["acme/decisions"], environment)[0]
    post(entry, "approve", "for max", TOKENS["max"], environment)
    with pytest.raises(UsageError, match=r"the approval would not count: .*max"):
        post(entry, "approve", "", TOKENS["eve"], environment)
    people.sweep()
    (entry,) = entries(["acme/decisions"], environment)[0]
    assert (entry.approvals, entry.minimum, entry.approved_by) == (1, 2, ("max",))
    post(entry, "approve", "", TOKENS["anna"], environment)
    people.sweep()
    assert entries(["acme/decisions"], environment) == ((), ())


@pytest.mark.further
def test_what_agents_wrote_needs_more_approvals(
    github: FakeGitHub, repository: Repository, people: People, environment: dict[str, str]
) -> None:
    policy(repository, "{authors: {agents: {minimum_approvals: 2}}}")
    trailer = "Co-authored-by: Claude <noreply@anthropic.com>"
    repository.git("commit", "--quiet", "--allow-empty", "-m", f"Change it\n\n{trailer}")
    people.pending()
    (entry,) = entries(["acme/decisions"], environment)[0]
    assert (entry.minimum, entry.deciders.minimum) == (2, 2)
