"""Fixtures of a pull request on the fake GitHub."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import hub, served
from tests.stories.pull_request.scene import People, Runner


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
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
