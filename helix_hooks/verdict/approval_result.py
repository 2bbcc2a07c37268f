"""A verdict as a value, and its form as JSON. Pure.

The fields are those of `schemas/approval-result.json`. ApprovalResult of the original design.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from .. import codec
from ..codec import Amount, Count, Positive, Share, TypeName
from ..finding import Finding
from .earlier import ANSWERS
from .suggestion import Suggestion

APPROVED, NEEDS_REVISION, REJECTED = "approved", "needs_revision", "rejected"
SKIPPED = "skipped"
"""The result of an approval type that reviewed nothing; its confidence is 0."""
RESULTS = (APPROVED, NEEDS_REVISION, REJECTED, SKIPPED)
CHECKS = ("passed", "failed", "not_applicable")
"""The results of a brief."""

FULL, LIGHT = "full", "light"
"""The judges of one approval type: the one with tools, and the one that may be asked before it."""
SPAWN = "spawn"
FAILURES = ("setup", SPAWN, "timeout", "agent", "output", "parse", "budget")
"""Reasons for a run without a verdict; the `check` of its one finding."""


class AgentContext(NamedTuple):
    """The run behind a verdict.

    `duration_seconds` covers all `attempts`. `cost_usd` is None if the agent does not report it.
    `decided_by` is FULL or LIGHT. If a light judge ran and did not decide, `light_reason` tells
    why; `cost_usd` includes its cost.
    """

    agent: str
    model: str = ""
    duration_seconds: Amount = 0
    tokens_used: Count = 0
    cost_usd: Amount | None = 0
    turns: Count = 0
    attempts: Count = 0
    cached: bool = False
    decided_by: Annotated[str, (FULL, LIGHT)] = FULL
    light_reason: str = ""
    light_cost_usd: Amount | None = 0


class ReviewedFile(NamedTuple):
    """A file with the hash that git gives to its content."""

    path: str
    hash: Annotated[str, re.compile("[0-9a-f]{0,64}")]


class ApprovalResult(NamedTuple):
    """A verdict.

    `approval_id` has 8 hexadecimal digits. `result` is one of RESULTS, and `confidence` is between
    0 and 1. `checks` maps each brief to passed, failed or not_applicable. `files` are the reviewed
    files. `timestamp` is ISO 8601 in UTC.
    `suggestions` are texts that the judge proposes. `earlier` are its answers on earlier findings,
    by fingerprint. `needs_person` is the question that the judge passes to a person, "" for none.
    """

    approval_id: Annotated[str, re.compile("[0-9a-f]{8}")]
    approval_type: TypeName
    result: Annotated[str, RESULTS]
    confidence: Share
    summary: str
    findings: tuple[Finding, ...]
    checks: dict[str, Annotated[str, CHECKS]]
    files: tuple[ReviewedFile, ...]
    recommendations: tuple[str, ...]
    timestamp: str
    agent_context: AgentContext
    suggestions: tuple[Suggestion, ...] = ()
    earlier: Mapping[str, Annotated[str, ANSWERS]] = {}
    needs_person: str = ""

    @property
    def approved(self) -> bool:
        """True if the judge approves. The decision may still need a person."""
        return self.result == APPROVED

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings of severity error."""
        return self._of_severity("error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings of severity warning."""
        return self._of_severity("warning")

    @property
    def duration_seconds(self) -> float:
        """The time of all attempts."""
        return self.agent_context.duration_seconds

    @property
    def tokens_used(self) -> int:
        """The tokens of all attempts."""
        return self.agent_context.tokens_used

    @property
    def failed(self) -> bool:
        """True if the judge gave no verdict."""
        return any(finding.check in FAILURES and not finding.path for finding in self.findings)

    @property
    def question_left(self) -> str:
        """The question for a person if the verdict does not approve, "" for none."""
        return "" if self.approved else self.needs_person

    def _of_severity(self, severity: str) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == severity)

    def to_dict(self) -> dict[str, object]:
        """Return the verdict as plain values, in the form of `schemas/approval-result.json`."""
        data: dict[str, Any] = codec.plain(self)
        del data["suggestions"]
        for item in data["findings"]:
            item["location"] = f"{item['path']}:{item['line']}" if item["path"] else ""
            del item["subject"]  # its quote identifies a finding of a judge
        for suggestion in self.suggestions:
            lines = _Lines(suggestion.first, suggestion.last, suggestion.text)
            data["findings"][suggestion.finding]["suggestion"] = lines._asdict()
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> "ApprovalResult":
        """Return the verdict that `to_dict` wrote. Unknown fields are ignored.

        Raises:
            ValueError: A required field is missing, or a value has another type.
        """
        verdict = codec.lenient(data, cls)
        findings = codec.lenient(data, _Suggestions).findings
        suggestions = tuple(
            Suggestion(number, *item.suggestion)
            for number, item in enumerate(findings)
            if item.suggestion
        )
        return verdict._replace(suggestions=suggestions)


class _Lines(NamedTuple):
    """The JSON form of a suggestion, in its finding."""

    start: Positive
    end: Positive
    text: str


class _SuggestedFinding(NamedTuple):
    suggestion: _Lines | None = None


class _Suggestions(NamedTuple):
    findings: tuple[_SuggestedFinding, ...]
