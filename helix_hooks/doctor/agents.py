"""Judge whether coding agents call the hook of this program when they stop."""

from collections.abc import Iterator, Mapping

from .. import proc
from ..agents.hook_file import JsonTextError, hook_in
from ..agents.registry import AGENTS
from ..check.work_tree import WorkTree
from ..errors import ConfigError
from ..text import printable
from .line import MISSING, OK, UNKNOWN, UNSAFE, Line

_PROGRAM = "helix-hooks"
_MAX_COMMAND = 120
"""Maximum characters of a command line in a message."""


def lines(tree: WorkTree, variables: Mapping[str, str]) -> Iterator[Line]:
    """Yield a line for each agent that has a settings file."""
    for name in AGENTS:
        try:
            data = tree.read(AGENTS[name].file.path)
        except ConfigError as error:
            yield Line(f"agent-{name}", UNKNOWN, str(error), "put a file there that can be read")
            continue
        if data is not None:
            yield line(name, data, variables)


def line(agent: str, data: bytes, variables: Mapping[str, str]) -> Line:
    """Return the line on the settings file of an agent."""
    file, title = AGENTS[agent].file, AGENTS[agent].title
    check, add = f"agent-{agent}", f"helix-hooks init --agent {agent}"
    try:
        hook = hook_in(data.decode("utf-8-sig"), file)
    except UnicodeDecodeError:
        return Line(check, UNKNOWN, f"{file.path} is not UTF-8", "save it as UTF-8")
    except JsonTextError as error:
        message = f"{error.at(file.path)}; {title} may run no hook"
        return Line(check, UNKNOWN, message, f"fix it; `{add} --dry-run` prints the hook")
    if not hook:
        return Line(check, OK, f"{file.path} has no hook of {_PROGRAM}; `{add}` adds it")
    if hook.is_off and file.off:
        key = ".".join(file.off[0])
        return Line(check, UNSAFE, f"{file.path}: `{key}` turns all hooks off", f"remove `{key}`")
    if hook.is_edited:
        message = f"{file.path}: the hook is edited: {printable(hook.command, _MAX_COMMAND)}"
        help = f"make sure that it passes the output on, or delete it and run `{add}`"
        return Line(check, UNKNOWN, message, help)
    if not proc.find(_PROGRAM, variables):
        message = f"{file.path} calls {_PROGRAM}, which is not on the PATH"
        return Line(check, MISSING, message, f"uv tool install {_PROGRAM}     (or: pipx install)")
    return Line(check, OK, f"{file.path} calls {_PROGRAM} when {title} stops")
