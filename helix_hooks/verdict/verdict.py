"""The judge's answer, and whether it is accepted. Pure.

An answer that is malformed, incomplete or wrong about the text is not a verdict. The schemas of
`helix_hooks/schemas` describe an answer and a result. The program adds everything else.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .. import codec
from ..finding import Finding
from .approval_result import APPROVED, NEEDS_REVISION, REJECTED
from .earlier import EarlierFinding, open_errors
from .quote import place_of
from .suggestion import Suggestion, fitted

_LISTED = 20_000
"""Maximum bytes of paths for a schema that names each file.

The schema is an argument on a command line, whose length is limited.
"""

Schema = dict[str, Any]
ReadText = Callable[[str], str | None]
"""Return the text of a file in the reviewed tree by its path; None if there is no such file."""


class Answer(NamedTuple):
    """An accepted answer of a judge."""

    result: str
    confidence: float
    summary: str
    findings: tuple[Finding, ...]
    checks: dict[str, str]
    recommendations: tuple[str, ...]
    suggestions: tuple[Suggestion, ...] = ()
    earlier: Mapping[str, str] = {}
    needs_person: str = ""


class RefusedError(Exception):
    """An answer that is not a verdict; `check` names the failed part."""

    def __init__(self, message: str, check: str = "parse") -> None:
        super().__init__(message)
        self.check = check


def narrowed(schema: Schema, briefs: list[str], files: list[str], rewrites: bool = False) -> Schema:
    """Return the schema of the answer to one question: only its briefs and files.

    It has no earlier findings, and suggestions only if the type `rewrites`.
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
    fields = dict(finding["properties"])
    fields["check"] = {**fields["check"], "enum": briefs}
    if not rewrites:
        fields.pop("suggestion", None)
    properties["findings"] = {
        **properties["findings"],
        "items": {**finding, "properties": fields},
    }
    narrow = {**schema, "properties": properties}
    # The claude CLI refuses `$schema`; the other two would only cost tokens.
    for key in ("$schema", "title", "description"):
        narrow.pop(key, None)
    return about(with_earlier(narrow, {}), files)


def about(schema: Schema, files: list[str]) -> Schema:
    """Return a schema for an answer about some files."""
    properties = schema["properties"]
    listed: Schema = {"enum": files}
    if sum(len(path.encode(errors="replace")) + 20 for path in files) > _LISTED:
        listed = {"type": "string", "minLength": 1}
    narrow = {**properties["files"], "items": listed, "minItems": len(files)}
    return {**schema, "properties": {**properties, "files": narrow}}


def with_earlier(schema: Schema, allowed: Mapping[str, list[str]]) -> Schema:
    """Return the schema of an answer with one of the `allowed` answers to each earlier finding."""
    properties = schema["properties"]
    # The order of the keys is part of the question, whose hash finds stored answers.
    earlier = dict(properties["earlier"])
    earlier.pop("additionalProperties", None)
    earlier |= {
        "properties": {id: {"enum": names} for id, names in allowed.items()},
        "required": list(allowed),
        "additionalProperties": False,
    }
    required = [name for name in schema["required"] if name != "earlier"]
    if allowed:
        required.append("earlier")
    return {**schema, "required": required, "properties": {**properties, "earlier": earlier}}


def load(text: str) -> object:
    """Return strict JSON.

    Raises:
        RefusedError: It is not JSON, has a repeated key, NaN or text after its end, or is nested
            too deeply.
    """
    try:
        return codec.parsed(text)
    except ValueError as error:
        raise RefusedError(f"the answer is {error}") from None


def accepted(
    value: object,
    schema: Schema,
    briefs: list[str],
    files: list[str],
    text: ReadText,
    before: Iterable[EarlierFinding] = (),
) -> Answer:
    """Return the answer, if it is complete and its quotes are correct.

    An approval with an error, or with an open earlier error, becomes a rejection, and one with a
    failed brief needs a revision: an answer never counts for more than its findings allow.

    Raises:
        RefusedError: The answer does not fit the schema, omits a brief, file or earlier finding, or
            has a wrong quote.
    """
    fits(value, schema)
    if not isinstance(value, dict):
        raise RefusedError("the answer is not a JSON object")
    answer: dict[str, Any] = value
    _require_complete(answer, briefs, files)
    asked = tuple(before)
    earlier = _earlier_answers(answer.get("earlier", {}), asked)
    findings = tuple(_finding(item, text) for item in answer["findings"])
    has_error = open_errors(asked, earlier) or any(item.severity == "error" for item in findings)
    return Answer(
        result=_no_more_than(answer["result"], has_error, answer["checks"]),
        confidence=float(answer["confidence"]),
        summary=answer["summary"],
        findings=findings,
        checks=answer["checks"],
        recommendations=tuple(answer["recommendations"]),
        suggestions=tuple(_suggestions(answer["findings"], text)),
        earlier=earlier,
        needs_person=" ".join(answer.get("needs_person", "").split()),
    )


def _require_complete(answer: dict[str, Any], briefs: list[str], files: list[str]) -> None:
    """Raise RefusedError for an answer without all briefs and files, or with unknown briefs."""
    for brief in briefs:
        if brief not in answer["checks"]:
            raise RefusedError(f"the brief {brief!r} was not answered")
    unread = [path for path in files if path not in answer["files"]]
    if unread:
        more = f", nor were {len(unread) - 1} more" if unread[1:] else ""
        raise RefusedError(f"{unread[0]} was not read{more}")
    unknown = {*answer["checks"], *(item["check"] for item in answer["findings"])} - {*briefs}
    if unknown:
        raise RefusedError(f"unknown brief {min(unknown)!r}")


def _earlier_answers(answers: dict[str, str], asked: tuple[EarlierFinding, ...]) -> dict[str, str]:
    """Return the answer to each earlier finding.

    Raises:
        RefusedError: An answer is missing, or is about an unknown finding.
    """
    missing = [item.id for item in asked if item.id not in answers]
    if missing:
        raise RefusedError(f"the earlier finding {missing[0]!r} was not answered")
    unknown = answers.keys() - {item.id for item in asked}
    if unknown:
        raise RefusedError(f"unknown earlier finding {min(unknown)!r}")
    return {item.id: answers[item.id] for item in asked}


def _suggestions(items: list[dict[str, Any]], text: ReadText) -> Iterable[Suggestion]:
    for number, item in enumerate(items):
        data = item.get("suggestion")
        if not data:
            continue
        suggestion = Suggestion(number, data["start"], data["end"], data["text"])
        fitting = fitted(suggestion, text(item["path"]) or "")
        if fitting:
            yield fitting


def prepare() -> None:
    """Import the package that validates answers, to be called while a judge runs: it is slow."""
    import jsonschema_rs  # noqa: F401


def fits(value: object, schema: Schema) -> None:
    """Compare a value with a schema.

    Raises:
        RefusedError: The value does not fit.
    """
    from jsonschema_rs import ValidationError, validator_for

    try:
        validator_for(schema).validate(value)
    except ValidationError as error:
        place = _place(error.instance_path)
        raise RefusedError(
            f"the answer does not fit its schema: {place}{_short(error.message)}"
        ) from None
    except ValueError as error:
        raise RefusedError(f"the answer can't be compared with its schema: {error}") from None


def _place(steps: Iterable[str | int]) -> str:
    """Return a path in JSON before a message, e.g. `findings[0].line: `."""
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return f"{place.lstrip('.')}: " if place else ""


def _finding(item: dict[str, Any], text: ReadText) -> Finding:
    content = text(item["path"])
    if content is None:
        raise RefusedError(
            f"a finding is about {item['path']!r}, which the reviewed tree does not have"
        )
    place = place_of(item["evidence"], content, item["line"])
    if place is None:
        raise RefusedError(f"quote not found in {item['path']}: {_short(item['evidence'])!r}")
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
    """Return the result, or a worse one that its findings require."""
    if has_error:
        return REJECTED
    if result == APPROVED and "failed" in checks.values():
        return NEEDS_REVISION
    return result


def _short(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    if len(text) <= 160:
        return text
    return text[:159] + "…"
