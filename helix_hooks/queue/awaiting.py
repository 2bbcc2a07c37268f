"""Wait for the decision about a request, also while the database server restarts."""

import time
from collections.abc import Callable

from ..flow.storage import DatabaseError
from ..waiting.request import PENDING, ApprovalRequest
from .store import QueueStore

_AN_HOUR = 3600.0
_RECONNECT = (0.5, 1.0, 2.0, 5.0)
"""Seconds between attempts to reach a server; the last one is repeated."""


def awaited(
    store: QueueStore, request: ApprovalRequest, seconds: float, notice: Callable[[str], None]
) -> ApprovalRequest:
    """Wait until a request is decided, asked back, or the time is over, and return it.

    `notice` gets a line when the server is away. Raises HelixError if a file can't be read.
    """
    until = time.monotonic() + seconds
    failed = 0
    while True:
        try:
            newest = store.newest()
            request = store.request(request.id)  # after the number, so that no event is missed
            is_ours = request.status != PENDING or request.asked_back_at
            if is_ours or until <= time.monotonic():
                return request
            store.wait_for_event(newest, _pause(store, request, until))
            failed = 0
        except DatabaseError as error:
            left = until - time.monotonic()
            if not store.is_shared or left <= 0:
                raise
            if not failed:
                notice(f"{error}; still waiting")
            time.sleep(min(left, _RECONNECT[min(failed, len(_RECONNECT) - 1)]))
            failed += 1


def _pause(store: QueueStore, request: ApprovalRequest, until: float) -> float:
    """Return the seconds until the deadline, or until the end of the waiting time."""
    left = min(until - time.monotonic(), _AN_HOUR)
    if not request.expires_at:
        return max(left, 0)
    return max(min(left, request.expires_at - store.now()), 0)
