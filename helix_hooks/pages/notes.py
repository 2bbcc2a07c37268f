"""Notes above a page: results of decisions, unreadable sources, and missing rights."""

from collections.abc import Sequence

from htpy import Node, a, h2, li, p, section, ul
from htpy import b as strong

from .shown import address, line, quoted
from .view import DecisionLine


def happened(lines: Sequence[DecisionLine], prefix: str) -> Node:
    """Return a line for each entry that somebody has just decided or tried to."""
    if not lines:
        return None
    done = sum(item.is_done for item in lines)
    failed = len(lines) - done
    counts = [f"{done} decided" if done else "", f"{failed} not decided" if failed else ""]
    return section(".happened", role="status", aria_labelledby="happened")[
        h2("#happened")[", ".join(filter(None, counts))],
        ul[(_line(item, prefix) for item in lines)],
    ]


def _line(item: DecisionLine, prefix: str) -> Node:
    name = line(item.title, 120) or line(item.id, 80)
    target = address(item.url) or f"{prefix}/entry?id={quoted(item.id)}"
    return li(class_="done" if item.is_done else "failed")[
        strong["Done" if item.is_done else "Not done"],
        " ",
        a(href=target)[name],
        " ",
        line(item.text),
    ]


def failures(lines: Sequence[str]) -> Node:
    """Return the parts that could not be read, so that the list does not look complete."""
    if not lines:
        return None
    return section(".partial", aria_labelledby="partial")[
        h2("#partial")["This list is not complete"],
        ul[(li[line(text)] for text in lines)],
    ]


def hint(text: str) -> Node:
    """Return why nothing can be decided here."""
    return p(".hint")[line(text)] if text else None
