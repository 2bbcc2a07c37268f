"""The gates of `config/approvals.yaml` and of a `phases.yaml`, as values.

A gate checks one condition. Kinds and keys come from the original design (sections 9 of seed 0 and
4 of seed 1). A key that the kind of a gate does not have is an error.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..paths import MARKDOWN, is_pattern
from ..yaml_reader import Value
from . import (
    BRIEF,
    SECONDS,
    SEMANTIC,
    TEXT,
    WORDS,
    Section,
    Type,
    check_glob,
    check_globs,
    key,
    named,
    number,
    one_of,
    repository_path,
    section,
    several,
)
from .agents import NO_AGENTS, Agent, approver_of

ADR_COMPLETE, APPROVAL, APPROVAL_PASSED = "adr_complete", "approval", "approval_passed"
VERIFIED, FILES_EXIST, SYNTAX = "verified", "files_exist", "syntax"
DOCS_COMPILED, DOCSTRINGS_COMPLETE, COMMAND = "docs_compiled", "docstrings_complete", "command"

RESULTS = ("approved", "needs_revision")
"""Approval results that a gate may require."""


class GateKind(NamedTuple):
    """A kind of gate: the question that it answers, and its keys beside `type`.

    The module of its name in `gates/` evaluates it. `required` are keys without a default;
    `needs_files`: so is `files`, which has a default in a phase alone. `suffixes` are the only
    files that it reads, () for all. `runs_in_hooks`: it never needs a judge, a person or a program.
    `reads_prompts`: it may be the gate of a prompt.
    """

    question: str
    keys: tuple[str, ...]
    required: tuple[str, ...] = ()
    needs_files: bool = False
    suffixes: tuple[str, ...] = ()
    runs_in_hooks: bool = False
    reads_prompts: bool = False


_FILES = ("file", "files")
_JUDGED = (*_FILES, "approver", "checks")
KINDS: Mapping[str, GateKind] = {
    ADR_COMPLETE: GateKind(
        question="Is the ADR complete, and does it include the content of its concept?",
        keys=(*_JUDGED, "concept", "semantic"),
        needs_files=True,
    ),
    APPROVAL: GateKind(
        question="Is the content acceptable by the rubric of the approval type?",
        keys=(*_JUDGED, "approval_type", "required_result"),
        needs_files=True,
        reads_prompts=True,
    ),
    APPROVAL_PASSED: GateKind(
        question="Was the content approved in this run?",
        keys=(*_FILES, "approval_type", "result_file", "required_result"),
        required=("result_file",),
    ),
    VERIFIED: GateKind(
        question="Does the work deliver what the approved ADR promises?",
        keys=("adrs",),
    ),
    FILES_EXIST: GateKind(
        question="Do the files exist?",
        keys=_FILES,
        needs_files=True,
        runs_in_hooks=True,
    ),
    SYNTAX: GateKind(
        question="Can the files be parsed?",
        keys=_FILES,
        needs_files=True,
        suffixes=(".py", ".pyi", ".json", ".toml", ".yaml", ".yml", *MARKDOWN),
        runs_in_hooks=True,
    ),
    DOCS_COMPILED: GateKind(
        question="Are the compiled documents up to date?",
        keys=("command", "outputs", "timeout"),
        required=("command", "outputs"),
    ),
    DOCSTRINGS_COMPLETE: GateKind(
        question="Do the public names have docstrings?",
        keys=(*_FILES, "percent"),
        needs_files=True,
        suffixes=(".py", ".pyi"),
        runs_in_hooks=True,
    ),
    COMMAND: GateKind(
        question="Does the command exit with code 0?",
        keys=("command", "timeout"),
        required=("command",),
        reads_prompts=True,
    ),
}
"""All kinds, by the value of a gate's `type`."""

GATE_KINDS = tuple(KINDS)


def has_files(kind: str) -> bool:
    """Return whether gates of a kind have the key `files`."""
    return "files" in KINDS[kind].keys


# The values of the keys.

_IN_REPOSITORY = repository_path("path of one file", "output/concept.md")


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
    path: str = _IN_REPOSITORY(value)
    if is_pattern(path):
        raise value.fail(f"expected the path of one file, got the pattern {path!r}")
    return path


def _names(item: Type, example: str) -> Type:
    """Return the type of a list that is not empty; a name that occurs twice counts once."""

    def read(value: Value) -> tuple[str, ...]:
        """Return the names. Raise ConfigError if there is none."""
        names = several(item)(value)
        if not names:
            raise value.fail(
                f"the list is empty (expected e.g. {example}); add a name, or remove the key"
            )
        return tuple(dict.fromkeys(names))

    return Type(read, {"one or more": item, "minItems": 1})


_GLOBS = Type(_files, "files")
_PATH = Type(path_of, "path of one file")


class Gate(NamedTuple):
    """A gate as configured. A field that its kind does not have is empty.

    `name` is its key below `gates`, or the id of its phase. `place` is the file and line for
    messages, as in "phases.yaml:12". `is_default`: the phase has no gate, so this one compares its
    outputs. `approver` is "" for the default of the kind and the approval
    type, and `semantic` for the setting of the approval type. `checks` are () for all briefs.
    """

    name: str = ""
    kind: str = key(Type(None, {"enum": GATE_KINDS}), "", name="type", required=True)
    """The kind of the gate."""
    place: str = ""
    files: tuple[str, ...] = key(_GLOBS, (), example=["docs/adr/*.md"])
    """The files that the gate evaluates: a path, a pattern or a list of them. Each must match a
    file.
    """
    approver: str = key(Type(None, "text"), "", example="manual")
    """Who approves: skip (no review), manual (a person), or the name of an agent."""
    checks: tuple[str, ...] = key(_names(BRIEF, "completeness"), (), example=["completeness"])
    """The briefs for the judge: names of files in checks/, without .md. Default: all."""
    concept: str = key(_PATH, "", example="output/concept.md")
    """The path of the concept with which the ADR is compared."""
    semantic: str = key(SEMANTIC, "")
    """true: a judge reads the content. auto: not for a change of status, links or blanks only."""
    approval_type: str = key(TEXT, "", example="adr")
    """The approval type, which names the rubric of the judge."""
    result: str = key(one_of(RESULTS), "approved", name="required_result")
    """The least result of the judge with which the gate passes."""
    result_file: str = key(_PATH, "", example="output/approval-result.json")
    """The path of the recorded result."""
    adrs: tuple[str, ...] = key(_names(TEXT, "ADR-014"), (), example=["ADR-014"])
    """Ids or paths of ADRs. Default: those that the work claims to implement."""
    command: tuple[str, ...] = key(WORDS, (), example=["pytest", "-q"])
    """The command to run. It runs without a shell."""
    outputs: tuple[str, ...] = key(_GLOBS, ())
    """The files that the command writes."""
    timeout: int = key(SECONDS, 300)
    """Seconds until the command is stopped."""
    percent: float = key(number(1, 100), 100.0)
    """The share of public definitions that must have a docstring."""
    is_default: bool = False


class _File:
    file = key(_GLOBS, field="files")
    """The same as `files`."""


_GATE = section(Gate)
GATE = _GATE._replace(keys=(_GATE.keys[0], *section(_File).keys, *_GATE.keys[1:]))


def gate_of(kind: str) -> Section:
    """Return the settings of a kind of gate."""
    required = ("type", *KINDS[kind].required)
    keys = [
        item._replace(required=item.name in required)
        for item in GATE.keys
        if item.name in ("type", *KINDS[kind].keys)
    ]
    keys[0] = keys[0]._replace(type=Type(None, {"const": kind}))
    return GATE._replace(keys=tuple(keys), conditions=f"{kind} gate")


def parse_gates(
    value: Value, agents: Mapping[str, Agent], types: Collection[str] | None = None
) -> dict[str, Gate]:
    """Return the gates of a section `gates`, by name. `types` are the approval types.

    Raises:
        ConfigError: A gate is invalid.
    """
    expected = "lowercase letters, digits, hyphens and underscores, e.g. adr-complete"
    names = named(value, "gate name", "[a-z][a-z0-9_-]{0,40}", expected)
    return {name: parse_gate(item, name, agents, types) for name, item in names.items()}


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
    entries = value.mapping()
    if "type" not in entries:
        raise value.fail(f"missing key 'type'; allowed: {', '.join(GATE_KINDS)}")
    kind = entries["type"].choice(GATE_KINDS)
    allowed = ("type", *KINDS[kind].keys)
    listed = f"{', '.join(allowed)} for the type {kind}"
    known = {item.name for item in GATE.keys}
    idle = [name for name in entries if name in known and name not in allowed]
    if idle:
        message = "this key has no effect on a gate of this type"
        raise entries[idle[0]].fail(f"{message}; allowed: {listed}")
    entries = value.mapping(allowed, KINDS[kind].required, listed)
    if "file" in entries and "files" in entries:
        raise entries["file"].fail("cannot be combined with `files`; remove one of the two")
    place = f"{value.path}:{value.line}"
    gate: Gate = GATE.with_entries(Gate(name=name, kind=kind, place=place), entries)
    if "approver" in entries:
        gate = gate._replace(approver=approver_of(entries["approver"], agents))
    if "approval_type" in entries and types:
        entries["approval_type"].choice(types)
    if not gate.files and KINDS[kind].needs_files:
        if files is None:
            raise value.fail(
                f"missing key 'files', which a gate of type {kind} requires "
                '(e.g. files: ["docs/**/*.md"])'
            )
        gate = gate._replace(files=files)
    runs_no_judge = gate.approver in NO_AGENTS
    if kind == APPROVAL and not gate.approval_type and not runs_no_judge:
        raise value.fail("missing key 'approval_type', the rubric of the judge (expected e.g. adr)")
    if kind == ADR_COMPLETE and gate.semantic == "false" and gate.approver:
        raise entries["approver"].fail(_no_effect("semantic: false"))
    if gate.semantic == "true" and runs_no_judge:
        raise entries["semantic"].fail(_no_effect(f"approver: {gate.approver}"))
    return gate


def _no_effect(other: str) -> str:
    return f"this key has no effect with {other}, which runs no judge; remove one of the two"


def changed_gates(old: Mapping[str, Gate], new: Mapping[str, Gate]) -> dict[str, str]:
    """Return how gates were changed or removed. A stricter gate counts, a new one does not."""
    changes = {name: "was removed" for name in old if name not in new}
    for name in old.keys() & new.keys():
        # `place` is a line of the file: it changes with every edit above it.
        fields = [key for key in Gate._fields if key != "place"]
        differing = [key for key in fields if getattr(new[name], key) != getattr(old[name], key)]
        changes[name] = f"changed: {', '.join(differing)}" if differing else ""
    return {name: changes[name] for name in old}
