"""The ADRs that the change claims to implement, in the summary comment. Pure."""

import re

from ..decision.claimed import ClaimedAdr, MissingPromise
from ..decision.handover import Handover
from ..text.plural import counted
from ..text.sanitize import code, inline
from ..verification.naming import long_name
from ..verification.result import FAILED, NOTHING_SHOWN, UNAPPROVED, UNMET, VERIFIED
from .links import Links

_UNFOLDED = 5
"""Maximum number of missing promises that are not folded."""

_WORDS = {
    VERIFIED: ("✅", "Implemented"),
    NOTHING_SHOWN: ("⚪", "Nothing can be shown"),
    UNMET: ("❌", "Not implemented"),
    UNAPPROVED: ("⏳", "Not approved"),
    FAILED: ("❌", "Not verified"),
}
_PATH = re.compile(r"(?<![\w/.])(?:[\w.@+-]+/)+[\w.@+-]*\w(?:::\w+)*")
_SHOWN_ONLY = "⚪"
_VERBS = {"create": "create", "modify": "change", "delete": "delete", "docs": "document"}
"""The words before a path; before anything else there is none."""


def claimed_section(handover: Handover, to: Links) -> str:
    """Return the claimed ADRs, each with its state and its missing promises; "" without any."""
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
    more = item.missing - _UNFOLDED
    return f"{text}\n<details><summary>{more} more</summary>\n\n{folded}\n</details>\n"


def _rows(item: ClaimedAdr) -> list[str]:
    """Return a line for each missing promise, and for the number of those that are not listed."""
    rows = [_missing(promise) for promise in item.first_missing]
    left = item.missing - len(rows)
    if left > 0:
        rows.append(f"- and {left} more: {inline(f'`helix-hooks verify {item.name}`')} lists all\n")
    return rows


def _about(item: ClaimedAdr) -> str:
    """Return the counts, or why nothing was compared."""
    if item.reason:
        return f": {inline(item.reason)}"
    met = item.promises - item.missing - item.unverifiable
    of_all = f"{met} of {counted(item.promises, 'promise')} fulfilled"
    parts = [of_all, f"{item.missing} missing"] if item.missing else [of_all]
    if item.unverifiable:
        parts.append(f"{item.unverifiable} can't be verified")
    return f". {', '.join(parts)}"


def _missing(promise: MissingPromise) -> str:
    if promise.kind != "criterion":
        verb = f"{_VERBS[promise.kind]} " if promise.kind in _VERBS else ""
        return f"- {verb}{code(promise.subject)}: {inline(promise.reason)}\n"
    # The reason of a criterion begins with its path, which the subject may have already.
    path, _, reason = promise.reason.partition(": ")
    if not reason or path not in promise.subject:
        reason = promise.reason
    return f"- {_with_paths(promise.subject)}: {_with_paths(reason)}\n"


def _with_paths(text: str) -> str:
    """Return a text with its paths as code."""
    return inline(_PATH.sub(r"`\g<0>`", text.replace("`", "")))
