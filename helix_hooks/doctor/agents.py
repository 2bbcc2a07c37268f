"""Read from a clone which agents call our hook, and which program that starts."""

import subprocess

from .. import __version__
from ..agents.registry import AGENTS
from ..errors import ConfigError
from ..repository import program
from ..repository.work_tree import WorkTree
from ..safety.agents import PROGRAM, AgentFacts

_NAME = PROGRAM.encode()
_TIMEOUT = 20


def facts(tree: WorkTree, variables: dict[str, str]) -> AgentFacts:
    """Read the settings files of agents, and ask the program for its version if one names it."""
    contents = {name: _content(tree, agent.file.path) for name, agent in AGENTS.items()}
    files = {name: data for name, data in contents.items() if data is not None}
    is_named = any(isinstance(data, bytes) and _NAME in data for data in files.values())
    place = program.find(PROGRAM, variables) if is_named else ""
    version = _version(place, variables) if place else ""
    return AgentFacts(files, place, version, __version__)


def _content(tree: WorkTree, path: str) -> bytes | str | None:
    """Return a file, or why it can't be read; None without one."""
    try:
        return tree.read(path)
    except ConfigError as error:
        return str(error)


def _version(place: str, variables: dict[str, str]) -> str:
    """Return the version of a program, the last word that it says; "" if it says none."""
    try:
        done = subprocess.run(
            [place, "--version"],
            env=program.environment(variables),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    words = done.stdout.split()
    return words[-1] if words and not done.returncode else ""
