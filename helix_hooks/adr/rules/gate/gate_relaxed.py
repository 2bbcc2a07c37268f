from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ....finding import Finding
from ...model import RuleResult, rule

_MAX_SHOWN = 3


class Relaxation(NamedTuple):
    """A part of a change that hides an error.

    `by` names the part, `line` is its line (0: that of the error), `finding` the hidden error.
    """

    by: str
    line: int
    finding: Finding


@rule("gate-relaxed", "corpus", "error")
def gate_relaxed(relaxations: Iterable[Relaxation]) -> Iterator[RuleResult]:
    """The change hides an error: with a comment, a setting, a status, a file name or the baseline.

    A check is useless if authors can disable its rules in the change that it checks. With `--since`
    and on a pull request, the change is also checked by the version before it: with the
    `helix-disable` and `helix-dropped` comments, status, template, header fields, concept, baseline
    and settings of that version. An error that only this second check finds is reported here. Fix
    the error, or request an approval. A renamed file is checked as the file it was. An ADR that is
    moved to a folder without ADRs is reported.

    A change cannot prepare to hide a later error either. A comment, a baseline entry or a number
    below `strict_from` of the version before hides only the errors that it hid then, by rule and
    subject. A new comment that hides nothing is an error for each rule that it names. These are
    errors too: a new baseline entry, a rule that no longer applies, a template that requires less,
    and a concept without a section whose loss was an error. The last one is allowed if the ADR is
    decided, since it cannot lose the section either.
    """
    grouped: dict[tuple[str, int], list[Relaxation]] = {}
    for item in relaxations:
        grouped.setdefault((item.by, item.line), []).append(item)
    for (by, line), items in grouped.items():
        count = "an error" if len(items) == 1 else f"{len(items)} errors"
        findings = [item.finding for item in items]
        hidden = [f"{finding.message} [{finding.check}]" for finding in findings[:_MAX_SHOWN]]
        if len(findings) > _MAX_SHOWN:
            hidden.append(f"and {len(findings) - _MAX_SHOWN} more")
        yield RuleResult(
            line=line or findings[0].line,
            message=f"{by} hides {count}: {'; '.join(hidden)}",
            help="fix the hidden errors, or request an approval",
            subject="\n".join(f"{item.check} {item.subject}" for item in findings),
        )


def finding_on_link() -> RuleResult:
    """Return the finding on an ADR that is a symbolic link now."""
    return RuleResult(
        line=1,
        message="the ADR was replaced by a symbolic link, which bypasses the CODEOWNERS of "
        "its folder",
        help="commit the ADR itself",
        subject="link",
    )
