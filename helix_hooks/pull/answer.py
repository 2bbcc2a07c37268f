"""What a command is answered in a comment, where a reaction does not say it all: why it was refused, and how it would work."""

import re
from collections.abc import Iterable

from ..report.plain import counted
from .command import APPROVE, HELP, OVERRIDE, REVIEW, USAGES, Command
from .facts import Comment
from .handover import Handover
from .harmless import capped, code, inline
from .outcome import Outcome
from .page import MORE, page

_MARK = re.compile(r"<!-- helix:answer (\d+) -->\s*\Z")
_MEANINGS = {
    APPROVE: "you have looked at this commit, and approve it; `for` narrows that to some approval types",
    "reject": "it must not be merged as it is; until you approve",
    OVERRIDE: "one finding is wrong here; where the policy lets its rule be overridden, and until the next push",
    REVIEW: "another run: after a failure, a deadline, or for a pull request from a fork; a type named here is judged afresh",
    "status": "where it stands, and what each finding is called",
    "explain": "why a rule exists, and what passes",
    HELP: "this",
}
_PAGE = 60_000


def answer(to: int, parts: Iterable[str]) -> str:
    """A comment that answers another one, which it names in a mark that nobody sees."""
    text = capped("\n".join(parts), MORE)
    return f"{text}\n<!-- helix:answer {to} -->"


def answered(comments: Iterable[Comment], ours: int) -> set[int]:
    """The ids of the comments that were answered already."""
    return {int(found[1]) for item in comments if item.by.id == ours and (found := _MARK.search(item.body))}


def refusal(command: Command, reason: str, head: str) -> str:
    """Why a command was not carried out, and the line that would be."""
    how = re.sub(r" \[.*?\]", "", USAGES[command.name]).replace("SHA", head or "SHA")
    return f"`/helix {command.name}` was not carried out: {inline(reason)}.\n\n```\n{how}\n```\n"


def help() -> str:
    rows = "".join(f"| `{usage}` | {_MEANINGS[name]} |\n" for name, usage in USAGES.items())
    note = "A command begins a line of a new comment. In code, in quotes, and after an edit it is text."
    return f"| command | what it says |\n|---|---|\n{rows}\n{note}\n"


def status(given: Handover, outcome: Outcome) -> str:
    """The page, and the names of the findings that somebody could override."""
    found = outcome.given or given
    errors = [item for item in found.findings if item.finding.severity == "error"] if not found.failure else []
    may = [item for item in errors if found.policy.may_override(item.finding.check)]
    lines = "\n".join(f"/helix override {item.fingerprint[:8]} {given.subject.head} REASON" for item in may)
    names = "".join(f"- {code(item.fingerprint[:8])}: {inline(item.finding.message)}\n" for item in may)
    more = f"{counted(len(may), 'finding')} that may be overridden:\n\n{names}\n```\n{lines}\n```\n" if may else ""
    return f"{page(given, outcome, _PAGE)}\n{more}"
