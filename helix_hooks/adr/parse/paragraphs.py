"""The paragraphs of a document, for syntax that GitHub reads only in paragraphs."""

from typing import Any, NamedTuple

import pyromark

from .document import OPTIONS, AdrDocument
from .visible import Span


class Paragraph(NamedTuple):
    """A top-level paragraph, and the spans of formatting, links and pictures in it."""

    start: int
    stop: int
    inside: list[Span]


def paragraphs(doc: AdrDocument) -> list[Paragraph]:
    """Return the top-level paragraphs, in order."""
    top_level: list[Paragraph] = []
    depth = 0
    event: Any
    place: Any
    for event, place in pyromark.events_with_range(
        str(doc.data[doc.body :], "utf-8"), options=OPTIONS
    ):
        span = (place["start"] + doc.body, place["end"] + doc.body)
        if "Start" in event:
            if not depth and event["Start"] == "Paragraph":
                top_level.append(Paragraph(*span, []))
            elif top_level and span[0] < top_level[-1].stop:
                top_level[-1].inside.append(span)
            depth += 1
        elif "End" in event:
            depth -= 1
    return top_level
