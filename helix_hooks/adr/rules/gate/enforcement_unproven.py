from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ....finding import Severity
from ...model import RuleResult, rule

_CODE = "correct the code or the rule, or add an exception before the rule counts"
"""The help of a warning: a new rule and the code do not agree."""


class Problem(NamedTuple):
    """A check that proves nothing, at a line of its ADR; `severity` is "" for that of the rule.

    Only a person can answer a `question`.
    """

    line: int
    check: str
    message: str
    severity: Severity = ""
    question: bool = False


@rule("enforcement-unproven", "corpus", "error")
def enforcement_unproven(problems: Iterable[Problem]) -> Iterator[RuleResult]:
    """A rule of `enforcement:` proves nothing, or a check that it names does not exist.

    A check that can't fail is worse than none: the decision looks enforced. `helix-hooks enforce`
    runs each rule on its two snippets: it must report the one under `fails`, and not the one under
    `passes`. A rule that a change keeps from running is reported too, for example a contract about
    a module that was renamed; if no file is left for it, a person decides. A new rule that today's
    code breaks is a warning.

    A check under `by:` must exist. It is never run, so it counts as present, not as enforced.

    To fix a finding, correct the rule, its snippet, or the name of the check.
    """
    for item in problems:
        yield RuleResult(
            line=item.line,
            message=item.message,
            help=_CODE if item.severity else "correct the entry, or say `none:` with the reason",
            severity=item.severity,
            question=item.question,
            subject=item.check,
        )
