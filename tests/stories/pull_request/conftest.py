"""Fixtures of a pull request on the fake GitHub."""

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import hub, served
from tests.stories.pull_request.scene import People, Runner


@pytest.fixture(autouse=True)
def between_tries(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds that urllib3 would have waited before it tried again."""
    waited: list[float] = []
    clock = SimpleNamespace(**{**vars(time), "sleep": waited.append})
    monkeypatch.setattr("urllib3.util.retry.time", clock)
    return waited


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds that are waited for before something is written again, without waiting."""
    found: list[float] = []
    monkeypatch.setattr("helix_hooks.pull.write.sleep", found.append)
    return found


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository in which the same commit has the same name in every test, so that first runs are alike."""
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2026-01-05T08:00:00Z")
    repository = served(tmp_path)
    monkeypatch.chdir(repository.root)
    return repository


@pytest.fixture
def github(repository: Repository) -> Iterator[FakeGitHub]:
    with hub(repository) as fake:
        fake.open_pull(1)
        yield fake


@pytest.fixture
def runner(github: FakeGitHub, repository: Repository, tmp_path: Path) -> Runner:
    return Runner(github, repository, tmp_path)


@pytest.fixture
def people(github: FakeGitHub, repository: Repository, tmp_path: Path) -> People:
    return People(github, repository, tmp_path)
