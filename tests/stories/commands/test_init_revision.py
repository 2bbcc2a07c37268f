"""`init` never writes a revision of the hooks that does not exist."""

import json
from importlib import metadata
from pathlib import Path

import pytest

from helix_hooks import __version__
from helix_hooks.authoring import hook_source
from helix_hooks.authoring.init import CONFIG
from helix_hooks.paths import WORKFLOW
from tests.conftest import Repository, Run

COMMIT = "0123456789" * 4
URL = "https://github.com/acme/fork"


class Distribution:
    """A distribution whose `direct_url.json` has a text; None without the file."""

    def __init__(self, text: str | None) -> None:
        self.text = text

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self.text


def install(patch: pytest.MonkeyPatch, record: object) -> None:
    text = record if record is None or isinstance(record, str) else json.dumps(record)
    patch.setattr(metadata, "distribution", lambda name: Distribution(text))


@pytest.fixture
def hooks(tmp_path: Path) -> Repository:
    """A repository of hooks with a branch, and a tag of this release."""
    place = tmp_path / "hooks"
    place.mkdir()
    hooks = Repository(place)
    hooks.git("init", "--quiet", "--initial-branch=main")
    hooks.stage("a", "1\n")
    hooks.commit()
    hooks.git("tag", f"v{__version__}")
    hooks.stage("a", "2\n")
    hooks.commit()
    return hooks


def head_of(hooks: Repository, name: str = "HEAD") -> str:
    return hooks.git("rev-parse", name).stdout.strip()


@pytest.mark.parametrize("name", ["main", f"v{__version__}", "HEAD~1", "HEAD"])
def test_a_revision_of_the_user_is_written_if_it_exists(
    name: str, repository: Repository, hooks: Repository, run: Run
) -> None:
    revision = head_of(hooks, name) if name.startswith("HEAD") else name
    result = run("init", "--repo", str(hooks.root), "--rev", revision)
    assert result.code == 0 and "could not be checked" not in result.out
    assert f"    rev: {revision}\n" in Path(CONFIG).read_text()


@pytest.mark.parametrize("revision", ["v9", "mai", "v*", COMMIT])
def test_a_revision_of_the_user_that_does_not_exist_is_refused(
    revision: str, repository: Repository, hooks: Repository, run: Run
) -> None:
    result = run("init", "--repo", str(hooks.root), "--rev", revision)
    assert result.code == 2 and "has no such tag, branch or commit" in result.err
    assert [path.name for path in repository.root.iterdir()] == [".git"]


@pytest.mark.parametrize("revision", ["v9", COMMIT])
def test_init_says_that_a_revision_could_not_be_checked(
    revision: str, repository: Repository, run: Run
) -> None:
    result = run("init", "--github", "--repo", URL, "--rev", revision)
    doubt = f"`rev: {revision}` could not be checked: {URL} does not answer for it\n"
    assert result.code == 0 and result.out.count(doubt) == 2


def test_an_abbreviated_hash_is_left_to_pre_commit(
    repository: Repository, hooks: Repository, run: Run
) -> None:
    revision = head_of(hooks)[:8]
    result = run("init", "--repo", str(hooks.root), "--rev", revision)
    assert result.code == 0 and "could not be checked" in result.out


@pytest.mark.parametrize("options", [(), ("--repo", URL), ("--repo", f"{URL}.git/")])
def test_init_writes_the_commit_that_was_installed(
    options: tuple[str, ...], repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, {"url": URL, "vcs_info": {"vcs": "git", "commit_id": COMMIT}})
    result = run("init", "--github", *options)
    assert result.code == 0
    config = Path(CONFIG).read_text()
    assert f"  - repo: {URL}" in config and f"    rev: {COMMIT}\n" in config
    assert f"uses: acme/fork/.github/workflows/gate.yml@{COMMIT}\n" in Path(WORKFLOW).read_text(
        encoding="utf-8"
    )


def test_a_revision_of_the_user_is_one_of_the_fork_that_was_installed(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, {"url": URL, "vcs_info": {"vcs": "git", "commit_id": COMMIT}})
    assert run("init", "--rev", "v1").code == 0
    config = Path(CONFIG).read_text()
    assert f"  - repo: {URL}" in config and "    rev: v1\n" in config


def test_init_writes_the_tag_of_an_installed_release(
    repository: Repository, hooks: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, None)
    monkeypatch.setattr(hook_source, "REPOSITORY", str(hooks.root))
    assert run("init").code == 0
    assert f"    rev: v{__version__}\n" in Path(CONFIG).read_text()


UNKNOWN: dict[str, object] = {
    "an editable clone": {"url": "file:///srv/clone", "dir_info": {"editable": True}},
    "a commit of a clone": {"url": "file:///srv/clone", "vcs_info": {"commit_id": COMMIT}},
    "an archive": {"url": f"{URL}/archive/main.zip", "archive_info": {}},
    "another repository": {"url": "https://github.com/a/b", "vcs_info": {"commit_id": COMMIT}},
    "a short hash": {"url": URL, "vcs_info": {"commit_id": "0123456"}},
    "a list": [],
    "no JSON": "{",
    "a release whose tag is not found": None,
}


@pytest.mark.parametrize("record", UNKNOWN.values(), ids=UNKNOWN)
def test_init_says_what_to_do_where_no_revision_is_known(
    record: object, repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, record)
    result = run("init", "--github", "--repo", URL)
    problem = f"not written: no tag or commit of {URL} is known to exist"
    for path in (CONFIG, WORKFLOW):
        assert f"missing  {path}: {problem}; run this again with `--rev COMMIT`\n" in result.out
        assert not Path(path).exists()
    assert result.code == 0 and "created  docs/adr/001-" in result.out
    assert f"  helix-hooks init --github --repo {URL} --rev COMMIT     (" in result.out
    assert f"`git ls-remote {URL} HEAD` prints the newest commit" in result.out
    assert "pre-commit install" not in result.out and "gh secret set" not in result.out


def test_init_from_a_copy_of_the_files_knows_no_revision(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def distribution(name: str) -> Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", distribution)
    assert "missing  .pre-commit-config.yaml" in run("init").out


def test_init_needs_no_revision_where_the_hook_is_there(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, UNKNOWN["an editable clone"])
    repository.write(CONFIG, "repos: [{repo: x, rev: y, hooks: [{id: helix-adr}]}]\n")
    repository.write(WORKFLOW, "jobs: {gate: {uses: acme/fork/.github/workflows/gate.yml@main}}\n")
    result = run("init", "--github")
    assert "missing  " not in result.out and "pre-commit install" in result.out
