"""Scenes of flows."""

from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.stories.flow.examples import FlowScene


@pytest.fixture
def scene(repository: Repository, tmp_path: Path) -> FlowScene:
    return FlowScene(repository, tmp_path)
