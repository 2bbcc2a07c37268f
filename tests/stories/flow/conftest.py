"""Scenes of flows, and a PostgreSQL server, one for a process of tests."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.fakes.postgres import Postgres, missing, server
from tests.stories.flow.examples import FlowScene


@pytest.fixture
def scene(repository: Repository, tmp_path: Path) -> FlowScene:
    return FlowScene(repository, tmp_path)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Skip the tests that need one, where there is none."""
    if missing():
        pytest.skip(missing())
    folder = Path(tempfile.mkdtemp(prefix="helix-pg-"))  # short: a socket's path is limited
    folder.chmod(0o755)
    try:
        with server(folder / "server") as made:
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)
