"""Whether `git commit` starts the checks: what pre-commit is told to run, and what git itself runs."""

import re

from ..config.settings import decode
from ..errors import ConfigError
from ..yaml_values import Value, load
from .line import MISSING, OK, UNKNOWN, Line
from .value import at, items

CONFIG = ".pre-commit-config.yaml"
_HOOKS = ("helix-adr", "helix-adr-repo")
_OURS = "helix-hooks"
_STARTS = re.compile(rf"(?<![\w-])(?:{_OURS}|pre-commit|prek)(?![\w-])")
_WRITE = "run `helix-hooks init`, which writes it or shows the lines"


def lines(config: bytes | None, script: str | None, runs: bool) -> list[Line]:
    """`script` is the text of git's own hook, None where there is none, and `runs` whether git may execute it."""
    called = None if script is None else _called(script)
    return [_listed(config, called), _installed(called, runs)]


def _called(script: str) -> str:
    """What a script starts, "" where that can't be told. A line that is commented out starts nothing."""
    rows = "\n".join(row for row in script.splitlines() if not row.lstrip().startswith("#"))
    found = set(_STARTS.findall(rows))
    return next((name for name in (_OURS, "prek", "pre-commit") if name in found), "")


def _listed(config: bytes | None, called: str | None) -> Line:
    if config is None and called == _OURS:
        return Line("hook-listed", OK, f"git's own hook calls {_OURS}, without {CONFIG}")
    if config is None:
        return Line("hook-listed", MISSING, f"there is no {CONFIG}", _WRITE)
    try:
        found = _hooks(load(decode(config, CONFIG), CONFIG))
    except ConfigError as error:
        return Line("hook-listed", MISSING, f"the hooks can't be read: {error}", f"fix {CONFIG}")
    listed = [hook for hook in _HOOKS if hook in found]
    if listed:
        return Line("hook-listed", OK, f"{CONFIG} has {' and '.join(listed)}")
    return Line("hook-listed", MISSING, f"{CONFIG} has no hook {_HOOKS[0]}", _WRITE)


def _hooks(config: Value) -> list[object]:
    return [hook.data for entry in items(at(config, "repos")) for listed in items(at(entry, "hooks")) if (hook := at(listed, "id"))]


def _installed(called: str | None, runs: bool) -> Line:
    if called is None:
        return Line("hook-installed", MISSING, "no hook is installed in this clone", "pre-commit install     (or: prek install)")
    if not runs:
        return Line("hook-installed", MISSING, "git may not execute its hook", "chmod +x $(git rev-parse --git-path hooks/pre-commit)")
    if called:
        return Line("hook-installed", OK, f"git's hook starts {called}")
    return Line("hook-installed", UNKNOWN, "git's hook is another program's; whether it starts the checks could not be seen",
                "see that it runs `pre-commit run`, `prek run` or `helix-hooks check --staged`")  # fmt: skip
