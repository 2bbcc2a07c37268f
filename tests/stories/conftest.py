"""A PostgreSQL server, one for a process of tests, and receivers of messages."""

from collections.abc import Iterator

import pytest

from tests.fakes.postgres import Postgres, session_server
from tests.fakes.receivers import Mailbox, Webhook, mail_server, webhook


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with session_server() as made:
        yield made


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as box:
        yield box


@pytest.fixture
def chat() -> Iterator[Webhook]:
    with webhook() as hook:
        yield hook
