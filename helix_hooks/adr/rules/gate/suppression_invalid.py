from collections.abc import Collection, Iterator

from ....yaml_reader import nearest
from ...model import RuleResult, Suppression, rule

_MAX_COMPARED = 100
"""Misspelt names that are compared with the rules; a file may have thousands."""

Idle = tuple[Suppression, str, RuleResult]
"""A comment that suppresses nothing, the rule that it does not suppress ("" if it names none), and
the finding.
"""


@rule("suppression-invalid", "structure", "warning")
def suppression_invalid(
    comments: tuple[Suppression, ...],
    used: Collection[tuple[int, str]],
    known: Collection[str],
    firm: Collection[str],
) -> Iterator[RuleResult]:
    """A `helix-disable` comment has no effect.

    `<!-- helix-disable RULE - reason -->` suppresses a rule in the file, `<!--
    helix-disable-next-line RULE - reason -->` on the next line that is not empty. The reason needs
    at least two words, because readers see it instead of the finding. The rule reports a comment
    without a reason, a comment for an unknown rule, and a comment that suppresses nothing: each of
    them looks as if a finding were suppressed on purpose. Correct or delete the comment. These
    cannot be suppressed: unreadable files, merge conflicts, and findings on the gate or on a
    change.
    """
    yield from (item for _, _, item in idle(comments, used, known, firm))


def idle(
    comments: tuple[Suppression, ...],
    used: Collection[tuple[int, str]],
    known: Collection[str],
    firm: Collection[str],
) -> Iterator[Idle]:
    """Yield the comments that have no effect, once for each rule that they name.

    `used` are line and rule of the comments that suppressed a finding; `known` are the ids of
    all rules, `firm` those of the rules that cannot be suppressed.
    """
    compared = 0
    for comment in comments:
        if not comment.rules:
            help = "write <!-- helix-disable RULE - reason -->"
            yield comment, "", RuleResult(comment.line, "this comment names no rule", help)
        for name in comment.rules:
            if name in known:
                message, help = _defect(comment, name, firm, (comment.line, name) in used)
            else:
                compared += 1
                near = nearest(name, known) if compared <= _MAX_COMPARED else ""
                message = f"unknown rule {name!r}"
                help = f"write {near!r}" if near else "`helix-hooks rules` lists them"
            if message:
                yield comment, name, RuleResult(comment.line, message, help, subject=name)


def _defect(
    comment: Suppression, rule: str, firm: Collection[str], is_used: bool
) -> tuple[str, str]:
    """Return why a comment does not suppress a rule, and the help; "" if it does."""
    if rule in firm:
        return f"{rule} can't be suppressed", "fix what it found, and delete the comment"
    if not comment.reason:
        return (
            f"{rule} is not suppressed: the comment gives no reason",
            f"add a reason of at least two words: <!-- helix-disable {rule} - reason -->",
        )
    if not is_used:
        return (
            f"{rule} has no finding here, so this comment suppresses nothing",
            "delete the comment",
        )
    return "", ""
