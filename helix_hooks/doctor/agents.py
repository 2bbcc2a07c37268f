"""Read from a clone which agents call our hook, and which program the hook starts."""

from .. import __version__
from ..agents.registry import AGENTS
from ..check.work_tree import WorkTree
from ..errors import ConfigError
from ..proc import find, run
from ..safety.agents import PROGRAM, AgentFacts

_NAME = PROGRAM.encode()
_TIMEOUT = 20


def facts(tree: WorkTree, variables: dict[str, str]) -> AgentFacts:
    """Read the settings files of agents, and the version of the program if a file names it."""
    contents = {name: _content(tree, agent.file.path) for name, agent in AGENTS.items()}
    files = {name: data for name, data in contents.items() if data is not None}
    if not any(isinstance(data, bytes) and _NAME in data for data in files.values()):
        return AgentFacts(files, "", "", __version__)
    place = find.find(PROGRAM, variables)
    return AgentFacts(files, place, _version(place, variables), __version__)


def _content(tree: WorkTree, path: str) -> bytes | str | None:
    """Return the bytes of a file, or the reason why it can't be read; None if there is no file."""
    try:
        return tree.read(path)
    except ConfigError as error:
        return str(error)


def _version(place: str, variables: dict[str, str]) -> str:
    """Return the last word that `--version` of a program prints; "" if it fails."""
    if not place:
        return ""
    try:
        done = run.output([place, "--version"], find.environment(variables), _TIMEOUT)
    except OSError:
        return ""
    words = done.stdout.decode(errors="replace").split() if done else []
    if not done or done.returncode or not words:
        return ""
    return words[-1]
