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
    left = [
        f"{counted(number, 'more ADR')} {verb}.\n"
        for number, verb in (
            (handover.claimed_left_out, "verified, with no worse result"),
            (handover.claims_left_out, "named, which nobody verified"),
        )
        if number
    ]
    parts = [*parts, *left]
    return "\n".join(["**What is claimed to be implemented**\n", *parts]) if parts else ""


def _adr(item: ClaimedAdr, to: Links) -> str:
    sign, word = _WORDS[item.state]
    if not item.blocks and item.state != VERIFIED:
        sign = _SHOWN_ONLY
    name = inline(long_name(item.name, item.title, item.path))
    head = f"{sign} **{word}:** {to.file(name, item.path)}. {_about(item)}.\n"
    rows = [_missing(lack) for lack in item.first_missing]
    left = item.missing - len(rows)
    if left > 0:
        rows.append(f"- and {left} more: `helix-hooks verify` lists all\n")
    if not rows:
        return head
    first, rest = "".join(rows[:_UNFOLDED]), "".join(rows[_UNFOLDED:])
    more = counted(item.missing - _UNFOLDED, "more promise")
    folded = f"\n<details><summary>{more}</summary>\n\n{rest}\n</details>\n" if rest else ""
    return f"{head}\n{first}{folded}"


def _about(item: ClaimedAdr) -> str:
    """Return the counts, or why nothing was compared."""
    if item.reason:
        return inline(item.reason)
    met = item.promises - item.missing - item.unverifiable
    of_all = f"{met} of {counted(item.promises, 'promise')} kept"
    parts = [of_all, f"{item.missing} missing"] if item.missing else [of_all]
    if item.unverifiable:
        parts.append(f"{item.unverifiable} can't be shown here")
    return ", ".join(parts)


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
