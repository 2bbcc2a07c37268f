"""Untrusted texts for pages: visible, of limited length, without tokens or markup."""

from ..text.sanitize import printable

LINE, BLOCK = 300, 60_000
"""Characters that are shown of a line and of a text of several lines."""

_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/~")


def line(text: str, limit: int = LINE) -> str:
    """Return a text for one line."""
    return printable(text, limit)


def block(text: str, limit: int = BLOCK) -> str:
    """Return a text whose lines stay; a note stands in the place of what is too long."""
    lines = [printable(part) for part in text[:limit].splitlines()]
    if len(text) > limit:
        lines += ["", f"(cut: {len(text) - limit} more characters are not shown here)"]
    return "\n".join(lines)


def address(url: str) -> str:
    """Return an address that a link may lead to, "" for any that is not of the web."""
    return url if url.startswith(("https://", "http://")) and url.isprintable() else ""


def quoted(value: str) -> str:
    """Return a value for the query of an address."""
    data = value.encode("utf-8", "replace")
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data)


def ago(seconds: int) -> str:
    """Return how long ago something was, in one unit, as in "3 h ago"."""
    return f"{span(seconds)} ago" if seconds >= 60 else "just now"


def until(seconds: int) -> str:
    """Return when a deadline is, as in "due in 3 h"."""
    if seconds <= 0:
        return f"due {span(-seconds)} ago" if seconds <= -60 else "due now"
    return f"due in {span(seconds)}"


def span(seconds: int) -> str:
    """Return a time span in its largest unit, rounded down, as in "2 d"."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return "1 min"


def percent(share: float) -> str:
    """Return a share as a percentage, rounded down so that 0.999 is not shown as 100 %."""
    return f"{int(share * 100 + 1e-9)} %"
