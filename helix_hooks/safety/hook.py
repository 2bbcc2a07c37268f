"""Judge whether `git commit` runs the checks: the configuration of pre-commit, and git's hook."""

import re

from ..config.settings import decode
from ..errors import ConfigError
from ..yaml_load import load
from ..yaml_values import Value
from .line import MISSING, OK, UNKNOWN, Line
from .value import at, items

CONFIG = ".pre-commit-config.yaml"
_HOOKS = ("helix-adr", "helix-adr-repo")
_OURS = "helix-hooks"
_STARTS = re.compile(rf"(?<![\w-])(?:{_OURS}|pre-commit|prek)(?![\w-])")
_WRITE = "run `helix-hooks init`, which writes it or shows the lines"


def lines(config: bytes | None, script: str | None, is_executable: bool) -> list[Line]:
    """Return the lines on the hook.

    `script` is the text of git's own hook, None if there is none. Git runs it if `is_executable`.
    """
    program = None if script is None else _program(script)
    return [_listed(config, program), _installed(program, is_executable)]


def _program(script: str) -> str:
    """Return the program that a script starts; "" if it is unknown."""
    rows = [row for row in script.splitlines() if not row.lstrip().startswith("#")]
    started = set(_STARTS.findall("\n".join(rows)))
    for name in (_OURS, "prek", "pre-commit"):
        if name in started:
            return name
    return ""


def _listed(config: bytes | None, program: str | None) -> Line:
    check = "hook-listed"
    if config is None and program == _OURS:
        return Line(check, OK, f"git's own hook calls {_OURS}, without {CONFIG}")
    if config is None:
        return Line(check, MISSING, f"there is no {CONFIG}", _WRITE)
    try:
        ids = _hook_ids(load(decode(config, CONFIG), CONFIG))
    except ConfigError as error:
        return Line(check, MISSING, f"the hooks can't be read: {error}", f"fix {CONFIG}")
    listed = [hook for hook in _HOOKS if hook in ids]
    if listed:
        return Line(check, OK, f"{CONFIG} has {' and '.join(listed)}")
    return Line(check, MISSING, f"{CONFIG} has no hook {_HOOKS[0]}", _WRITE)


def _hook_ids(config: Value) -> list[object]:
    ids: list[object] = []
    for entry in items(at(config, "repos")):
        for hook in items(at(entry, "hooks")):
            id = at(hook, "id")
            if id:
                ids.append(id.data)
    return ids


def _installed(program: str | None, is_executable: bool) -> Line:
    check = "hook-installed"
    if program is None:
        help = "pre-commit install     (or: prek install)"
        return Line(check, MISSING, "no hook is installed in this clone", help)
    if not is_executable:
        help = "chmod +x $(git rev-parse --git-path hooks/pre-commit)"
        return Line(check, MISSING, "git may not execute its hook", help)
    if program:
        return Line(check, OK, f"git's hook starts {program}")
    unclear = "cannot tell whether it runs the checks"
    help = "make sure that it runs `pre-commit run`, `prek run` or `helix-hooks check --staged`"
    return Line(check, UNKNOWN, f"git's hook is another program's; {unclear}", help)
