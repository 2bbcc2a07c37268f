"""Answers to commands: why one was refused, and a valid command. Pure."""

import re
from collections.abc import Iterable, Mapping

from ..decision.commands import (
    APPROVE,
    DECLINE,
    HELP,
    OVERRIDE,
    REJECT,
    REVIEW,
    USAGES,
    Command,
    written,
)
from ..decision.decide import Decision
from ..decision.handover import Handover, PlacedFinding
from ..decision.pull_request import Comment
from ..text import capped, inline
from ..verdict.earlier import EarlierFinding
from .finding_texts import with_fingerprints
from .links import NOWHERE, Links
from .markdown import CUT_NOTE, block
from .next_steps import next_step
from .title import title

_REFUSED = "was not carried out"
_MARK = re.compile(r"<!-- helix:answer (\d+) -->\s*\Z")
_MEANINGS = {
    APPROVE: "approve this commit; `for` limits the approval to some approval types",
    "reject": "block the merge until you approve",
    OVERRIDE: "override one finding until the next push, if the policy allows it",
    DECLINE: "decline a judge's finding as an author of the change: the finding stays, and the "
    "next judge and the approvers read your reason",
    REVIEW: "start another run: after a failure or a deadline, for a draft, or for a pull request "
    "from a fork; a named type is judged again",
    "status": "show the state and who must act next",
    "explain": "explain a rule, with an example that passes",
    HELP: "this list",
}


def answer(to: int, parts: Iterable[str]) -> str:
    """Return the body of a comment that answers another one, with its id in a hidden mark."""
    text = capped("\n".join(parts), CUT_NOTE)
    return f"{text}\n<!-- helix:answer {to} -->"


def answered(comments: Iterable[Comment], ours: int) -> set[int]:
    """Return the ids of the comments that were answered already."""
    marks = (_MARK.search(item.body) for item in comments if item.by.id == ours)
    return {int(match[1]) for match in marks if match}


def is_refusal(reply: str) -> bool:
    """Return whether a reply tells that a command was not carried out."""
    return _REFUSED in reply


HELD = (
    "The pull request waits for your reason, so that the author knows what to change.\n\n"
    f"{block(written(REJECT, 'REASON'))}"
)
"""The answer to an objection without a reason."""


def refusal(command: Command, reason: str, head: str, works: bool = True) -> str:
    """Return why a command did not run, and its valid form; without it if no form `works`."""
    text = f"`/helix {command.name}` {_REFUSED}: {inline(reason)}.\n"
    if not works:
        return text
    how = re.sub(r" \[.*?\]", "", USAGES[command.name]).replace("SHA", head or "SHA")
    return f"{text}\n{block(how)}"


def findings(items: Mapping[str, PlacedFinding | EarlierFinding]) -> str:
    """Return the findings that may be declined, for a reply that names no such finding."""
    if not items:
        return "No judge has found anything here.\n"
    return f"Findings of judges here:\n\n{with_fingerprints(items)}"


def help() -> str:
    rows = "".join(f"- `{usage}`<br>{_MEANINGS[name]}\n" for name, usage in USAGES.items())
    note = (
        "Write each command as a plain line of its own in a new comment. Commands in code and "
        "quotes are ignored; an edited comment approves nothing."
    )
    return f"{rows}\n{note}\n"


def status(handover: Handover, decision: Decision, to: Links = NOWHERE) -> str:
    """Return the answer to `/helix status`: state, next step, link to the summary comment."""
    handover = decision.handover or handover
    state = f"**{inline(title(handover, decision))}** at `{handover.target.head[:7]}`"
    return (
        f"{state}  \n{next_step(handover, decision, to)}  \nSee "
        f"{to.page('the helix comment')} for more.\n"
    )
