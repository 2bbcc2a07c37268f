"""Judge whether `git commit` runs the checks: the configuration of pre-commit, and git's hook."""

import re
import shlex
from collections.abc import Iterator, Mapping

from ..config.settings import decode
from ..errors import ConfigError
from ..yaml_reader import Value, at, items, load
from .line import MISSING, OK, UNKNOWN, UNSAFE, Line

CONFIG = ".pre-commit-config.yaml"
_HOOKS = ("helix-adr", "helix-adr-repo")
_OURS = "helix-hooks"
_RUNNERS = ("prek", "pre-commit")
_LEADING = frozenset(
    "if then elif else do while until ! { time exec command nice env "
    "uv uvx poetry pipx pdm hatch run npx".split()
)
"""Words that may stand before the name of a program that is run."""
_ASSIGNED = re.compile(r"\w+=")
_VARIABLE = re.compile(r"\$\{?(\w+)\}?")
_MODULE = re.compile(r"(?:^| )-m ?(pre_commit|helix_hooks)\b(.*)")
_EXIT = re.compile(r"exit(\s+0)?\s*$")
"""An exit at the start of a line: no later command runs."""
_HERE_DOCUMENT = re.compile(r"<<-?\s*(['\"]?)(\w+)\1.*?^\s*\2$", re.DOTALL | re.MULTILINE)
_WRITE = "run `helix-hooks init`, which writes it or shows the lines"


def lines(config: bytes | None, script: str | None, is_executable: bool) -> list[Line]:
    """Return the lines on the hook.

    `script` is the text of git's own hook, None if there is none. Git runs it if `is_executable`.
    """
    program = None if script is None else _program(script)
    installed = _installed(program, is_executable, is_listed=config is not None)
    return [_listed(config, program), installed]


def _program(script: str) -> str:
    """Return the program of ours that a script runs as a command; "" if there is none."""
    started: set[str] = set()
    for words in _commands(script):
        started.update(_started(words))
    return next((name for name in (_OURS, *_RUNNERS) if name in started), "")


def _commands(script: str) -> Iterator[list[str]]:
    """Yield the words of each simple command of a shell script, up to an unconditional exit."""
    script = _HERE_DOCUMENT.sub("", script.replace("\\\n", " "))
    values: dict[str, str] = {}
    for row in script.splitlines():
        if _EXIT.match(row):
            return
        for words in _split(row):
            while words and (words[0] in _LEADING or _ASSIGNED.match(words[0])):
                name, is_assigned, value = words.pop(0).partition("=")
                if is_assigned:
                    values[name] = value
            if words:
                yield [_expanded(words[0], values), *words[1:]]


def _expanded(word: str, values: Mapping[str, str]) -> str:
    """Return a word with the values of its variables, "" for an unknown one."""
    return _VARIABLE.sub(lambda match: values.get(match[1], ""), word)


def _split(row: str) -> list[list[str]]:
    """Split a line into its commands. A line that ends within quotes has none that is known."""
    lexer = shlex.shlex(row, posix=True, punctuation_chars=";&|()")
    lexer.whitespace_split = True
    commands: list[list[str]] = [[]]
    try:
        for word in lexer:
            if set(word) <= set(";&|()"):
                commands.append([])
            else:
                commands[-1].append(word)
    except ValueError:
        return []
    return commands


def _started(words: list[str]) -> Iterator[str]:
    """Yield the program that a command runs, if it is one of ours and checks something."""
    name, *rest = words
    name = name.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    module = _MODULE.search(" ".join(rest)) if name.startswith("python") else None
    if module:
        name, rest = module[1].replace("_", "-"), module[2].split()
    if name == _OURS and "check" in rest:
        yield name
    # Without arguments both run the hooks; a variable stands for what `install` has written.
    if name in _RUNNERS and (
        not rest or rest[0] in ("run", "hook-impl") or rest[0].startswith("$")
    ):
        yield name


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


def _installed(program: str | None, is_executable: bool, *, is_listed: bool) -> Line:
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
    unclear = "cannot tell whether it runs the checks"
    help = "make sure that it runs `pre-commit run`, `prek run` or `helix-hooks check --staged`"
    return Line(check, UNKNOWN, f"git's hook is another program's; {unclear}", help)
