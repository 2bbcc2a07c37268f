"""Judge a clone: its hooks, settings, workflows, code owners, agents and ADRs."""

import os
import re
from collections.abc import Iterator, Mapping

from .. import proc
from ..agents.hook_file import JsonTextError, hook_in
from ..agents.registry import AGENTS
from ..check.configuration import ConfigReport
from ..check.standard import conclusions
from ..check.work_tree import WorkTree
from ..config.settings import decode
from ..config.watched import View, lookalikes, no_adr
from ..config.workflows import is_workflow
from ..errors import ConfigError
from ..git import commits
from ..paths import APPROVALS_FILE, CODEOWNERS, MAX_BYTES, WORKFLOW
from ..text import counted, listed, printable
from ..yaml_reader import at, items, load, text
from . import MISSING, OFF, OK, UNKNOWN, UNSAFE, Line, codeowners, workflow

_PROGRAM = "helix-hooks"


def hooks(root: str, tree: WorkTree, variables: Mapping[str, str]) -> Iterator[Line]:
    """Yield the lines on the hooks of git and of coding agents; `variables` is the environment."""
    yield from hook_lines(tree.read(CONFIG), *_script(root))
    yield from agent_lines(tree, variables)


def settings(tree: WorkTree, config: ConfigReport) -> Iterator[Line]:
    """Yield the lines on the settings, and on the ADRs that are watched."""
    yield from _settings(config)
    if config.view:
        for conclusion in conclusions(tree, config.view.settings):
            yield Line("norm", OK, printable(conclusion))


def pull_requests(tree: WorkTree, config: ConfigReport) -> Iterator[Line]:
    """Yield the lines on the workflows and the code owners."""
    paths = tree.folder("")
    workflows = {path: tree.read(path) for path in paths if is_workflow(path) and path != WORKFLOW}
    others = {path: data for path, data in workflows.items() if data is not None}
    yield from workflow.lines(tree.read(WORKFLOW), others)
    contents = {path: tree.read(path) for path in CODEOWNERS}
    place = next((path for path in CODEOWNERS if contents[path] is not None), CODEOWNERS[0])
    yield codeowners.line(place, contents[place], paths, config.folder)


def judge(tree: WorkTree, config: ConfigReport) -> Iterator[Line]:
    """Yield the lines on the approval types."""
    name_files = f"name the files that it reviews in {APPROVALS_FILE}, or set enabled: false"
    yield from (Line("approval-type", UNKNOWN, message, name_files) for message in config.idle)
    if config.errors:
        yield Line("approvals", UNKNOWN, "not looked at: the settings are broken", "fix them first")
    elif tree.has(APPROVALS_FILE):
        yield Line("approvals", OK, f"{APPROVALS_FILE} says what is reviewed")
    else:
        yield Line("approvals", OFF, f"there is no {APPROVALS_FILE}", "docs/judges.md")


def _script(root: str) -> tuple[str | None, bool]:
    """Return the pre-commit hook of git, and whether it is executable."""
    # `core.hooksPath` may name another folder than .git/hooks.
    place = commits.hook_file(root, "pre-commit")
    try:
        with open(place, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_BYTES), os.access(place, os.X_OK)
    except OSError:
        return None, False


def _settings(config: ConfigReport) -> Iterator[Line]:
    """Yield the lines on settings, watched ADRs, and deciders."""
    if config.errors:
        message = str(config.errors[0])
        if len(config.errors) > 1:
            message += f", and {len(config.errors) - 1} more"
        yield Line("settings", UNSAFE, message, "fix it; `helix-hooks check-config` lists all")
    else:
        yield Line("settings", OK, "settings, rules and approvals files are well-formed")
        if config.view:
            yield _watched(config.view)
            yield from (Line("rules", UNKNOWN, text) for text in config.former)
    change_policy = f"see docs/people.md, or change `policy` in {APPROVALS_FILE}"
    yield from (Line("deciders", UNKNOWN, message, change_policy) for message in config.cautions)


def _watched(view: View) -> Line:
    """Return the line on watched ADRs."""
    count = len(view.adrs)
    # With `paths` or `exclude` in the settings, that is also an error, which `_settings` reports.
    if not count:
        help = "`git add` the first one; `helix-hooks new TITLE` writes it"
        return Line("adrs", UNKNOWN, no_adr(view.settings), help)
    watched = f"{counted(count, 'ADR')} {'is' if count == 1 else 'are'} watched"
    alike = lookalikes(view)
    if not alike:
        return Line("adrs", OK, watched)
    message = f"{watched}; files that look like ADRs but are not watched: {listed(alike)}"
    help = "add their folders to `paths`, or the files to `exclude` if they are no ADRs"
    return Line("adrs", UNKNOWN, message, help)


# Whether `git commit` runs the checks: the configuration of pre-commit, and git's hook.

CONFIG = ".pre-commit-config.yaml"
_HOOKS = ("helix-adr", "helix-adr-repo")
_RUNNERS = ("prek", "pre-commit")
_CHECKING = ("run", "hook-impl", "${ARGS[@]}")
"""The first argument with which they run the hooks, as their own scripts write it."""
_LEADING = frozenset("if then exec uv run python -I -m".split())
"""Words that may stand before the name of a program that is run."""
_WRITE = "run `helix-hooks init`, which writes it or shows the lines"


def hook_lines(config: bytes | None, script: str | None, is_executable: bool) -> list[Line]:
    """Return the lines on the hook.

    `script` is the text of git's own hook, None if there is none. Git runs it if `is_executable`.
    """
    program = None if script is None else _checking_program(script)
    return [_listed(config, program), _installed(program, is_executable, config is not None)]


def _checking_program(script: str) -> str:
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
        if name == _PROGRAM and "check" in words:
            return name
        if name in _RUNNERS and (len(words) == 1 or words[1] in _CHECKING):
            return name
    return ""


def _listed(config: bytes | None, program: str | None) -> Line:
    check = "hook-listed"
    if config is None and program == _PROGRAM:
        return Line(check, OK, f"git's own hook calls {_PROGRAM}, without {CONFIG}")
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


# Whether coding agents call the hook of this program when they stop.

_MAX_COMMAND = 120
"""Maximum characters of a command line in a message."""


def agent_lines(tree: WorkTree, variables: Mapping[str, str]) -> Iterator[Line]:
    """Yield a line for each agent that has a settings file."""
    for name in AGENTS:
        try:
            data = tree.read(AGENTS[name].file.path)
        except ConfigError as error:
            yield Line(f"agent-{name}", UNKNOWN, str(error), "put a file there that can be read")
            continue
        if data is not None:
            yield agent_line(name, data, variables)


def agent_line(agent: str, data: bytes, variables: Mapping[str, str]) -> Line:
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
        return Line(check, OFF, f"{file.path} has no hook of {_PROGRAM}", add)
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
