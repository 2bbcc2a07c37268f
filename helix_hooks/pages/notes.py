"""Notes above a page: results of decisions, unreadable sources, and missing rights."""

from collections.abc import Sequence

from htpy import Element, Node, a, button, form, h2, li, p, section, ul
from htpy import b as strong
from htpy import input as field

from ..waiting import queue_text
from ..waiting.entry import NotShown
from .shown import address, line, quoted
from .view import DecisionLine, Shell


def happened(lines: Sequence[DecisionLine], shell: Shell, token: str) -> Node:
    """Return a line for each entry that the viewer has just decided or tried to decide.

    `token` is that of the forms to undo a decision.
    """
    if not lines:
        return None
    counts = {
        "can be undone": sum(item.can_undo for item in lines),
        "decided": sum(item.is_done and not item.can_undo for item in lines),
        "not decided": sum(not item.is_done for item in lines),
    }
    title = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    soon = [item.id for item in lines if item.can_undo]
    return section(".happened", role="status", aria_labelledby="happened")[
        h2("#happened")[title],
        _undo(soon, f"Undo all {len(soon)}", shell.prefix, token) if len(soon) > 1 else None,
        ul[(_line(item, shell.prefix, token) for item in lines)],
    ]


def _line(item: DecisionLine, prefix: str, token: str) -> Node:
    name = line(item.title, 120) or line(item.id, 80)
    target = address(item.url) or f"{prefix}/entry?id={quoted(item.id)}"
    class_, result = ("done", "Done") if item.is_done else ("failed", "Not done")
    if item.can_undo:
        class_, result = "undo", "Soon"
    return li(class_=class_)[
        strong[result],
        " ",
        a(href=target)[name],
        " ",
        line(item.text),
        item.can_undo and _undo([item.id], "Undo", prefix, token),
    ]


def _undo(ids: Sequence[str], label: str, prefix: str, token: str) -> Element:
    return form(method="post", action=f"{prefix}/undo")[
        field(type="hidden", name="token", value=token),
        (field(type="hidden", name="id", value=f"- {id}") for id in ids),
        button[label],
    ]


def failures(lines: Sequence[str]) -> Node:
    """Return the sources that could not be read, so that the list does not look complete."""
    if not lines:
        return None
    return section(".partial", aria_labelledby="partial")[
        h2("#partial")["This list is not complete"],
        ul[(li[line(text)] for text in lines)],
    ]


def beside(not_shown: NotShown) -> Node:
    """Return what is pending and not in the list."""
    return [p(".hint")[line(text)] for text in queue_text.not_shown(not_shown)]


def hint(text: str) -> Node:
    """Return the reason why nothing can be decided on this page."""
    if not text:
        return None
    return p(".hint")[line(text)]
