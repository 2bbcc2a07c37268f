"""Colours and borders of the decision graph, the same in all drawings."""

from typing import NamedTuple

from ..adr.corpus import CLOSED, DECIDED, OPEN, REFUSED


class Look(NamedTuple):
    """Colours and border of the ADRs of some statuses."""

    name: str
    fill: str
    stroke: str
    color: str
    dashed: bool = False


_LOOKS = (
    (DECIDED, Look("decided", "#e8f3ea", "#6a9a76", "#1d2b20")),
    (OPEN, Look("open", "#eef3fb", "#7a95bd", "#1c2735")),
    (CLOSED, Look("closed", "#f2f2f2", "#a0a0a0", "#666666", dashed=True)),
    (REFUSED, Look("refused", "#f8eeee", "#b58a8a", "#5c4040")),
)
_UNKNOWN = Look("unknown", "#ffffff", "#a0a0a0", "#333333")


def look(status: str) -> Look:
    """Return the look of an ADR by its status."""
    return next((look for statuses, look in _LOOKS if status in statuses), _UNKNOWN)
