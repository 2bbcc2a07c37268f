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

    Other work depends on the decision as it was written. To change it, restore the text and write a
    new ADR that supersedes it, or add a paragraph under Amendments. The visible text is compared
    with the last commit; with `--since`, with the merge base.

    These may change: white space, the status with its date and successor, ticks of criteria, known
    header fields, short labels, and new paragraphs under Amendments or Changelog.

    A small change is a warning, and on a pull request a question to a person: at most three words
    without a number, negation, modal verb or status, a changed link, or a moved file.

    This finding cannot be suppressed.
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
