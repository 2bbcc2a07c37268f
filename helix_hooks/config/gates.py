"""The gates of `config/approvals.yaml` and of a `phases.yaml`, as values.

A gate checks one condition. Kinds and keys come from the original design (sections 9 of seed 0 and
4 of seed 1). A key without effect is an error.
"""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..globs import check_glob, check_globs
from ..paths import is_inside
from ..yaml_reader import Value
from .agents import NO_AGENTS, Agent, approver_of
from .declaration import TEXT, Key, Section, Type, choice, integer, number, section
from .setting_types import SEMANTIC_TYPE, WORDS

ADR_COMPLETE, APPROVAL, APPROVAL_PASSED = "adr_complete", "approval", "approval_passed"
VERIFIED, FILES_EXIST, SYNTAX = "verified", "files_exist", "syntax"
DOCS_COMPILED, DOCSTRINGS_COMPLETE, COMMAND = "docs_compiled", "docstrings_complete", "command"

RESULTS = ("approved", "needs_revision")
"""Approval results that a gate may require."""

_FILES = ("file", "files")
_JUDGED = (*_FILES, "approver", "checks")
_KEYS = {
    ADR_COMPLETE: (*_JUDGED, "concept", "semantic"),
    APPROVAL: (*_JUDGED, "approval_type", "required_result"),
    APPROVAL_PASSED: (*_FILES, "approval_type", "result_file", "required_result"),
    VERIFIED: ("adrs",),
    FILES_EXIST: _FILES,
    SYNTAX: _FILES,
    DOCS_COMPILED: ("command", "outputs", "timeout"),
    DOCSTRINGS_COMPLETE: (*_FILES, "percent"),
    COMMAND: ("command", "timeout"),
}
GATE_KINDS = tuple(_KEYS)
"""The allowed values of a gate's `type`."""

_NEEDS_FILES = (ADR_COMPLETE, APPROVAL, FILES_EXIST, SYNTAX, DOCSTRINGS_COMPLETE)
_REQUIRED = {
    APPROVAL_PASSED: ("result_file",),
    DOCS_COMPILED: ("command", "outputs"),
    COMMAND: ("command",),
}
_ALL_KEYS = frozenset(key for keys in _KEYS.values() for key in keys)
_NAME = r"[a-z][a-z0-9_-]{0,40}"


def has_files(kind: str) -> bool:
    """Return whether gates of a kind have the key `files`."""
    return "files" in _KEYS[kind]


class Gate(NamedTuple):
    """A gate as configured. A field that its kind does not have is empty.

    `name` is its key below `gates`, or the id of its phase. `place` is the file and line for
    messages, as in "phases.yaml:12". `approver` is "skip", "manual", the name of an agent, or ""
    for the default of the kind and the approval type.

    `semantic` is "true", "auto", "false", or "" for the setting of the approval type. `files` are
    globs; each must match a file. `checks` are briefs; () for all. `result` is the approval result
    that suffices, "approved" or "needs_revision". `result_file` is the path of an
    approval-result.json. `adrs` are ids or paths for `verified`. `command` are the arguments of a
    program, run without a shell; `outputs` are globs of the files that it writes. `timeout` is in
    seconds. `percent` is the required share of docstrings.
    """

    name: str
    kind: str
    place: str = ""
    approver: str = ""
    files: tuple[str, ...] = ()
    concept: str = ""
    semantic: str = ""
    approval_type: str = ""
    checks: tuple[str, ...] = ()
    result: str = "approved"
    result_file: str = ""
    adrs: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    timeout: int = 300
    percent: float = 100.0


def parse_gates(
    value: Value, agents: Mapping[str, Agent], types: Collection[str] | None = None
) -> dict[str, Gate]:
    """Return the gates of a section `gates`, by name. `types` are the approval types.

    Raises:
        ConfigError: A gate is invalid.
    """
    gates = {}
    for name, item in value.mapping().items():
        if not re.fullmatch(_NAME, name):
            raise item.fail(
                f"invalid gate name {name!r} (expected lowercase letters, digits, hyphens and "
                "underscores, e.g. adr-complete)"
            )
        gates[name] = parse_gate(item._replace(line=value.data[name].line), name, agents, types)
    return gates


def parse_gate(
    value: Value,
    name: str,
    agents: Mapping[str, Agent],
    types: Collection[str] | None = None,
    files: tuple[str, ...] | None = None,
) -> Gate:
    """Return a gate from its mapping.

    `types` are the approval types, None if the caller checks them. `files` are the default of
    `files`; with None the key is required.

    Raises:
        ConfigError: The gate is invalid.
    """
    entries = _entries(value)
    kind = entries.pop("type").text()
    gate: Gate = Gate(name=name, kind=kind, place=f"{value.path}:{value.line}")
    if set(_FILES) <= entries.keys():
        raise entries["file"].fail("cannot be combined with `files`; remove one of the two")
    gate = GATE.with_entries(gate, entries)
    if "approver" in entries:
        gate = gate._replace(approver=approver_of(entries["approver"], agents))
    if "approval_type" in entries and types:
        entries["approval_type"].choice(types)
    if not gate.files and kind in _NEEDS_FILES:
        gate = gate._replace(files=_default_files(kind, value, files))
    _refuse_without_effect(gate, entries)
    _refuse_without_rubric(gate, value)
    return gate


def _refuse_without_rubric(gate: Gate, value: Value) -> None:
    """Raise ConfigError if a gate has a judge, but no rubric for it."""
    if gate.kind == APPROVAL and not gate.approval_type and gate.approver not in NO_AGENTS:
        raise value.fail("missing key 'approval_type', the rubric of the judge (expected e.g. adr)")


def _default_files(kind: str, value: Value, files: tuple[str, ...] | None) -> tuple[str, ...]:
    if files is None:
        raise value.fail(
            f"missing key 'files', which a gate of type {kind} requires "
            '(e.g. files: ["docs/**/*.md"])'
        )
    return files


def _entries(value: Value) -> dict[str, Value]:
    """Return the entries of a gate. Raise ConfigError for a key that its kind does not have."""
    entries = value.mapping()
    if "type" not in entries:
        raise value.fail(f"missing key 'type'; allowed: {', '.join(GATE_KINDS)}")
    kind = entries["type"].choice(GATE_KINDS)
    allowed = ("type", *_KEYS[kind])
    listed = f"{', '.join(allowed)} for the type {kind}"
    for key, item in entries.items():
        # Another kind has this key, so it is not unknown.
        if key in _ALL_KEYS and key not in allowed:
            location = item._replace(line=value.data[key].line)
            raise location.fail(f"this key has no effect on a gate of this type; allowed: {listed}")
    return value.mapping(allowed, _REQUIRED.get(kind, ()), listed)


def _files(value: Value) -> tuple[str, ...]:
    """Return globs from a string, a list, or a mapping with the key `files`."""
    if isinstance(value.data, dict):
        value = value.mapping(("files",), ("files",))["files"]
    items = value.one_or_more()
    if not items:
        raise value.fail("the list is empty; list the files that the gate checks")
    for item in items:
        pattern = item.text()
        if pattern.startswith("!"):
            raise item.fail(
                f"{item.data!r}: excluding patterns are not supported; list the files to include"
            )
        check_glob(item, pattern)
        if ".git" in pattern.casefold().split("/"):
            raise item.fail(f"{item.data!r} is inside .git")
    patterns = tuple(dict.fromkeys(item.text() for item in items))
    check_globs(value, patterns)
    return patterns


def path_of(value: Value) -> str:
    """Return the path of one file in the repository.

    Raises:
        ConfigError: It is not such a path, or a pattern.
    """
    path = value.text()
    if not is_inside(path):
        raise value.fail(
            f"invalid path {path!r} (expected relative to the repository root, e.g. "
            "output/concept.md)"
        )
    if any(character in path for character in "*?{}"):
        raise value.fail(f"expected the path of one file, got the pattern {path!r}")
    return path


def _names(value: Value, example: str) -> tuple[str, ...]:
    names = tuple(item.text() for item in value.one_or_more())
    if not names:
        raise value.fail(
            f"the list is empty (expected e.g. {example}); add a name, or remove the key"
        )
    return tuple(dict.fromkeys(names))


def _briefs(value: Value) -> tuple[str, ...]:
    for item in value.one_or_more():
        if not re.fullmatch(r"\w[\w-]*", item.text()):
            raise item.fail(
                f"invalid brief {item.data!r} (expected the name of a file in checks/, without .md)"
            )
    return _names(value, "completeness")


def _refuse_without_effect(gate: Gate, entries: dict[str, Value]) -> None:
    """Raise ConfigError for a key that has no effect because of another key."""
    if gate.approver in NO_AGENTS:
        keys = ["checks", "required_result"]
        if gate.semantic == "true":
            keys.append("semantic")
        reason = f"approver: {gate.approver}"
    elif gate.kind == ADR_COMPLETE and gate.semantic == "false":
        keys = ["approver", "checks"]
        reason = "semantic: false"
    else:
        return
    for key in keys:
        if key in entries:
            raise entries[key].fail(
                f"this key has no effect with {reason}, which runs no judge; remove one of the two"
            )


def changed_gates(old: Mapping[str, Gate], new: Mapping[str, Gate]) -> dict[str, str]:
    """Return how gates were changed or removed. A stricter gate counts, a new one does not."""
    changes = {name: "was removed" for name in old if name not in new}
    for name in old.keys() & new.keys():
        # `place` is a line of the file: it changes with every edit above it.
        fields = [key for key in Gate._fields if key != "place"]
        differing = [key for key in fields if getattr(new[name], key) != getattr(old[name], key)]
        changes[name] = f"changed: {', '.join(differing)}" if differing else ""
    return {name: changes[name] for name in old}


_PATH = Type(path_of, "path of one file")


class _Gate:
    type = Key(Type(None, {"enum": GATE_KINDS}), required=True)
    """The kind of the gate."""
    file = Key(Type(_files, "files"), field="files")
    """The same as `files`."""
    files = Key(Type(_files, "files"), example=["docs/adr/*.md"])
    """The files that the gate evaluates: a path, a pattern or a list of them. Each must match a
    file.
    """
    approver = Key(Type(None, "text"), example="manual")
    """Who approves: skip (no review), manual (a person), or the name of an agent."""
    checks = Key(Type(_briefs, {"one or more": "brief", "minItems": 1}), example=["completeness"])
    """The briefs for the judge: names of files in checks/, without .md. Default: all."""
    concept = Key(_PATH, example="output/concept.md")
    """The path of the concept with which the ADR is compared."""
    semantic = Key(SEMANTIC_TYPE)
    """true: a judge reads the content. auto: not for a change of status, links or blanks only."""
    approval_type = Key(TEXT, example="adr")
    """The approval type, which names the rubric of the judge."""
    required_result = Key(choice(RESULTS), field="result")
    """The least result of the judge with which the gate passes."""
    result_file = Key(_PATH, example="output/approval-result.json")
    """The path of the recorded result."""
    adrs = Key(
        Type(lambda value: _names(value, "ADR-014"), {"one or more": "text", "minItems": 1}),
        example=["ADR-014"],
    )
    """Ids or paths of ADRs. Default: those that the work claims to implement."""
    command = Key(WORDS, example=["pytest", "-q"])
    """The command to run. It runs without a shell."""
    outputs = Key(Type(_files, "files"))
    """The files that the command writes."""
    timeout = Key(integer(1))
    """Seconds until the command is stopped."""
    percent = Key(number(1, 100))
    """The share of public definitions that must have a docstring."""


GATE = section(_Gate, Gate("", ""))


def gate_of(kind: str) -> Section:
    """Return the settings of a kind of gate."""
    required = ("type", *_REQUIRED.get(kind, ()))
    keys = [
        key._replace(required=key.name in required)
        for key in GATE.keys
        if key.name in _KEYS[kind] or key.name == "type"
    ]
    keys[0] = keys[0]._replace(type=Type(None, {"const": kind}))
    return GATE._replace(keys=tuple(keys), conditions=f"{kind} gate")
