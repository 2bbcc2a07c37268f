"""Judge whether `git commit` runs the checks: the configuration of pre-commit, and git's hook.

Pure.
"""

import re

from ..config.settings import decode
from ..errors import ConfigError
from ..yaml_reader import at, items, load, text
from .line import MISSING, OK, UNKNOWN, UNSAFE, Line

CONFIG = ".pre-commit-config.yaml"
_HOOKS = ("helix-adr", "helix-adr-repo")
_OURS = "helix-hooks"
_RUNNERS = ("prek", "pre-commit")
_CHECKING = ("run", "hook-impl", "${ARGS[@]}")
"""The first argument with which they run the hooks, as their own scripts write it."""
_LEADING = frozenset("if then exec uv run python -I -m".split())
"""Words that may stand before the name of a program that is run."""
_WRITE = "run `helix-hooks init`, which writes it or shows the lines"


def lines(config: bytes | None, script: str | None, is_executable: bool) -> list[Line]:
    """Return the lines on the hook.

    `script` is the text of git's own hook, None if there is none. Git runs it if `is_executable`.
    """
    program = None if script is None else _program(script)
    return [_listed(config, program), _installed(program, is_executable, config is not None)]


def _program(script: str) -> str:
    """Return the program that a shell script runs to check; "" if none is recognised.

    Recognised are the lines of docs/adopt.md, and those that `pre-commit install` and
    `prek install` write. None is in a script with a here-document, which may only print the line,
    or after an `exit`.
    """
    if "<<" in script:
        return ""
    for command in re.split(r"\n|;|&&", script.replace('"', "")):
        words = command.split()
        while words and words[0].rpartition("/")[2].rstrip(".0123456789") in _LEADING:
            words.pop(0)
        if words[:1] == ["exit"]:
            break
        name = words[0].rpartition("/")[2].lstrip("$").replace("_", "-").lower() if words else ""
        if name == _OURS and "check" in words:
            return name
        if name in _RUNNERS and (len(words) == 1 or words[1] in _CHECKING):
            return name
    return ""


def _listed(config: bytes | None, program: str | None) -> Line:
    check = "hook-listed"
    if config is None and program == _OURS:
        return Line(check, OK, f"git's own hook calls {_OURS}, without {CONFIG}")
    if config is None:
        return Line(check, MISSING, f"there is no {CONFIG}", _WRITE)
    try:
        repos = items(at(load(decode(config, CONFIG), CONFIG), "repos"))
    except ConfigError as error:
        return Line(check, MISSING, f"the hooks can't be read: {error}", f"fix {CONFIG}")
    ids = {text(at(hook, "id")) for entry in repos for hook in items(at(entry, "hooks"))}
    listed = [hook for hook in _HOOKS if hook in ids]
    if listed:
        return Line(check, OK, f"{CONFIG} has {' and '.join(listed)}")
    return Line(check, MISSING, f"{CONFIG} has no hook {_HOOKS[0]}", _WRITE)


def _installed(program: str | None, is_executable: bool, is_listed: bool) -> Line:
    check = "hook-installed"
    if program is None:
        help = "pre-commit install     (or: prek install)"
        return Line(check, MISSING, "no hook is installed in this clone", help)
    if not is_executable:
        help = "chmod +x $(git rev-parse --git-path hooks/pre-commit)"
        return Line(check, MISSING, "git may not execute its hook", help)
    if program in _RUNNERS and not is_listed:
        nothing = f"git's hook starts {program}, but without {CONFIG} it checks nothing"
        return Line(check, UNSAFE, nothing, _WRITE)
    if program:
        return Line(check, OK, f"git's hook starts {program}")
    help = "make sure that it runs `pre-commit run`, `prek run` or `helix-hooks check --staged`"
    return Line(check, UNKNOWN, "git's hook is another program's; it may not run the checks", help)
