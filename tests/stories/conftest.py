"""A PostgreSQL server, one for a process of tests."""

from collections.abc import Iterator

import pytest

from tests.fakes.postgres import Postgres, session_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with session_server() as made:
        yield made
