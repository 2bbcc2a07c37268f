"""The approvals file of a tree: its approval types, the types that run, and the agents."""

import shlex
from collections.abc import Mapping

from .. import yaml_reader
from ..check import files
from ..check.trees import Tree
from ..config import approvals
from ..config.agents import CLAUDE, Agent
from ..config.approvals import Approvals, ApprovalType
from ..config.settings import decode
from ..errors import ConfigError, UsageError
from ..paths import APPROVALS_FILE


def approvals_of(tree: Tree, path: str = "") -> Approvals:
    """Return the approvals of a tree, over the packaged ones.

    `path` is the path of the file, "" for the default one.

    Raises:
        ConfigError: The file is invalid, or does not exist at `path`.
    """
    packaged = _loaded(files.packaged(APPROVALS_FILE) or b"", APPROVALS_FILE)
    data = tree.read(path or APPROVALS_FILE)
    if data is not None:
        return approvals.parse(_loaded(data, path or APPROVALS_FILE), packaged)
    if path:
        message = "there is no such file at the base, and the input `config` names it"
        raise ConfigError(path, 1, "", message)
    return approvals.parse(packaged, packaged)


def _loaded(data: bytes, path: str) -> yaml_reader.Value:
    return yaml_reader.load(decode(data, path), path)


def chosen(
    known: Approvals, names: tuple[str, ...], *, whole: bool = False
) -> dict[str, ApprovalType]:
    """Return the named types, or the enabled ones, with the types that must be approved before.

    `whole`: the review is of a change, not of named files. Then types with `always` run too.

    Raises:
        UsageError: A name is unknown.
    """
    _refuse_unknown(known, names)
    selected = set(names)
    for name, type in known.types.items():
        if type.enabled and (not names or (whole and type.always)):
            selected.add(name)
    selected = _with_predecessors(known, selected)
    return {name: type for name, type in known.types.items() if name in selected}


def _refuse_unknown(known: Approvals, names: tuple[str, ...]) -> None:
    for name in names:
        if name not in known.types:
            there = ", ".join(known.types)
            raise UsageError(f"--type {name}: there is no such approval type; there are {there}")


def refuse_unnamed(types: dict[str, ApprovalType]) -> None:
    """Refuse types that review only named files, if no file is named.

    Raises:
        UsageError: There is such a type.
    """
    for name, type in types.items():
        if type.named_only:
            way_out = f"as in `helix-hooks approve --type {name} FILE`"
            raise UsageError(f"--type {name}: it reviews only files that are named, {way_out}")


def _with_predecessors(known: Approvals, names: set[str]) -> set[str]:
    selected = set(names)
    for name in names:
        after = known.types[name].after
        while after:
            selected.add(after)
            after = known.types[after].after
    return selected


def agent(known: Approvals, name: str, environment: Mapping[str, str]) -> Agent:
    """Return the agent of a name.

    HELIX_AGENT_COMMAND in the environment replaces the program of the agent `claude`.

    Raises:
        UsageError: The name is unknown, the agent reads no files, or the variable is invalid.
    """
    if name not in known.agents:
        there = ", ".join(known.agents)
        raise UsageError(f"--agent {name}: there is no such agent; there are {there}")
    agent = known.agents[name]
    if not agent.reads_files:
        raise UsageError(f"--agent {name}: it has reads_files: false, and a judge must read files")
    try:
        command = shlex.split(environment.get("HELIX_AGENT_COMMAND", ""))
    except ValueError as error:
        raise UsageError(f"HELIX_AGENT_COMMAND can't be read: {error}") from None
    if command and name == CLAUDE:
        return agent._replace(command=tuple(command))
    return agent
