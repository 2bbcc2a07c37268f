"""The file `config/approvals.yaml`. Unknown keys are errors.

Files of the original design are accepted unchanged: `retry_on_failure: true` is `max_retries: 1`.
A judge runs at most `max_retries` + 1 times.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..globs import globs
from ..yaml_reader import Value
from .agents import AGENTS, MANUAL, SKIP, Agent, approver_of, changed_agents, parse_agents
from .autonomy import ARCHITECTURE, MATRIX, MERGE
from .declaration import (
    BOOLEAN,
    GLOBS,
    TEXT,
    Key,
    Type,
    changed,
    choice,
    covers_less,
    higher,
    integer,
    later,
    listed,
    lower,
    number,
    section,
)
from .flow import FLOW, FlowSettings
from .gates import Gate, changed_gates, parse_gates
from .policy import POLICY, Policy, names_deciders, parse_policy
from .setting_types import MODEL, SEMANTIC_TYPE, model_of
from .smart import Smart, parse_smart
from .verify import VERIFY, VerifySettings, parse_verify

_INHERITED = ("paths", "named_only", "action", "smart")
"""Keys of a packaged type that apply if a file has the type without them."""
_TYPE_NAME = r"[a-z][a-z0-9-]{0,40}"
ADR = "adr"
"""The only type that reviews the ADRs of the settings."""

Packaged = Mapping[str, Value]
"""The entries of the packaged types, by their names."""


class Run(NamedTuple):
    """The settings of a judge's run: times in seconds, cost in US dollars for all tries together.

    `model` and `fallback_model` are "" if not set. `smart` is the light judge, which runs first.
    `allow_rewrite`: a judge may propose texts. People see them, and no file is changed.
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
    allow_rewrite: bool = True


class ApprovalType(NamedTuple):
    """An approval type as configured.

    `checks` are its briefs, each with its place in the file; () for all briefs of its folder.
    `paths` are globs of the files that it reviews; () for ADRs, which only the type `adr` may have.

    `codebase` are globs of further files that the judge can read; () for all files. `after` is the
    type that must be approved first. `action` is the action of the autonomy matrix that an approval
    allows. `named_only`: it reviews only files that a person or a gate names, and has no `paths`.
    `always`: its judge runs on every change of its files.
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
        """True if it reviews the ADRs of the settings."""
        return not self.paths and not self.named_only


class Approvals(NamedTuple):
    """All settings of the judge.

    `names_deciders`: the policy sets the deciders.
    """

    types: dict[str, ApprovalType]
    agents: dict[str, Agent]
    policy: Policy = Policy()
    verify: VerifySettings = VerifySettings()
    gates: Mapping[str, Gate] = MappingProxyType({})
    flow: FlowSettings = FlowSettings()
    names_deciders: bool = False


def parse(root: Value, packaged: Value | None = None) -> Approvals:
    """Return the settings of a file.

    Missing settings come from the packaged file: those of a run one by one, and all types if the
    file has none. If it has some, the other packaged types exist, but are not enabled. A packaged
    type keeps its files and its action. The function does not check that briefs exist.

    Raises:
        ConfigError: A value is invalid; the error has the first one.
    """
    entries = APPROVALS_YAML.entries(root)
    defaults = packaged.mapping() if packaged else {}
    agents = parse_agents(entries.get("agents"))
    run = RUN.default
    if packaged:
        run = _defaults(run, defaults["defaults"], agents)
    if "defaults" in entries:
        run = _defaults(run, entries["defaults"], agents)
    verify = VerifySettings()
    if "verify" in entries:
        verify = parse_verify(entries["verify"], list(agents))
    types = _all_types(entries.get("approvals"), defaults.get("approvals"), run, agents)
    gates: Mapping[str, Gate] = {}
    if "gates" in entries:
        gates = parse_gates(entries["gates"], agents, types)
    approvals = Approvals(types=types, agents=agents, verify=verify, gates=gates)
    read: Approvals = APPROVALS_YAML.with_entries(approvals, entries)
    decided = "policy" in entries and names_deciders(entries["policy"])
    return read._replace(names_deciders=decided)


def _defaults(run: Run, value: Value, agents: dict[str, Agent]) -> Run:
    entries = DEFAULTS.entries(value)
    if "agent" in entries:
        entries["agent"].choice(list(agents))
    run = _run(run, entries, agents)
    _affordable(run, entries.get("smart"))
    return run


def _all_types(
    value: Value | None, packaged: Value | None, run: Run, agents: dict[str, Agent]
) -> dict[str, ApprovalType]:
    """Return the types of a file, and the packaged ones."""
    types: dict[str, ApprovalType] = {}
    if packaged:
        types = _types(packaged, run, agents)
    if value is None:
        return types
    types = {name: type._replace(enabled=False) for name, type in types.items()}
    return types | _types(value, run, agents, packaged.mapping() if packaged else {})


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
    for name, type in types.items():
        _check_order(type, types, values[name])
    return types


def _run(run: Run, entries: dict[str, Value], agents: dict[str, Agent]) -> Run:
    """Return the settings of a run, changed by the entries of a mapping."""
    retry = entries.get("retry_on_failure")
    if retry and "max_retries" in entries:
        raise retry.fail("cannot be combined with max_retries; remove one of the two")
    run = RUN.with_entries(run, entries)
    if "agent" in entries:
        run = run._replace(agent=approver_of(entries["agent"], agents))
    if "smart" in entries:
        run = run._replace(smart=parse_smart(entries["smart"], list(agents)))
    if retry:
        return run._replace(max_retries=int(retry.boolean()))
    return run


def _affordable(run: Run, smart: Value | None) -> None:
    """Raise ConfigError if a light judge may spend the budget of the full one."""
    if smart and run.smart and run.smart.max_cost_usd >= run.max_cost_usd:
        limits = f"{run.smart.max_cost_usd:g} must be less than {run.max_cost_usd:g}"
        raise smart.fail(f"max_cost_usd: {limits}, the limit of both judges together")


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
            f"invalid type name {name!r} (expected lowercase letters, digits and hyphens, "
            "e.g. code)"
        )
    own = TYPE.entries(value) if value.data is not None else {}
    entries = {**_inherited(packaged.get(name), own), **own}
    named_only = "named_only" in entries and entries["named_only"].boolean()
    paths = _paths(name, value, entries, named_only=named_only)
    unset = ApprovalType(
        name=name,
        enabled=not named_only,
        run=_run(run, entries, agents),
        checks=(),
        paths=paths,
        codebase=(),
        after="",
        action=MERGE if paths else ARCHITECTURE,
    )
    type: ApprovalType = OWN.with_entries(unset, entries)
    if type.after:
        entries["after"].choice([other for other in names if other != name])
    _without_contradiction(type, value, own)
    if type.always:
        # A default may set `smart`; `always` needs the full judge.
        return type._replace(run=type.run._replace(smart=None))
    return type


def _inherited(packaged: Value | None, own: dict[str, Value]) -> dict[str, Value]:
    """Return the entries of a packaged type that apply in addition to the file's own."""
    if not packaged or packaged.data is None:
        return {}
    entries = packaged.mapping()
    inherited = {key: entries[key] for key in _INHERITED if key in entries}
    # Both keys choose the files: one in the file replaces both.
    if "paths" in own or "named_only" in own:
        inherited.pop("paths", None)
        inherited.pop("named_only", None)
    return inherited


def _paths(
    name: str, value: Value, entries: dict[str, Value], *, named_only: bool
) -> tuple[str, ...]:
    """Return the globs of the files that a type reviews.

    Without globs it reviews ADRs, which only the type `adr` may, or the files of a command line.
    """
    paths = entries.get("paths")
    if named_only:
        if paths:
            raise paths.fail("cannot be combined with named_only: true; remove one of the two")
        if name == ADR:
            raise entries["named_only"].fail(
                "the type adr reviews the ADRs of each change; use another type"
            )
        return ()
    if name == ADR and paths is None:
        return ()
    patterns = globs(paths)
    if not patterns:
        wrong = "the list is empty" if paths else "`paths` is missing"
        raise (paths or value).fail(
            f'{wrong}, so no file would be reviewed; list the files, e.g. paths: ["src/**"]'
        )
    return patterns


def _without_contradiction(type: ApprovalType, value: Value, own: dict[str, Value]) -> None:
    """Raise ConfigError for keys of a type that have no effect together."""
    if type.named_only and type.enabled:
        help = f"run it with `helix-hooks approve --type {type.name} FILE`, or use `paths`"
        wrong = "a type with named_only: true cannot be enabled"
        raise own.get("enabled", value).fail(f"{wrong}; {help}")
    _affordable(type.run, own.get("smart"))
    if type.run.agent == MANUAL:
        of_judge = {*(key.name for key in RUN.keys), "checks", "codebase"} - {"semantic"}
        for key in filter(of_judge.__contains__, own):
            raise own[key].fail(
                "this key has no effect with agent: manual, which runs no judge; remove it"
            )
    if type.always:
        _check_always(type, own)


def _check_always(type: ApprovalType, own: dict[str, Value]) -> None:
    """Raise ConfigError for keys that contradict `always: true`."""
    if not type.enabled:
        raise own["always"].fail("the type is not enabled, so it never runs; set enabled: true")
    if type.run.agent == SKIP:
        raise own["always"].fail(
            "cannot be combined with agent: skip, which runs no judge; remove one of the two"
        )
    if "semantic" in own and type.run.semantic != "true":
        raise own["semantic"].fail("cannot be combined with always: true; remove one of the two")
    if type.run.smart and "smart" in own:
        raise own["smart"].fail(
            "cannot be combined with always: true, which needs the full judge; remove "
            "one of the two"
        )


def _checks(value: Value) -> tuple[tuple[str, Value], ...]:
    items = value.sequence()
    if not items:
        raise value.fail("`checks` is empty; list at least one brief, or remove the key to use all")
    for item in items:
        if not re.fullmatch(r"\w[\w-]*", item.text()):
            raise item.fail(
                f"invalid brief {item.data!r} (expected the name of a file in checks/, without .md)"
            )
    return tuple((item.text(), item) for item in items)


def _check_order(type: ApprovalType, types: dict[str, ApprovalType], value: Value) -> None:
    """Raise ConfigError if a type is after itself, or after one that does not run by itself."""
    if not type.after:
        return
    names, name = {type.name}, type.after
    while name:
        if name in names:
            raise value.fail("`after` forms a cycle; one type must come first")
        names.add(name)
        name = types[name].after
    first = types[type.after]
    if first.named_only and not type.named_only:
        raise value.fail(f"`after` cannot be {type.after!r}: that type has named_only: true")
    if type.enabled and not first.enabled:
        raise value.fail(
            f"`after` cannot be {type.after!r}: that type is not enabled, so this one "
            "would never run"
        )


# The declaration.


def _fewer_paths(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    if not old and new:
        return f"names {listed(new)} alone"
    if old and not new:
        return "changed"
    return covers_less(old, new)


def _fewer_briefs(old: tuple[tuple[str, Value], ...], new: tuple[tuple[str, Value], ...]) -> str:
    before, now = ([name for name, _ in briefs] for briefs in (old, new))
    # Without `checks` all briefs of the folder are used.
    if not now:
        return ""
    if not before:
        return f"asks {listed(now)} alone"
    removed = [name for name in before if name not in {*now}]
    return f"no longer uses {listed(removed)}" if removed else ""


def _another(old: object, new: object) -> str:
    return "changed" if old != new else ""


def _fallback(value: Value) -> str:
    return "" if value.data is None else model_of(value)


class _Run:
    model = Key(MODEL, changed, example="claude-sonnet-5-5")
    """The full id of the model. Short names may change their meaning."""
    fallback_model = Key(Type(_fallback, "fallback model"), changed)
    """The model to use if the first one is overloaded; null for none."""
    timeout = Key(integer(1), None)
    """Time limit of one try with all its parts, in seconds."""
    max_retries = Key(integer(0), None)
    """Tries after the first one, for a judge that failed. Tries = max_retries + 1."""
    retry_on_failure = Key(Type(None, "boolean"), None)
    """Deprecated: use max_retries. true means max_retries: 1, false means max_retries: 0."""
    retry_delay = Key(number(0, 600), None)
    """Seconds before the second try, doubled for each further one."""
    required_confidence = Key(number(0, 1), lower)
    """If the judge's confidence is lower, a person decides."""
    semantic = Key(SEMANTIC_TYPE, later(("true", "auto", "false")))
    """auto: no judge for a change of status, links or blanks only. true: always. false: never."""
    max_cost_usd = Key(number(0, 1_000_000), higher)
    """US dollars for all tries of one approval type together."""
    max_turns = Key(integer(1), higher)
    """Maximum number of turns in one run of the judge."""
    allow_rewrite = Key(BOOLEAN, higher)
    """A judge may suggest changes. People see them; they are not applied."""
    smart = Key(Type(None, "smart"), None)
    """A light judge that runs before the full one; false for none."""


class _Defaults(_Run):
    agent = Key(Type(None, "agent"), changed)
    """The judge: the name of an agent."""


class _Own:
    enabled = Key(BOOLEAN, None)
    """The type reviews changes."""
    paths = Key(
        Type(None, {"one or more": "glob", "minItems": 1}), _fewer_paths, example=["src/**"]
    )
    """The files that the type reviews. Required for a type of your own."""
    checks = Key(Type(_checks, {"type": "array", "items": "brief", "minItems": 1}), _fewer_briefs)
    """The briefs for the judge: names of files in checks/, without .md. Default: all."""
    codebase = Key(GLOBS, _another)
    """Files that the judge may read besides those under review. Default: all."""
    action = Key(choice(tuple(MATRIX)), _another)
    """The action that an approval allows, by its name in the autonomy matrix."""
    after = Key(TEXT, _another, example="adr")
    """The approval type that must be approved first."""
    named_only = Key(BOOLEAN, None)
    """true: the type reviews files that a person or a gate names, and never a change by itself."""
    always = Key(BOOLEAN, None)
    """true: the judge is never skipped if a file of `paths` changed."""


class _Type(_Run, _Own):
    agent = Key(Type(None, "text"), None, example="manual")
    """The judge: the name of an agent, manual (a person) or skip (no review)."""


RUN = section(_Run, Run("", "", "", 0, 0, 0, 0, "", 0, 0))
DEFAULTS = section(_Defaults, RUN.default, conditions="run")
OWN = section(_Own)
TYPE = section(_Type, conditions="type")


class _Approvals:
    defaults = Key(Type(None, "defaults"), None)
    """The settings of each judge. Keys that are not set have the packaged defaults."""
    approvals = Key(Type(None, "approvals"), None, example={"adr": {"enabled": True}})
    """The approval types, by name. With this section, packaged types that it does not name are not
    enabled.
    """
    agents = Key(AGENTS, changed_agents)
    """Programs that judge, by name. `claude` is built in."""
    policy = Key(Type(parse_policy, POLICY))
    """Decisions of people: which they are, who may decide, and the deadline."""
    verify = Key(Type(None, VERIFY))
    """The comparison of an agent's work with an approved ADR. Read from the base, since it names
    programs to run.
    """
    gates = Key(Type(None, "gates"), changed_gates)
    """Gates by name, for `helix-hooks gate NAME`."""
    flow = Key(FLOW)
    """Where runs of flows are stored, and which commands create the content of phases."""


APPROVALS_YAML = section(_Approvals)
