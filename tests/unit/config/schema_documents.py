"""Settings files as programs and editors read them, and documents that differ from them by one value."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from tomllib import loads
from typing import Any

import yaml
from jsonschema import Draft7Validator, FormatChecker
from jsonschema_rs import validator_for

from helix_hooks.adr import baseline
from helix_hooks.check.files import packaged
from helix_hooks.config import approvals, settings
from helix_hooks.config.agents import parse_agents
from helix_hooks.config.approvals import FlowSettings
from helix_hooks.config.notify import parse_notify
from helix_hooks.errors import ConfigError
from helix_hooks.paths import APPROVALS_FILE, PYPROJECT, RULES_FILE, SETTINGS
from helix_hooks.phases.parse import flow_of
from helix_hooks.yaml_reader import load
from tests.conftest import ROOT

FOLDER = ROOT / "helix_hooks" / "schemas"
CATALOG = json.loads((FOLDER / "catalog.json").read_text(encoding="utf-8"))
NAMES = ("settings", "rules", "approvals", "notify", "baseline", "phases")
SCHEMAS: dict[str, Any] = {
    name: json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in NAMES
}
DAYS = FormatChecker(("date",))
VALIDATORS = {
    name: Draft7Validator(schema, format_checker=DAYS) for name, schema in SCHEMAS.items()
}
FAST = {name: validator_for(schema) for name, schema in SCHEMAS.items()}


class _Core(yaml.SafeLoader):
    """YAML 1.2, as language servers read it: `yes`, `22:00` and dates are texts."""


_Core.yaml_implicit_resolvers = {}
for _tag, _pattern in {
    "null": r"~|null|Null|NULL|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?[0-9]+",
    "float": r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?",
}.items():
    _Core.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), None)
_Core.add_constructor("tag:yaml.org,2002:int", lambda _, node: int(node.value))
_Core.add_constructor("tag:yaml.org,2002:float", lambda _, node: float(node.value))


def as_editors_read(text: str) -> Any:
    """Return the value of a YAML text, as a validator of an editor gets it."""
    return yaml.load(text, _Core)


def fits(name: str, document: Any) -> bool:
    """Return whether a document fits a schema. Both libraries must agree."""
    one, other = VALIDATORS[name].is_valid(document), FAST[name].is_valid(document)
    assert one == other, (name, document)
    return one


_PACKAGED_APPROVALS = load((packaged(APPROVALS_FILE) or b"").decode(), APPROVALS_FILE)
READERS: dict[str, Callable[[str], object]] = {
    "settings": lambda text: settings.load({SETTINGS: text.encode()}.get, packaged),
    "rules": lambda text: settings.load({RULES_FILE: text.encode()}.get, packaged),
    "approvals": lambda text: approvals.parse(load(text, APPROVALS_FILE), _PACKAGED_APPROVALS),
    "notify": lambda text: parse_notify(text, "notify.yaml"),
    "baseline": lambda text: baseline.parse(text, ".helix-baseline.json"),
    "phases": lambda text: flow_of(
        text.encode(), "phases.yaml", FlowSettings(), {}, parse_agents(None)
    ),
}


def complaint(name: str, document: Any) -> str:
    """Return what the program has against a document, "" for nothing.

    JSON is YAML, so each document is read by the reader of its file.
    """
    try:
        READERS[name](json.dumps(document))
    except ConfigError as error:
        return str(error)
    return ""


_CASES = ROOT / "tests" / "cases"
_PLACES = {
    "settings": [*_CASES.glob(f"*/*/**/{SETTINGS}")],
    "rules": [ROOT / RULES_FILE, *_CASES.glob(f"*/*/**/{RULES_FILE}")],
    "approvals": [ROOT / APPROVALS_FILE, *_CASES.glob(f"*/*/**/{APPROVALS_FILE}")],
    "baseline": [*_CASES.glob("*/*/**/.helix-baseline.json")],
    "phases": [*_CASES.glob("flows/*/phases.yaml"), *_CASES.glob("flow-examples/*.yaml")],
}
PYPROJECTS = sorted(_CASES.glob(f"*/*/**/{PYPROJECT}"))


def files_of(name: str) -> list[Path]:
    """Return the files of a kind that the repository has, valid and broken ones."""
    return sorted(_PLACES.get(name, []))


BLOCK = re.compile(r"^```(yaml|toml)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_FIRST_KEYS = {
    "settings": {*SCHEMAS["settings"]["properties"]},
    "rules": {"_meta", "base_rules", "contextual_rules"},
    "approvals": {*SCHEMAS["approvals"]["properties"]},
    "notify": {"people", "projects", "batch", "most_per_hour"},
    "phases": {"name", "budget", "phases", "gates"},
}


def examples() -> Iterator[tuple[str, str, Any]]:
    """Yield the page, the schema and the document of each example in the documentation."""
    for page in sorted([ROOT / "README.md", *ROOT.glob("docs/*.md"), ROOT / "approvals/README.md"]):
        for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            name, document = _example(kind, text)
            if name:
                yield page.name, name, document


def table_of(text: str) -> Any:
    """Return the table of a pyproject.toml, None where there is none or the text is no TOML."""
    try:
        tool: Any = loads(text).get("tool")
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    return tool.get("helix-hooks") if isinstance(tool, dict) else None


def _example(kind: str, text: str) -> tuple[str, Any]:
    """Return the schema of an example, "" for a file of another program, and its document."""
    if kind == "toml":
        own = table_of(text)
        return ("settings", own) if own else ("", None)
    document = as_editors_read(text)
    keys = set(document) if isinstance(document, dict) else set()
    names = [name for name, first in _FIRST_KEYS.items() if keys and keys <= first]
    if keys and isinstance(document.get("approvals"), dict):
        names = ["approvals"]
    if "phases" in names and "phases" not in keys:
        names.remove("phases")
    return (names[0], document) if names else ("", None)


WRONG: tuple[Any, ...] = (
    None, True, False, "", " ", "x y", "no such", "../x", "/x", "x/", "a[b]", "x\\y", "{a", "!x", ".git/x",
    "24h", "nan", "inf", "x" * 600, "*" * 9 + ".md", 0, -1, 0.5, 1, 7, 150, [], [None], [[]], ["x"], {}, {"x": 1},
)  # fmt: skip
"""Values that stand in the place of each value of a document, one at a time."""


def mutants(documents: list[Any]) -> Iterator[Any]:
    """Yield documents that differ in one value: each other one, one missing, one unknown key.

    Each place of the settings is changed in the first document that has it beside the same keys.
    """
    seen: set[tuple[Any, ...]] = set()
    for document in documents:
        for trail in _trails(document):
            steps = ("*" if isinstance(step, int) else step for step in trail)
            place = (*steps, *_around(document, trail))
            if place not in seen:
                seen.add(place)
                yield from _changed(document, trail)


def _around(value: Any, trail: tuple[Any, ...]) -> tuple[frozenset[str], type]:
    """Return the keys beside a value, and its type."""
    keys: frozenset[str] = frozenset()
    for step in trail:
        keys = frozenset(value) if isinstance(value, dict) else frozenset()
        value = value[step]
    return keys, type(value)


def _changed(document: Any, trail: tuple[Any, ...]) -> Iterator[Any]:
    value = document
    for step in trail:
        value = value[step]
    for other in (*WRONG, *_near(value)):
        yield _with(document, trail, other)


def _near(value: Any) -> Iterator[Any]:
    """Yield a mapping with an unknown key and without each of its keys, or a list twice."""
    if isinstance(value, dict):
        yield {**value, "unknown-key": 1}
        for key in value:
            yield {name: entry for name, entry in value.items() if name != key}
    elif isinstance(value, list):
        yield [*value, *value]


def _with(document: Any, trail: tuple[Any, ...], value: Any) -> Any:
    """Return a document with another value at a place."""
    if not trail:
        return value
    copy = document.copy()
    copy[trail[0]] = _with(document[trail[0]], trail[1:], value)
    return copy


def _trails(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield above
    steps: Any = ()
    if isinstance(value, dict):
        steps = value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
    for step, below in steps:
        yield from _trails(below, (*above, step))
