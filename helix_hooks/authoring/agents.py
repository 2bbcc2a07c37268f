"""The set-up of coding agents in a repository: our hook in their settings, and instructions."""

import os
import stat
from contextlib import suppress
from typing import NamedTuple

from .. import writing
from ..agents.file_use import HOOKS
from ..agents.hook_file import HookFile, JsonTextError, block, hook_in, with_hook
from ..agents.instructions import (
    BLOCK,
    OWN_FILES,
    InstructionsError,
    file_for,
    skill_for,
    with_block,
)
from ..agents.registry import AGENTS
from ..check.files import packaged
from ..errors import HelixError, UsageError
from ..paths import MAX_BYTES
from ..text import BYTE_ORDER_MARK
from .difference import difference

CREATED, CHANGED, KEPT, REFUSED = "created", "changed", "kept", "refused"


class AgentStep(NamedTuple):
    """One result: an action, a text about it, the difference, and the file that it writes.

    `path` is "" if nothing is written. `old` is the present content, None for a new file.
    """

    action: str
    text: str
    diff: str = ""
    path: str = ""
    old: bytes | None = None
    new: str = ""


class _RefusedError(Exception):
    """A file is left alone. The message begins with its path and has the reason."""


def plan(
    root: str, agents: tuple[str, ...], instructions: bool, decisions: bool = False
) -> list[AgentStep]:
    """Return the steps that set up some agents. Nothing is written.

    With `decisions`, the agents also get the hooks that give them the accepted decisions.

    Raises:
        UsageError: An agent has no such hook.
    """
    names = tuple(dict.fromkeys(agents))
    without = [name for name in names if decisions and name not in HOOKS]
    if without:
        others = ", ".join(without)
        raise UsageError(f"--decisions: no hook of {others} gives a text before an edit")
    steps = [
        _hook(root, [AGENTS[name].file, *(HOOKS[name] if decisions else ())]) for name in names
    ]
    if instructions:
        own = frozenset(
            name for name in OWN_FILES.values() if os.path.exists(os.path.join(root, name))
        )
        # One path of each file: CLAUDE.md is often a link to AGENTS.md.
        places: dict[str, str] = {}
        for name in names:
            path = file_for(name, own)
            places.setdefault(os.path.realpath(os.path.join(root, path)), path)
        steps += [_instruction(root, path) for path in places.values()]
        steps += [_skill(root, path) for path in dict.fromkeys(map(skill_for, names))]
    return steps


def write(root: str, steps: list[AgentStep]) -> None:
    """Write the files of some steps. Raises HelixError if one can't be written, or has changed."""
    for step in steps:
        if step.path:
            _write(root, step)


def _hook(root: str, files: list[HookFile]) -> AgentStep:
    """Return the step that adds some hooks to the one settings file that has them."""
    path = files[0].path
    about = "the hook that runs when the agent stops"
    if len(files) > 1:
        about = "the hooks that run when the agent starts, reads, edits and stops"
    try:
        old, text = _read(root, path)
        new = text
        for file in files:
            new = with_hook(new, file)
        if new != text:
            return _changed(path, old, text, new, about)
        present = [hook for file in files if (hook := hook_in(text, file))]
    except _RefusedError as error:
        return AgentStep(REFUSED, f"{error}\n\n{block(*files)}")
    except JsonTextError as error:
        message = f"{error.at(path)}; fix it, or add this hook by hand"
        return AgentStep(REFUSED, f"{message}\n\n{block(*files)}")
    edited = "".join(f", edited: {hook.command}" for hook in present if hook.is_edited)
    return AgentStep(KEPT, f"{path}: it has the hook already{edited}")


def _instruction(root: str, path: str) -> AgentStep:
    try:
        old, text = _read(root, path)
        new = with_block(text)
    except _RefusedError as error:
        return AgentStep(REFUSED, f"{error}\n\n{BLOCK}")
    except InstructionsError as error:
        return AgentStep(REFUSED, f"{path}: {error}; fix it by hand")
    if new == text:
        return AgentStep(KEPT, f"{path}: it has the instructions already")
    return _changed(path, old, text, new, "instructions for the agent")


def _skill(root: str, path: str) -> AgentStep:
    new = (packaged("templates/skill.md") or b"").decode()
    try:
        old, text = _read(root, path)
    except _RefusedError as error:
        return AgentStep(REFUSED, str(error))
    if new == text:
        return AgentStep(KEPT, f"{path}: it has the skill already")
    return _changed(path, old, text, new, "a skill: how to write, ask and verify")


def _changed(path: str, old: bytes | None, text: str, new: str, about: str) -> AgentStep:
    action = CREATED if old is None else CHANGED
    # `text` is without the byte order mark, which Windows tools expect to find again.
    has_mark = old is not None and old.startswith(BYTE_ORDER_MARK.encode())
    data = f"{BYTE_ORDER_MARK}{new}" if has_mark else new
    return AgentStep(action, f"{path}: {about}", difference(path, text, new), path, old, data)


def _read(root: str, path: str) -> tuple[bytes | None, str]:
    """Return the bytes and the text of a file; None and "" if it is new. Raises _RefusedError."""
    place = _place(root, path)
    try:
        with open(place, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return None, ""
    except OSError as error:
        raise _RefusedError(f"{path}: it can't be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise _RefusedError(f"{path}: it has more than {MAX_BYTES:,} bytes")
    try:
        return data, data.decode().removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError:
        raise _RefusedError(f"{path}: it is not UTF-8") from None


def _place(root: str, path: str) -> str:
    """Return the real path of a file, which is in the repository. Raises _RefusedError."""
    top = os.path.realpath(root)
    place = os.path.realpath(os.path.join(root, path))
    inside = os.path.relpath(place, top).replace(os.sep, "/")
    if inside.startswith("../") or os.path.isabs(inside):
        raise _RefusedError(f"{path}: it is a link that leads out of the repository")
    if inside == ".git" or inside.startswith(".git/"):
        raise _RefusedError(f"{path}: it is a link into the git directory")
    with suppress(OSError):
        # A named pipe would block the program that reads it.
        if not stat.S_ISREG(os.stat(place).st_mode):
            raise _RefusedError(f"{path}: it is not a regular file")
    return place


def _write(root: str, step: AgentStep) -> None:
    try:
        place = _place(root, step.path)
        if _read(root, step.path)[0] != step.old:
            raise HelixError(f"{step.path} changed meanwhile; run this again")
        os.makedirs(os.path.dirname(place), exist_ok=True)
        writing.replace(place, step.new.encode())
    except _RefusedError as error:
        raise HelixError(str(error)) from None
    except OSError as error:
        raise HelixError(f"{step.path} could not be written: {error.strerror}") from None
