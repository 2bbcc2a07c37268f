"""The strict parser of `phases.yaml`: a key without effect is an error."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, product
from types import MappingProxyType

from ..config import check_globs, words_of
from ..config.agents import Agent
from ..config.approvals import APPROVAL_PHASE, FlowSettings
from ..config.gates import Gate, parse_gates
from ..errors import ConfigError
from ..paths import MAX_BYTES, overlap
from ..text import printable
from ..yaml_reader import Value, load, nearest
from .flow import Budget, Flow, Phase
from .graph import order_of
from .parse_phase import Nameable, phase_of

MOST_PHASES = 100
"""Maximum phases of a flow."""
_LONGEST_NAME = 100
"""Maximum characters of a flow's name."""
_NAMED = 20
"""Maximum phases that a message lists."""


def flow_of(
    data: bytes,
    path: str,
    settings: FlowSettings,
    gates: Mapping[str, Gate] = MappingProxyType({}),
    agents: Mapping[str, Agent] = MappingProxyType({}),
    types: Collection[str] | None = None,
) -> Flow:
    """Return the flow of a file's bytes.

    `gates` are those of the configuration, `types` the approval types, None to accept any. The
    files of phases are checked by `flow_files.required_files`.

    Raises:
        ConfigError: The first error in the file.
    """
    if len(data) > MAX_BYTES:
        raise ConfigError(path, 1, "", f"the file has more than {MAX_BYTES} bytes; split the flow")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(path, line, "", "the file is not UTF-8; save it as UTF-8") from None
    entries = load(text, path).mapping(("name", "setup", "gates", "budget", "phases"), ("phases",))
    own_gates: Mapping[str, Gate] = {}
    if "gates" in entries:
        own_gates = parse_gates(entries["gates"], agents, types)
    for name in own_gates:
        if name in gates:
            raise (
                entries["gates"]
                .mapping()[name]
                .fail(f"the gate {name!r} is defined in {gates[name].place}; choose another name")
            )
    phases, at = _phases(
        entries["phases"], Nameable(settings, {**gates, **own_gates}, agents, types)
    )
    flow = Flow(
        name=_name(entries.get("name"), path),
        path=path,
        hash=hashlib.sha256(data).hexdigest(),
        phases=tuple(_ordered(phases, at)),
        budget=_budget(entries.get("budget")),
        setup=words_of(entries["setup"]) if "setup" in entries else (),
    )
    above = order_of(flow).above
    for phase in flow.phases:
        _check_target(phase, at[phase.id], flow, above[phase.id])
    _refuse_one_file_at_once(flow, at, above)
    _refuse_other_result(flow, at)
    if all(phase.type == APPROVAL_PHASE for phase in flow.phases):
        raise entries["phases"].fail(
            "all phases are approvals; add the phase that creates the files, or use "
            "helix-hooks gate"
        )
    used = {gate for phase in flow.phases for gate in (phase.gate, phase.prompt_gate)}
    for name, gate in own_gates.items():
        if gate not in used:
            item = entries["gates"].mapping()[name]
            raise item.fail("unused gate; use it as a quality_gate, or remove it")
    return flow


def _phases(value: Value, known: Nameable) -> tuple[list[Phase], dict[str, Value]]:
    """Return the phases as written, and the place of each by its id."""
    values = value.sequence()
    if not values:
        raise value.fail("the list of phases is empty")
    if len(values) > MOST_PHASES:
        raise value.fail(f"more than {MOST_PHASES} phases; split the flow")
    phases = [phase_of(item, known) for item in values]
    lines: dict[str, int] = {}
    for phase, item in zip(phases, values, strict=True):
        # Ignoring case, since each id names a folder.
        line = lines.get(phase.id.casefold())
        if line:
            raise item.mapping()["id"].fail(
                f"the id {phase.id!r} is already used by the phase on line {line}; choose another"
            )
        lines[phase.id.casefold()] = item.line
    return phases, {phase.id: item for phase, item in zip(phases, values, strict=True)}


def _ordered(phases: Sequence[Phase], at: Mapping[str, Value]) -> list[Phase]:
    """Return the phases with their dependencies.

    Without `depends_on` a phase waits for all phases above it. So a rejected approval starts no
    later one. `depends_on: []` waits for none.

    Raises:
        ConfigError: A name is unknown, or there is a cycle.
    """
    ordered: list[Phase] = []
    for phase in phases:
        entries = at[phase.id].mapping()
        if "depends_on" not in entries:
            awaited = {id for other in ordered for id in other.depends_on}
            ends = tuple(other.id for other in ordered if other.id not in awaited)
            ordered.append(phase._replace(depends_on=ends))
            continue
        for item in entries["depends_on"].one_or_more():
            if item.data == phase.id:
                raise item.fail(f"{phase.id!r} cannot depend on itself")
            if item.data not in at:
                raise item.fail(f"there is no phase {item.data!r}; {_allowed(item.text(), [*at])}")
        ordered.append(phase)
    try:
        TopologicalSorter({phase.id: phase.depends_on for phase in ordered}).prepare()
    except CycleError as error:
        ids = error.args[1][::-1]
        place = at[ids[0]].mapping().get("depends_on", at[ids[0]])
        raise place.fail(
            f"dependency cycle: {' -> '.join(ids)}; a phase without `depends_on` "
            "depends on those above it (`depends_on: []`: on none)"
        ) from None
    return ordered


def _allowed(name: str, ids: Sequence[str]) -> str:
    """Return the allowed ids for a message about an unknown name."""
    similar = nearest(name, ids)
    hint = f"did you mean {similar!r}? " if similar else ""
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{hint}allowed are {', '.join(ids[:_NAMED])}{more}"


def _check_target(phase: Phase, value: Value, flow: Flow, above: Collection[str]) -> None:
    """Refuse a `target_phase` that can't be repeated. Raises ConfigError."""
    target = phase.on_rejection.target
    if not target:
        return
    item = value.mapping()["on_rejection"].mapping()["target_phase"]
    ids = [other.id for other in flow.phases]
    if target not in ids:
        raise item.fail(f"there is no phase {target!r}; {_allowed(target, ids)}")
    allowed = [
        other.id for other in flow.phases if other.id in above and other.type != APPROVAL_PHASE
    ]
    if target in allowed:
        return
    if target == phase.id:
        reason = f"use max_retries to repeat {target!r} itself"
    elif target not in above:
        reason = f"{phase.id!r} does not depend on {target!r}"
    else:
        reason = f"{target!r} is an approval and creates nothing"
    listed = f"allowed are {', '.join(allowed)}" if allowed else "there is no phase to repeat"
    raise item.fail(f"{reason}; {listed}")


def _refuse_one_file_at_once(
    flow: Flow, at: Mapping[str, Value], above: Mapping[str, Collection[str]]
) -> None:
    """Refuse a file that two phases write, or that one reads while another may write it.

    `overlap` decides exactly whether two patterns can match the same path, even if no such file
    exists.
    """
    check_globs(
        at[flow.phases[0].id], tuple(glob for phase in flow.phases for glob in phase.outputs)
    )
    for first, second in combinations(flow.phases, 2):
        for mine, theirs in product(second.outputs, first.outputs):
            if overlap(mine, theirs):
                raise (
                    at[second.id]
                    .mapping()["output"]
                    .fail(
                        f"{mine!r} overlaps with the output {theirs!r} of {first.id!r}; only one "
                        "phase can write a file"
                    )
                )
        if first.id in above[second.id] or second.id in above[first.id]:
            continue
        for reader, writer in ((first, second), (second, first)):
            if any(overlap(*pair) for pair in product(reader.inputs, writer.outputs)):
                raise (
                    at[reader.id]
                    .mapping()["input"]
                    .fail(f"{writer.id!r} may write it at the same time; add it to depends_on")
                )


def _refuse_other_result(flow: Flow, at: Mapping[str, Value]) -> None:
    """Refuse a gate on the result of an approval phase that has another approval type."""
    writers = {
        phase.gate.result_file: (phase.id, phase.gate.approval_type)
        for phase in flow.phases
        if phase.type == APPROVAL_PHASE and phase.gate
    }
    for phase in flow.phases:
        gate = phase.gate
        if not gate or not gate.approval_type or not gate.result_file:
            continue
        id, type = writers.get(gate.result_file, ("", gate.approval_type))
        if type != gate.approval_type:
            raise (
                at[phase.id]
                .mapping()["quality_gate"]
                .fail(
                    f"this gate can never approve: {id!r} writes {gate.result_file} with the "
                    f"approval type {type}, not {gate.approval_type}"
                )
            )


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
