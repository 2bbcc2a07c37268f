"""Texts cut to a size."""

import json

from .sanitize import plain


def one_line(text: str, most: int) -> str:
    """Return a text on one line, without secrets, of at most `most` characters in JSON."""
    text = plain(" ".join(text.split()))
    if len(json.dumps(text)) <= most + 2:
        return text
    size, start = 1, list[str]()
    for character in text:
        size += len(json.dumps(character)) - 2
        # An ellipsis takes six characters in JSON: `\u2026`.
        if size > most - 6:
            break
        start.append(character)
    return f"{''.join(start)}…"
