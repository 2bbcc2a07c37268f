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

    A check is useless if a change can disable it for itself. With `--since` and on a pull request,
    the change is also checked with the comments, header fields, baseline and settings of the
    version before. An error that only this second check finds is reported here.

    A change cannot prepare to hide a later error either. These are errors too: a new
    `helix-disable` comment that hides nothing, a new baseline entry, a rule that no longer applies,
    a template that requires less, and an ADR that moves to a folder without ADRs.

    To fix a finding, fix the error itself, or let a person approve the change.
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
