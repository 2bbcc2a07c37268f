"""The fake GitHub as the real PyGithub sees it. Leaving a fake fails if a request or an answer departed from GitHub's own description."""

import http.client
from pathlib import Path
from typing import Any

import pytest
from github import Auth, Github, GithubException, UnknownObjectException
from github.GithubException import BadCredentialsException

from tests.conftest import Repository
from tests.fakes.github.server import DROPPED, FakeGitHub, Fault, Token
from tests.unit.fakes.scene import BOT, LONG, Scene, history, populate, refusal

pytestmark = pytest.mark.slow
"""It starts a process, or a server, for nearly each test."""


def test_the_repository_and_its_pull_request(scene: Scene) -> None:
    remote, pull = scene.remote(), scene.pull()
    assert (
        remote.full_name,
        remote.owner.login,
        remote.default_branch,
        remote.permissions.push,
    ) == ("acme/decisions", "acme", "main", True)
    assert (pull.title, pull.user.login, pull.state, pull.draft, pull.mergeable_state) == (
        "Add a decision",
        "alice",
        "open",
        False,
        "clean",
    )
    assert (pull.head.sha, pull.base.sha, pull.head.repo.full_name) == (
        scene.sha(),
        scene.sha("main"),
        "acme/decisions",
    )
    assert (pull.commits, pull.changed_files, pull.additions, pull.deletions) == (1, 5, 4, 4)
    assert pull.html_url == f"{scene.fake.url}/acme/decisions/pull/1"


def test_pulls_are_found_by_state_head_and_base(scene: Scene) -> None:
    scene.fake.open_pull(2, from_fork=True, draft=True)
    scene.fake.open_pull(3)
    scene.fake.close_pull(3, merged=True)
    remote = scene.remote()
    assert [pull.number for pull in remote.get_pulls()] == [2, 1]
    assert [pull.number for pull in remote.get_pulls(state="all", direction="asc")] == [1, 2, 3]
    assert [
        (pull.number, pull.merged_at is not None) for pull in remote.get_pulls(state="closed")
    ] == [(3, True)]
    assert [pull.number for pull in remote.get_pulls(head="mallory:change")] == [2]
    assert [pull.number for pull in remote.get_pulls(base="release")] == []
    scene.fake.comment(1, "alice", "hello")
    assert [pull.number for pull in remote.get_pulls(sort="updated", direction="desc")] == [1, 2]
    fork = remote.get_pull(2)
    assert (fork.head.repo.full_name, fork.head.repo.fork, fork.head.user.login, fork.draft) == (
        "mallory/decisions",
        True,
        "mallory",
        True,
    )


def test_a_push_moves_the_head_of_an_open_pull_alone(scene: Scene) -> None:
    scene.fake.open_pull(2)
    scene.fake.close_pull(2)
    before = scene.sha()
    scene.git.commit("More")
    remote = scene.remote()
    assert (remote.get_pull(1).head.sha, remote.get_pull(2).head.sha) == (scene.sha(), before)
    assert before != scene.sha()


def test_files_have_their_status_and_their_patch(scene: Scene) -> None:
    files = {file.filename: file for file in scene.pull().get_files()}
    assert {name: file.status for name, file in files.items()} == {
        "docs/added.md": "added", "docs/gone.md": "removed", LONG: "modified", "docs/new.md": "renamed", "docs/picture": "modified",
    }  # fmt: skip
    assert files["docs/new.md"].previous_filename == "docs/old.md"
    assert files["docs/added.md"].patch == "@@ -0,0 +1 @@\n+new"
    assert (files[LONG].additions, files[LONG].deletions, files[LONG].patch.count("@@ -")) == (
        2,
        2,
        2,
    )
    assert "patch" not in files["docs/picture"].raw_data


def test_a_patch_over_a_megabyte_is_left_out(scene: Scene) -> None:
    scene.git.stage("docs/big.md", "x" * 99 + "\n" * 1 + ("y" * 99 + "\n") * 10_100)
    scene.git.stage("docs/less.md", ("y" * 99 + "\n") * 9_000)
    scene.git.commit("Big")
    files = {file.filename: file for file in scene.pull().get_files()}
    assert "patch" not in files["docs/big.md"].raw_data and files["docs/big.md"].additions == 10_101
    assert len(files["docs/less.md"].patch) > 900_000


def test_commits_know_the_people_behind_them(scene: Scene) -> None:
    scene.fake.emails["test@example.org"] = "alice"
    commit = scene.pull().get_commits()[0]
    assert (commit.sha, commit.author.login, commit.committer.login) == (
        scene.sha(),
        "bob",
        "alice",
    )
    assert (commit.commit.author.name, commit.commit.author.email) == (
        "Bob",
        "7+bob@users.noreply.github.com",
    )
    assert (commit.commit.message, [parent.sha for parent in commit.parents]) == (
        "Change\n\nWhy.",
        [scene.sha("main")],
    )
    scene.fake.emails.clear()
    assert scene.pull().get_commits()[0].raw_data["committer"] is None


def test_a_commit_and_its_pulls(scene: Scene) -> None:
    commit = scene.remote().get_commit(scene.sha())
    assert [pull.number for pull in commit.get_pulls()] == [1]
    assert (commit.stats.total, len(list(commit.files))) == (8, 5)
    assert list(scene.remote().get_commit(scene.sha("main")).get_pulls()) == []
    with pytest.raises(GithubException) as caught:
        list(scene.remote().get_commit("0" * 40).get_pulls())
    assert refusal(caught) == (422, f"No commit found for SHA: {'0' * 40}", None)


def test_compare(scene: Scene) -> None:
    scene.git.git("switch", "--quiet", "main")
    scene.git.stage("docs/elsewhere.md", "elsewhere\n")
    scene.git.commit("Elsewhere")
    found = scene.remote().compare("main", scene.sha())
    assert (found.status, found.ahead_by, found.behind_by, found.total_commits) == (
        "diverged",
        1,
        1,
        1,
    )
    assert (found.merge_base_commit.sha, found.base_commit.sha) == (
        scene.sha("main~1"),
        scene.sha("main"),
    )
    assert ([commit.sha for commit in found.commits], len(found.files)) == ([scene.sha()], 5)
    assert scene.remote().compare(scene.sha(), scene.sha()).status == "identical"
    with pytest.raises(UnknownObjectException):
        _ = scene.remote().compare("main", "nowhere").status


def test_compare_pages_its_commits_and_shows_300_files(scene: Scene) -> None:
    for number in range(301):
        scene.git.write(f"many/{number:03}.md", "x\n")
    scene.git.git("add", "many")
    for number in range(4):
        scene.git.commit(f"Number {number}")
    found = scene.remote().compare("main", "change", comparison_commits_per_page=2)
    messages = [commit.commit.message.partition("\n")[0] for commit in found.commits]
    assert messages == ["Change", *(f"Number {number}" for number in range(4))]
    assert (len(found.files), scene.pull().get_files().totalCount) == (300, 306)


@pytest.mark.parametrize(("count", "sizes"), [(30, [30]), (31, [30, 1]), (101, [30, 30, 30, 11])])
def test_lists_come_in_pages(scene: Scene, count: int, sizes: list[int]) -> None:
    ids = [scene.fake.comment(1, "alice", f"comment {number}") for number in range(count)]
    comments = scene.pull().get_issue_comments()
    assert ([comment.id for comment in comments], comments.totalCount) == (ids, count)
    assert (
        len([seen for seen in scene.fake.requests if seen.path.endswith("/comments")])
        == len(sizes) + 1
    )  # the last asks for the count
    assert [
        len(scene.pull().get_issue_comments().get_page(number)) for number in range(len(sizes))
    ] == sizes


def test_a_page_holds_a_hundred_at_most_and_links_to_the_others(scene: Scene) -> None:
    for number in range(101):
        scene.fake.comment(1, "alice", f"comment {number}")
    url = "/repos/acme/decisions/issues/1/comments?per_page=500&since=2020-01-01T00:00:00Z"
    headers, data = scene.remote().requester.requestJsonAndCheck("GET", url)
    start = f"<{scene.fake.url}/repos/acme/decisions/issues/1/comments?per_page=500&since=2020-01-01T00%3A00%3A00Z&page=2>"
    assert (len(data), headers["link"]) == (100, f'{start}; rel="next", {start}; rel="last"')


def test_people_have_roles_and_permissions(scene: Scene) -> None:
    remote = scene.remote()
    found = {
        name: (remote.get_collaborator_permission(name), remote.get_collaborator_role_name(name))
        for name in scene.fake.people
    }
    assert found == {
        "alice": ("write", "write"), "carol": ("write", "maintain"), "dave": ("read", "triage"), "eve": ("write", "architect"), "zoe": ("none", "none"),
    }  # fmt: skip
    assert remote.get_collaborator_role_name("Alice") == "write"
    with pytest.raises(GithubException) as caught:
        remote.get_collaborator_permission("nobody")
    assert refusal(caught) == (404, "nobody is not a user", None)


def test_a_token_may_do_what_it_was_given(scene: Scene) -> None:
    assert scene.remote("poor").compare("main", "change").ahead_by == 1
    with pytest.raises(GithubException) as caught:
        _ = scene.pull("poor").title
    assert refusal(caught) == (403, "Resource not accessible by integration", None)
    scene.fake.tokens["reader"] = Token("alice", {"pull-requests": "read"})
    assert scene.pull("reader").title == "Add a decision"
    with pytest.raises(GithubException) as caught:
        scene.pull("reader").create_issue_comment("hello")
    assert refusal(caught) == (403, "Resource not accessible by personal access token", None)
    with pytest.raises(BadCredentialsException):
        _ = scene.pull("stranger").title
    assert [(seen.token, seen.status) for seen in scene.fake.requests if seen.status != 200] == [
        ("poor", 403),
        ("reader", 403),
        ("stranger", 401),
    ]
    assert not scene.fake.comments


def test_what_is_not_there_is_not_found(scene: Scene) -> None:
    with pytest.raises(UnknownObjectException):
        _ = scene.remote().get_pull(7).title
    with pytest.raises(UnknownObjectException):
        scene.remote().requester.requestJsonAndCheck("GET", "/repos/acme/other/pulls")
    with pytest.raises(UnknownObjectException):
        scene.remote().get_pull(1).get_review_comment(7).edit("text")


def test_the_rate_limit_counts_requests_but_not_itself(scene: Scene) -> None:
    _ = scene.pull().title
    options: dict[str, Any] = {"seconds_between_requests": 0, "retry": None}
    client = Github(auth=Auth.Token("bot"), base_url=scene.fake.url, **options)
    assert (client.get_rate_limit().rate.remaining, client.get_rate_limit().rate.limit) == (
        4999,
        5000,
    )


def test_the_conversation(scene: Scene) -> None:
    asked = scene.fake.comment(1, "alice", "Why?")
    comment = scene.pull().create_issue_comment("Because.")
    comment.edit("Because it is so.")
    assert [(each.user.login, each.body) for each in scene.pull().get_issue_comments()] == [
        ("alice", "Why?"),
        (BOT, "Because it is so."),
    ]
    scene.fake.comment(1, "nobody", "Hm.")
    found = {
        each.user.login: each.raw_data["author_association"]
        for each in scene.pull().get_issue_comments()
    }
    assert found == {"alice": "COLLABORATOR", BOT: "NONE", "nobody": "NONE"}
    assert scene.fake.association("Alice") == "COLLABORATOR"
    assert (comment.user.id, comment.user.type, comment.updated_at > comment.created_at) == (
        41898282,
        "Bot",
        True,
    )
    assert comment.create_reaction("eyes").id == comment.create_reaction("eyes").id
    assert [seen.status for seen in scene.fake.requests if seen.path.endswith("reactions")] == [
        201,
        200,
    ]
    scene.fake.edit_comment(asked, "Why, then?")
    assert scene.pull().get_issue_comment(asked).body == "Why, then?"
    with pytest.raises(GithubException) as caught:
        scene.pull().get_issue_comment(asked).edit("Not mine")
    assert (refusal(caught)[0], scene.fake.comments[asked].body) == (403, "Why, then?")
    comment.delete()
    assert comment.id not in scene.fake.comments and asked in scene.fake.comments


def test_a_comment_has_65536_characters_at_most(scene: Scene) -> None:
    comment = scene.pull().create_issue_comment("x" * 65_536)
    for attempt in (scene.pull().create_issue_comment, comment.edit):
        with pytest.raises(GithubException) as caught:
            attempt("x" * 65_537)
        assert (
            refusal(caught)[0] == 422
            and refusal(caught)[2][0]["message"] == "body is too long (maximum is 65536 characters)"
        )
    assert len(scene.fake.comments) == 1


def test_a_fault_is_answered_as_often_as_it_says(scene: Scene) -> None:
    comments = r"/repos/acme/decisions/issues/\d+/comments"
    scene.fake.faults.append(
        Fault("POST", comments, 502, {"message": "Bad Gateway"}, {"retry-after": "7"}, times=2)
    )
    for _ in range(2):
        with pytest.raises(GithubException) as caught:
            scene.pull().create_issue_comment("hello")
        assert (caught.value.status, (caught.value.headers or {})["retry-after"]) == (502, "7")
    assert not scene.fake.comments
    scene.pull().create_issue_comment("hello")
    assert (len(scene.fake.comments), scene.fake.faults) == (1, [])


@pytest.mark.parametrize("after", [False, True])
def test_an_answer_can_be_lost_after_the_deed(scene: Scene, after: bool) -> None:
    scene.fake.faults.append(Fault("POST", ".*/comments", 500, None, after=after))
    with pytest.raises(GithubException):
        scene.pull().create_issue_comment("hello")
    assert len(scene.fake.comments) == after


def test_a_connection_can_end_without_an_answer(scene: Scene) -> None:
    scene.fake.faults.append(Fault("POST", ".*/comments", DROPPED, after=True))
    with pytest.raises(OSError, match="Connection aborted"):
        scene.pull().create_issue_comment("hello")
    assert len(scene.fake.comments) == 1
    assert scene.pull().title == "Add a decision"


def test_an_enterprise_server_has_a_prefix(repository: Repository) -> None:
    history(repository)
    with FakeGitHub(repository.root, prefix="/api/v3") as fake:
        populate(fake)
        scene = Scene(fake, repository)
        for _ in range(31):
            fake.comment(1, "alice", "hello")
        assert fake.url.endswith("/api/v3")
        assert len(list(scene.pull().get_issue_comments())) == 31
        assert scene.pull().html_url == f"{fake.url.removesuffix('/api/v3')}/acme/decisions/pull/1"
        assert scene.pull().raw_data["url"] == f"{fake.url}/repos/acme/decisions/pulls/1"
        assert {seen.path.partition("/decisions")[0] for seen in fake.requests} == {"/repos/acme"}
        connection = http.client.HTTPConnection(
            fake.url.removeprefix("http://").removesuffix("/api/v3")
        )
        connection.request("GET", "/repos/acme/decisions/pulls/1")
        assert connection.getresponse().status == 404
        connection.close()
        assert fake.wrong.pop() == "GET /repos/acme/decisions/pulls/1: not under /api/v3"


def test_a_bare_repository_will_do(scene: Scene, tmp_path: Path) -> None:
    scene.git.git("clone", "--quiet", "--bare", str(scene.git.root), str(tmp_path / "bare.git"))
    with FakeGitHub(tmp_path / "bare.git") as fake:
        populate(fake)
        assert Scene(fake, scene.git).pull().head.sha == scene.sha()
