"""A notice as JSON, for the outbox. Pure."""

import json

from ..errors import HelixError
from .notices import Notice

_MANY = ("reasons", "ways_on", "people", "teams", "excluded", "approved_by", "delegates")


def notice_text(notice: Notice) -> str:
    """Return a notice as a JSON text."""
    return json.dumps(notice._asdict(), sort_keys=True, separators=(",", ":"))


def notice_from(text: str) -> Notice:
    """Return the notice of a JSON text.

    Raises:
        HelixError: Another program has changed it.
    """
    try:
        fields = json.loads(text)
        many = {name: tuple(map(str, fields.get(name, ()))) for name in _MANY}
        notice = Notice(**{**fields, **many})
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise HelixError("a notice in the database was changed, and can't be read") from None
    if not all(
        isinstance(value, type(other)) for value, other in zip(notice, _EXAMPLE, strict=True)
    ):
        raise HelixError("a notice in the database was changed, and can't be read")
    return notice


_EXAMPLE = Notice(
    key="", entry="", event="", source="", id="", project="", title="", category="", turn="",
    asked_by="", asked_at=0, since=0,
)  # fmt: skip
