from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ....text import listed
from ...model import RuleResult, rule

UNREAD = "unread"
"""The status of an ADR that may be decided, but can't be read."""
_IN_DOUBT = "this ADR may have been decided, since its status can't be read"

_ASK = "or a person approves it on the pull request"


class Edit(NamedTuple):
    """A change of a decided ADR, at a line.

    `subject` is "number", "text" or the name of a header field. `change` says what was done. If it
    `is_small`, a person can approve it at a glance.
    """

    subject: str
    line: int
    change: str
    help: str
    is_small: bool = False


@rule("accepted-changed", "corpus", "error")
def accepted_changed(status: str, edits: Iterable[Edit]) -> Iterator[RuleResult]:
    """An accepted ADR was rewritten.

    Other work depends on the decision as it was written, and its reasons would be lost. To change a
    decision, restore the text and write a new ADR that supersedes it, or add what is new under
    Amendments. The rule compares the visible text: words that are added, removed, hidden or made
    visible, signs that end a sentence and others apart from punctuation, numbers of lists, targets
    of links and pictures, visible addresses, folding, notes, and the order of paragraphs, cells and
    nested lists. The number must not change either, and the file must not be deleted. A new header
    field that is no known label, such as `valid: false` or `expires:`, is a change too.

    These may still change: white space, the status with its date and successor, ticks of
    acceptance criteria, new paragraphs under Amendments or Changelog, known header fields, and
    short labels (at most six words: ids, names, dates, tags).

    A small change is a warning at the commit, and a question to a person on the pull request: at
    most three words of the text, and no number, negation, modal verb, status or code among them.
    So is a changed target or address, a changed tag of raw HTML that is not simple, a file that was
    renamed or moved, and each change of an ADR whose status before can't be read. With `--since`,
    the exit code is 4 if only such questions remain.

    The version before is that of the last commit; with `--since` or pre-commit's from-ref it is
    that of the merge base. This finding cannot be suppressed.
    """
    already = _IN_DOUBT if status == UNREAD else f"this ADR was already {status.lower()}"
    for edit in edits:
        finding = RuleResult(
            line=edit.line,
            message=f"{already} and must not be changed: {edit.change}",
            help=edit.help,
            subject=edit.subject,
        )
        if edit.is_small or status == UNREAD:
            finding = finding._replace(
                message=f"{already}: {edit.change}",
                help=f"{edit.help}; {_ASK}",
                severity="warning",
                question=True,
            )
        yield finding


def finding_on_deletion(status: str) -> RuleResult:
    """Return the finding on a deleted ADR with a decided status, or one that is UNREAD."""
    finding = RuleResult(
        line=1,
        message=f"this ADR was {status.lower()} and must not be deleted",
        help="restore it; to change the decision, write a new ADR that supersedes it",
        subject="file",
    )
    if status == UNREAD:
        help = f"restore it, {_ASK}"
        return finding._replace(message=f"{_IN_DOUBT}: it was deleted", help=help, question=True)
    return finding


def question_on_move(folder: str, names: list[str]) -> RuleResult:
    """Return the question about decided ADRs that were renamed, or moved into a folder."""
    return RuleResult(
        line=1,
        message=f"decided ADRs have a new path in {folder or 'the root'}: {listed(names)}",
        help=f"move them back, {_ASK}",
        severity="warning",
        question=True,
        subject="\n".join(names),
    )
