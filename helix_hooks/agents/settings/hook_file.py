"""The settings file of an agent with its hooks: adding, removing and finding our hook."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .json_text import (
    JsonPart,
    JsonTextError,
    line_of,
    parse,
    with_item,
    with_member,
    without,
)

HOOKS = "hooks"
_COMMANDS = ("command", "bash", "powershell")
"""Keys of a hook whose value is a command line."""

_SEPARATOR = re.compile(r"[|&;\n]")
_PROGRAM = re.compile(r"(?:^|[/\\\"'])helix[-_]hooks(?:\.exe)?[\"']?$")

_Trail = tuple[tuple[JsonPart, int], ...]
"""The way to a part: each object or list on it, with the index of the next part."""


class HookFile(NamedTuple):
    """The settings file of an agent, and our hook as it is written there.

    `entry` is added to the list of `event` below the key `hooks`. `frame` has the other required
    keys of the file. `off` is the setting that disables all hooks: its keys and value.
    """

    agent: str
    path: str
    event: str
    entry: Mapping[str, object]
    frame: Mapping[str, object] = {}
    off: tuple[tuple[str, ...], bool] | None = None


class FoundHook(NamedTuple):
    """Our hook in a file.

    `command` is its command line. `is_edited`: it differs from the hook that `init` writes.
    `is_off`: another setting of the file disables it.
    """

    command: str
    is_edited: bool
    is_off: bool


def command_of(agent: str) -> str:
    """Return the command line of our hook."""
    return f"helix-hooks verify --hook {agent}"


def block(file: HookFile) -> str:
    """Return the text of a file that has only our hook."""
    whole = {**file.frame, HOOKS: {file.event: [file.entry]}}
    return json.dumps(whole, indent=2) + "\n"


def with_hook(text: str, file: HookFile) -> str:
    """Return the text of a file with our hook; unchanged if it has it. `text` is "" for no file.

    Raises:
        JsonTextError: The text is not JSON, or has other types than expected.
    """
    if not text.strip():
        return block(file)
    root = parse(text)
    if any(_ours(root, file)):
        return text
    _expect(text, root, dict, "the file")
    hooks = _member(root, HOOKS)
    if hooks is None:
        return with_member(text, root, HOOKS, {file.event: [file.entry]})
    _expect(text, hooks, dict, f"`{HOOKS}`")
    entries = _member(hooks, file.event)
    if entries is None:
        return with_member(text, hooks, file.event, [file.entry])
    _expect(text, entries, list, f"`{HOOKS}.{file.event}`")
    return with_item(text, entries, file.entry)


def without_hook(text: str, file: HookFile) -> str:
    """Return the text without our hook and objects that only contain it; "" if nothing is left.

    Raises:
        JsonTextError: The text is not JSON.
    """
    # A hook may be there several times. The places change with each removal, so parse again.
    while text.strip():
        root = parse(text)
        trail = next(_ours(root, file), None)
        if trail is None:
            return text
        text = _removed(text, trail)
        if text and parse(text).value == file.frame:
            return ""
    return text


def hook_in(text: str, file: HookFile) -> FoundHook | None:
    """Return our hook in the text of a file; None if it has none. Raises JsonTextError."""
    root = parse(text)
    trail = next(_ours(root, file), None)
    if trail is None:
        return None
    entry = trail[2][0].parts[trail[2][1]].part.value
    parent, index = trail[-1]
    return FoundHook(
        command=next(_command_lines(parent.parts[index].part.value), ""),
        is_edited=entry != file.entry,
        is_off=file.off is not None and _setting(root.value, file.off[0]) is file.off[1],
    )


def _ours(root: JsonPart, file: HookFile) -> Iterator[_Trail]:
    """Yield the ways to our hooks.

    Claude Code, Codex and Gemini CLI list groups of hooks, Copilot CLI and Cursor list hooks.
    """
    hooks = _member(root, HOOKS)
    entries = _member(hooks, file.event) if hooks else None
    if hooks is None or entries is None or not isinstance(entries.value, list):
        return
    start = ((root, _index(root, HOOKS)), (hooks, _index(hooks, file.event)))
    for number, member in enumerate(entries.parts):
        group = _member(member.part, HOOKS)
        if group is None:
            if _is_ours(member.part.value, file.agent):
                yield (*start, (entries, number))
            continue
        for place, handler in enumerate(group.parts):
            if _is_ours(handler.part.value, file.agent):
                yield (*start, (entries, number), (group, place))


def _is_ours(handler: object, agent: str) -> bool:
    """Return whether a hook calls our program for this agent, also by a path or a runner."""
    for line in _command_lines(handler):
        for call in _SEPARATOR.split(line):
            if _is_call(call.split(), agent):
                return True
    return False


def _is_call(words: list[str], agent: str) -> bool:
    """Return whether the words of a command call our program for this agent."""
    for number, word in enumerate(words):
        if _PROGRAM.search(word):
            arguments = words[number + 1 :]
            return "verify" in arguments and not {agent, f"--hook={agent}"}.isdisjoint(arguments)
    return False


def _command_lines(handler: object) -> Iterator[str]:
    if isinstance(handler, dict):
        lines = (handler.get(key) for key in _COMMANDS)
        yield from (line for line in lines if isinstance(line, str))


def _removed(text: str, trail: _Trail) -> str:
    """Return the text without a part, and without objects and lists that only contain it."""
    for parent, index in reversed(trail):
        if len(parent.parts) > 1:
            return without(text, parent, index)
    return ""


def _member(part: JsonPart, key: str) -> JsonPart | None:
    """Return the value of a key of an object; None without the key, or for another type."""
    return next((item.part for item in part.parts if item.key == key), None)


def _index(part: JsonPart, key: str) -> int:
    return next(number for number, item in enumerate(part.parts) if item.key == key)


def _setting(value: object, keys: tuple[str, ...]) -> object:
    """Return the value below nested keys; None if one is missing."""
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _expect(text: str, part: JsonPart, kind: type, subject: str) -> None:
    if not isinstance(part.value, kind):
        expected = "an object" if kind is dict else "a list"
        raise JsonTextError(line_of(text, part.start), f"{subject} is not {expected}")
