"""The one currency: every layer produces findings, every report consumes them."""

from .records import NamedTuple

Severity = str
SEVERITIES = ("error", "warning", "info")
"""From worst to mildest. An error fails the check by default."""
FAIL_ON = ("error", "warning", "never")
"""The mildest severity that fails a check; the first is the default."""


def failing(fail_on: str) -> tuple[Severity, ...]:
    """The severities at or above one that fail a check; none for "never"."""
    return SEVERITIES[: SEVERITIES.index(fail_on) + 1] if fail_on != "never" else ()


LAYERS = ("structure", "rules", "concept", "corpus", "agent", "config", "gate")


class Finding(NamedTuple):
    """One thing to fix.

    `path` is relative to the repository root with `/`; `line`, `end_line` and `column` count from 1
    and always exist in the file. `end_column` is the column behind the last character that the
    finding is about, on `line`; 0 where no part of the line is. Columns count code points.
    `message` says what is wrong, `help` how to fix it. `check` is the id of the rule or brief.
    `evidence` is a verbatim quote from the file, with which a judge shows its finding.
    """

    severity: Severity
    check: str
    layer: str
    message: str
    path: str
    line: int = 1
    end_line: int = 1
    column: int = 1
    help: str = ""
    evidence: str = ""
    end_column: int = 0
