"""The parser of one phase of a `phases.yaml`, with the files that it reads and writes."""

import re
from collections.abc import Collection, Mapping
from posixpath import splitext
from typing import NamedTuple

from ..config import MOST_RETRIES, MOST_SECONDS, check_glob, check_globs, words_of
from ..config.agents import MANUAL, NO_AGENTS, Agent
from ..config.approvals import APPROVAL_PHASE, TYPE_OF_PHASE, FlowSettings
from ..config.gates import (
    ADR_COMPLETE,
    APPROVAL,
    APPROVAL_PASSED,
    FILES_EXIST,
    KINDS,
    Gate,
    parse_gate,
    path_of,
)
from ..paths import is_pattern
from ..yaml_reader import MappingEntry, Value, nearest
from .feedback import VARIABLES, unknown_variable
from .flow import ACTIONS, ESCALATE, FAIL, RETRY_PHASE, Phase, Rejection
from .prompts import complaint_about
from .questions import BUDGET

_ANY = ("id", "type", "depends_on", "input", "output", "quality_gate", "on_rejection")
_MADE = (
    *_ANY, "run", "timeout", "prompt", "prompt_gate", "max_retries", "allow_rewrite",
    "verify_agent",
)  # fmt: skip
_OF_APPROVAL = ("approval_type", "approver", "checks", "required_result")
_APPROVED = (*_ANY, *_OF_APPROVAL)
_ID = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)")
"""Names that Windows reserves for devices."""
_SIMILAR = 0.8
"""Similarity from which a type without a creator counts as a spelling mistake.

It is high, since types are free words.
"""
_OURS = {".git", ".helix"}
_NO_COMMAND = "it has no effect without a command; remove the key, or add the command with `run`"
_PROMPT_GATES = tuple(name for name, kind in KINDS.items() if kind.reads_prompts)


class Nameable(NamedTuple):
    """The names that a flow may use: in settings, gates, agents and approval types."""

    settings: FlowSettings
    gates: Mapping[str, Gate]
    agents: Mapping[str, Agent]
    types: Collection[str] | None


def phase_of(value: Value, known: Nameable) -> Phase:
    """Return a phase, with the dependencies of `depends_on` only.

    Raises:
        ConfigError: A key or a value is invalid.
    """
    entries = value.mapping((*_MADE, *_OF_APPROVAL), ("id", "type"))
    type = _type(entries["type"], known.settings)
    allowed = _APPROVED if type == APPROVAL_PHASE else _MADE
    for key, entry in entries.items():
        if key not in allowed:
            at_key = entry._replace(line=value.data[key].line)
            raise at_key.fail(
                f"it has no effect on a phase of type {type}; allowed are {', '.join(allowed)}"
            )
    phase = Phase(
        id=_id(entries["id"]),
        type=type,
        place=f"{value.path}:{value.line}",
        depends_on=_different(entries["depends_on"]) if "depends_on" in entries else (),
        inputs=_files(entries.get("input")),
    )
    if type == APPROVAL_PHASE:
        phase = _approval(phase, value, entries, known)
    else:
        phase = _made(phase, entries, known)
    return phase._replace(on_rejection=_on_rejection(entries.get("on_rejection"), phase))


def _id(value: Value) -> str:
    id = value.text()
    if not re.fullmatch(_ID, id) or _RESERVED.fullmatch(id):
        raise value.fail(
            f"invalid phase id {id[:80]!r} (expected at most 64 letters, digits, hyphens and "
            "underscores, e.g. adr-creation)"
        )
    if id == BUDGET:
        raise value.fail(f"{BUDGET!r} is a reserved phase ID")
    return id


def _type(value: Value, settings: FlowSettings) -> str:
    type = value.text()
    if not re.fullmatch(TYPE_OF_PHASE, type):
        raise value.fail(
            f"invalid phase type {type[:80]!r} (expected lowercase letters, digits, hyphens and "
            "underscores, e.g. consultant)"
        )
    known = (APPROVAL_PHASE, *settings.creators)
    similar = nearest(type, known, _SIMILAR)
    if type not in known and similar:
        raise value.fail(
            f"no creator is configured for the type {type!r}; did you mean {similar!r}? "
            "Otherwise choose a less similar name"
        )
    return type


def _different(value: Value) -> tuple[str, ...]:
    """Return the texts of a list, or one text. Raises ConfigError for a text that occurs twice."""
    names: dict[str, None] = {}
    for item in value.one_or_more():
        name = item.text()
        if name in names:
            raise item.fail(f"{item.data!r} is named twice")
        names[name] = None
    return tuple(names)


def _files(value: Value | None) -> tuple[str, ...]:
    """Return globs from a string, a list, or a mapping with the key `files`. Raises ConfigError."""
    if value is None:
        return ()
    if isinstance(value.data, dict):
        value = value.mapping(("files",), ("files",))["files"]
    items = value.one_or_more()
    if not items:
        raise value.fail("empty list; add a file, or remove the key")
    for item in items:
        if item.text().startswith("!"):
            raise item.fail(f"{item.data!r}: cannot exclude files; list those to include")
        check_glob(item, item.text())
    globs = _different(value)
    check_globs(value, globs)
    return globs


def _outputs(value: Value | None) -> tuple[str, ...]:
    """Return the globs of files that a phase may write. Raises ConfigError."""
    globs = _files(value)
    for pattern in globs:
        # Also in a group such as {docs,.git}/x; some systems ignore case.
        ours = sorted(_OURS & {*re.split("[/{},]", pattern.casefold())})
        if value and ours:
            raise value.fail(f"{pattern!r} is inside {ours[0]}, which phases cannot write")
    return globs


# A phase that creates content.


def _made(phase: Phase, entries: Mapping[str, Value], known: Nameable) -> Phase:
    phase = phase._replace(outputs=_outputs(entries.get("output")))
    phase = _with_creator(phase, entries, known)
    phase = _with_prompt(phase, entries, known)
    phase = phase._replace(gate=_gate(phase, entries.get("quality_gate"), known))
    if "verify_agent" in entries:
        phase = phase._replace(verify_agent=entries["verify_agent"].boolean())
        if phase.verify_agent and not phase.outputs:
            raise entries["verify_agent"].fail(
                "without `output` nothing could be verified if no ADR is declared; add `output`, "
                "or use quality_gate: {type: verified, adrs: [ADR-014]}"
            )
    if "max_retries" in entries:
        phase = phase._replace(max_retries=entries["max_retries"].integer(0, MOST_RETRIES))
        if phase.max_retries and not _may_retry(phase):
            raise entries["max_retries"].fail(
                "it has no effect: only a person can reject, as often as needed; remove the key"
            )
    if "allow_rewrite" in entries:
        phase = phase._replace(allow_rewrite=entries["allow_rewrite"].boolean())
        if phase.allow_rewrite and not phase.creator:
            raise entries["allow_rewrite"].fail(_NO_COMMAND)
    return phase


def _with_creator(phase: Phase, entries: Mapping[str, Value], known: Nameable) -> Phase:
    configured = known.settings.creators.get(phase.type)
    if configured:
        phase = phase._replace(creator=configured.command, timeout=configured.timeout)
    if "run" in entries:
        phase = phase._replace(creator=words_of(entries["run"]))
    if "timeout" in entries:
        if not phase.creator:
            raise entries["timeout"].fail(_NO_COMMAND)
        phase = phase._replace(timeout=entries["timeout"].integer(1, MOST_SECONDS))
    return phase


def _with_prompt(phase: Phase, entries: Mapping[str, Value], known: Nameable) -> Phase:
    if "prompt" in entries:
        phase = _prompt_from(phase, entries["prompt"])
    if "prompt_gate" not in entries:
        return phase
    value = entries["prompt_gate"]
    if "prompt" not in entries:
        raise value.fail("`prompt_gate` requires a `prompt`")
    gate = _named_or_own(value, phase.id, known, ())
    if gate.kind not in _PROMPT_GATES:
        raise value.fail(
            f"a gate of type {gate.kind} cannot check a prompt; allowed are "
            f"{', '.join(_PROMPT_GATES)}"
        )
    return phase._replace(prompt_gate=gate)


def _prompt_from(phase: Phase, value: Value) -> Phase:
    """Return a phase with its prompt: a text, a file, or a command."""
    if not isinstance(value.data, dict):
        complaint = complaint_about(value.text())
        if complaint:
            raise value.fail(complaint)
        return phase._replace(prompt=value.text())
    entries = value.mapping(("file", "command", "can_regenerate_prompts"))
    if ("file" in entries) == ("command" in entries):
        raise value.fail("expected either `file` or `command`, or the text of the prompt itself")
    remakes = entries.get("can_regenerate_prompts")
    if "command" in entries:
        phase = phase._replace(prompt_command=words_of(entries["command"]))
        if remakes:
            phase = phase._replace(remakes_prompts=remakes.boolean())
        return phase
    if remakes:
        raise remakes.fail("it has no effect with `file`; remove it, or use `command`")
    return phase._replace(prompt_file=path_of(entries["file"]))


def _gate(phase: Phase, value: Value | None, known: Nameable) -> Gate | None:
    """Return the gate of the content. The default gate asks whether the outputs were written."""
    if value:
        return _named_or_own(value, phase.id, known, phase.outputs or None)
    if not phase.outputs:
        return None
    return Gate(phase.id, FILES_EXIST, phase.place, files=phase.outputs, is_default=True)


def _named_or_own(value: Value, id: str, known: Nameable, files: tuple[str, ...] | None) -> Gate:
    """Return the gate with a name, or the gate that is written in the phase.

    Raises:
        ConfigError: There is no such gate, or it could never approve: a run would be wasted.
    """
    if isinstance(value.data, str):
        if not known.gates:
            raise value.fail(
                f"unknown gate {value.text()!r}: no gates are defined; add `gates` to the flow or "
                "to config/approvals.yaml, or define the gate here (e.g. {type: files_exist})"
            )
        gate = known.gates[value.choice(known.gates)]
    else:
        gate = parse_gate(value, id, known.agents, known.types, files)
    reason = _never_approves(gate)
    if reason:
        raise value.fail(f"this gate can never approve: {reason}")
    return gate


def _never_approves(gate: Gate) -> str:
    """Return why a gate rejects whatever its files contain; "" if it may approve."""
    suffixes = KINDS[gate.kind].suffixes
    for pattern in gate.files if suffixes else ():
        name = pattern.rpartition("/")[2]
        ending = splitext(name)[1].lower()
        is_certain = (ending or not is_pattern(name)) and not is_pattern(ending)
        if is_certain and ending not in suffixes:
            return f"{gate.kind} reads {', '.join(suffixes)}, and not {pattern}"
    literal = [pattern for pattern in gate.files if not is_pattern(pattern)]
    if gate.kind == ADR_COMPLETE and gate.concept and len(literal) > 1:
        return "`concept` requires exactly one ADR"
    return ""


def _may_retry(phase: Phase) -> bool:
    """Return whether a gate of a phase can reject without a person, so that a retry can help."""
    gates = [phase.gate]
    if phase.remakes_prompts:
        gates.append(phase.prompt_gate)
    return phase.verify_agent or any(gate is None or _can_reject(gate) for gate in gates)


def _can_reject(gate: Gate) -> bool:
    """Return whether a gate can reject without a person."""
    return not (gate.kind == APPROVAL and gate.approver in NO_AGENTS)


# A phase that only asks its gate.


def _approval(phase: Phase, value: Value, entries: Mapping[str, Value], known: Nameable) -> Phase:
    if not phase.inputs:
        raise value.fail("the key 'input' is missing (e.g. input: [output/ADR-feature.md])")
    # The gate is written as keys of the phase itself, so a value with these keys is parsed.
    keys = {"type": value._replace(data=APPROVAL)}
    keys |= {key: entries[key] for key in _OF_APPROVAL if key in entries}
    data = {key: MappingEntry(item.line, item.column, item) for key, item in keys.items()}
    own = value._replace(data=data)
    gate = parse_gate(own, phase.id, known.agents, known.types, phase.inputs)
    output = _outputs(entries.get("output"))
    if len(output) > 1:
        raise entries["output"].fail("an approval writes only its result; specify one path")
    if output:
        written = entries["output"]
        if isinstance(written.data, dict):
            written = written.mapping()["files"]
        gate = gate._replace(result_file=path_of(written.one_or_more()[0]))
    if "quality_gate" in entries:
        _check_same_result(entries["quality_gate"], phase, gate, known)
    return phase._replace(gate=gate, outputs=output)


def _check_same_result(value: Value, phase: Phase, gate: Gate, known: Nameable) -> None:
    """Refuse a `quality_gate` of an approval that checks another result. Raises ConfigError."""
    quality_gate = _named_or_own(value, phase.id, known, None)
    kind, path, result = quality_gate.kind, quality_gate.result_file, quality_gate.result
    if kind != APPROVAL_PASSED:
        raise value.fail(
            f"an approval has no gate of type {kind}; move it to the phase that creates the "
            "files, or use type: approval_passed"
        )
    if path != gate.result_file:
        output = f", {gate.result_file!r}" if gate.result_file else ", which has none"
        raise value.fail(f"its result_file {path!r} is not the output of this phase{output}")
    if result != gate.result:
        raise value.fail(
            f"required_result {result} has no effect here; write it beside `approval_type`"
        )


# `on_rejection`.


def _on_rejection(value: Value | None, phase: Phase) -> Rejection:
    """Return the handling of a rejection, by default `escalate` if a person may help."""
    action = ESCALATE if phase.max_retries or phase.made_by_person else FAIL
    if value is None:
        return Rejection(action=action)
    entries = value.mapping(("action", "target_phase", "max_retries", "feedback_template"))
    if not entries:
        raise value.fail("missing key `action` (e.g. action: escalate)")
    if "action" in entries:
        action = entries["action"].choice(ACTIONS)
    _refuse_unreachable(value, phase, action)
    rejection = Rejection(action=action)
    for key in ("target_phase", "max_retries"):
        if key in entries and action != RETRY_PHASE:
            raise entries[key].fail(
                f"it has no effect with action: {action}; write action: {RETRY_PHASE}, or remove it"
            )
    if action == RETRY_PHASE:
        if "target_phase" not in entries:
            raise value.fail("missing key `target_phase`: the phase to repeat")
        rejection = rejection._replace(target=entries["target_phase"].text())
    if "max_retries" in entries:
        rejection = rejection._replace(max_retries=entries["max_retries"].integer(1, MOST_RETRIES))
    if "feedback_template" in entries:
        template = _template(entries["feedback_template"], phase, action)
        rejection = rejection._replace(template=template)
    return rejection


def _refuse_unreachable(value: Value, phase: Phase, action: str) -> None:
    """Refuse an action that can never run. Raises ConfigError."""
    gate = phase.gate
    if gate is None or _can_reject(gate) or phase.verify_agent:
        return
    # A person can reject an approval; then `fail` and `retry_phase` run.
    if phase.type == APPROVAL_PHASE and gate.approver == MANUAL and action != ESCALATE:
        return
    raise value.fail(
        f"the action {action} never runs: with approver: {gate.approver} the gate cannot "
        "reject; remove the key"
    )


def _template(value: Value, phase: Phase, action: str) -> str:
    complaint = unknown_variable(value.text(), VARIABLES)
    if complaint:
        raise value.fail(complaint)
    if phase.type == APPROVAL_PHASE and action != RETRY_PHASE:
        raise value.fail(
            f"no phase gets feedback with action: {action}; write action: {RETRY_PHASE}, or "
            "remove it"
        )
    return value.text()
