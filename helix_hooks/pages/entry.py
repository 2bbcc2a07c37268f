"""The page of one entry: state, deciders, next steps, reasons, and the content to decide about."""

from collections.abc import Iterable
from typing import NamedTuple

from htpy import (
    Element,
    Node,
    a,
    code,
    dd,
    div,
    dl,
    dt,
    form,
    h1,
    h2,
    header,
    label,
    li,
    p,
    section,
    span,
    ul,
)
from htpy import details as disclosure
from htpy import input as field
from htpy import summary as caption

from ..config.policy import wanted
from ..finding import Finding
from ..text.moment import moment
from ..waiting.entry import ChangedDocument, EntryDetail, QueueEntry
from .difference import as_code, difference
from .document_text import html_of
from .layout import document
from .notes import failures, hint
from .queue import bar, no_default
from .row import category, due, state
from .shown import address, ago, line, percent
from .view import HERE, QueuePage, QueueRow

_SOURCES = {
    "pull_request": "Pull request",
    "flow": "Flow",
    "verification": "Verification",
    "request": "Request",
}
_MOST = 100
"""Findings and files that are listed."""


class EntryPage(NamedTuple):
    """An entry with its documents, and the frame and form that the list has too."""

    row: QueueRow
    detail: EntryDetail
    frame: QueuePage


def page(contents: EntryPage) -> str:
    """Return the page of an entry."""
    entry, frame = contents.row.entry, contents.frame
    is_here = contents.row.turn == HERE and bool(frame.form.token)
    content = [
        p(".back")[a(href=f"{frame.shell.prefix}/")["Queue"]],
        hint(frame.shell.hint),
        failures((*frame.partial, *contents.detail.left_out)),
        header(".title")[
            p(".s")[state(contents.row), " ", category(entry), " ", due(entry, frame.now)],
            h1[line(entry.title)],
            _origin(entry, frame.now),
        ],
        None if is_here else _elsewhere(contents.row),
        _reasons(entry),
        _items("Answers that do not count", entry.invalidated),
        _recommendation(entry),
        _text(entry.description, "Description"),
        _findings(entry.findings),
        *(_document(changed) for changed in contents.detail.documents),
        _files(entry),
        _people(entry),
        _form(contents) if is_here else None,
    ]
    name = f"Not decided: {entry.title}" if frame.form.error else entry.title
    return document(frame.shell, name, content, "entry")


def _origin(entry: QueueEntry, now: int) -> Element:
    url = address(entry.url)
    name = line(entry.id, 100)
    return p(".m")[
        _SOURCES.get(entry.source, line(entry.source, 40)),
        " ",
        a(href=url)[name] if url else name,
        f" · {line(entry.asked_by, 60) or 'somebody'} asked {ago(now - entry.asked_at)}",
    ]


def _form(contents: EntryPage) -> Element:
    """Return the form, last in the page: its bar stays at the lower edge of the screen."""
    frame, row = contents.frame, contents.row
    return form(".answer", method="post", action=f"{frame.shell.prefix}/decide")[
        no_default(),
        field(type="hidden", name="token", value=frame.form.token),
        field(type="hidden", name="id", value=f"{row.stamp} {row.entry.id}"),
        field(type="hidden", name="from", value="entry"),
        row.entry.needs_override
        and label(".override")[
            field(type="checkbox", name="override", value="yes"),
            " Override what the gate has rejected (needs a reason)",
        ],
        bar(frame),
    ]


def _elsewhere(row: QueueRow) -> Element:
    """Return how an entry is decided, and why not here."""
    url, ways = address(row.entry.url), row.entry.ways_on
    return section(".answer", aria_labelledby="answer")[
        h2("#answer")["How to decide"],
        row.refusal and p[line(row.refusal)],
        url and p[a(".button", href=url)["Answer there"]],
        (p[code(tabindex="0")[line(way)]] for way in ways),
        not (row.refusal or url or ways) and p["Nobody can decide this here."],
    ]


def _reasons(entry: QueueEntry) -> Node:
    return _items("Why a person is asked", entry.reasons)


def _items(name: str, texts: Iterable[str]) -> Node:
    items = [li[line(text)] for text in texts]
    return section[h2[name], ul[items]] if items else None


def _recommendation(entry: QueueEntry) -> Node:
    opinion = entry.recommendation
    if not (opinion.answer or opinion.reasoning or opinion.confidence is not None):
        return None
    sure = f"{percent(opinion.confidence)} sure" if opinion.confidence is not None else ""
    words = {"approve": "Approve", "reject": "Reject"}.get(opinion.answer, "No recommendation")
    return section[
        h2["Recommendation"],
        p[
            span(class_=f"advice {'yes' if opinion.answer == 'approve' else 'no'}")[words],
            " ",
            ", ".join(filter(None, [f"by {line(opinion.by, 60)}" if opinion.by else "", sure])),
        ],
        opinion.reasoning and div(".text")[html_of(opinion.reasoning)],
    ]


def _text(text: str, name: str) -> Node:
    return section[h2[name], div(".text")[html_of(text)]] if text.strip() else None


def _findings(findings: tuple[Finding, ...]) -> Node:
    if not findings:
        return None
    left_out = len(findings) - _MOST
    return section[
        h2["Findings ", span[str(len(findings))]],
        ul(".findings")[(_finding(item) for item in findings[:_MOST])],
        left_out > 0 and p[f"{left_out} more findings are not shown here."],
    ]


def _finding(item: Finding) -> Element:
    place = f"{line(item.path)}:{item.line}" if item.path else ""
    return li[
        span(class_=f"severity {line(item.severity, 10)}")[line(item.severity, 10)],
        " ",
        line(item.message, 600),
        place and div(".m")[code[place], f" · {line(item.check, 80)}"],
        item.evidence and div(".m")["“", line(item.evidence), "”"],
        item.help and div[line(item.help, 600)],
    ]


def _document(changed: ChangedDocument) -> Element:
    """Return a document: its difference first, since most changes are small, then the whole."""
    change = difference(changed)
    is_new = not changed.before
    size = "new" if is_new else f"+{change.added} −{change.deleted}"  # a minus sign
    if not changed.after:
        size = "deleted"
    return section(".document")[
        h2[line(changed.path), " ", span[size]],
        change.note and p(".m")[change.note],
        not is_new and change.lines and as_code(change),
        changed.after
        and disclosure(open=is_new)[
            caption["The document" if is_new else "The document after the change"],
            div(".text")[html_of(changed.after)],
        ],
    ]


def _files(entry: QueueEntry) -> Node:
    shown = [*entry.files[:_MOST]]
    left_out = len(entry.files) - _MOST
    if not shown:
        return None
    return section[
        h2["Files ", span[str(len(entry.files))]],
        ul[(li[code[line(name)]] for name in shown)],
        left_out > 0 and p[f"{left_out} more files are not shown here."],
    ]


def _people(entry: QueueEntry) -> Element:
    """Return who may decide, and the times and numbers of the entry."""
    excluded = ", ".join(f"@{line(name, 60)}" for name in entry.excluded)
    turned_to = ", ".join(f"@{line(name, 80)}" for name in entry.escalated_to)
    several = f"{entry.approvals} of {entry.minimum}" if entry.minimum > 1 else ""
    facts = (
        ("Who may decide", wanted(entry.deciders)),
        ("Who may not", f"{excluded}: they asked or wrote part of it" if excluded else ""),
        ("Turned to", turned_to),
        ("Approvals", several),
        ("Action", entry.action),
        ("Impact", entry.impact),
        ("Cost of the judges", f"${entry.cost_usd:.2f}" if entry.cost_usd else ""),
        ("Asked", moment(entry.asked_at)),
        ("Deadline", moment(entry.due_at) if entry.due_at else ""),
        ("Commit", entry.head),
    )
    return section[
        h2["Facts"],
        dl(".facts")[(div[dt[name], dd[line(text)]] for name, text in facts if text)],
    ]
