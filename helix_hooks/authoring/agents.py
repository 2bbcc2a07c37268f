"""The set-up of coding agents in a repository: our hook in their settings, and instructions."""

import os
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from .. import writing
from ..agents.hook_file import HookFile, JsonTextError, block, hook_in, with_hook, without_hook
from ..agents.instructions import (
    BLOCK,
    COMMON_FILE,
    OWN_FILES,
    InstructionsError,
    file_for,
    with_block,
    without_block,
)
from ..agents.registry import AGENTS
from ..errors import HelixError
from ..paths import MAX_BYTES
from ..text.invisible import BYTE_ORDER_MARK
from .difference import difference

CREATED, CHANGED, REMOVED, KEPT, REFUSED = "created", "changed", "removed", "kept", "refused"
_FILES = (COMMON_FILE, *OWN_FILES.values())


class FileEdit(NamedTuple):
    """A file to write. `old` is its present content, None for a new file; `new` "" deletes it."""

    path: str
    old: bytes | None
    new: str


class AgentStep(NamedTuple):
    """One result: an action, a text about it, the difference, and the file that it writes."""

    action: str
    text: str
    diff: str = ""
    edit: FileEdit | None = None


class _RefusedError(Exception):
    """A file is left alone. The message begins with its path and has the reason."""


def plan(root: str, agents: tuple[str, ...], remove: bool, instructions: bool) -> list[AgentStep]:
    """Return the steps that set up some agents, or remove our hooks from them. Nothing is written.

    The instructions are removed with the hook of the last agent.
    """
    names = tuple(dict.fromkeys(agents))
    steps = [_hook(root, AGENTS[name].file, remove) for name in names]
    if remove:
        is_last = not any(_has_hook(root, name) for name in AGENTS if name not in names)
        if is_last:
            steps += _without_instructions(root)
    elif instructions:
        steps += _instructions(root, names)
    return steps


def write(root: str, steps: list[AgentStep]) -> None:
    """Write the files of some steps. Raises HelixError if one can't be written, or has changed."""
    for step in steps:
        if step.edit:
            _write(root, step.edit)


def _hook(root: str, file: HookFile, remove: bool) -> AgentStep:
    try:
        old, text = _read(root, file.path)
        new = without_hook(text, file) if remove else with_hook(text, file)
        if new != text:
            return _changed(file.path, old, text, new, "the hook that runs when the agent stops")
        present = hook_in(text, file) if text else None
    except _RefusedError as error:
        return AgentStep(REFUSED, f"{error}\n\n{block(file)}")
    except JsonTextError as error:
        todo = "take this hook out" if remove else "add this hook"
        message = f"{error.at(file.path)}; fix it, or {todo} by hand"
        return AgentStep(REFUSED, f"{message}\n\n{block(file)}")
    if not present:
        return AgentStep(KEPT, f"{file.path}: it has no hook of helix-hooks")
    edited = ""
    if present.is_edited:
        edited = f", edited: {present.command}"
    return AgentStep(KEPT, f"{file.path}: it has the hook already{edited}")


def _has_hook(root: str, agent: str) -> bool:
    file = AGENTS[agent].file
    try:
        text = _read(root, file.path)[1]
        return bool(text) and hook_in(text, file) is not None
    except (_RefusedError, JsonTextError):
        return False


def _instructions(root: str, agents: tuple[str, ...]) -> list[AgentStep]:
    """Return the steps that write the instructions, one for each file."""
    own = frozenset(name for name in _FILES if os.path.exists(os.path.join(root, name)))
    return [
        _instruction(root, path, with_block)
        for path in _distinct(root, [file_for(agent, own) for agent in agents])
    ]


def _without_instructions(root: str) -> list[AgentStep]:
    """Return the steps that remove the instructions from the files that have them."""
    steps = [_instruction(root, path, without_block) for path in _distinct(root, _FILES)]
    return [step for step in steps if step.edit]


def _distinct(root: str, paths: Sequence[str]) -> list[str]:
    """Return the first path of each file; CLAUDE.md is often a link to AGENTS.md."""
    places: dict[str, str] = {}
    for path in paths:
        places.setdefault(os.path.realpath(os.path.join(root, path)), path)
    return list(places.values())


def _instruction(root: str, path: str, change: Callable[[str], str]) -> AgentStep:
    try:
        old, text = _read(root, path)
        new = change(text)
    except _RefusedError as error:
        return AgentStep(REFUSED, f"{error}\n\n{BLOCK}")
    except InstructionsError as error:
        return AgentStep(REFUSED, f"{path}: {error}; fix it by hand")
    if new == text:
        return AgentStep(KEPT, f"{path}: it has the instructions already")
    return _changed(path, old, text, new, "instructions for the agent")


def _changed(path: str, old: bytes | None, text: str, new: str, about: str) -> AgentStep:
    if not new:
        action = REMOVED
    elif old is None:
        action = CREATED
    else:
        action = CHANGED
    # `text` is without the byte order mark, which Windows tools expect to find again.
    has_mark = old is not None and old.startswith(BYTE_ORDER_MARK.encode())
    data = f"{BYTE_ORDER_MARK}{new}" if new and has_mark else new
    return AgentStep(
        action, f"{path}: {about}", difference(path, text, new), FileEdit(path, old, data)
    )


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


def _write(root: str, edit: FileEdit) -> None:
    try:
        place = _place(root, edit.path)
        if _read(root, edit.path)[0] != edit.old:
            raise HelixError(f"{edit.path} changed meanwhile; run this again")
        if not edit.new:
            _delete(root, edit.path)
            return
        os.makedirs(os.path.dirname(place), exist_ok=True)
        writing.replace(place, edit.new.encode())
    except _RefusedError as error:
        raise HelixError(str(error)) from None
    except OSError as error:
        raise HelixError(f"{edit.path} could not be written: {error.strerror}") from None


def _delete(root: str, path: str) -> None:
    """Delete a file, and the folders above it that are then empty."""
    place = os.path.join(root, path)
    os.unlink(os.path.realpath(place))
    with suppress(FileNotFoundError):
        os.unlink(place)  # a link to it
    folder = os.path.dirname(path)
    with suppress(OSError):  # rmdir refuses a folder that is not empty
        while folder:
            os.rmdir(os.path.join(root, folder))
            folder = os.path.dirname(folder)
