"""The judge's answer, and whether it is accepted. Pure.

An answer that is malformed, incomplete or not true of the text is no verdict. The schemas of
`helix_hooks/schemas` describe an answer and a result. Everything beyond the answer is filled in by
us.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ..finding import Finding
from .approval_result import APPROVED as APPROVED
from .approval_result import FAILURES as FAILURES
from .approval_result import FULL as FULL
from .approval_result import LIGHT as LIGHT
from .approval_result import NEEDS_REVISION as NEEDS_REVISION
from .approval_result import REJECTED as REJECTED
from .approval_result import AgentContext as AgentContext
from .approval_result import ApprovalResult as ApprovalResult
from .earlier import EarlierFinding, open_errors
from .quote import place_of
from .suggestion import Suggestion, fitted

_LISTED = 20_000
"""Bytes of paths up to which the narrowed schema names each file; it is an argument on a command
line, which has a limit.
"""

Schema = dict[str, Any]
ReadText = Callable[[str], str | None]
"""The text of a file in the reviewed tree by its path; None where there is none."""


class Answer(NamedTuple):
    """An accepted answer of a judge."""

    result: str
    confidence: float
    summary: str
    findings: tuple[Finding, ...]
    checks: dict[str, str]
    recommendations: tuple[str, ...]
    suggestions: tuple[Suggestion, ...] = ()
    earlier: tuple[tuple[str, str], ...] = ()
    needs_person: str = ""


class RefusedError(Exception):
    """Raised for an answer that is no verdict; `check` names the failed part."""

    def __init__(self, message: str, check: str = "parse") -> None:
        super().__init__(message)
        self.check = check


def narrowed(schema: Schema, briefs: list[str], files: list[str], rewrites: bool = False) -> Schema:
    """Return the schema of the answer to one question: with its briefs and files alone, without
    earlier findings, and with proposed texts only if the type `rewrites`.

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
    fields = {**finding["properties"], "check": check}
    left_out = () if rewrites else ("suggestion",)
    fields = {name: value for name, value in fields.items() if name not in left_out}
    finding = {**finding, "properties": fields}
    properties["findings"] = {**properties["findings"], "items": finding}
    plain = {
        key: value
        for key, value in {**schema, "properties": properties}.items()
        if key not in ("$schema", "title", "description")
    }
    return about(with_earlier(plain, {}), files)


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


def with_earlier(schema: Schema, allowed: Mapping[str, list[str]]) -> Schema:
    """Return the schema of an answer that says of each earlier finding one of what is allowed."""
    before = schema["properties"]["earlier"]
    told = {
        **{name: value for name, value in before.items() if name != "additionalProperties"},
        "properties": {id: {"enum": names} for id, names in allowed.items()},
        "required": list(allowed),
        "additionalProperties": False,
    }
    required = [name for name in schema["required"] if name != "earlier"]
    return {
        **schema,
        "required": [*required, *(["earlier"] if allowed else [])],
        "properties": {**schema["properties"], "earlier": told},
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
    value: object,
    schema: Schema,
    briefs: list[str],
    files: list[str],
    text: ReadText,
    before: Iterable[EarlierFinding] = (),
) -> Answer:
    """Return the answer, if it fits the schema, leaves no brief, file and earlier finding out, and
    quotes what is there.

    An approval with an error, also an earlier one that is open, is a rejection, and one with a
    failed brief needs a revision: an answer is never taken for more than its findings allow.
    Raises RefusedError.
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
    asked = tuple(before)
    told = _told(answer.get("earlier", {}), asked)
    findings = tuple(_finding(item, text) for item in answer["findings"])
    has_error = open_errors(asked, told) or any(item.severity == "error" for item in findings)
    result = _no_more_than(answer["result"], has_error, answer["checks"])
    return Answer(
        result=result,
        confidence=float(answer["confidence"]),
        summary=answer["summary"],
        findings=findings,
        checks=answer["checks"],
        recommendations=tuple(answer["recommendations"]),
        suggestions=tuple(_suggestions(answer["findings"], text)),
        earlier=tuple(told.items()),
        needs_person=" ".join(answer.get("needs_person", "").split()),
    )


def _told(answers: dict[str, str], asked: tuple[EarlierFinding, ...]) -> dict[str, str]:
    """Return what an answer says of each earlier finding. Raises RefusedError."""
    left = [item.id for item in asked if item.id not in answers]
    if left:
        raise RefusedError(f"the earlier finding {left[0]!r} was not answered")
    strangers = answers.keys() - {item.id for item in asked}
    if strangers:
        raise RefusedError(f"there is no earlier finding {min(strangers)!r}")
    return {item.id: answers[item.id] for item in asked}


def _suggestions(items: list[dict[str, Any]], text: ReadText) -> Iterable[Suggestion]:
    for number, item in enumerate(items):
        data = item.get("suggestion")
        found = data and Suggestion(number, data["start"], data["end"], data["text"])
        fitting = found and fitted(found, text(item["path"]) or "")
        if fitting:
            yield fitting


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


def _no_more_than(result: str, has_error: bool, checks: dict[str, str]) -> str:
    if has_error:
        return REJECTED
    return NEEDS_REVISION if result == APPROVED and "failed" in checks.values() else result


def _short(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= 160 else text[:159] + "…"
