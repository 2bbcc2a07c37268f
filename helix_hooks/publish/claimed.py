"""What the page says of the ADRs that the change claims to implement. Pure."""

import re

from ..decision.claimed import ClaimedAdr, MissingPromise
from ..decision.handover import Handover
from ..text.plural import counted
from ..text.sanitize import code, inline
from ..verification.naming import long_name
from ..verification.result import FAILED, NOTHING_SHOWN, UNAPPROVED, UNMET, VERIFIED
from .links import Links

_UNFOLDED = 5
"""Missing promises that are not folded."""

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
    """Return the claimed ADRs, each with its state, and what is missing; "" without any."""
    parts = [_adr(item, to) for item in handover.claimed]
    if handover.claimed_left_out:
        parts.append(f"And {counted(handover.claimed_left_out, 'more ADR')}, none worse.\n")
    if handover.claims_left_out:
        names = counted(handover.claims_left_out, "further name")
        parts.append(f"Not verified: {names} in text and commits, since 20 are read.\n")
    return "\n".join(["**What is claimed to be implemented**\n", *parts]) if parts else ""


def _adr(item: ClaimedAdr, to: Links) -> str:
    sign, word = _WORDS[item.state]
    if not item.blocks and item.state != VERIFIED:
        sign = _SHOWN_ONLY
    name = inline(long_name(item.name, item.title, item.path))
    head = f"{sign} **{word}:** {to.file(name, item.path)}{_about(item)}.\n"
    rows = [_missing(lack) for lack in item.first_missing]
    left = item.missing - len(rows)
    if left > 0:
        rows.append(f"- and {left} more: {inline(f'`helix-hooks verify {item.name}`')} lists all\n")
    if not rows:
        return head
    first, rest = "".join(rows[:_UNFOLDED]), "".join(rows[_UNFOLDED:])
    more = item.missing - _UNFOLDED
    folded = f"\n<details><summary>{more} more</summary>\n\n{rest}\n</details>\n" if rest else ""
    return f"{head}\n{first}{folded}"


def _about(item: ClaimedAdr) -> str:
    """Return the counts, or why nothing was compared."""
    if item.reason:
        return f": {inline(item.reason)}"
    met = item.promises - item.missing - item.unverifiable
    of_all = f"{met} of {counted(item.promises, 'promise')} kept"
    parts = [of_all, f"{item.missing} missing"] if item.missing else [of_all]
    if item.unverifiable:
        parts.append(f"{item.unverifiable} can't be shown here")
    return f". {', '.join(parts)}"


def _missing(lack: MissingPromise) -> str:
    if lack.kind != "criterion":
        verb = f"{_VERBS[lack.kind]} " if lack.kind in _VERBS else ""
        return f"- {verb}{code(lack.subject)}: {inline(lack.reason)}\n"
    path, _, rest = lack.reason.partition(": ")
    reason = rest if rest and path in lack.subject else lack.reason
    return f"- {_with_paths(lack.subject)}: {_with_paths(reason)}\n"


def _with_paths(text: str) -> str:
    """Return a text with its paths as code."""
    return inline(_PATH.sub(r"`\g<0>`", text.replace("`", "")))
