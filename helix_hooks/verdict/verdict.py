"""The judge's answer, and whether it is accepted. Pure.

An answer that is malformed, incomplete or not true of the text is no verdict. The schemas of
`helix_hooks/schemas` describe an answer and a result. Everything beyond the answer is filled in by
us.
"""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..finding import Finding
from .quote import place_of

APPROVED, NEEDS_REVISION, REJECTED = "approved", "needs_revision", "rejected"
FULL, LIGHT = "full", "light"
"""The judges of one approval type: the one with tools, and the one that may be asked before it."""
FAILURES = ("setup", "spawn", "timeout", "agent", "output", "parse", "budget")
"""Reasons for a run without a verdict; the `check` of its one finding."""

_LISTED = 20_000
"""Bytes of paths up to which the narrowed schema names each file; it is an argument on a command
line, which has a limit.
"""

Schema = dict[str, Any]
ReadText = Callable[[str], str | None]
"""The text of a file in the reviewed tree by its path; None where there is none."""


class AgentContext(NamedTuple):
    """The run behind a verdict. `cost_usd` is None where the agent does not say.

    `duration_seconds` covers all `attempts`. `decided_by` is FULL or LIGHT; where a light judge was
    asked and did not decide, `light_reason` says why. Its cost is in `cost_usd`, too.
    """

    agent: str
    model: str = ""
    duration_seconds: float = 0
    tokens_used: int = 0
    cost_usd: float | None = 0
    turns: int = 0
    attempts: int = 0
    cached: bool = False
    decided_by: str = FULL
    light_reason: str = ""
    light_cost_usd: float | None = 0


class ApprovalResult(NamedTuple):
    """A verdict.

    `files` are the reviewed paths, each with git's name of its content; `timestamp` is ISO 8601 in
    UTC.
    """

    approval_id: str
    approval_type: str
    result: str
    confidence: float
    summary: str
    findings: tuple[Finding, ...]
    checks: dict[str, str]
    files: tuple[tuple[str, str], ...]
    recommendations: tuple[str, ...]
    timestamp: str
    agent_context: AgentContext

    @property
    def failed(self) -> bool:
        """Return whether the judge gave no verdict."""
        return any(finding.check in FAILURES and not finding.path for finding in self.findings)


class Answer(NamedTuple):
    """An accepted answer of a judge."""

    result: str
    confidence: float
    summary: str
    findings: tuple[Finding, ...]
    checks: dict[str, str]
    recommendations: tuple[str, ...]


class RefusedError(Exception):
    """Raised for an answer that is no verdict; `check` names the failed part."""

    def __init__(self, message: str, check: str = "parse") -> None:
        super().__init__(message)
        self.check = check


def narrowed(schema: Schema, briefs: list[str], files: list[str]) -> Schema:
    """Return the schema of the answer to one question: with its briefs and files alone.

    It lacks `$schema`, which the claude CLI refuses.
    """
    properties = dict(schema["properties"])
    check_result = properties["checks"]["additionalProperties"]
    properties["checks"] = {
        **properties["checks"],
        "properties": dict.fromkeys(briefs, check_result),
        "required": briefs,
        "additionalProperties": False,
    }
    finding = properties["findings"]["items"]
    check = {**finding["properties"]["check"], "enum": briefs}
    finding = {**finding, "properties": {**finding["properties"], "check": check}}
    properties["findings"] = {**properties["findings"], "items": finding}
    plain = {
        key: value
        for key, value in {**schema, "properties": properties}.items()
        if key not in ("$schema", "title", "description")
    }
    return about(plain, files)


def about(schema: Schema, files: list[str]) -> Schema:
    """Return a schema for an answer about some files."""
    before = schema["properties"]["files"]
    listed: Schema = (
        {"enum": files}
        if sum(len(path.encode(errors="replace")) + 20 for path in files) <= _LISTED
        else {"type": "string", "minLength": 1}
    )
    return {
        **schema,
        "properties": {
            **schema["properties"],
            "files": {**before, "items": listed, "minItems": len(files)},
        },
    }


def load(text: str) -> object:
    """Return strict JSON: a key that occurs twice, NaN and text behind the end are refused."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise RefusedError("the answer is nested too deeply to be read") from None
    except ValueError as error:
        raise RefusedError(f"the answer is no JSON: {error}") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError("a key occurs twice")
    return unique


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


def accepted(
    value: object, schema: Schema, briefs: list[str], files: list[str], text: ReadText
) -> Answer:
    """Return the answer, if it fits the schema, leaves no brief and no file out, and quotes what is
    there.

    An approval with an error is a rejection, and one with a failed brief needs a revision: an
    answer is never taken for more than its findings allow. Raises RefusedError.
    """
    fits(value, schema)
    if not isinstance(value, dict):
        raise RefusedError("the answer is no object")
    answer: dict[str, Any] = value
    for brief in briefs:
        if brief not in answer["checks"]:
            raise RefusedError(f"the brief {brief!r} was not answered")
    unread = [path for path in files if path not in answer["files"]]
    if unread:
        raise RefusedError(
            f"{unread[0]} was not read{f', nor were {len(unread) - 1} more' if unread[1:] else ''}"
        )
    strangers = {*answer["checks"], *(item["check"] for item in answer["findings"])} - {*briefs}
    if strangers:
        raise RefusedError(f"there is no brief {min(strangers)!r}")
    findings = tuple(_finding(item, text) for item in answer["findings"])
    result = _no_more_than(answer["result"], findings, answer["checks"])
    return Answer(
        result=result,
        confidence=float(answer["confidence"]),
        summary=answer["summary"],
        findings=findings,
        checks=answer["checks"],
        recommendations=tuple(answer["recommendations"]),
    )


def prepare() -> None:
    """Load what answers are compared by; to be called while a judge is at work."""
    import jsonschema_rs  # noqa: F401


def fits(value: object, schema: Schema) -> None:
    """Raises RefusedError for a value that does not fit a schema."""
    from jsonschema_rs import ValidationError, validator_for

    try:
        validator_for(schema).validate(value)
    except ValidationError as error:
        place = "".join(
            f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path
        ).lstrip(".")
        raise RefusedError(
            f"the answer does not fit its schema: {place}{': ' if place else ''}"
            f"{_short(error.message)}"
        ) from None
    except ValueError as error:
        raise RefusedError(f"the answer can't be compared with its schema: {error}") from None


def _finding(item: dict[str, Any], text: ReadText) -> Finding:
    content = text(item["path"])
    if content is None:
        raise RefusedError(
            f"a finding is about {item['path']!r}, which the reviewed tree does not have"
        )
    place = place_of(item["evidence"], content, item["line"])
    if place is None:
        raise RefusedError(
            f"a quote does not stand in {item['path']}: {_short(item['evidence'])!r}"
        )
    first, last = place
    return Finding(
        severity=item["severity"],
        check=item["check"],
        layer="agent",
        message=item["message"],
        path=item["path"],
        line=first,
        end_line=last,
        help=item["help"],
        evidence=item["evidence"],
    )


def _no_more_than(result: str, findings: tuple[Finding, ...], checks: dict[str, str]) -> str:
    if any(finding.severity == "error" for finding in findings):
        return REJECTED
    return NEEDS_REVISION if result == APPROVED and "failed" in checks.values() else result


def _short(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= 160 else text[:159] + "…"
