"""Judge whether coding agents call the hook of this program when they stop."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..agents.hook_file import HookFile, JsonTextError, hook_in
from ..agents.registry import AGENTS
from ..text.sanitize import printable
from .line import MISSING, OK, UNKNOWN, UNSAFE, Line

PROGRAM = "helix-hooks"
_MAX_COMMAND = 120
"""Maximum characters of a command line in a message."""


class AgentFacts(NamedTuple):
    """The settings files of agents that exist, by agent, and the program that hooks start.

    A string instead of the bytes of a file is the reason why it can't be read. `program` is its
    path, "" if it is not on the PATH. `version` is the output of its `--version`, "" if no hook
    needs it. `own_version` is the version of the running program.
    """

    files: Mapping[str, bytes | str]
    program: str
    version: str
    own_version: str


def lines(facts: AgentFacts) -> Iterator[Line]:
    """Yield a line for each agent that has a settings file."""
    for name, data in facts.files.items():
        yield _line(AGENTS[name].file, AGENTS[name].title, data, facts)


def _line(file: HookFile, title: str, data: bytes | str, facts: AgentFacts) -> Line:
    check, add = f"agent-{file.agent}", f"helix-hooks init --agent {file.agent}"
    if isinstance(data, str):
        return Line(check, UNKNOWN, data, "put a file there that can be read")
    try:
        hook = hook_in(data.decode("utf-8-sig"), file)
    except UnicodeDecodeError:
        return Line(check, UNKNOWN, f"{file.path} is not UTF-8", "save it as UTF-8")
    except JsonTextError as error:
        message = f"{error.at(file.path)}; {title} may run no hook"
        return Line(check, UNKNOWN, message, f"fix it; `{add} --dry-run` prints the hook")
    if not hook:
        return Line(check, OK, f"{file.path} has no hook of {PROGRAM}; `{add}` adds it")
    if hook.is_off and file.off:
        key = ".".join(file.off[0])
        return Line(check, UNSAFE, f"{file.path}: `{key}` turns all hooks off", f"remove `{key}`")
    if hook.is_edited:
        message = f"{file.path}: the hook is edited: {printable(hook.command, _MAX_COMMAND)}"
        help = f"make sure that it passes the output on, or remove it with `{add} --remove`"
        return Line(check, UNKNOWN, message, help)
    return _started(check, file.path, title, facts)


def _started(check: str, path: str, title: str, facts: AgentFacts) -> Line:
    """Return the line on the program that a hook starts."""
    if not facts.program:
        message = f"{path} calls {PROGRAM}, which is not on the PATH"
        return Line(check, MISSING, message, f"uv tool install {PROGRAM}     (or: pipx install)")
    if facts.version != facts.own_version:
        running = f"{facts.program} is {facts.version or 'of an unknown version'}"
        message = f"{path}: {running}, and this is {facts.own_version}"
        return Line(check, UNKNOWN, message, "install the same version in both places")
    return Line(check, OK, f"{path} calls {PROGRAM} when {title} stops")
