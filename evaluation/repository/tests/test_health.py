import psycopg
import pytest

from rental import health


class Database:
    def __init__(self, limit):
        self.limit = limit

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def execute(self, query):
        self.asked = query


def test_a_database_that_answers_is_200(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health.store, "connect", Database)
    assert health.status() == 200


def test_a_database_that_is_down_is_503(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(limit):
        raise psycopg.OperationalError

    monkeypatch.setattr(health.store, "connect", refused)
    assert health.status() == 503
