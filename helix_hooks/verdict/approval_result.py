"""A verdict as a value, and its form as JSON. Pure.

The fields are those of `schemas/approval-result.json`. ApprovalResult of the original design.
"""

import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Annotated, NamedTuple, TypeVar

from ..codec import Amount, Count, Share, TypeName
from ..finding import SEVERITIES, Finding
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
FAILURES = ("setup", "spawn", "timeout", "agent", "output", "parse", "budget")
"""Reasons for a run without a verdict; the `check` of its one finding."""

_Value = TypeVar("_Value")


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
        suggestions = {item.finding: item for item in self.suggestions}
        plain: dict[str, object] = self._asdict()
        del plain["suggestions"]
        return {
            **plain,
            "findings": [
                _plain_finding(finding, suggestions.get(number))
                for number, finding in enumerate(self.findings)
            ],
            "checks": dict(self.checks),
            "files": [{"path": path, "hash": hash} for path, hash in self.files],
            "recommendations": list(self.recommendations),
            "agent_context": self.agent_context._asdict(),
            "earlier": dict(self.earlier),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> "ApprovalResult":
        """Return the verdict that `to_dict` wrote. Unknown fields are ignored.

        Raises:
            ValueError: A required field is missing, or a value has another type.
        """
        return _verdict(data)


def _plain_finding(finding: Finding, suggestion: Suggestion | None) -> dict[str, object]:
    location = f"{finding.path}:{finding.line}" if finding.path else ""
    plain: dict[str, object] = {**finding._asdict(), "location": location}
    del plain["subject"]  # its quote identifies a finding of a judge
    if suggestion:
        plain["suggestion"] = {
            "start": suggestion.first,
            "end": suggestion.last,
            "text": suggestion.text,
        }
    return plain


# Reading the JSON form.


def _verdict(data: Mapping[str, object]) -> ApprovalResult:
    if not isinstance(data, Mapping):
        raise ValueError(f"expected a mapping, got {type(data).__name__}")  # noqa: TRY004
    findings = _objects(data, "findings")
    verdict = ApprovalResult(
        approval_id=_value(data, "approval_id", str),
        approval_type=_value(data, "approval_type", str),
        result=_value(data, "result", str),
        confidence=_number(data, "confidence"),
        summary=_value(data, "summary", str),
        findings=tuple(_finding(item) for item in findings),
        checks=_texts(data, "checks"),
        files=tuple(
            ReviewedFile(_value(item, "path", str), _value(item, "hash", str))
            for item in _objects(data, "files")
        ),
        recommendations=tuple(_list(data, "recommendations", str)),
        timestamp=_value(data, "timestamp", str),
        agent_context=_context(_value(data, "agent_context", dict)),
        suggestions=tuple(_suggestions(findings)),
        earlier=_texts({"earlier": {}, **data}, "earlier"),
        needs_person=_value({"needs_person": "", **data}, "needs_person", str),
    )
    if wrong := [item.severity for item in verdict.findings if item.severity not in SEVERITIES]:
        raise ValueError(f"severity: expected one of {', '.join(SEVERITIES)}, got {wrong[0]!r}")
    if verdict.result not in RESULTS:
        raise ValueError(f"result: expected one of {', '.join(RESULTS)}, got {verdict.result!r}")
    if not 0 <= verdict.confidence <= 1:
        raise ValueError(f"confidence: expected 0 to 1, got {verdict.confidence}")
    return verdict


def _finding(data: Mapping[str, object]) -> Finding:
    plain = {"end_line": 1, "column": 1, "end_column": 0, "help": "", "evidence": "", **data}
    return Finding(
        severity=_value(plain, "severity", str),
        check=_value(plain, "check", str),
        layer=_value(plain, "layer", str),
        message=_value(plain, "message", str),
        path=_value(plain, "path", str),
        line=_value(plain, "line", int),
        end_line=_value(plain, "end_line", int),
        column=_value(plain, "column", int),
        help=_value(plain, "help", str),
        evidence=_value(plain, "evidence", str),
        end_column=_value(plain, "end_column", int),
    )


def _suggestions(findings: Sequence[Mapping[str, object]]) -> list[Suggestion]:
    suggestions = []
    for number, finding in enumerate(findings):
        if "suggestion" not in finding:
            continue
        data = _value(finding, "suggestion", dict)
        suggestion = Suggestion(
            finding=number,
            first=_value(data, "start", int),
            last=_value(data, "end", int),
            text=_value(data, "text", str),
        )
        suggestions.append(suggestion)
    return suggestions


def _context(data: Mapping[str, object]) -> AgentContext:
    plain = {**AgentContext(agent="")._asdict(), **data}
    return AgentContext(
        agent=_value(data, "agent", str),
        model=_value(plain, "model", str),
        duration_seconds=_number(plain, "duration_seconds"),
        tokens_used=_value(plain, "tokens_used", int),
        cost_usd=_cost(plain, "cost_usd"),
        turns=_value(plain, "turns", int),
        attempts=_value(plain, "attempts", int),
        cached=_value(plain, "cached", bool),
        decided_by=_value(plain, "decided_by", str),
        light_reason=_value(plain, "light_reason", str),
        light_cost_usd=_cost(plain, "light_cost_usd"),
    )


def _value(data: Mapping[str, object], name: str, kind: type[_Value]) -> _Value:
    """Return a field of a type. `True` is not a number here."""
    if name not in data:
        raise ValueError(f"{name} is missing")
    value = data[name]
    is_mistaken = isinstance(value, bool) and kind is not bool
    if is_mistaken or not isinstance(value, kind):
        raise ValueError(f"{name}: expected {kind.__name__}, got {type(value).__name__}")
    return value


def _number(data: Mapping[str, object], name: str) -> float:
    """Return a finite number; JSON writes a whole one without a point."""
    if not isinstance(data.get(name), float):
        return _value(data, name, int)
    number = _value(data, name, float)
    if not isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {number}")
    return number


def _cost(data: Mapping[str, object], name: str) -> float | None:
    if data[name] is None:
        return None
    return _number(data, name)


def _list(data: Mapping[str, object], name: str, kind: type[_Value]) -> list[_Value]:
    items = _value(data, name, list)
    return [_value({name: item}, name, kind) for item in items]


def _objects(data: Mapping[str, object], name: str) -> list[dict[str, object]]:
    return _list(data, name, dict)


def _texts(data: Mapping[str, object], name: str) -> dict[str, str]:
    """Return an object whose values are texts."""
    values = _value(data, name, dict)
    return {key: _value(values, key, str) for key in values}
