"""Stores with a clock of their own, and requests in them."""

import contextlib
import sqlite3
import uuid
from collections.abc import Iterator

import psycopg

from helix_hooks.config.policy import Policy
from helix_hooks.flow.place import FlowPlace
from helix_hooks.queue.store import QueueStore, opened
from helix_hooks.queue.verifying import verify
from helix_hooks.waiting import opening
from helix_hooks.waiting.request import ApprovalRequest
from tests.unit.waiting.asked import START, draft, policy

KEY = b"a long secret of the record"


class Clock:
    """A time that a test sets."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


@contextlib.contextmanager
def store(place: FlowPlace, clock: Clock | None = None, key: bytes = b"") -> Iterator[QueueStore]:
    with opened(place, clock=clock or Clock(), record_key=key) as db:
        yield db


def asked(title: str = "Start sprint 4", by: Policy | None = None, action: str = "sprint_start") -> ApprovalRequest:  # fmt: skip
    wanted = draft(action, id=str(uuid.uuid4()), title=title)
    return opening.opened(wanted, by or policy(), START)


def faults(place: FlowPlace) -> tuple[str, ...]:
    return verify(place).faults


def execute(place: FlowPlace, *statements: str) -> None:
    """Change the database as somebody would who has it, without our program."""
    if place.is_shared:
        with psycopg.connect(place.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())
        return
    with contextlib.closing(sqlite3.connect(place.database)) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()
