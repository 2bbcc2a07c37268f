"""The project of requests: it is stored, and survives another `origin`, forge or path."""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from helix_hooks.pull.access import forge_name
from tests.conftest import Repository
from tests.fakes.github.server import READS, FakeGitHub, Token
from tests.fakes.postgres import Postgres
from tests.fakes.program import Done, program

pytestmark = pytest.mark.slow
GITLAB = "https://oauth2:secret@gitlab.example/acme/tools/shop.git"


class Clone:
    """A work tree, in which a person calls the program."""

    def __init__(self, root: Path, environment: Mapping[str, str]) -> None:
        self.root, self.environment = root, dict(environment)

    def call(self, *arguments: str) -> Done:
        return program(*arguments, env=self.environment, cwd=self.root)

    def ask(self, title: str) -> str:
        done = self.call("ask", title, "--action", "production_deployment", "--format", "json")
        assert done.returncode == 4, done.stderr
        return str(json.loads(done.stdout)["request"]["id"])

    def listed(self) -> dict[str, str]:
        """Return the projects of the listed requests by id."""
        done = self.call("queue", "list", "--source", "request", "--format", "json")
        assert done.returncode == 0, done.stderr
        return {entry["id"]: entry["project"] for entry in json.loads(done.stdout)["entries"]}

    def git(self, *arguments: str) -> None:
        Repository(self.root).git(*arguments)


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def clone(
    request: pytest.FixtureRequest, repository: Repository, environment: dict[str, str]
) -> Clone:
    repository.stage("README.md", "A shop.\n")
    repository.commit()
    if request.param == "PostgreSQL":
        postgres: Postgres = request.getfixturevalue("postgres")
        environment["HELIX_FLOW_DATABASE"] = postgres.url()
    return Clone(repository.root, environment)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    left_out = ("GITHUB_TOKEN", "GH_TOKEN", "HELIX_FLOW_DATABASE")
    return {name: text for name, text in os.environ.items() if name not in left_out}


def test_requests_move_with_a_project_from_a_folder_to_gitlab_to_github(
    clone: Clone, tmp_path: Path
) -> None:
    first = clone.ask("Deploy v1.0")
    assert clone.listed() == {first: clone.root.name}

    clone.git("remote", "add", "origin", GITLAB)
    second = clone.ask("Deploy v1.1")
    assert clone.listed() == dict.fromkeys((first, second), "gitlab.example/acme/tools/shop")

    moved = Clone(tmp_path / "moved", clone.environment)
    clone.root.rename(moved.root)
    assert moved.listed().keys() == {first, second}

    moved.git("remote", "set-url", "origin", "git@github.com:acme/decisions.git")
    with FakeGitHub(moved.root) as fake:
        fake.people.update(max="maintain")
        fake.tokens.update(max=Token("max", READS))
        moved.environment.update(GITHUB_API_URL=fake.url, GITHUB_TOKEN="max")
        third = moved.ask("Deploy v1.2")
        assert moved.listed() == dict.fromkeys((first, second, third), "acme/decisions")
        repeated = moved.call("ask", "Deploy v1.1", "--action", "production_deployment")
        assert second not in repeated.stdout, "another asker: GitHub confirms this one"
        shown = moved.call("queue", "show", first).stdout
        marked = shown.partition("queue reject ")[2].split()[0]
        done = moved.call("queue", "reject", marked, "--reason", "too early")
        assert done.returncode == 0, done.stderr
        assert moved.listed().keys() >= {second, third} and first not in moved.listed()


def test_a_list_says_that_a_shared_database_has_other_projects(
    repository: Repository, environment: dict[str, str], postgres: Postgres, tmp_path: Path
) -> None:
    repository.stage("README.md", "A shop.\n")
    repository.commit()
    environment["HELIX_FLOW_DATABASE"] = postgres.url()
    theirs = Clone(repository.root, environment)
    theirs.git("remote", "add", "origin", GITLAB)
    request = theirs.ask("Deploy v1.0")
    name = "gitlab.example/acme/tools/shop"

    ours = Clone(tmp_path / "ours", environment)
    theirs.git("clone", "-q", str(theirs.root), str(ours.root))
    assert ours.listed() == {}
    done = ours.call("queue", "list", "--source", "request")
    assert done.stdout.splitlines()[0] == "nothing is shown"
    assert (
        f"1 request of other projects in this database is not shown: {name} (1); run `helix-hooks "
        "queue list` in a work tree of the project. If one is an earlier name of this project, "
        "set it as `flow.name` in config/approvals.yaml\n" in done.stdout
    )
    code = ours.call("queue", "show", request[:8])
    assert code.returncode == 2 and "1 request of other projects" in code.stderr

    own = ours.ask("Deploy v2.0")
    assert ours.listed().keys() == {own} and theirs.listed().keys() == {request}
    (ours.root / "config").mkdir()
    (ours.root / "config" / "approvals.yaml").write_text(f"flow: {{name: {name}}}\n")
    assert ours.listed().keys() == {request}


def test_a_copy_of_a_clone_is_another_project(clone: Clone, tmp_path: Path) -> None:
    request = clone.ask("Deploy v1.0")
    copy = Clone(tmp_path / "copy", clone.environment)
    shutil.copytree(clone.root, copy.root, symlinks=True)
    if "HELIX_FLOW_DATABASE" in clone.environment:
        assert copy.listed() == {}
    copied = copy.ask("Deploy v2.0")
    assert copied in copy.listed() and clone.listed().keys() == {request}


def test_folders_of_the_same_name_stay_two_projects_in_a_shared_database(
    environment: dict[str, str], postgres: Postgres, tmp_path: Path
) -> None:
    """Also where each had requests of its own before, and where one was moved away."""
    clones = []
    for parent in ("one", "other"):
        root = tmp_path / parent / "shop"
        root.mkdir(parents=True)
        repository = Repository(root)
        repository.commit()
        clones.append(Clone(root, environment))
        clones[-1].ask("Deploy v0.9")
    shared = {**environment, "HELIX_FLOW_DATABASE": postgres.url()}
    requests = []
    for clone in clones:
        clone.environment = shared
        requests.append(clone.ask("Deploy v1.0"))
    assert [list(clone.listed()) for clone in clones] == [[id] for id in requests]
    clones[0].root.rename(tmp_path / "moved")
    clones[0].root.mkdir()
    Repository(clones[0].root).commit()
    assert clones[0].listed() == {}, "another clone at the path of the one that was moved"
    assert list(Clone(tmp_path / "moved", shared).listed()) == [requests[0]]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (GITLAB, "gitlab.example/acme/tools/shop"),
        ("git@gitlab.example:acme/tools/shop.git", "gitlab.example/acme/tools/shop"),
        ("ssh://git@GitLab.Example:2222/acme/tools/shop/", "gitlab.example:2222/acme/tools/shop"),
        ("ssh://git@codeberg.org/~ann/shop", "codeberg.org/~ann/shop"),
        ("git@host:shop.git", "host/shop"),
        ("gitlab:acme/shop", "gitlab/acme/shop"),
        ("git@gitlab.example:123/shop.git", "gitlab.example/123/shop"),
        ("http://localhost:3000/acme/shop", "localhost:3000/acme/shop"),
        ("https://gitlab.example:443/acme/shop", "gitlab.example/acme/shop"),
        ("https://gitlab.example:x/acme/shop", ""),
        ("file:///srv/git/shop.git", ""),
        ("/srv/git/shop.git", ""),
        ("../shop", ""),
        ("", ""),
        ("C:/git/shop", ""),
        ("https://host/", ""),
    ],
)
def test_each_form_of_an_address_has_one_name(address: str, name: str) -> None:
    assert forge_name(address) == name
