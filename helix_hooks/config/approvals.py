"""`config/approvals.yaml`, strictly read.

Files of the original design load as they stand: `retry_on_failure: true` is `max_retries: 1`. Runs
= `max_retries` + 1.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..globs import globs
from ..yaml_values import Value
from .agents import MANUAL, SKIP, Agent, approver_of, parse_agents
from .autonomy import ARCHITECTURE, MATRIX, MERGE
from .flow import FlowSettings, parse_flow_settings
from .gates import Gate, parse_gates
from .model_id import is_model
from .policy import Policy, names_deciders, parse_policy
from .semantic import semantic_of
from .smart import Smart, parse_smart
from .verify import VerifySettings, parse_verify

_RUN_KEYS = (
    "agent", "model", "fallback_model", "timeout", "max_retries", "retry_on_failure", "retry_delay",
    "required_confidence", "semantic", "max_cost_usd", "max_turns", "smart",
)  # fmt: skip
_TYPE_KEYS = (
    *_RUN_KEYS, "enabled", "checks", "paths", "after", "codebase", "action", "named_only", "always",
)  # fmt: skip
_KEPT = ("paths", "named_only", "action", "smart")
"""Keys of a packaged type that hold where a file names the type without them."""
_OF_A_JUDGE = frozenset((*_RUN_KEYS, "checks", "codebase")) - {"agent", "semantic"}
_SECTIONS = ("defaults", "approvals", "agents", "policy", "verify", "gates", "flow")
_TYPE_NAME = r"[a-z][a-z0-9-]{0,40}"
ADR = "adr"
"""The one type that reviews what the settings call ADRs."""

Packaged = Mapping[str, Value]
"""The entries of the packaged types, by their names."""


class Run(NamedTuple):
    """The settings of a judge's run: times in seconds, cost in US dollars for all tries together.

    "" stands for no model, or no second one; `smart` is the light judge that is asked first.
    """

    agent: str
    model: str
    fallback_model: str
    timeout: int
    max_retries: int
    retry_delay: float
    required_confidence: float
    semantic: str
    max_cost_usd: float
    max_turns: int
    smart: Smart | None = None


class ApprovalType(NamedTuple):
    """An approval type as configured.

    `checks` are its briefs, each with its place in the file; none named means all there are.
    `paths` are globs of the files it reviews, none for ADRs, which only the type `adr` may have.

    `codebase` are globs of what the judge is given to read beside them, none for everything.
    `after` is the type that must be approved first, `action` what its approval lets happen, in the
    words of the autonomy matrix. `named_only`: it reviews files that a person or a gate names, and
    has no `paths`. `always`: no reason leaves its judge out where its files were changed.
    """

    name: str
    enabled: bool
    run: Run
    checks: tuple[tuple[str, Value], ...]
    paths: tuple[str, ...]
    codebase: tuple[str, ...]
    after: str
    action: str = ARCHITECTURE
    named_only: bool = False
    always: bool = False

    @property
    def reviews_adrs(self) -> bool:
        """Return whether its files are what the settings call ADRs."""
        return not self.paths and not self.named_only


class Approvals(NamedTuple):
    """All of a configuration that concerns the judge.

    `names_deciders` says that its policy itself says who decides.
    """

    types: dict[str, ApprovalType]
    agents: dict[str, Agent]
    policy: Policy = Policy()
    verify: VerifySettings = VerifySettings()
    gates: Mapping[str, Gate] = MappingProxyType({})
    flow: FlowSettings = FlowSettings()
    names_deciders: bool = False


_NOTHING = Run(
    agent="",
    model="",
    fallback_model="",
    timeout=0,
    max_retries=0,
    retry_delay=0,
    required_confidence=0,
    semantic="",
    max_cost_usd=0,
    max_turns=0,
)


def parse(root: Value, packaged: Value | None = None) -> Approvals:
    """The configuration of a file, or a ConfigError for the first thing in it that is not as
    described.

    What the file leaves out is taken from the packaged one: settings of a run one by one, the types
    when it names none; when it names some, the packaged others are known and not enabled, and a
    packaged one keeps what says which files it reviews and what its approval lets happen. Whether
    the briefs exist is a question to the repository, which this function does not ask.
    """
    entries = root.mapping(_SECTIONS)
    below = packaged.mapping() if packaged else {}
    agents = parse_agents(entries.get("agents"))
    run = _defaults(_NOTHING, below["defaults"], agents) if below else _NOTHING
    if "defaults" in entries:
        run = _defaults(run, entries["defaults"], agents)
    policy = parse_policy(entries["policy"]) if "policy" in entries else Policy()
    verify = (
        parse_verify(entries["verify"], list(agents)) if "verify" in entries else VerifySettings()
    )
    types = _types(below["approvals"], run, agents) if below else {}
    if "approvals" in entries:
        packaged_types = below["approvals"].mapping() if below else {}
        own = _types(entries["approvals"], run, agents, packaged_types)
        types = {**{name: type._replace(enabled=False) for name, type in types.items()}, **own}
    gates = parse_gates(entries["gates"], agents, types) if "gates" in entries else {}
    flow = parse_flow_settings(entries["flow"]) if "flow" in entries else FlowSettings()
    return Approvals(
        types=types,
        agents=agents,
        policy=policy,
        verify=verify,
        gates=gates,
        flow=flow,
        names_deciders="policy" in entries and names_deciders(entries["policy"]),
    )


def _defaults(run: Run, value: Value, agents: dict[str, Agent]) -> Run:
    entries = value.mapping(_RUN_KEYS)
    if "agent" in entries:
        entries["agent"].choice(list(agents))
    run = _run(run, entries, agents)
    _affordable(run, entries.get("smart"))
    return run


def _types(
    value: Value, run: Run, agents: dict[str, Agent], packaged: Packaged = MappingProxyType({})
) -> dict[str, ApprovalType]:
    values = {
        name: item._replace(line=value.data[name].line) for name, item in value.mapping().items()
    }
    types = {
        name: _type(name, item, run, agents, list(values), packaged)
        for name, item in values.items()
    }
    _in_order(types, values)
    return types


_RUN_SETTERS: dict[str, Callable[[Run, Value], Run]] = {
    "model": lambda run, value: run._replace(model=_model(value)),
    "fallback_model": lambda run, value: run._replace(
        fallback_model="" if value.data is None else _model(value)
    ),
    "timeout": lambda run, value: run._replace(timeout=value.integer(1)),
    "max_turns": lambda run, value: run._replace(max_turns=value.integer(1)),
    "max_retries": lambda run, value: run._replace(max_retries=value.integer(0)),
    "retry_delay": lambda run, value: run._replace(retry_delay=value.number(0, 600)),
    "required_confidence": lambda run, value: run._replace(required_confidence=value.number(0, 1)),
    "semantic": lambda run, value: run._replace(semantic=semantic_of(value)),
    "max_cost_usd": lambda run, value: run._replace(max_cost_usd=value.number(0, 1_000_000)),
}


def _run(run: Run, entries: dict[str, Value], agents: dict[str, Agent]) -> Run:
    """Return the settings of a run with those of a mapping.

    The first wrong one in the file is reported.
    """
    retry = entries.get("retry_on_failure")
    if retry and "max_retries" in entries:
        raise retry.fail("max_retries is given as well; keep one of the two")
    for key, value in entries.items():
        if key == "agent":
            run = run._replace(agent=approver_of(value, agents))
        elif key == "smart":
            run = run._replace(smart=parse_smart(value, list(agents)))
        elif key in _RUN_SETTERS:
            run = _RUN_SETTERS[key](run, value)
    return run._replace(max_retries=int(retry.boolean())) if retry else run


def _affordable(run: Run, smart: Value | None) -> None:
    """Refuse a light judge that may spend what the full one needs. Raises ConfigError."""
    if smart and run.smart and run.smart.max_cost_usd >= run.max_cost_usd:
        wrong = f"its max_cost_usd is {run.smart.max_cost_usd:g}"
        raise smart.fail(f"{wrong}; it must be below {run.max_cost_usd:g}, that of both judges")


def _model(value: Value) -> str:
    if not is_model(value.text()):
        raise value.fail(f"{value.data!r} is not a model id")
    return value.text()


def _type(
    name: str,
    value: Value,
    run: Run,
    agents: dict[str, Agent],
    names: list[str],
    packaged: Packaged,
) -> ApprovalType:
    if not re.fullmatch(_TYPE_NAME, name):
        raise value.fail(
            f"{name!r} is not a name for a type: small letters, digits and hyphens, as in code"
        )
    own = value.mapping(_TYPE_KEYS) if value.data is not None else {}
    entries = {**_kept(packaged.get(name), own), **own}
    named_only = "named_only" in entries and entries["named_only"].boolean()
    enabled = entries["enabled"].boolean() if "enabled" in entries else not named_only
    paths = _paths(name, value, entries, named_only=named_only)
    usual = MERGE if paths else ARCHITECTURE
    type = ApprovalType(
        name=name,
        enabled=enabled,
        run=_run(run, entries, agents),
        checks=_checks(entries.get("checks")),
        paths=paths,
        codebase=globs(entries.get("codebase")),
        after=entries["after"].choice([other for other in names if other != name])
        if "after" in entries
        else "",
        action=entries["action"].choice(tuple(MATRIX)) if "action" in entries else usual,
        named_only=named_only,
        always="always" in entries and entries["always"].boolean(),
    )
    _without_contradiction(type, value, own)
    return type._replace(run=type.run._replace(smart=None)) if type.always else type


def _kept(packaged: Value | None, own: dict[str, Value]) -> dict[str, Value]:
    """Return the entries of a packaged type that hold beside a file's own."""
    entries = packaged.mapping() if packaged and packaged.data is not None else {}
    replaced = {"paths", "named_only"} if {"paths", "named_only"} & own.keys() else set()
    return {key: entries[key] for key in _KEPT if key in entries and key not in replaced}


def _paths(
    name: str, value: Value, entries: dict[str, Value], *, named_only: bool
) -> tuple[str, ...]:
    """Return the files that a type reviews.

    None mean ADRs, for the type `adr` alone, or files that somebody names.
    """
    named = entries.get("paths")
    if named_only and named:
        raise named.fail("named_only: true is given as well, for files that somebody names alone")
    if named_only and name == ADR:
        raise entries["named_only"].fail("adr reviews the ADRs of each change; name another type")
    found = globs(named) if named else ()
    if found or named_only or (name == ADR and named is None):
        return found
    wrong = "no pattern is named" if named else "`paths` is missing"
    raise (named or value).fail(
        f'{wrong}, so no file would be reviewed; name the files, as in paths: ["src/**"]'
    )


def _without_contradiction(type: ApprovalType, value: Value, own: dict[str, Value]) -> None:
    """Refuse keys of a type that have no effect together. Raises ConfigError."""
    if type.named_only and type.enabled:
        help = f"run it by `helix-hooks approve --type {type.name} FILE`, or give it `paths`"
        wrong = "a type with named_only: true reviews no change by itself"
        raise own.get("enabled", value).fail(f"{wrong}; {help}")
    _affordable(type.run, own.get("smart"))
    if type.run.agent == MANUAL:
        for key in filter(_OF_A_JUDGE.__contains__, own):
            raise own[key].fail("it has no effect with agent: manual, which asks no judge")
    if not type.always:
        return
    if not type.enabled:
        raise own["always"].fail("the type is not enabled, so it never runs; set enabled: true")
    if type.run.agent == SKIP:
        raise own["always"].fail("agent: skip asks no judge; keep one of the two")
    if "semantic" in own and type.run.semantic != "true":
        raise own["semantic"].fail("always: true is given as well; keep one of the two")
    if type.run.smart and "smart" in own:
        wrong = "always: true is given as well, and a critical type is judged in full"
        raise own["smart"].fail(f"{wrong}; keep one of the two")


def _checks(value: Value | None) -> tuple[tuple[str, Value], ...]:
    items = value.sequence() if value else []
    if value and not items:
        raise value.fail("no brief would be asked; name one, or leave `checks` out for all of them")
    for item in items:
        if not re.fullmatch(r"\w[\w-]*", item.text()):
            raise item.fail(
                f"{item.data!r} is not a brief; write the name of a file in checks/, without .md"
            )
    return tuple((item.text(), item) for item in items)


def _in_order(types: dict[str, ApprovalType], values: dict[str, Value]) -> None:
    """Check that no types wait for each other in a circle, and that none waits for a disabled
    type.
    """
    for name, type in types.items():
        seen, step = {name}, type.after
        while step:
            if step in seen:
                raise values[name].fail("`after` leads in a circle; one type must come first")
            seen.add(step)
            step = types[step].after
        if type.after and types[type.after].named_only and not type.named_only:
            wrong = "which reviews only files that somebody names"
            raise values[name].fail(f"it comes after {type.after!r}, {wrong}")
        if type.enabled and type.after and not types[type.after].enabled:
            raise values[name].fail(
                f"it comes after {type.after!r}, which is not enabled, so it would never run"
            )
