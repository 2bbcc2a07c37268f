"""The ADRs that the change claims to implement, in the summary comment. Pure."""

import re

from ..decision.claimed import ClaimedAdr, ClaimedPromise
from ..decision.handover import Handover
from ..text import code, counted, inline
from ..verification.naming import long_name
from ..verification.result import FAILED, PROMISES_NOTHING, UNAPPROVED, UNMET, UNPROVEN, VERIFIED
from .links import Links

_UNFOLDED = 5
"""Maximum number of promises that are not folded."""

_WORDS = {
    VERIFIED: ("✅", "Implemented"),
    UNPROVEN: ("⏳", "A person must look"),
    UNMET: ("❌", "Not implemented"),
    UNAPPROVED: ("⏳", "Not approved"),
    FAILED: ("❌", "Not verified"),
}
_PATH = re.compile(r"(?<![\w/.])(?:[\w.@+-]+/)+[\w.@+-]*\w(?:::\w+)*")
_SHOWN_ONLY = "⚪"
_VERBS = {"create": "create", "modify": "change", "delete": "delete", "docs": "document"}
"""The words before a path; before anything else there is none."""


def claimed_section(handover: Handover, to: Links) -> str:
    """Return the claimed ADRs with their states and the promises that are not shown, or ""."""
    parts = [_adr(item, to) for item in handover.claimed]
    if handover.claimed_left_out:
        more = counted(handover.claimed_left_out, "more ADR")
        parts.append(f"And {more}, with an equal or better result.\n")
    if handover.claims_left_out:
        names = counted(handover.claims_left_out, "further name")
        parts.append(f"Not verified: {names} in text and commits (limit: 20 names).\n")
    if not parts:
        return ""
    return "\n".join(["**Claimed as implemented**\n", *parts])


def _adr(item: ClaimedAdr, to: Links) -> str:
    sign, word = _WORDS[item.state]
    if not item.blocks and item.state != VERIFIED:
        sign = _SHOWN_ONLY
    name = inline(long_name(item.name, item.title, item.path))
    head = f"{sign} **{word}:** {to.file(name, item.path)}{_about(item)}.\n"
    rows = _rows(item)
    if not rows:
        return head
    text = f"{head}\n{''.join(rows[:_UNFOLDED])}"
    folded = "".join(rows[_UNFOLDED:])
    if not folded:
        return text
    more = _open(item) - _UNFOLDED
    return f"{text}\n<details><summary>{more} more</summary>\n\n{folded}\n</details>\n"


def _rows(item: ClaimedAdr) -> list[str]:
    """Return a line for each listed promise, and for the number of those that are not listed."""
    rows = [_promise(promise) for promise in item.first]
    left = _open(item) - len(rows)
    if left > 0:
        rows.append(f"- and {left} more: {inline(f'`helix-hooks verify {item.name}`')} lists all\n")
    return rows


def _about(item: ClaimedAdr) -> str:
    """Return the counts, or why nothing was compared."""
    if item.reason:
        return f": {inline(item.reason)}"
    if not item.promises:
        return f": {PROMISES_NOTHING}"
    return f". {item.counts} of {counted(item.promises, 'promise')}"


def _open(item: ClaimedAdr) -> int:
    """Return the number of promises that are neither shown nor judged."""
    return item.missing + item.present + item.unchecked


def _promise(promise: ClaimedPromise) -> str:
    if promise.kind != "criterion":
        verb = f"{_VERBS[promise.kind]} " if promise.kind in _VERBS else ""
        return f"- {promise.state}: {verb}{code(promise.subject)}: {inline(promise.reason)}\n"
    return f"- {promise.state}: {_with_paths(promise.subject)}: {_with_paths(promise.reason)}\n"


def _with_paths(text: str) -> str:
    """Return a text with its paths as code."""
    return inline(_PATH.sub(r"`\g<0>`", text.replace("`", "")))
