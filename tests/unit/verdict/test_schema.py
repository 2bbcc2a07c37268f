"""approval-result.json against the types of a verdict: the same fields, types, words and limits."""

import json
from typing import Any

import msgspec

from helix_hooks import codec
from helix_hooks.check.files import packaged
from helix_hooks.codec import Between
from helix_hooks.finding import Finding
from helix_hooks.verdict.approval_result import AgentContext, ApprovalResult, ReviewedFile, _Lines

PUBLISHED = json.loads(packaged("schemas/approval-result.json") or b"")
LIMITS = ("enum", "minimum", "maximum", "pattern")


def described(kind: type) -> Any:
    schema = msgspec.json.schema(codec._shape(kind, exact=False))
    return simple(schema, schema["$defs"])


def simple(schema: dict[str, Any], types: dict[str, Any]) -> Any:
    """Return a schema without words for people: objects as dicts, lists as lists, others by their limits."""
    if "$ref" in schema:
        return simple(types[schema["$ref"].rpartition("/")[2]], types)
    if "properties" in schema:
        return {name: simple(item, types) for name, item in schema["properties"].items()}
    if "additionalProperties" in schema:
        return {"*": simple(schema["additionalProperties"], types)}
    if "items" in schema:
        return [simple(schema["items"], types)]
    parts = schema.get("anyOf", [schema])
    names = {str(name) for part in parts for name in types_of(part)}
    limits = {name: part[name] for part in parts for name in LIMITS if name in part}
    if limits.get("maximum") == Between(0).most:
        del limits["maximum"]  # so that it is finite
    if "enum" in limits:
        return {"enum": sorted(limits["enum"])}
    return {"type": sorted(names), **limits}


def types_of(schema: dict[str, Any]) -> list[str]:
    names = schema.get("type", [])
    return names if isinstance(names, list) else [names]


def test_the_types_of_a_verdict_fit_its_schema() -> None:
    ours, published = described(ApprovalResult), simple(PUBLISHED, {})
    (finding,) = ours["findings"]
    # The JSON has a suggestion in its finding, and the place of a finding in one text.
    del ours["suggestions"], finding["subject"]
    finding |= {"location": {"type": ["string"]}, "suggestion": described(_Lines)}
    finding["layer"]["enum"].remove("gate")  # no judge finds those
    assert published["approval_id"].pop("pattern") == "^[0-9a-f]{8}$"  # a lenient reader has none
    assert ours == published


def test_a_required_field_of_the_types_is_required_by_the_schema() -> None:
    for kind, schema in (
        (ApprovalResult, PUBLISHED),
        (Finding, PUBLISHED["properties"]["findings"]["items"]),
        (ReviewedFile, PUBLISHED["properties"]["files"]["items"]),
        (AgentContext, PUBLISHED["properties"]["agent_context"]),
    ):
        assert {*kind._fields} - {*kind._field_defaults} <= {*schema["required"]}
