"""The JSON Schemas of the settings files say what the program says, as far as a schema can."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from helix_hooks.adr.baseline import render
from helix_hooks.adr.names import FIELDS
from helix_hooks.check.files import packaged
from helix_hooks.config import settings
from helix_hooks.errors import ConfigError
from helix_hooks.finding import Finding
from helix_hooks.paths import PYPROJECT
from scripts import declared
from tests.conftest import ROOT
from tests.unit.config.schema_documents import (
    FAST,
    FOLDER,
    NAMES,
    PYPROJECTS,
    READERS,
    SCHEMAS,
    VALIDATORS,
    as_editors_read,
    complaint,
    examples,
    files_of,
    fits,
    mutants,
    table_of,
)

RAW = "https://raw.githubusercontent.com/helix-hooks/helix-hooks/main/helix_hooks/schemas/"
MESSAGE = "patternErrorMessage"
EXAMPLES = [*examples()]
TABLES = [path for path in PYPROJECTS if table_of(path.read_text(encoding="utf-8")) is not None]

_OTHERS = "what other keys, parts of the file or files say"
_NAMES = "names that another part of the file, another file or a table of the program defines"
_WORDS = "words that are compared by meaning"
_TEXT = "no regular expression can say it"
LAXER = {
    "allowed are": _NAMES,
    "allowed: ": _NAMES,
    "unknown gate": _NAMES,
    "there is no phase": _NAMES,
    "unknown section": _WORDS,
    "unknown status": _WORDS,
    "invalid ADR number": _WORDS,
    "the same meaning as": _WORDS,
    "expected pytest, or a command with": _TEXT,
    "unbalanced brace": _TEXT,
    "too long together": _TEXT,
    "is not a regular expression": _TEXT,
    "matches the empty string": _TEXT,
    "without a shell": _TEXT,
    "expected a name of letters": _TEXT,
    "is already used by": _OTHERS,
    "is less than": _OTHERS,
    "has its own model": _OTHERS,
    "the light judge": _OTHERS,
    "must be less than": _OTHERS,
    "must approve": _OTHERS,
    "is before `since`": _OTHERS,
    "to themselves": _OTHERS,
    "has no effect": _OTHERS,
    "named_only: true cannot be enabled": _OTHERS,
    "is not enabled": _OTHERS,
    "that type has named_only": _OTHERS,
    "`paths` is missing": _OTHERS,
    "no requirement": _OTHERS,
    "it requires `name`": _OTHERS,
    "forms a cycle": _OTHERS,
    "may write it": _OTHERS,
    "is not the output of": _OTHERS,
    "reads_files": _OTHERS,
}
"""What the program refuses and a schema takes, by words of the message, with the reason."""


@cache
def documents(name: str) -> dict[str, Any]:
    """Return the files of a kind, as an editor reads them, by their paths."""
    found = {}
    for path in files_of(name):
        data = path.read_bytes()
        try:
            document = as_editors_read(data.decode("utf-8-sig"))
        except (UnicodeDecodeError, yaml.YAMLError, RecursionError):
            with pytest.raises((ConfigError, UnicodeDecodeError)):
                READERS[name](data.decode())
        else:
            found[str(path.relative_to(ROOT))] = document
    return found


@cache
def sound(name: str) -> list[Any]:
    """Return the documents of a kind that the program takes, small ones first."""
    known = [*documents(name).values()]
    known += [document for _, schema, document in EXAMPLES if schema == name]
    return sorted(
        (document for document in known if not complaint(name, document)),
        key=lambda document: len(json.dumps(document)),
    )


@cache
def changed(name: str) -> list[tuple[Any, str]]:
    """Return documents that differ from a sound one, each with what the program says of it."""
    return [(document, complaint(name, document)) for document in mutants(sound(name))]


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_says_where_it_is(name: str) -> None:
    schema = SCHEMAS[name]
    Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert schema["$id"].removeprefix(RAW) == f"{name}.json"
    assert schema["title"] and schema["description"]


@pytest.mark.parametrize("name", declared.FILES)
def test_a_schema_is_as_declared(name: str) -> None:
    assert (FOLDER / f"{name}.json").read_text(encoding="utf-8") == declared.schema(name)


def test_the_page_of_settings_is_as_declared() -> None:
    assert declared.PAGE.read_text(encoding="utf-8") == declared.page(), "run `make docs`"


@pytest.mark.parametrize("name", NAMES)
def test_each_key_has_a_text_for_hovers(name: str) -> None:
    silent = [trail for trail, node in keys_of(SCHEMAS[name]) if not node.get("description")]
    assert silent == []


def keys_of(schema: Any, trail: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each key that a schema describes. Conditions repeat keys without their texts."""
    for part in ("properties", "definitions"):
        for key, node in schema.get(part, {}).items():
            if part == "properties":
                yield f"{trail}.{key}", node
            yield from keys_of(node, f"{trail}.{key}")
    for part in ("items", "additionalProperties"):
        if isinstance(schema.get(part), dict):
            yield from keys_of(schema[part], f"{trail}.{part}")


@pytest.mark.parametrize("name", NAMES)
def test_each_pattern_has_a_message_for_people(name: str) -> None:
    """Editors show it in the place of the regular expression."""
    parts = [part for part in parts_of(SCHEMAS[name]) if not part[0].endswith(".not")]
    patterns = [(trail, node) for trail, node in parts if isinstance(node.get("pattern"), str)]
    assert [trail for trail, node in patterns if not node.get(MESSAGE)] == []


def parts_of(schema: Any, trail: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each mapping within a schema, itself included, with the way to it."""
    if isinstance(schema, dict):
        yield trail, schema
        for key, node in schema.items():
            yield from parts_of(node, f"{trail}.{key}")


@pytest.mark.parametrize("name", NAMES)
def test_defaults_and_examples_fit(name: str) -> None:
    for trail, node in keys_of(SCHEMAS[name]):
        checker = VALIDATORS[name].evolve(
            schema={**node, "definitions": SCHEMAS[name].get("definitions", {})}
        )
        for value in [*node.get("examples", ()), *([node["default"]] if "default" in node else ())]:
            assert checker.is_valid(value), (trail, value)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_program_takes_fits(name: str) -> None:
    assert sound(name)
    wrong = [document for document in sound(name) if not fits(name, document)]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.further
def test_no_schema_is_stricter_than_the_program_and_laxer_only_where_listed() -> None:
    """All files of the cases, and all documents that differ from a sound one by one value."""
    used = set()
    for name in NAMES:
        own = [(document, complaint(name, document)) for document in documents(name).values()]
        for document, found in [*own, *changed(name)]:
            is_taken = FAST[name].is_valid(document)
            assert found or is_taken, (name, document, next(VALIDATORS[name].iter_errors(document)))
            if found and is_taken:
                reasons = {words for words in LAXER if words in found}
                assert reasons, (name, found, document)
                used |= reasons
    assert used == set(LAXER), "each entry is needed"


@pytest.mark.slow
def test_both_have_the_same_keys_and_values() -> None:
    """What the program lists as allowed is what the schema allows at the same place."""
    compared = set()
    values = 0
    for name in NAMES:
        for document, found in changed(name):
            listed = re.search(r"allowed(?: are|:) ([^;]+?)(?: for the type .*)?$", found)
            if not listed or "the fields" in listed[1]:
                continue
            allowed = frozenset(listed[1].split(", "))
            for error in VALIDATORS[name].iter_errors(document):
                trail = trail_of(error.absolute_path)
                if error.validator == "additionalProperties" and f"{trail}unknown-key: " in found:
                    keys = frozenset(error.schema["properties"])
                    compared.add(keys)
                    is_phase = name == "phases" and "id" in keys  # lists those of both kinds
                    assert keys == allowed or (is_phase and keys < allowed), (name, document)
                elif error.validator == "enum" and f" {trail[:-1]}: invalid value '" in found:
                    values += 1
                    assert {*error.validator_value} == allowed, (name, document)
    assert values > 100
    parts = [node for name in NAMES for _, node in parts_of(SCHEMAS[name])]
    closed = [node for node in parts if node.get("additionalProperties") is False]
    every = {frozenset(node["properties"]) for node in closed}
    elsewhere = (
        SCHEMAS["rules"]["definitions"]["when"],
        SCHEMAS["phases"]["definitions"]["approval"],
    )
    others = {frozenset(schema["properties"]) for schema in elsewhere}  # with tests of their own
    assert every == compared | others, "a sound document has each mapping"


def test_fields_have_the_same_names() -> None:
    when = SCHEMAS["rules"]["definitions"]["when"]["properties"]
    conditions = {"any", "all", "content_contains", "content_asserts"}
    assert set(when) == {*conditions, *FIELDS, *(f"{field}_not_empty" for field in FIELDS)}


def trail_of(path: Iterable[str | int]) -> str:
    """Return the steps to a value as messages have them, with a dot behind."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    trail = "".join(steps).removeprefix(".")
    return f"{trail}." if trail else ""


def test_the_documentation_has_examples_of_all_but_one() -> None:
    """A baseline is written by the program alone."""
    assert {name for _, name, _ in EXAMPLES} == {*NAMES} - {"baseline"}


@pytest.mark.parametrize(("page", "name", "document"), EXAMPLES)
def test_examples_of_the_documentation_fit(page: str, name: str, document: Any) -> None:
    assert fits(name, document), next(VALIDATORS[name].iter_errors(document))


def test_a_baseline_as_it_is_written_fits() -> None:
    finding = Finding(
        severity="error",
        check="section-missing",
        layer="structure",
        message="x",
        path="a.md",
        line=1,
    )
    assert fits("baseline", json.loads(render([finding])))
    assert fits("baseline", json.loads(render([])))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_tables_of_pyproject(path: Path) -> None:
    """The table of pyproject.toml has the schema of the settings."""
    text = path.read_text(encoding="utf-8")
    found = ""
    try:
        settings.load({PYPROJECT: text.encode()}.get, packaged)
    except ConfigError as error:
        found = str(error)
    is_listed = any(words in found for words in LAXER)
    assert fits("settings", table_of(text)) == (not found) or is_listed, found
