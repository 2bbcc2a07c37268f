"""Write the JSON Schemas of the settings files, and docs/settings.md: `make docs`."""

import ast
import inspect
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import yaml

from helix_hooks.adr.model import MADR_STATUSES
from helix_hooks.adr.names import display_name, meanings
from helix_hooks.adr.rules.registry import built_in
from helix_hooks.config import TEXTS, Key, Section, Type, approvals
from helix_hooks.config.agents import AGENT, SMART
from helix_hooks.config.approvals import APPROVALS_YAML, DEFAULTS, FLOW, OWN, TYPE, VERIFY
from helix_hooks.config.gates import GATE_KINDS, gate_of
from helix_hooks.config.notify import NOTIFY, PERSON, SHARED
from helix_hooks.config.policy import POLICY
from helix_hooks.config.settings import SETTINGS_FILE, TEMPLATE, severities_of
from helix_hooks.paths import APPROVALS_FILE
from helix_hooks.yaml_reader import load
from scripts.contents import with_contents

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "helix_hooks" / "schemas"
RAW = "https://raw.githubusercontent.com/helix-hooks/helix-hooks/main/helix_hooks/schemas"
_TYPES = (ROOT / "scripts/setting_types.yaml").read_text(encoding="utf-8")
KINDS: dict[str, Any] = yaml.safe_load(_TYPES.replace("message: ", "patternErrorMessage: "))
PACKAGED = approvals.parse(
    load((ROOT / APPROVALS_FILE).read_text(encoding="utf-8"), APPROVALS_FILE)
)
_ADR = PACKAGED.types[approvals.ADR]
_DEFAULTS = DEFAULTS._replace(default=_ADR.run)
_TYPE = TYPE._replace(
    default=SimpleNamespace(**_ADR.run._asdict() | _ADR._asdict() | {"action": ""})
)
DEFINED: dict[str, Any] = {
    "words": "words",
    "files": "files",
    "semantic": "semantic",
    "smart": SMART,
    "type": _TYPE,
    "gate": "gate",
    **{f"gate_{kind}": gate_of(kind) for kind in GATE_KINDS},
}
"""The types that schemas refer to."""
FILES = {
    "settings": (
        SETTINGS_FILE,
        "Settings of helix-hooks (.helix-hooks.yaml)",
        "Settings of a repository, also as `[tool.helix-hooks]` in `pyproject.toml`.",
    ),
    "approvals": (
        APPROVALS_YAML,
        "Approvals of helix-hooks (config/approvals.yaml)",
        "The judges, the people who decide, gates, the verification of agents' work, and flows.",
    ),
    "notify": (
        NOTIFY,
        "Notifications of helix-hooks (notify.yaml)",
        "Who is notified of pending requests, and by which channels. Keep it outside of clones.",
    ),
}
PAGE = ROOT / "docs/settings.md"
TABLES = {
    "Settings: `.helix-hooks.yaml`": SETTINGS_FILE,
    "A template: `templates.NAME`": TEMPLATE,
    "Approvals: `defaults`": _DEFAULTS,
    "Approvals: `approvals.TYPE`": OWN._replace(default=_TYPE.default),
    "Approvals: `smart`": SMART,
    "Approvals: `agents.NAME`": AGENT,
    "Approvals: `policy`": POLICY,
    "Approvals: `verify`": VERIFY,
    "Approvals: `flow`": FLOW,
    "Notifications: `notify.yaml`": NOTIFY,
    "Notifications: `people.NAME`": PERSON,
}
"""The sections of the page, in its order."""
NOTES = {
    "Approvals: `defaults`": "The file is `config/approvals.yaml`. These keys are for each judge; "
    "an approval type may set each of them for itself.",
    "Approvals: `approvals.TYPE`": "An approval type has these keys besides those of `defaults`.",
    "Approvals: `smart`": "The light judge of `defaults` or of an approval type.",
    "Notifications: `people.NAME`": "A project (`projects.GLOB`) has only `channels` and `events`.",
}
"""Sentences above some tables."""
_ABOUT = (
    "The keys of all settings files. A key is optional unless its text says that it is required. "
    "[Configuration](configuration.md) has examples."
)
KINDS |= {
    "defaults": _DEFAULTS,
    "person": PERSON._replace(conditions="a person"),
    "project": SHARED._replace(conditions="a project"),
}
KINDS["gate"] = {
    "description": "A gate: one question about content.",
    "type": ["object"],
    "required": ["type"],
    "properties": {"type": {"description": "The kind of the gate.", "enum": GATE_KINDS}},
    "allOf": [
        *(
            {
                "if": {
                    "type": "object",
                    "properties": {"type": {"const": kind}},
                    "required": ["type"],
                },
                "then": {"$ref": f"#/definitions/gate_{kind}"},
            }
            for kind in GATE_KINDS
        ),
        KINDS["files of some gates"],
    ],
}


def main() -> int:
    for name in FILES:
        (FOLDER / f"{name}.json").write_text(schema(name), encoding="utf-8")
    (FOLDER / "phases.json").write_text(phases(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    return 0


def schema(name: str) -> str:
    """Return the text of the JSON Schema of a settings file."""
    section, title, description = FILES[name]
    document = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"{RAW}/{name}.json",
        "title": title,
        "description": description,
        **plain(section),
    }
    if name == "settings":
        _add_names(document["properties"])
    if name == "approvals":
        document["definitions"] = definitions()
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def definitions() -> dict[str, Any]:
    """Return the types that schemas refer to."""
    return {
        name: _object(item) if isinstance(item, Section) else plain(KINDS[item])
        for name, item in DEFINED.items()
    }


def phases() -> str:
    """Return the text of the schema of a flow, which has the gates and their types."""
    document = json.loads((FOLDER / "phases.json").read_text(encoding="utf-8"))
    document["definitions"] |= {
        name: item for name, item in definitions().items() if name in document["definitions"]
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _add_names(properties: dict[str, Any]) -> None:
    """Add the names of rules, sections and statuses, for completion in an editor."""
    properties["severities"]["properties"] = {
        rule.id: {
            "description": rule.documentation.partition("\n")[0],
            "enum": severities_of(rule.id),
        }
        for rule in built_in()
    }
    aliases = properties["aliases"]["properties"]
    sections = map(display_name, dict.fromkeys(meanings().names.values()))
    aliases["sections"]["properties"] = _words(sections, "Headings")
    aliases["statuses"]["properties"] = _words(MADR_STATUSES, "Words")


def _words(names: Iterable[str], kind: str) -> dict[str, Any]:
    return {name: {"description": f"{kind} that mean {name}.", **plain(TEXTS)} for name in names}


def plain(value: Any) -> Any:
    """Return a schema without types and sections."""
    if isinstance(value, Section):
        return _object(value)
    if isinstance(value, Type):
        return plain(value.schema)
    if isinstance(value, str) and value in DEFINED:
        return {"$ref": f"#/definitions/{value}"}
    if isinstance(value, str):
        return plain(KINDS[value])
    if not isinstance(value, Mapping):
        return value
    schema = dict(value)
    for key in ("items", "additionalProperties", "one or more", "propertyNames"):
        if not isinstance(schema.get(key, False), bool):
            schema[key] = plain(schema[key])
    if "properties" in schema:
        schema["properties"] = {key: plain(item) for key, item in schema["properties"].items()}
    return _widened(schema)


def _widened(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that accepts all that the readers accept: a scalar of YAML is a text."""
    kind = schema.get("type")
    if kind == "string":
        schema["type"] = ["string", "number", "boolean"]
    elif kind in ("integer", "number"):
        is_positive = kind == "integer" and schema.get("minimum") == 1
        name = "positive integer" if is_positive else kind
        schema = {**KINDS[name], **schema, "type": [kind, "string"]}
    if "one or more" in schema:
        item = schema.pop("one or more")
        schema = {**item, "type": ["array", *item["type"]], "items": item, **schema}
    return schema


def _object(section: Section) -> dict[str, Any]:
    required = [key.name for key in section.keys if key.required]
    node = {
        "type": "object",
        "properties": {
            key.name: _property(key, section, meaning)
            for key, meaning in zip(section.keys, meanings_of(section), strict=True)
        },
        **({"required": required} if required else {}),
        "additionalProperties": False,
        **KINDS.get(section.conditions, {}),
    }
    if section.also:
        also = plain(section.also)
        node |= {**also, "type": ["object", *also["type"]]}
    return node


def meanings_of(section: Section) -> Iterator[str]:
    """Yield the texts below the keys in the classes that declare them."""
    for key in section.keys:
        texts = _texts(key.owner)
        yield texts.get(key.name) or texts[key.field.rpartition(".")[2]]


@cache
def _texts(source: type) -> dict[str, str]:
    """Return the text below each field of a class."""
    (node,) = ast.parse(inspect.getsource(source)).body
    assert isinstance(node, ast.ClassDef)
    return {
        ast.unparse(field.targets[0] if isinstance(field, ast.Assign) else field.target): " ".join(
            ast.literal_eval(below.value).split()
        )
        for field, below in pairwise(node.body)
        if isinstance(field, ast.Assign | ast.AnnAssign) and isinstance(below, ast.Expr)
    }


def _property(key: Key, section: Section, meaning: str) -> dict[str, Any]:
    node = {**plain(key.type), "description": meaning}
    default = default_of(key, section)
    if default not in (None, "", [], {}):
        node["default"] = default
    if key.example is not None:
        node["examples"] = [key.example]
    return node


def default_of(key: Key, section: Section) -> Any:
    """Return the default of a setting as JSON has it; None if there is none to show."""
    if isinstance(key.type, Section) or key.required:
        return None
    kind = KINDS.get(key.type.schema) if isinstance(key.type.schema, str) else None
    if isinstance(kind, dict) and "default" in kind:
        return kind["default"]
    if section.default is None or not key.type.read:
        return None
    default = key.of(section.default)
    if isinstance(default, tuple):
        return [] if hasattr(default, "_fields") else list(default)
    return default if isinstance(default, bool | int | float | str) else None


def page() -> str:
    """Return docs/settings.md: a table for each settings file and for each of its parts."""
    parts = ["# Settings", _ABOUT]
    for title, section in TABLES.items():
        note = [NOTES[title]] if title in NOTES else []
        parts += [f"## {title}", *note, table(section)]
    return with_contents("\n\n".join(parts))


def table(section: Section) -> str:
    rows = "\n".join(_rows(section, ""))
    return f"| key | meaning |\n|---|---|\n{rows}"


def _rows(section: Section, trail: str) -> Iterator[str]:
    for key, meaning in zip(section.keys, meanings_of(section), strict=True):
        default = default_of(key, section)
        shown = "" if default in (None, "", []) else f" Default: `{_yaml(default)}`."
        yield f"| `{trail}{key.name}` | {meaning}{shown} |"
        below = key.type if isinstance(key.type, Section) else key.type.schema
        if isinstance(below, Section):
            yield from _rows(below, f"{trail}{key.name}.")


def _yaml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return json.dumps(value) if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    sys.exit(main())
