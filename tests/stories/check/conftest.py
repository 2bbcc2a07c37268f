"""Repositories in which an ADR is decided."""

import pytest

from tests.conftest import Repository
from tests.stories.check.samples import GOOD


@pytest.fixture
def decided(repository: Repository) -> Repository:
    """An accepted ADR in the last commit."""
    repository.stage("docs/adr/0007-kafka.md", GOOD)
    repository.commit()
    return repository
