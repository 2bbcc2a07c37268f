"""Who decides in a run: users whom GitHub confirms and the policy names, or a person at a terminal."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_hooks.cli.person import asker, decider
from helix_hooks.errors import HelixError, UsageError
from helix_hooks.phases.run_state import Decider
from helix_hooks.pull.access import api_url
from tests.conftest import Repository
from tests.fakes.github.server import DROPPED, FakeGitHub, Fault, Token

REMOTE = "https://github.com/acme/decisions.git"
ALICE = Decider("alice", verified=True)
SOMEBODY = Decider("Alice", verified=False)
needs_a_terminal = pytest.mark.skipif(
    sys.platform == "win32", reason="there are no pseudo-terminals on Windows"
)


@pytest.fixture
def github(repository: Repository) -> Iterator[FakeGitHub]:
    repository.git("remote", "add", "origin", REMOTE)
    policy(repository, "approvers: {roles: [maintain, admin]}")
    with FakeGitHub(repository.root) as fake:
        fake.people.update(alice="admin", max="maintain", eve="write", **{"bot[bot]": "admin"})
        for login in (*fake.people, "zoe"):
            fake.tokens[f"of-{login}"] = Token(login, {"members": "read"})
        yield fake


def policy(repository: Repository, text: str) -> None:
    repository.stage("config/approvals.yaml", f"policy:\n  {text}\n")
    repository.commit()


def decided(
    repository: Repository, github: FakeGitHub, by: str, asked_by: Decider = ALICE, action: str = "approve"
) -> Decider:  # fmt: skip
    environment = {**os.environ, "GITHUB_API_URL": github.url, "GITHUB_TOKEN": f"of-{by}"}
    root = str(repository.root)
    return decider(root, environment, action, "critical-8f3a", "code-approval", asked_by)


def test_a_decider_of_the_policy_who_did_not_ask(
    repository: Repository, github: FakeGitHub
) -> None:
    assert decided(repository, github, "max") == Decider("max", verified=True)


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("alice", "@alice requested this run and can't approve it"),
        ("eve", "deciding requires the role maintain or admin, but @eve has the role write"),
        ("zoe", "but @zoe has the role none"),
        ("bot[bot]", "the token does not belong to a person: GitHub answered 403"),
        ("nobody", "the token does not belong to a person: GitHub answered 401: Bad credentials"),
    ],
)
def test_nobody_else_approves(
    by: str, words: str, repository: Repository, github: FakeGitHub
) -> None:
    """Attack in a flow: approve with the token of a workflow, of a bot, of the requester, of a person outside the policy, or without a token.
    Answer: refused.
    Shown by: `test_nobody_else_approves`, `test_the_policy_is_that_of_the_main_branch`.
    """
    with pytest.raises(UsageError) as refused:
        decided(repository, github, by)
    assert words in str(refused.value)


def test_who_asked_may_reject(repository: Repository, github: FakeGitHub) -> None:
    assert decided(repository, github, "alice", action="reject").name == "alice"


def test_the_sole_maintainer_approves_what_they_asked_for(
    repository: Repository, github: FakeGitHub
) -> None:
    policy(repository, "sole_maintainer: Alice")
    assert decided(repository, github, "alice") == ALICE._replace(is_sole=True)


def test_an_asker_whom_nobody_confirmed_can_not_be_told_from_the_decider(
    repository: Repository, github: FakeGitHub
) -> None:
    with pytest.raises(UsageError, match="is not verified, so self-approval can't be ruled out"):
        decided(repository, github, "max", Decider("Max", verified=False))


def test_members_of_a_team_decide(repository: Repository, github: FakeGitHub) -> None:
    policy(repository, "approvers: {teams: [acme/architects]}")
    github.teams["acme/architects"] = ("eve",)
    assert decided(repository, github, "eve").name == "eve"
    with pytest.raises(UsageError, match="a member of acme/architects, but @max has the role"):
        decided(repository, github, "max")


def test_a_run_takes_one_approval_where_the_policy_wants_two(
    repository: Repository, github: FakeGitHub
) -> None:
    policy(repository, "minimum_approvals: 2")
    with pytest.raises(UsageError, match="minimum_approvals is 2"):
        decided(repository, github, "max")


def test_the_policy_is_that_of_the_main_branch(repository: Repository, github: FakeGitHub) -> None:
    repository.git("checkout", "--quiet", "-b", "work")
    policy(repository, "approvers: {users: [eve]}")
    with pytest.raises(UsageError, match="@eve has the role write"):
        decided(repository, github, "eve")


ALWAYS, THEN = "since: 2000-01-01, until: 2999-12-31", "since: 2000-01-01, until: 2000-01-31"


def test_a_delegate_decides_in_the_place_of_a_decider(
    repository: Repository, github: FakeGitHub
) -> None:
    policy(repository, f"delegates: [{{from: MAX, to: Eve, {ALWAYS}}}]")
    found = decided(repository, github, "eve")
    assert found == Decider("eve", verified=True, delegate_of="MAX")
    assert found.in_words == "@eve as delegate of @MAX"
    policy(
        repository, f"approvers: {{users: [max]}}\n  delegates: [{{from: max, to: eve, {ALWAYS}}}]"
    )
    assert decided(repository, github, "eve").delegate_of == "max"
    github.teams["acme/architects"] = ("max",)
    policy(
        repository,
        f"approvers: {{teams: [acme/architects]}}\n  delegates: [{{from: max, to: eve, {ALWAYS}}}]",
    )
    assert decided(repository, github, "eve").delegate_of == "max"
    assert decided(repository, github, "max").delegate_of == ""


@pytest.mark.parametrize(
    ("delegate", "words"),
    [
        (f"{{from: max, to: eve, {THEN}}}", "is a delegate of @max on other days: 2000-01-01"),
        (f"{{from: zoe, to: eve, {ALWAYS}}}", "@eve is a delegate of @zoe, who may not decide"),
        (f"{{from: Alice, to: eve, {ALWAYS}}}", "who is an author or the requester"),
        (f"{{from: max, to: zoe, {ALWAYS}}}", "@eve has the role write"),
    ],
)
def test_no_delegate_of_this_run(
    delegate: str, words: str, repository: Repository, github: FakeGitHub
) -> None:
    policy(repository, f"delegates: [{delegate}]")
    with pytest.raises(UsageError) as refused:
        decided(repository, github, "eve")
    assert words in str(refused.value)


def test_a_delegate_does_not_approve_what_they_asked_for(
    repository: Repository, github: FakeGitHub
) -> None:
    policy(repository, f"delegates: [{{from: max, to: eve, {ALWAYS}}}]")
    with pytest.raises(UsageError, match="@eve requested this run"):
        decided(repository, github, "eve", Decider("Eve", verified=True))
    assert decided(repository, github, "eve", Decider("max", True), "reject").delegate_of == "max"


@pytest.mark.parametrize("status", [DROPPED, 500])
def test_nobody_decides_while_github_can_not_be_asked(
    status: int, repository: Repository, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attack in a flow: approve while GitHub can't be asked; name another repository in the environment.
    Answer: refused.
    Shown by: `test_nobody_decides_while_github_can_not_be_asked`, `test_an_environment_that_names_another_repository_changes_nothing`.
    """
    monkeypatch.setattr("urllib3.util.retry.time.sleep", lambda _seconds: None)
    github.faults.append(Fault("GET", "/user", status, times=20))
    with pytest.raises(HelixError) as failed:
        decided(repository, github, "max")
    assert failed.value.exit_code == 3


def test_an_environment_that_names_another_repository_changes_nothing(
    repository: Repository, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_REPOSITORY", "eve/decisions")
    with pytest.raises(UsageError, match="@eve has the role write"):
        decided(repository, github, "eve")


def test_the_asker_is_the_user_of_the_token_else_whom_git_names(
    repository: Repository, github: FakeGitHub
) -> None:
    environment = {"GITHUB_API_URL": github.url, "PATH": os.environ["PATH"]}
    root = str(repository.root)
    assert asker(root, {**environment, "GH_TOKEN": "of-eve"}) == Decider("eve", verified=True)
    repository.git("config", "user.name", "Mona \x1b[2J")
    assert asker(root, environment) == Decider("Mona \\x1b[2J", verified=False)


@pytest.mark.parametrize("token", ["of-bot[bot]", "unknown"])
def test_a_run_begins_where_github_does_not_say_who_asks(
    token: str, repository: Repository, github: FakeGitHub, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {**os.environ, "GITHUB_API_URL": github.url, "GITHUB_TOKEN": token}
    assert asker(str(repository.root), environment) == Decider("test", verified=False)
    assert (
        "not verified, so no token can approve in this run: the token does not belong to a person"
        in capsys.readouterr().err
    )


def test_a_token_of_another_server_is_sent_there() -> None:
    assert api_url({}) == api_url({"GITHUB_SERVER_URL": "https://github.com/"}) == ""
    assert api_url({"GITHUB_SERVER_URL": "https://git.acme.org"}) == "https://git.acme.org/api/v3"
    assert api_url({"GITHUB_SERVER_URL": "https://git.acme.org", "GITHUB_API_URL": "x"}) == "x"


def test_the_token_of_the_github_cli(
    repository: Repository, github: FakeGitHub, tmp_path: Path
) -> None:
    tool = tmp_path / "bin" / "gh"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\n[ "$*" = "auth token --hostname github.com" ] && echo of-max\n')
    tool.chmod(0o755)
    path = f"{tool.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"GITHUB_API_URL": github.url, "PATH": path}
    assert asker(str(repository.root), environment).name == "max"


def without_github(repository: Repository, asked_by: Decider = SOMEBODY, **more: str) -> Decider:
    environment, root = {"PATH": os.environ["PATH"], **more}, str(repository.root)
    return decider(root, environment, "approve", "critical-8f3a", "code-approval", asked_by)


def test_where_the_policy_names_deciders_a_terminal_is_not_enough(
    repository: Repository, github: FakeGitHub
) -> None:
    with pytest.raises(UsageError, match="set GITHUB_TOKEN, or log in with `gh auth login`"):
        without_github(repository)


def test_where_no_policy_can_be_read_a_terminal_is_not_enough(repository: Repository) -> None:
    """Attack on the queue: a broken policy, so that nobody is named.
    Answer: GitHub must confirm who decides.
    """
    repository.git("remote", "add", "origin", "https://github.com/acme/shop.git")
    policy(repository, "approvers: nobody")
    with pytest.raises(UsageError, match="set GITHUB_TOKEN, or log in with `gh auth login`"):
        without_github(repository)


def test_a_variable_that_names_another_server_lets_no_terminal_decide(
    repository: Repository, github: FakeGitHub
) -> None:
    """Attack on the queue: another server in `GITHUB_SERVER_URL`, so that `origin` seems to be elsewhere.
    Answer: GitHub must confirm who decides.
    """
    with pytest.raises(UsageError, match="set GITHUB_TOKEN, or log in with `gh auth login`"):
        without_github(repository, GITHUB_SERVER_URL="https://git.example.org")


def test_in_a_pipe_nobody_decides(repository: Repository) -> None:
    with pytest.raises(UsageError, match="cannot identify who wants to approve code-approval"):
        without_github(repository)


def test_whom_github_confirmed_does_not_approve_by_leaving_the_token_out(
    repository: Repository,
) -> None:
    """Attack on the queue: ask with a token, then approve at a terminal without it.
    Answer: refused: GitHub must confirm who approves.
    """
    with pytest.raises(UsageError, match="GitHub confirmed that @alice asked, so it must confirm"):
        without_github(repository, ALICE)


@pytest.mark.parametrize("name", ["HELIX_RUN", "HELIX_HOOKS_INSIDE"])
def test_inside_of_a_run_nobody_decides(name: str, repository: Repository) -> None:
    with pytest.raises(UsageError, match="not allowed inside of a run"):
        without_github(repository, SOMEBODY, **{name: "1"})
