"""The JSON Schemas of the settings files say what the program says, as far as a schema can."""

import json
import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from helix_hooks.config import settings
from helix_hooks.errors import ConfigError
from helix_hooks.paths import PYPROJECT
from helix_hooks.repository.files import packaged
from helix_hooks.toml_load import loads
from tests.conftest import ROOT
from tests.unit.config.schema_documents import (
    FAST,
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
)

RAW = "https://raw.githubusercontent.com/helix-hooks/helix-hooks/main/helix_hooks/schemas/"
EXAMPLES = [*examples()]

LAXER = {
    r"allowed are |there is no gate|there is no phase|unknown section": "a name that another part of the file, another file or a table of the program defines",
    r"no known meaning|not an ADR number|means the same as": "words that are compared by meaning",
    r"without its partner|characters together|is no time zone": "a pattern of braces, a sum of lengths and a table of zones are no regular languages",
    r"not a regular expression|could hold up a check|found in every text|is already the id of": "a regular expression of Python, and ids that must differ",
    r"is below|is not below|must be below|must approve|is before |can't stand in for themselves": "two values that are compared",
    r"given as well|no effect|named_only: true reviews|is not enabled|reviews only files": "keys of a packaged type or of another mapping decide",
    r"`paths` is missing|is missing, so a gate|nothing is required": "a packaged type, an output or an empty list decides",
    r"leads in a circle|wait for each other|may write it|can be a file that|not the output of": "an order, or a comparison of patterns",
    r"no shell runs|reads_files|no command creates|needs feedback|would never run": "words of a command, and what another mapping says of it",
    r"so nothing is created|no phase asks|is taken by|never rejects|asks no judge": "all phases are compared",
}
"""What the program refuses and a schema takes, by words of the message, with the reason."""


@lru_cache(maxsize=None)
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


@lru_cache(maxsize=None)
def sound(name: str) -> list[Any]:
    """Return the documents of a kind that the program takes, small ones first."""
    known = [*documents(name).values()]
    known += [document for _, schema, document in EXAMPLES if schema == name]
    return sorted(
        (document for document in known if not complaint(name, document)),
        key=lambda document: len(json.dumps(document)),
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_says_where_it_is(name: str) -> None:
    schema = SCHEMAS[name]
    Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert schema["$id"].removeprefix(RAW) == f"{name}.json"
    assert schema["title"] and schema["description"]


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
def test_defaults_and_examples_fit(name: str) -> None:
    for trail, node in keys_of(SCHEMAS[name]):
        checker = VALIDATORS[name].evolve(schema={**node, "definitions": SCHEMAS[name].get("definitions", {})})
        for value in [*node.get("examples", ()), *([node["default"]] if "default" in node else ())]:
            assert checker.is_valid(value), (trail, value)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_program_takes_fits(name: str) -> None:
    assert sound(name)
    wrong = [document for document in sound(name) if not fits(name, document)]
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_files_that_the_program_refuses(name: str) -> None:
    for path, document in documents(name).items():
        found = complaint(name, document)
        assert not found or not fits(name, document) or reason_of(found), (path, found)


def reason_of(message: str) -> str:
    """Return the words by which a message is known as one that no schema can have."""
    return next((words for words in LAXER if re.search(words, message)), "")


def test_one_value_that_is_wrong() -> None:
    """A schema refuses nothing that the program takes, and takes only what is listed."""
    used = set()
    for name in NAMES:
        for document in mutants(sound(name)):
            found, is_taken = complaint(name, document), FAST[name].is_valid(document)
            assert found or is_taken, (name, document, next(VALIDATORS[name].iter_errors(document)))
            if found and is_taken:
                used.add(reason_of(found))
                assert reason_of(found), (name, found, document)
    assert used == set(LAXER), "each reason is needed"


def test_the_documentation_has_examples_of_all_but_one() -> None:
    """A baseline is written by the program alone."""
    assert {name for _, name, _ in EXAMPLES} == {*NAMES} - {"baseline"}


@pytest.mark.parametrize(("page", "name", "document"), EXAMPLES)
def test_examples_of_the_documentation_fit(page: str, name: str, document: Any) -> None:
    assert fits(name, document), next(VALIDATORS[name].iter_errors(document))


@pytest.mark.parametrize("path", PYPROJECTS, ids=lambda path: path.parent.name)
def test_tables_of_pyproject(path: Path) -> None:
    """The table of pyproject.toml has the schema of the settings."""
    text = path.read_text(encoding="utf-8")
    try:
        own = loads(text)["tool"]["helix-hooks"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return
    found = ""
    try:
        settings.load({PYPROJECT: text.encode()}.get, packaged)
    except ConfigError as error:
        found = str(error)
    assert fits("settings", own) == (not found) or reason_of(found), found
