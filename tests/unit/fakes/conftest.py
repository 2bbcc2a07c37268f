"""Fixtures of the tests of the fake GitHub."""

from collections.abc import Iterator

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.unit.fakes.scene import Scene, history, populate


@pytest.fixture
def scene(repository: Repository) -> Iterator[Scene]:
    history(repository)
    with FakeGitHub(repository.root) as fake:
        populate(fake)
        yield Scene(fake, repository)
