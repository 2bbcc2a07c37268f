"""The page of one entry: state, deciders, next steps, reasons and documents."""

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
from ..text import moment
from ..waiting.entry import REQUEST, ChangedDocument, EntryDetail, QueueEntry
from .difference import LineDifference, as_code, difference
from .document_text import html_of
from .layout import document
from .notes import failures, hint
from .queue import bar, no_default
from .row import advice, category, due, state, title
from .shown import address, ago, line, percent, quoted
from .view import HERE, QueuePage, QueueRow

_SOURCES = {
    "pull_request": "Pull request",
    "flow": "Flow",
    "verification": "Verification",
    "review": "Review of a decision",
    "request": "Request",
}
_BESIDE = 60
"""Characters of the title beside the buttons."""
_MOST = 100
"""Maximum number of findings, and of files, on the page."""


class EntryPage(NamedTuple):
    """An entry with its documents, and the frame and form, which the list has too."""

    row: QueueRow
    detail: EntryDetail
    frame: QueuePage


def page(contents: EntryPage) -> str:
    """Return the page of an entry."""
    entry, frame = contents.row.entry, contents.frame
    name = entry.title
    if frame.form.error:
        name = f"Not decided: {name}"
    content = [
        p(".back")[a(href=f"{frame.shell.prefix}/")["Queue"]],
        hint(frame.shell.hint),
        failures((*frame.partial, *contents.detail.left_out)),
        _header(contents.row, frame.now),
        not _is_decidable(contents) and _elsewhere(contents.row),
        _items("Why a decision is needed", entry.reasons),
        _items("Questions and replies", entry.notes),
        _items("Ignored answers", entry.invalidated),
        _recommendation(entry),
        _text(entry.description, "Description"),
        _findings(entry.findings),
        *(_document(changed) for changed in contents.detail.documents),
        _files(entry),
        _people(entry),
        _is_decidable(contents) and _form(contents),
    ]
    return document(frame.shell, name, content, "entry")


def _asked(entry: QueueEntry) -> str:
    """Return what is asked and what is recommended, for a line beside the buttons."""
    return " · ".join(filter(None, (line(title(entry), _BESIDE), advice(entry))))


def may_ask_back(entry: QueueEntry) -> bool:
    """Return whether the requester of an entry can be asked something on the page."""
    return entry.source == REQUEST and not entry.is_asked_back


def _is_decidable(contents: EntryPage) -> bool:
    """Return whether the viewer can decide the entry on this page."""
    return contents.row.turn == HERE and bool(contents.frame.form.token)


def _header(row: QueueRow, now: int) -> Element:
    entry = row.entry
    return header(".title")[
        p(".s")[state(row), " ", category(entry), " ", due(entry, now)],
        h1[line(entry.title)],
        _origin(entry, now),
    ]


def _origin(entry: QueueEntry, now: int) -> Element:
    url = address(entry.url)
    name = line(entry.id, 100)
    asker = line(entry.asked_by, 60) or "somebody"
    return p(".m")[
        _SOURCES.get(entry.source, line(entry.source, 40)),
        " ",
        a(href=url)[name] if url else name,
        f" · {asker} asked {ago(now - entry.asked_at)}",
    ]


def _form(contents: EntryPage) -> Element:
    """Return the form. It is last in the page, because its bar is at the bottom of the screen."""
    frame, row = contents.frame, contents.row
    return form(".answer", method="post", action=f"{frame.shell.prefix}/decide")[
        no_default(),
        field(type="hidden", name="token", value=frame.form.token),
        field(type="hidden", name="id", value=f"{row.stamp} {row.entry.id}"),
        field(type="hidden", name="from", value="entry"),
        row.entry.needs_override
        and label(".override")[
            field(type="checkbox", name="override", value="yes"),
            " Override the rejection (reason required)",
        ],
        frame.form.prepared and _prepared(contents),
        bar(frame, _asked(row.entry), asks=may_ask_back(row.entry)),
    ]


def _prepared(contents: EntryPage) -> Element:
    """Return the line about an answer that a link proposes."""
    frame, entry = contents.frame, contents.row.entry
    url = f"{frame.shell.prefix}/entry?id={quoted(entry.id)}"
    return p(".m")[
        f"A link proposes to {frame.form.prepared}. Press the button to decide. ",
        a(href=url)["Other answers"],
    ]


def _elsewhere(row: QueueRow) -> Element:
    """Return how an entry is decided, and why it can't be decided on this page."""
    url, commands = address(row.entry.url), row.entry.ways_on
    return section(".answer", aria_labelledby="answer")[
        h2("#answer")["How to decide"],
        row.refusal and p[line(row.refusal)],
        url and p[a(".button", href=url)["Answer there"]],
        (p[code(tabindex="0")[line(command)]] for command in commands),
        not (row.refusal or url or commands) and p["This can't be decided here."],
    ]


def _items(name: str, texts: Iterable[str]) -> Node:
    items = [li[line(text)] for text in texts]
    if not items:
        return None
    return section[h2[name], ul[items]]


def _recommendation(entry: QueueEntry) -> Node:
    opinion = entry.recommendation
    if not (opinion.answer or opinion.reasoning or opinion.confidence is not None):
        return None
    answer, class_ = _ADVICE.get(opinion.answer, ("No recommendation", "advice no"))
    origin = []
    if opinion.by:
        origin.append(f"by {line(opinion.by, 60)}")
    if opinion.confidence is not None:
        origin.append(f"confidence {percent(opinion.confidence)}")
    return section[
        h2["Recommendation"],
        p[span(class_=class_)[answer], " ", ", ".join(origin)],
        opinion.reasoning and div(".text")[html_of(opinion.reasoning)],
    ]


_ADVICE = {"approve": ("Approve", "advice yes"), "reject": ("Reject", "advice no")}
"""The text and the CSS class of a recommendation."""


def _text(text: str, name: str) -> Node:
    if not text.strip():
        return None
    return section[h2[name], div(".text")[html_of(text)]]


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
    place = (
        item.path
        and div(".m")[code[f"{line(item.path)}:{item.line}"], f" · {line(item.check, 80)}"]
    )
    return li[
        span(class_=f"severity {line(item.severity, 10)}")[line(item.severity, 10)],
        " ",
        line(item.message, 600),
        place,
        item.evidence and div(".m")["“", line(item.evidence), "”"],
        item.help and div[line(item.help, 600)],
    ]


def _document(changed: ChangedDocument) -> Element:
    """Return a document: first its difference, since most changes are small, then its text."""
    change = difference(changed)
    is_new = not changed.before
    return section(".document")[
        h2[line(changed.path), " ", span[_size(changed, change)]],
        change.note and p(".m")[change.note],
        not is_new and change.lines and as_code(change),
        changed.after
        and disclosure(open=is_new)[
            caption["The document" if is_new else "The document after the change"],
            div(".text")[html_of(changed.after)],
        ],
    ]


def _size(changed: ChangedDocument, change: LineDifference) -> str:
    if not changed.after:
        return "deleted"
    if not changed.before:
        return "new"
    return f"+{change.added} −{change.deleted}"  # a minus sign


def _files(entry: QueueEntry) -> Node:
    if not entry.files:
        return None
    left_out = len(entry.files) - _MOST
    return section[
        h2["Files ", span[str(len(entry.files))]],
        ul[(li[code[line(name)]] for name in entry.files[:_MOST])],
        left_out > 0 and p[f"{left_out} more files are not shown here."],
    ]


def _people(entry: QueueEntry) -> Element:
    """Return the deciders of an entry, and its times and numbers."""
    excluded = approvals = cost = deadline = ""
    if entry.excluded:
        excluded = f"{_logins(entry.excluded, 60)} (requesters or authors)"
    if entry.minimum > 1:
        approvals = f"{entry.approvals} of {entry.minimum}"
    if entry.cost_usd:
        cost = f"${entry.cost_usd:.2f}"
    if entry.due_at:
        deadline = moment(entry.due_at)
    facts = {
        "Allowed to decide": wanted(entry.deciders),
        "Excluded": excluded,
        "Escalated to": _logins(entry.escalated_to, 80),
        "Approvals": approvals,
        "Action": entry.action,
        "Impact": entry.impact,
        "Cost of the judges": cost,
        "Asked": moment(entry.asked_at),
        "Deadline": deadline,
        "Commit": entry.head,
    }
    rows = (div[dt[name], dd[line(text)]] for name, text in facts.items() if text)
    return section[h2["Facts"], dl(".facts")[rows]]


def _logins(names: Iterable[str], limit: int) -> str:
    return ", ".join(f"@{line(name, limit)}" for name in names)
