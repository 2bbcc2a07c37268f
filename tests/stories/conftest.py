"""A PostgreSQL server, one for a process of tests, and receivers of messages."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.postgres import Postgres, missing, server, session_server
from tests.fakes.receivers import Mailbox, Webhook, mail_server, webhook


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with session_server() as made:
        yield made


@pytest.fixture
def own_server() -> Iterator[Postgres]:
    """A server of this test alone, since it stops."""
    if missing():
        pytest.skip(missing())
    folder = Path(tempfile.mkdtemp(prefix="helix-pg-"))
    folder.chmod(0o755)
    with server(folder / "server") as made:
        yield made
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as box:
        yield box


@pytest.fixture
def chat() -> Iterator[Webhook]:
    with webhook() as hook:
        yield hook
