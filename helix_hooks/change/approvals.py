"""The approvals file of a tree: its approval types, which of them run, and who judges."""

import shlex
from collections.abc import Mapping

from .. import yaml_load, yaml_values
from ..config import approvals
from ..config.agents import CLAUDE, Agent
from ..config.approvals import Approvals, ApprovalType
from ..config.settings import decode
from ..errors import ConfigError, UsageError
from ..paths import APPROVALS_FILE
from ..repository import files


def approvals_of(tree: files.Tree, path: str = "") -> Approvals:
    """Return the approvals of a tree over the packaged ones. Raises ConfigError.

    `path` is the place of the file, "" for the usual one.
    """
    packaged = _loaded(files.packaged(APPROVALS_FILE) or b"", APPROVALS_FILE)
    data = tree.read(path or APPROVALS_FILE)
    if path and data is None:
        message = "there is no such file at the base, and the input `config` names it"
        raise ConfigError(path, 1, "", message)
    own = packaged if data is None else _loaded(data, path or APPROVALS_FILE)
    return approvals.parse(own, packaged)


def _loaded(data: bytes, path: str) -> yaml_values.Value:
    return yaml_load.load(decode(data, path), path)


def chosen(
    known: Approvals, names: tuple[str, ...], *, whole: bool = False
) -> dict[str, ApprovalType]:
    """Return the types of these names, else the enabled ones, with each that they come after.

    For a `whole` change, of which no file was named, the types that always run are among them.
    Raises UsageError for an unknown name.
    """
    unknown = [name for name in names if name not in known.types]
    if unknown:
        there = ", ".join(known.types)
        message = f"--type {unknown[0]}: there is no such approval type; there are {there}"
        raise UsageError(message)
    enabled = [name for name, type in known.types.items() if type.enabled]
    always = [name for name in enabled if whole and known.types[name].always]
    wanted = _with_predecessors(known, [*(names or enabled), *always])
    return {name: type for name, type in known.types.items() if name in wanted}


def refuse_unnamed(types: dict[str, ApprovalType]) -> None:
    """Refuse types that review only what is named, where nothing is. Raises UsageError."""
    for name, type in types.items():
        if type.named_only:
            way_out = f"as in `helix-hooks approve --type {name} FILE`"
            raise UsageError(f"--type {name}: it reviews only files that are named, {way_out}")


def _with_predecessors(known: Approvals, names: list[str]) -> set[str]:
    wanted = set(names)
    for name in names:
        while name := known.types[name].after:
            wanted.add(name)
    return wanted


def agent(known: Approvals, name: str, environment: Mapping[str, str]) -> Agent:
    """Return the agent of a name. Raises UsageError for an unknown one.

    HELIX_AGENT_COMMAND of the environment names the program of the agent `claude`.
    """
    if name not in known.agents:
        there = ", ".join(known.agents)
        raise UsageError(f"--agent {name}: there is no such agent; there are {there}")
    found = known.agents[name]
    if not found.reads_files:
        raise UsageError(f"--agent {name}: it has reads_files: false, and a judge must read files")
    try:
        command = shlex.split(environment.get("HELIX_AGENT_COMMAND", ""))
    except ValueError as error:
        raise UsageError(f"HELIX_AGENT_COMMAND can't be read: {error}") from None
    is_replaced = command and name == CLAUDE
    return found._replace(command=tuple(command)) if is_replaced else found
