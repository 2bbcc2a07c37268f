"""Receivers of messages, and the place of an outbox."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_hooks.flow.place import FlowPlace
from tests.fakes.postgres import Postgres, missing, server
from tests.fakes.receivers import Mailbox, Webhook, mail_server, webhook
from tests.stories.notify.scene import Scene


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as box:
        yield box


@pytest.fixture
def chat() -> Iterator[Webhook]:
    with webhook() as hook:
        yield hook


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(FlowPlace(str(tmp_path / "tree"), str(tmp_path / "tree" / ".git")), tmp_path)


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


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.further)])
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Scene:
    """A scene on either database."""
    url = request.getfixturevalue("postgres").url() if request.param == "postgres" else ""
    return Scene(FlowPlace(str(tmp_path / "tree"), str(tmp_path / "tree" / ".git"), url), tmp_path)
