"""The one source of time."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)
