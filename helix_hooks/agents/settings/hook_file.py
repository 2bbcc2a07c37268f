"""The settings file in which an agent finds its hooks, with our hook in it or not."""

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
"""Keys of a hook that hold a command line."""

_SEPARATOR = re.compile(r"[|&;\n]")
_PROGRAM = re.compile(r"(?:^|[/\\\"'])helix[-_]hooks(?:\.exe)?[\"']?$")

_Trail = tuple[tuple[JsonPart, int], ...]
"""The way to a part: each object or list on it, and the number of the part in there."""


class HookFile(NamedTuple):
    """Where an agent finds our hook, and how it is written there.

    `entry` is added to the list of `event` below the key `hooks`. `frame` is what the file needs
    beside its hooks. `off` is a setting by which the agent runs no hook: its keys and value.
    """

    agent: str
    path: str
    event: str
    entry: Mapping[str, object]
    frame: Mapping[str, object] = {}
    off: tuple[tuple[str, ...], bool] | None = None


class FoundHook(NamedTuple):
    """Our hook as it is in a file.

    `command` is its command line; `is_edited` if it is not as `init` writes it; `is_off` if another
    setting of the file keeps the agent from running it.
    """

    command: str
    is_edited: bool
    is_off: bool


def command_of(agent: str) -> str:
    """Return the command line of our hook."""
    return f"helix-hooks verify --hook {agent}"


def block(file: HookFile) -> str:
    """Return a file that has nothing but our hook."""
    whole = {**file.frame, HOOKS: {file.event: [file.entry]}}
    return json.dumps(whole, indent=2) + "\n"


def with_hook(text: str, file: HookFile) -> str:
    """Return the text of a file with our hook; unchanged if it is there. "" is no file.

    Raises JsonTextError.
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
    """Return the text without our hook and what holds nothing else; "" if nothing is left.

    Raises JsonTextError.
    """
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
    """Return our hook as it is in the text of a file; None without it. Raises JsonTextError."""
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
    """Yield the ways to our hooks, of those in groups and of those without."""
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
    """Return whether a hook calls our program for this agent, however it is started."""
    calls = (call for line in _command_lines(handler) for call in _SEPARATOR.split(line))
    return any(_is_call(call.split(), agent) for call in calls)


def _is_call(words: list[str], agent: str) -> bool:
    programs = [number for number, word in enumerate(words) if _PROGRAM.search(word)]
    rest = words[programs[0] + 1 :] if programs else []
    return "verify" in rest and not {agent, f"--hook={agent}"}.isdisjoint(rest)


def _command_lines(handler: object) -> Iterator[str]:
    if isinstance(handler, dict):
        lines = (handler.get(key) for key in _COMMANDS)
        yield from (line for line in lines if isinstance(line, str))


def _removed(text: str, trail: _Trail) -> str:
    """Return the text without a part, and without what holds nothing but this part."""
    for parent, index in reversed(trail):
        if len(parent.parts) > 1:
            return without(text, parent, index)
    return ""


def _member(part: JsonPart, key: str) -> JsonPart | None:
    """Return the value of a key of an object; None if it is no object, or has no such key."""
    return next((item.part for item in part.parts if item.key == key), None)


def _index(part: JsonPart, key: str) -> int:
    return next(number for number, item in enumerate(part.parts) if item.key == key)


def _setting(value: object, keys: tuple[str, ...]) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _expect(text: str, part: JsonPart, kind: type, subject: str) -> None:
    if not isinstance(part.value, kind):
        expected = "an object" if kind is dict else "a list"
        raise JsonTextError(line_of(text, part.start), f"{subject} is not {expected}")
