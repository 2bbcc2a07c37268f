"""The paragraphs of a document, for what GitHub does in paragraphs alone, such as commands."""

from typing import Any, NamedTuple

import pyromark

from .document import OPTIONS, AdrDocument
from .visible import Span


class Paragraph(NamedTuple):
    """A paragraph that stands in no other block, and the spans of formatting, links and pictures in
    it.
    """

    start: int
    stop: int
    inside: list[Span]


def paragraphs(doc: AdrDocument) -> tuple[list[Paragraph], list[Span]]:
    """Return the paragraphs that stand in no other block, and the fragments of raw HTML, in
    order.
    """
    found: list[Paragraph] = []
    raw: list[Span] = []
    depth = 0
    event: Any
    place: Any
    for event, place in pyromark.events_with_range(
        str(doc.data[doc.body :], "utf-8"), options=OPTIONS
    ):
        span = (place["start"] + doc.body, place["end"] + doc.body)
        if "Start" in event:
            if not depth and event["Start"] == "Paragraph":
                found.append(Paragraph(*span, []))
            elif found and span[0] < found[-1].stop:
                found[-1].inside.append(span)
            depth += 1
        elif "End" in event:
            depth -= 1
        elif "Html" in event or "InlineHtml" in event:
            raw.append(span)
    return found, raw
