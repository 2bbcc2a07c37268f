"""The fake GitHub as the real PyGithub sees it: what no story of the product would miss."""

import http.client

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.unit.fakes.scene import LONG, Scene, history, populate

pytestmark = pytest.mark.slow
"""It starts a process, or a server, for nearly each test."""


def test_files_have_their_status_and_their_patch_up_to_a_megabyte(scene: Scene) -> None:
    scene.git.stage("docs/big.md", "x" * 99 + "\n" * 1 + ("y" * 99 + "\n") * 10_100)
    scene.git.stage("docs/less.md", ("y" * 99 + "\n") * 9_000)
    scene.git.commit("Big")
    files = {file.filename: file for file in scene.pull().get_files()}
    assert {name.removeprefix("docs/"): file.status for name, file in files.items()} == {
        **dict.fromkeys(("added.md", "big.md", "less.md"), "added"),
        **dict.fromkeys(("long.md", "picture"), "modified"),
        "gone.md": "removed",
        "new.md": "renamed",
    }
    assert files["docs/new.md"].previous_filename == "docs/old.md"
    assert files["docs/added.md"].patch == "@@ -0,0 +1 @@\n+new"
    assert (files[LONG].additions, files[LONG].deletions) == (2, 2)
    assert files[LONG].patch.count("@@ -") == 2
    assert len(files["docs/less.md"].patch) > 900_000
    assert "patch" not in files["docs/picture"].raw_data
    assert "patch" not in files["docs/big.md"].raw_data
    assert files["docs/big.md"].additions == 10_101


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


def test_a_page_holds_a_hundred_at_most_and_links_to_the_others(scene: Scene) -> None:
    for number in range(101):
        scene.fake.comment(1, "alice", f"comment {number}")
    headers, data = scene.ask("GET", "issues/1/comments?per_page=500&since=2020-01-01T00:00:00Z")
    start = f"<{scene.fake.url}/repos/acme/decisions/issues/1/comments?per_page=500&since=2020-01-01T00%3A00%3A00Z&page=2>"
    assert (len(data), headers["link"]) == (100, f'{start}; rel="next", {start}; rel="last"')
    assert len(scene.ask("GET", "issues/1/comments?page=4")[1]) == 11, "a page has 30 unless asked"


def test_an_enterprise_server_has_a_prefix(repository: Repository) -> None:
    history(repository)
    with FakeGitHub(repository.root, prefix="/api/v3") as fake:
        populate(fake)
        page = fake.url.removesuffix("/api/v3")
        assert Scene(fake, repository).pull().html_url == f"{page}/acme/decisions/pull/1"
        connection = http.client.HTTPConnection(page.removeprefix("http://"))
        connection.request("GET", "/repos/acme/decisions/pulls/1")
        assert connection.getresponse().status == 404
        connection.close()
        assert fake.wrong.pop() == "GET /repos/acme/decisions/pulls/1: not under /api/v3"
