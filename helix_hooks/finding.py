"""The finding: every layer produces findings, and every report prints them. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Annotated, NamedTuple

from .paths import MARKDOWN_SUFFIX

SEVERITIES = ("error", "warning", "info")
"""From highest to lowest. An error fails the check by default."""
Severity = Annotated[str, SEVERITIES]
FAIL_ON = ("error", "warning", "never")
"""The lowest severity that fails a check; the first is the default."""


def failing(fail_on: str) -> tuple[Severity, ...]:
    """Return the severities that fail a check; none for "never"."""
    if fail_on == "never":
        return ()
    return SEVERITIES[: SEVERITIES.index(fail_on) + 1]


LAYERS = ("structure", "rules", "concept", "corpus", "agent", "config", "gate")

_Number = Annotated[int, range(1, 2**53)]


class Finding(NamedTuple):
    """A defect in a file.

    `path` is relative to the repository root, with `/`. `line`, `end_line` and `column` count from
    1 and always exist in the file. `end_column` is the column after the last character of the
    finding on `line`; 0 if the finding is not about a part of the line. Columns count code points.
    `message` says what is wrong, `help` how to fix it. `check` is the id of the rule or brief.
    `evidence` is a verbatim quote from the file, by which a judge proves its finding. A `question`
    can only be answered by a person: it is a warning at the commit, and pending on a branch and on
    the pull request.

    `check`, `path` and `subject` identify a finding in two versions of a repository. The `subject`
    is data, not a sentence: the meaning of a section, a header key, the path of another ADR. It has
    a line for each of several subjects, and no line numbers or amounts.
    """

    severity: Severity
    check: str
    layer: Annotated[str, LAYERS]
    message: str
    path: str
    line: _Number = 1
    end_line: _Number = 1
    column: _Number = 1
    help: str = ""
    evidence: str = ""
    end_column: Annotated[int, range(2**53)] = 0
    question: bool = False
    subject: str = ""

    @property
    def about(self) -> str:
        """The subject; for a finding of a judge its quote, or its message without one."""
        return self.subject or " ".join((self.evidence or self.message).split())


_FILE = rf"\S+{MARKDOWN_SUFFIX}(?!\S)"
"""The path of an ADR in a subject."""

Key = tuple[str, str]
"""The rule of a finding, and one of its subjects."""


def keys_of(findings: Iterable[Finding], names: Mapping[str, str] | None = None) -> Counter[Key]:
    """Count the keys of findings. `names` maps the old names of renamed files to new ones."""
    return Counter(chain.from_iterable(key_of(finding, names) for finding in findings))


def key_of(finding: Finding, names: Mapping[str, str] | None = None) -> list[Key]:
    """Return the keys of a finding, one for each of its subjects."""
    subject = finding.about
    if names:
        subject = re.sub(_FILE, lambda match: names.get(match[0], match[0]), subject)
    return [(finding.check, part) for part in subject.split("\n")]
