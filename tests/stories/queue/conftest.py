"""A repository with flows of scripted agents, and the fake GitHub beside it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import READS, FakeGitHub, Token
from tests.stories.flow.examples import FlowScene


@pytest.fixture
def scene(repository: Repository, tmp_path: Path) -> FlowScene:
    return FlowScene(repository, tmp_path)


@pytest.fixture
def github(repository: Repository, scene: FlowScene) -> Iterator[FakeGitHub]:
    """Give GitHub with three people, whose tokens are their logins; max is at work."""
    repository.git("remote", "add", "origin", "git@github.com:acme/decisions.git")
    with FakeGitHub(repository.root) as fake:
        fake.people.update(alice="admin", max="maintain", eve="write")
        fake.tokens.update({name: Token(name, READS) for name in fake.people})
        scene.environment.update(GITHUB_API_URL=fake.url, GITHUB_TOKEN="max")
        yield fake
