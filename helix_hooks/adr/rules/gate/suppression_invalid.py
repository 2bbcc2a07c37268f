from collections.abc import Collection, Iterator

from ....yaml_values import nearest
from ...model import Found
from ...suppress import Suppression

_MOST_COMPARED = 100

Idle = tuple[Suppression, str, Found]
"""A comment that suppresses nothing, the rule for which it does not ("" where it names none), and
what there is to say.
"""


class SuppressionInvalid:
    """A suppressing comment does nothing.

    `<!-- helix-disable RULE - reason -->` silences a rule in the file, `<!--
    helix-disable-next-line RULE - reason -->` on the next line that is not empty. The reason has
    two words at least: it is what the next reader gets instead of the finding. A comment without
    one, one that names no rule of the repository, and one that suppresses nothing any more are
    reported, since each of them looks as if something were silenced on purpose. What can't be
    suppressed: unreadable files, merge conflicts, the gate's own findings.
    """

    id = "suppression-invalid"
    layer = "structure"
    severity = "warning"

    def idle(
        self,
        comments: tuple[Suppression, ...],
        used: Collection[tuple[int, str]],
        known: Collection[str],
        firm: Collection[str],
    ) -> Iterator[Idle]:
        """The comments that do nothing, each with the rule for which it does nothing ("" where it
        names none). `used` are line and rule of the comments that suppressed something; `known` are
        all rules, `firm` those that can't be suppressed.
        """
        nearby = _Nearest(known)
        for comment in comments:
            if not comment.rules:
                yield (
                    comment,
                    "",
                    Found(
                        line=comment.line,
                        message="this comment names no rule",
                        help="write <!-- helix-disable RULE - reason -->",
                    ),
                )
            for rule in comment.rules:
                message, help = _judged(comment, rule, nearby, firm, (comment.line, rule) in used)
                if message:
                    yield comment, rule, Found(line=comment.line, message=message, help=help)


SUPPRESSION_INVALID = SuppressionInvalid()


class _Nearest:
    """The known rules, and the one that a misspelt name is most like.

    Only the first misspelt names are compared, since there may be thousands.
    """

    def __init__(self, known: Collection[str]) -> None:
        self.known = known
        self._compared = 0

    def to(self, rule: str) -> str:
        self._compared += 1
        return nearest(rule, self.known) if self._compared <= _MOST_COMPARED else ""


def _judged(
    comment: Suppression, rule: str, nearby: _Nearest, firm: Collection[str], used: bool
) -> tuple[str, str]:
    if rule not in nearby.known:
        near = nearby.to(rule)
        return (
            f"there is no rule {rule!r} to suppress",
            f"write {near!r}" if near else "`helix-hooks rules` lists them",
        )
    if rule in firm:
        return f"{rule} can't be suppressed", "fix what it found, and delete the comment"
    if not comment.reason:
        return (
            f"{rule} is not suppressed: the comment gives no reason",
            f"say why in two words at least: <!-- helix-disable {rule} - reason -->",
        )
    if not used:
        return f"{rule} finds nothing here that this comment could suppress", "delete the comment"
    return "", ""
