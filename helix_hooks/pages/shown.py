"""Untrusted texts for pages: printable, of limited length, without tokens or markup."""

from ..text import printable

LINE, BLOCK = 300, 60_000
"""Characters that are shown of a line, and of a text of several lines."""

_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/~")


def line(text: str, limit: int = LINE) -> str:
    """Return a text for one line."""
    return printable(text, limit)


def block(text: str, limit: int = BLOCK) -> str:
    """Return a text of several lines. A note replaces what exceeds the limit."""
    lines = [printable(part) for part in text[:limit].splitlines()]
    if len(text) > limit:
        lines += ["", f"(cut: {len(text) - limit} more characters are not shown here)"]
    return "\n".join(lines)


def address(url: str) -> str:
    """Return an address for a link; "" if it is not an address of the web."""
    # `javascript:` and `data:` addresses could run code on the page.
    if url.startswith(("https://", "http://")) and url.isprintable():
        return url
    return ""


def quoted(value: str) -> str:
    """Return a value encoded for the query of an address.

    The same as `urllib.parse.quote`, which a pure room may not import.
    """
    data = value.encode("utf-8", "replace")
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data)


def ago(seconds: int) -> str:
    """Return an age in one unit, such as "3 h ago"."""
    if seconds < 60:
        return "just now"
    return f"{span(seconds)} ago"


def until(seconds: int) -> str:
    """Return the time until a deadline, such as "due in 3 h"; negative if it has passed."""
    if seconds > 0:
        return f"due in {span(seconds)}"
    if seconds > -60:
        return "due now"
    return f"due {span(-seconds)} ago"


def span(seconds: int) -> str:
    """Return a time span in its largest unit, rounded down, such as "2 d"."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return "1 min"


def percent(share: float) -> str:
    """Return a share from 0 to 1 as a percentage, rounded down: 0.999 is not 100 %."""
    # The small number makes up for binary fractions: 0.29 * 100 is 28.999999999999996.
    return f"{int(share * 100 + 1e-9)} %"
