"""What a command is answered in a comment, where a reaction does not say it all: why it was refused, and how it would work."""

import re
from collections.abc import Iterable

from .command import APPROVE, HELP, OVERRIDE, REVIEW, USAGES, Command
from .facts import Comment
from .handover import Handover
from .harmless import capped, inline
from .links import NOWHERE, Links
from .outcome import Outcome
from .page import MORE, title
from .turn import block, next_step

_MARK = re.compile(r"<!-- helix:answer (\d+) -->\s*\Z")
_MEANINGS = {
    APPROVE: "you have looked at this commit, and approve it; `for` narrows that to some approval types",
    "reject": "it must not be merged as it is; until you approve",
    OVERRIDE: "one finding is wrong here; where the policy lets its rule be overridden, and until the next push",
    REVIEW: "another run: after a failure, a deadline, or for a pull request from a fork; a type named here is judged afresh",
    "status": "whose turn it is",
    "explain": "why a rule exists, and what passes",
    HELP: "this",
}


def answer(to: int, parts: Iterable[str]) -> str:
    """A comment that answers another one, which it names in a mark that nobody sees."""
    text = capped("\n".join(parts), MORE)
    return f"{text}\n<!-- helix:answer {to} -->"


def answered(comments: Iterable[Comment], ours: int) -> set[int]:
    """The ids of the comments that were answered already."""
    return {int(found[1]) for item in comments if item.by.id == ours and (found := _MARK.search(item.body))}


def refusal(command: Command, reason: str, head: str, works: bool = True) -> str:
    """Why a command was not carried out, and the line that would be; none where no line `works`."""
    told = f"`/helix {command.name}` was not carried out: {inline(reason)}.\n"
    how = re.sub(r" \[.*?\]", "", USAGES[command.name]).replace("SHA", head or "SHA")
    return f"{told}\n{block(how)}" if works else told


def help() -> str:
    rows = "".join(f"- `{usage}`<br>{_MEANINGS[name]}\n" for name, usage in USAGES.items())
    note = "A command begins a line of a new comment. In code, in quotes, and after an edit it is text."
    return f"{rows}\n{note}\n"


def status(given: Handover, outcome: Outcome, to: Links = NOWHERE) -> str:
    """Where it stands, whose turn it is, and where the rest can be read: three lines."""
    found = outcome.given or given
    told = f"**{inline(title(found, outcome))}** at `{found.subject.head[:7]}`"
    return f"{told}  \n{next_step(found, outcome, to)}  \nThe rest is in {to.page('the comment of this gate')}.\n"
