"""The strict parser of `phases.yaml`: a key without effect is an error."""

import hashlib
from collections.abc import Collection, Mapping
from itertools import product
from types import MappingProxyType

from ..config import check_globs, words_of
from ..config.agents import Agent
from ..config.approvals import APPROVAL_PHASE, FlowSettings
from ..config.gates import Gate, parse_gates
from ..errors import ConfigError
from ..paths import MAX_BYTES, overlap
from ..text import printable
from ..yaml_reader import Value, load
from .flow import Budget, Flow, Phase
from .parse_order import in_order
from .parse_phase import Nameable, phase_of

MOST_PHASES = 100
"""Maximum phases of a flow."""
_LONGEST_NAME = 100
"""Maximum characters of a flow's name."""


def flow_of(
    data: bytes,
    path: str,
    settings: FlowSettings,
    gates: Mapping[str, Gate] = MappingProxyType({}),
    agents: Mapping[str, Agent] = MappingProxyType({}),
    types: Collection[str] | None = None,
) -> Flow:
    """Return the flow of a file's bytes. Raises ConfigError."""
    if len(data) > MAX_BYTES:
        raise ConfigError(path, 1, "", f"the file has more than {MAX_BYTES} bytes; split the flow")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(path, line, "", "the file is not UTF-8; save it as UTF-8") from None
    hash = hashlib.sha256(data).hexdigest()
    return parse_flow(load(text, path), path, hash, settings, gates, agents, types)


def parse_flow(
    root: Value,
    path: str,
    hash: str,
    settings: FlowSettings,
    gates: Mapping[str, Gate],
    agents: Mapping[str, Agent],
    types: Collection[str] | None = None,
) -> Flow:
    """Return the flow of a parsed file.

    `hash` is the SHA-256 of the file. `gates` are those of the configuration, `types` the approval
    types, None to accept any. The files of phases are checked by `flow_files.required_files`.

    Raises:
        ConfigError: The first error in the file.
    """
    entries = root.mapping(("name", "setup", "gates", "budget", "phases"), ("phases",))
    own_gates: Mapping[str, Gate] = {}
    if "gates" in entries:
        own_gates = _gates(entries["gates"], gates, agents, types)
    known = Nameable(settings, {**gates, **own_gates}, agents, types)
    values = entries["phases"].sequence()
    if not values:
        raise entries["phases"].fail("the list of phases is empty")
    if len(values) > MOST_PHASES:
        raise entries["phases"].fail(f"more than {MOST_PHASES} phases; split the flow")
    phases = [phase_of(value, known) for value in values]
    _refuse_repeated(phases, values)
    phases = in_order(phases, values)
    _refuse_one_file_twice(phases, values)
    _refuse_other_result(phases, values)
    if all(phase.type == APPROVAL_PHASE for phase in phases):
        raise entries["phases"].fail(
            "all phases are approvals; add the phase that creates the files, or use "
            "helix-hooks gate"
        )
    _refuse_unused(own_gates, phases, entries)
    return Flow(
        name=_name(entries.get("name"), path),
        path=path,
        hash=hash,
        phases=tuple(phases),
        budget=_budget(entries.get("budget")),
        setup=words_of(entries["setup"]) if "setup" in entries else (),
    )


def _gates(
    value: Value,
    known: Mapping[str, Gate],
    agents: Mapping[str, Agent],
    types: Collection[str] | None,
) -> dict[str, Gate]:
    """Return the gates of the flow itself. `known` are the gates of the configuration."""
    gates = parse_gates(value, agents, types)
    for name, item in value.mapping().items():
        if name in known:
            raise item.fail(
                f"the gate {name!r} is defined in {known[name].place}; choose another name"
            )
    return gates


def _refuse_unused(
    gates: Mapping[str, Gate], phases: list[Phase], entries: Mapping[str, Value]
) -> None:
    used = {phase.gate for phase in phases} | {phase.prompt_gate for phase in phases}
    for name, gate in gates.items():
        if gate not in used:
            item = entries["gates"].mapping()[name]
            raise item.fail("unused gate; use it as a quality_gate, or remove it")


def _refuse_repeated(phases: list[Phase], values: list[Value]) -> None:
    """Refuse an id that occurs twice, ignoring case: each id names a folder."""
    seen: dict[str, int] = {}
    for phase, value in zip(phases, values, strict=True):
        line = seen.setdefault(phase.id.casefold(), value.line)
        if line != value.line or phase.place != f"{value.path}:{line}":
            raise value.mapping()["id"].fail(
                f"the id {phase.id!r} is already used by the phase on line {line}; choose another"
            )


def _refuse_one_file_twice(phases: list[Phase], values: list[Value]) -> None:
    """Refuse two phases that could write the same file, even if no such file exists.

    `overlap` decides exactly whether two patterns can match the same path.
    """
    outputs = tuple(pattern for phase in phases for pattern in phase.outputs)
    check_globs(values[0], outputs)
    for number, phase in enumerate(phases):
        for other in phases[:number]:
            pair = _one_file(phase.outputs, other.outputs)
            if pair:
                output = values[number].mapping()["output"]
                raise output.fail(
                    f"{pair[0]!r} overlaps with the output {pair[1]!r} of {other.id!r}; only one "
                    "phase can write a file"
                )


def _refuse_other_result(phases: list[Phase], values: list[Value]) -> None:
    """Refuse a gate on the result of an approval phase that has another approval type."""
    writers = {
        path: phase for phase in phases if phase.type == APPROVAL_PHASE for path in phase.outputs
    }
    for phase, value in zip(phases, values, strict=True):
        gate = phase.gate
        writer = writers.get(gate.result_file) if gate else None
        if not gate or not writer or not writer.gate or not gate.approval_type:
            continue
        if gate.approval_type != writer.gate.approval_type:
            raise value.mapping()["quality_gate"].fail(
                f"this gate can never approve: {writer.id!r} writes {gate.result_file} with the "
                f"approval type {writer.gate.approval_type}, not {gate.approval_type}"
            )


def _one_file(mine: Collection[str], theirs: Collection[str]) -> tuple[str, str] | None:
    """Return the first pair of patterns that can match the same path."""
    for pair in product(mine, theirs):
        if overlap(*pair):
            return pair
    return None


def _name(value: Value | None, path: str) -> str:
    """Return the name of a flow, by default that of its file."""
    if value is None:
        return path.rpartition("/")[2].rpartition(".")[0] or path
    name = value.text().strip()
    if len(name) > _LONGEST_NAME or printable(name) != name:
        raise value.fail(f"expected a name on one line of at most {_LONGEST_NAME} characters")
    return name


def _budget(value: Value | None) -> Budget:
    if value is None:
        return Budget()
    entries = value.mapping(("soft_usd", "hard_usd"))
    limits = {key: entry.number(0.01, 1_000_000) for key, entry in entries.items()}
    soft, hard = limits.get("soft_usd", 0.0), limits.get("hard_usd", 0.0)
    if hard and soft >= hard:
        raise entries["soft_usd"].fail(f"soft_usd ({soft:g}) must be less than hard_usd ({hard:g})")
    return Budget(soft=soft, hard=hard)
