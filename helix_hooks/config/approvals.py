"""The file `config/approvals.yaml`: approval types, verification, flows, and what they refer to.

Files of the original design are accepted unchanged: `retry_on_failure: true` is `max_retries: 1`.
A judge runs at most `max_retries` + 1 times.
"""

import re
import shlex
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ..text import listed
from ..yaml_reader import Value
from . import (
    BOOLEAN,
    BRIEF,
    DOLLARS,
    GLOBS,
    MODEL,
    MOST_NAMES,
    RETRIES,
    SECONDS,
    TEXT,
    WORDS,
    Type,
    changed,
    changed_entries,
    covers_less,
    globs,
    key,
    lost_entries,
    lower,
    named,
    one_of,
    repository_path,
    section,
    words_of,
)
from .agents import (
    AGENTS,
    API,
    CLAUDE,
    NO_AGENTS,
    SKIP,
    VENDORS,
    Agent,
    Run,
    approver_of,
    parse_agents,
    parse_smart,
)
from .gates import Gate, changed_gates, parse_gates
from .policy import ARCHITECTURE, MATRIX, MERGE, POLICY, Policy, names_deciders

ADR = "adr"
"""The only type that reviews the ADRs of the settings."""
_INHERITED = ("paths", "named_only", "action", "smart")
"""Keys of a packaged type that apply if a file has the type without them."""


# Approval types.


def _briefs(value: Value) -> tuple[tuple[str, Value], ...]:
    items = value.sequence()
    if not items:
        raise value.fail("`checks` is empty; list at least one brief, or remove the key to use all")
    return tuple((BRIEF(item), item) for item in items)


def _fewer_paths(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    if not old and new:
        return f"names {listed(new, MOST_NAMES)} alone"
    if old and not new:
        return "changed"
    return covers_less(old, new)


def _fewer_briefs(old: tuple[tuple[str, Value], ...], new: tuple[tuple[str, Value], ...]) -> str:
    before, now = ([name for name, _ in briefs] for briefs in (old, new))
    # Without `checks` all briefs of the folder are used.
    if not now:
        return ""
    if not before:
        return f"asks {listed(now, MOST_NAMES)} alone"
    removed = [name for name in before if name not in {*now}]
    return f"no longer uses {listed(removed, MOST_NAMES)}" if removed else ""


def _fewer_agents(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    removed = [name for name in old if name not in new]
    return f"no longer asks {listed(removed, MOST_NAMES)}" if removed else ""


def _another(old: object, new: object) -> str:
    return "changed" if old != new else ""


class ApprovalType(NamedTuple):
    """An approval type as configured.

    `checks` are its briefs, each with its place in the file; () for all briefs of its folder.
    `paths` are () for ADRs, which only the type `adr` may have. `codebase` is () for all files.
    """

    name: str = ""
    enabled: bool = key(BOOLEAN, True, None)
    """The type reviews changes."""
    run: Run = Run()
    paths: tuple[str, ...] = key(
        Type(None, {"one or more": "glob", "minItems": 1}), (), _fewer_paths, example=["src/**"]
    )
    """The files that the type reviews. Required for a type of your own."""
    checks: tuple[tuple[str, Value], ...] = key(
        Type(_briefs, {"type": "array", "items": "brief", "minItems": 1}), (), _fewer_briefs
    )
    """The briefs for the judge: names of files in checks/, without .md. Default: all."""
    codebase: tuple[str, ...] = key(GLOBS, (), _another)
    """Files that the judge may read besides those under review. Default: all."""
    action: str = key(one_of(tuple(MATRIX)), "", _another)
    """The action that an approval allows, by its name in the autonomy matrix."""
    after: str = key(TEXT, "", _another, example="adr")
    """The approval type that must be approved first."""
    named_only: bool = key(BOOLEAN, False, None)
    """true: the type reviews files that a person or a gate names, and never a change by itself."""
    always: bool = key(BOOLEAN, False, None)
    """true: the judge is never skipped if a file of `paths` changed."""
    agents: tuple[str, ...] = key(
        Type(
            None,
            {"type": "array", "items": "agent", "minItems": 2, "maxItems": 3, "uniqueItems": True},
        ),
        (),
        _fewer_agents,
        example=["claude", "second-opinion"],
    )
    """Two or three judges side by side, in place of `agent`. If they differ, a person decides."""

    @property
    def reviews_adrs(self) -> bool:
        """True if it reviews the ADRs of the settings."""
        return not self.paths and not self.named_only


class _Deprecated:
    retry_on_failure = key(Type(None, "boolean"), weaker=None)
    """Deprecated: use max_retries. true means max_retries: 1, false means max_retries: 0."""


RUN = section(Run)
DEFAULTS = RUN._replace(keys=RUN.keys + section(_Deprecated).keys, conditions="run")
OWN = section(ApprovalType)
TYPE = OWN._replace(
    keys=tuple(
        key._replace(type=Type(None, "text"), example="manual") if key.name == "agent" else key
        for key in DEFAULTS.keys
    )
    + OWN.keys,
    conditions="type",
)


def _types(
    own: Mapping[str, Value],
    packaged: Mapping[str, Value],
    run: Run,
    agents: Mapping[str, Agent],
) -> dict[str, ApprovalType]:
    """Return the types of a section `approvals`. `run` has the default settings of a judge."""
    types = {
        name: _type(name, value, packaged.get(name), run, agents) for name, value in own.items()
    }
    for name, type in types.items():
        if type.after:
            _check_order(type, types, own[name])
    return types


def _type(
    name: str, value: Value, packaged: Value | None, run: Run, agents: Mapping[str, Agent]
) -> ApprovalType:
    own = TYPE.entries(value) if value.data is not None else {}
    entries = {**_inherited(packaged, own), **own}
    named_only = "named_only" in entries and entries["named_only"].boolean()
    paths = _paths(name, value, entries, named_only=named_only)
    run = _run(run, entries, agents)
    judges = _judges(own, agents)
    if judges:
        # Each judge is a full one: a light one could decide alone.
        run = run._replace(agent=judges[0], smart=None)
    type: ApprovalType = OWN.with_entries(
        ApprovalType(
            name=name,
            agents=judges,
            enabled=not named_only,
            run=run,
            paths=paths,
            action=MERGE if paths else ARCHITECTURE,
        ),
        entries,
    )
    if named_only and type.enabled:
        raise own.get("enabled", value).fail(
            f"a type with named_only: true cannot be enabled; run it with "
            f"`helix-hooks approve --type {name} FILE`, or use `paths`"
        )
    _check_smart(run, own, agents)
    _check_models(judges or (run.agent,), own, agents)
    if type.always and run.agent == SKIP:
        raise own["always"].fail(
            "cannot be combined with agent: skip, which runs no judge; remove one of the two"
        )
    # `always` needs the full judge.
    return type._replace(run=run._replace(smart=None)) if type.always else type


def _judges(entries: Mapping[str, Value], agents: Mapping[str, Agent]) -> tuple[str, ...]:
    """Return the judges of a type that has several; () otherwise. Raises ConfigError."""
    value = entries.get("agents")
    if value is None:
        return ()
    for name in ("agent", "smart"):
        if name in entries:
            raise value.fail(f"cannot be combined with {name}; remove one of the two")
    names = [approver_of(item, agents) for item in value.sequence()]
    if not 2 <= len({*names}) == len(names) <= 3 or {*names} & {*NO_AGENTS}:
        raise value.fail("expected two or three different agents, e.g. [claude, second-opinion]")
    models = [agents[name].model for name in names if agents[name].model]
    if len({*models}) < len(models):
        raise value.fail("two of these agents have the same model, so they are one opinion")
    return tuple(names)


def _inherited(packaged: Value | None, own: Mapping[str, Value]) -> dict[str, Value]:
    """Return the entries of a packaged type that apply in addition to the file's own."""
    if not packaged or packaged.data is None:
        return {}
    # Both keys choose the files: one in the file replaces both.
    replaced = {"paths", "named_only"} if {"paths", "named_only"} & own.keys() else set()
    return {
        key: value
        for key, value in packaged.mapping().items()
        if key in _INHERITED and key not in replaced
    }


def _paths(
    name: str, value: Value, entries: Mapping[str, Value], *, named_only: bool
) -> tuple[str, ...]:
    """Return the globs of the files that a type reviews.

    Without globs it reviews ADRs, which only the type `adr` may, or the files of a command line.
    """
    paths = entries.get("paths")
    if named_only and paths:
        raise paths.fail("cannot be combined with named_only: true; remove one of the two")
    if named_only and name == ADR:
        raise entries["named_only"].fail(
            "the type adr reviews the ADRs of each change; use another type"
        )
    if named_only or (name == ADR and not paths):
        return ()
    patterns = globs(paths)
    if not patterns:
        wrong = "the list is empty" if paths else "`paths` is missing"
        raise (paths or value).fail(
            f'{wrong}, so no file would be reviewed; list the files, e.g. paths: ["src/**"]'
        )
    return patterns


def _run(run: Run, entries: Mapping[str, Value], agents: Mapping[str, Agent]) -> Run:
    """Return the settings of a run, changed by the entries of a mapping."""
    retry = entries.get("retry_on_failure")
    if retry and "max_retries" in entries:
        raise retry.fail("cannot be combined with max_retries; remove one of the two")
    run = RUN.with_entries(run, entries)
    if retry:
        run = run._replace(max_retries=int(retry.boolean()))
    if "agent" in entries:
        run = run._replace(agent=approver_of(entries["agent"], agents))
    if "smart" in entries:
        run = run._replace(smart=parse_smart(entries["smart"], agents))
    return run


def _check_smart(run: Run, entries: Mapping[str, Value], agents: Mapping[str, Agent]) -> None:
    """Check the light judge that some entries name, or that runs before the agent they name.

    Raises:
        ConfigError: It may spend the budget of the full one, or its agent can't run its model.
    """
    value, smart = entries.get("smart") or entries.get("agent"), run.smart
    if not value or not smart:
        return
    if "smart" in entries and smart.max_cost_usd >= run.max_cost_usd:
        limits = f"{smart.max_cost_usd:g} must be less than {run.max_cost_usd:g}"
        raise value.fail(f"max_cost_usd: {limits}, the limit of both judges together")
    agent = agents.get(smart.agent or run.agent)
    is_api = smart.model.partition(":")[0] in VENDORS
    if agent and agent.provider == API and not is_api:
        known = ", ".join(f"{vendor}:" for vendor in VENDORS)
        raise value.fail(
            f"the light judge {agent.name} asks an API, and its model {smart.model!r} names none; "
            f"begin it with one of {known}"
        )
    if agent and agent.provider == CLAUDE and is_api:
        raise value.fail(
            f"the light judge {agent.name} can't run the model {smart.model!r}; add to `smart` an "
            "`agent` that has a `model`"
        )


def _check_models(
    names: Iterable[str], entries: Mapping[str, Value], agents: Mapping[str, Agent]
) -> None:
    """Raise ConfigError if a type has a model that none of its agents would run."""
    judges = [agents[name] for name in names if name in agents]
    for setting in ("model", "fallback_model"):
        if setting in entries and judges and all(judge.provider == API for judge in judges):
            raise entries[setting].fail(
                f"the agent {judges[0].name} has its own model; change it there, or remove this"
            )


def _check_order(type: ApprovalType, types: Mapping[str, ApprovalType], value: Value) -> None:
    """Raise ConfigError if a type is after itself, or after one that does not run by itself."""
    value.mapping()["after"].choice([name for name in types if name != type.name])
    names, name = {type.name}, type.after
    while name in types:
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


# The verification of an agent's work.


class VerifyCommand(NamedTuple):
    """A command whose success is evidence. Criteria may refer to it by its name."""

    name: str
    argv: tuple[str, ...]

    @property
    def text(self) -> str:
        return shlex.join(self.argv)


def _commands(value: Value) -> tuple[VerifyCommand, ...]:
    names = named(
        value, "name", "[a-z][a-z0-9-]{0,40}", "lowercase letters, digits and hyphens, e.g. tests"
    )
    return tuple(VerifyCommand(name, words_of(item)) for name, item in names.items())


def _changed_commands(old: tuple[VerifyCommand, ...], new: tuple[VerifyCommand, ...]) -> Any:
    return lost_entries(dict(old), dict(new))


_COMMANDS = {
    "type": "object",
    "propertyNames": "name of a command",
    "additionalProperties": WORDS,
}


PYTEST = ("pytest",)
_PYTEST = (
    *PYTEST,
    # An empty -m and -k undo those of the project, so that no named test is left out.
    *("-m", "", "-k", "", "--rootdir=.", "-o", "cache_dir={junit}.cache"),
    *("-o", "junit_family=xunit1", "--junit-xml={junit}", "{tests}"),
)


def _test_command(value: Value) -> tuple[str, ...]:
    """Return the command that runs named tests. Raises ConfigError."""
    words = words_of(value)
    if words == PYTEST:
        return _PYTEST
    for place in ("{junit}", "{tests}"):
        if not any(place in word for word in words):
            raise value.fail(
                f"expected pytest, or a command with {{junit}} and {{tests}}; {place} is missing: "
                "{junit} is the file for its report as JUnit XML, {tests} the tests to run"
            )
    return words


def _other_tests(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    return "changed" if old and old != new else ""


class VerifyJudge(NamedTuple):
    """The judge of `--judge`: a cheap model."""

    agent: str = key(TEXT, CLAUDE, None)
    """An agent of the section `agents`."""
    model: str = key(MODEL, "claude-haiku-5-5")
    """The full id of the model."""
    timeout: int = key(SECONDS, 120, None)
    """Time limit of one run, in seconds."""
    max_cost_usd: float = key(DOLLARS, 0.10, None)
    """US dollars of one run."""


class VerifySettings(NamedTuple):
    """The settings of a verification. They name programs to run: a change's own are not used.

    `feedback` is "" for no copy.
    """

    max_retries: int = key(RETRIES, 2, None)
    """Maximum number of failed attempts that are sent back to the agent. After that, a person
    decides.
    """
    feedback: str = key(
        repository_path("path", ".helix/feedback.md"),
        "",
        None,
        example=".helix/feedback.md",
    )
    """The path of a copy of the feedback in the work tree. Ignore it in git."""
    commands: tuple[VerifyCommand, ...] = key(
        Type(_commands, _COMMANDS), (), _changed_commands, example={"tests": "pytest -q"}
    )
    """Commands whose success is evidence, by name. They run without a shell in the root of the work
    tree.
    """
    tests: tuple[str, ...] = key(Type(_test_command, WORDS), (), _other_tests, example="pytest")
    """The command that runs the tests that criteria name by file and name: `pytest`, or one that
    writes JUnit XML to the file `{junit}` for the ids `{tests}`. Without it they are only looked
    for.
    """
    timeout: int = key(SECONDS, 120, None)
    """Time limit of each command, and of all named tests of an ADR together, in seconds."""
    escalate: tuple[str, ...] = key(WORDS, (), None)
    """The command that runs once when all attempts have failed."""
    blocks: bool = key(BOOLEAN, True, lower)
    """A pull request that claims to implement an ADR, and does not, fails."""
    judge: VerifyJudge = key(section(VerifyJudge))
    """The judge of `helix-hooks verify --judge`."""


VERIFY = section(VerifySettings)


# Flows.

TYPE_OF_PHASE = r"[a-z][a-z0-9_-]{0,40}"
APPROVAL_PHASE = "approval"
"""The type of a phase that creates nothing: only its gate is evaluated."""


class Creator(NamedTuple):
    """The command that creates the content of a type of phase."""

    command: tuple[str, ...] = key(WORDS, (), example=["claude", "-p"], required=True)
    """The command. It gets the prompt on standard input and runs without a shell."""
    timeout: int = key(SECONDS, 3600)
    """Time limit of one try, in seconds."""


CREATOR = section(Creator)


def _database(value: Value) -> str:
    if value.data in (None, ""):
        return ""
    url = value.text().strip()
    if not re.fullmatch(r"postgres(?:ql)?(?:\+psycopg)?://\S+", url):
        raise value.fail(
            f"invalid database URL {without_password(url)!r} (expected e.g. "
            'postgresql://user@host/name, or "" for SQLite)'
        )
    if without_password(url) != url:
        raise value.fail(
            "the database URL contains a password; remove it from the repository, and set "
            "PGPASSWORD or PGPASSFILE in the environment"
        )
    return url


def _plain_name(value: Value) -> str:
    text = value.text().strip()
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,99}", text):
        raise value.fail(f"expected a name of letters, digits, `.`, `/`, `-` and `_`, got {text!r}")
    return text


def without_password(url: str) -> str:
    """Return the URL of a database without its password."""
    shown = re.sub(r"(://[^/@:]*):[^/]*@", r"\1@", url)
    return re.sub(r"(?i)([?&]password=)[^&]+", r"\1...", shown)


def _creators(value: Value) -> dict[str, Creator]:
    expected = "lowercase letters, digits, hyphens and underscores, e.g. consultant"
    names = named(value, "phase type", TYPE_OF_PHASE, expected)
    if APPROVAL_PHASE in names:
        raise names[APPROVAL_PHASE].fail(
            "phases of this type create nothing, so the command would never run; use the type "
            "of phases that create content, e.g. consultant"
        )
    return {name: CREATOR.read(item) for name, item in names.items()}


_CREATORS = {
    "type": "object",
    "propertyNames": "type of a creating phase",
    "additionalProperties": CREATOR,
}


class FlowSettings(NamedTuple):
    """The settings of flows, read from disk when a run begins. `database` is "" for SQLite."""

    database: str = key(
        Type(_database, "database"),
        "",
        lambda old, new: changed(old or "SQLite", new or "SQLite"),
        example="postgresql://user@host/name",
    )
    """The address of a PostgreSQL database, without a password. Default: a file of SQLite."""
    creators: Mapping[str, Creator] = key(
        Type(_creators, _CREATORS), MappingProxyType({}), changed_entries
    )
    """The command that creates the content of a phase, by the type of the phase."""
    name: str = key(
        Type(_plain_name, "plain name"), "", lambda old, new: changed(old or "none", new or "none")
    )
    """With a shared database: the name under which all clones of the repository find its runs."""
    remote: str = key(
        Type(_plain_name, "plain name"), "", lambda old, new: changed(old or "none", new or "none")
    )
    """With a shared database: the git remote to which each machine pushes the commits of runs, e.g.
    origin. Requires `name`.
    """


def _checked_flow(settings: FlowSettings, entries: Mapping[str, Value]) -> FlowSettings:
    if settings.remote and not settings.name:
        raise entries["remote"].fail("it requires `name`, under which all clones find the runs")
    return settings


FLOW = section(FlowSettings, _checked_flow)


# The whole file.


class _Defaults:
    defaults = key(Type(None, "defaults"), weaker=None)
    """The settings of each judge. Keys that are not set have the packaged defaults."""


class Approvals(NamedTuple):
    """All settings of the file. `names_deciders`: the policy sets the deciders."""

    types: Mapping[str, ApprovalType] = key(
        Type(None, "approvals"),
        MappingProxyType({}),
        None,
        name="approvals",
        example={"adr": {"enabled": True}},
    )
    """The approval types, by name. With this section, packaged types that it does not name are not
    enabled.
    """
    agents: Mapping[str, Agent] = key(AGENTS, weaker=lost_entries)
    """Programs that judge, by name. `claude` is built in."""
    policy: Policy = key(POLICY)
    """Decisions of people: which they are, who may decide, and the deadline."""
    verify: VerifySettings = key(VERIFY)
    """The comparison of an agent's work with an approved ADR. Read from the base, since it names
    programs to run.
    """
    gates: Mapping[str, Gate] = key(Type(None, "gates"), MappingProxyType({}), changed_gates)
    """Gates by name, for `helix-hooks gate NAME`."""
    flow: FlowSettings = key(FLOW)
    """Where runs of flows are stored, and which commands create the content of phases."""
    names_deciders: bool = False


_FILE = section(Approvals)
APPROVALS_YAML = _FILE._replace(keys=section(_Defaults).keys + _FILE.keys)


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
    run = Run()
    for value in (defaults.get("defaults"), entries.get("defaults")):
        if value:
            of_run = DEFAULTS.entries(value)
            if "agent" in of_run:
                of_run["agent"].choice(agents)
            run = _run(run, of_run, agents)
            _check_smart(run, of_run, agents)
    known = defaults["approvals"].mapping() if packaged else {}
    types = _types(known, {}, run, agents)
    if "approvals" in entries:
        expected = "lowercase letters, digits and hyphens, e.g. code"
        own = named(entries["approvals"], "type name", "[a-z][a-z0-9-]{0,40}", expected)
        types = {name: type._replace(enabled=False) for name, type in types.items()}
        types |= _types(own, known, run, agents)
    gates = parse_gates(entries["gates"], agents, types) if "gates" in entries else {}
    approvals: Approvals = APPROVALS_YAML.with_entries(
        Approvals(types=types, agents=agents, gates=gates), entries
    )
    judge = entries["verify"].mapping().get("judge") if "verify" in entries else None
    if judge and "agent" in judge.mapping():
        judge.mapping()["agent"].choice(agents)
    decided = "policy" in entries and names_deciders(entries["policy"])
    return approvals._replace(names_deciders=decided)
