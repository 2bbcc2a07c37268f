"""The settings file of an agent with its hooks: adding and finding our hook."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

HOOKS = "hooks"
_COMMANDS = ("command", "bash", "powershell")
"""Keys of a hook whose value is a command line."""

_SEPARATOR = re.compile(r"[|&;\n]")
_PROGRAM = re.compile(r"(?:^|[/\\\"'])helix[-_]hooks(?:\.exe)?[\"']?$")

_INDENTED = re.compile(r"\n([ \t]+)\S")
_SURROGATE = re.compile(r"\\ud[89a-f]", re.IGNORECASE)


class JsonTextError(Exception):
    """A settings file can't be edited."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.line = line
        super().__init__(message)

    def at(self, path: str) -> str:
        """Return the message with its place, as in `settings.json:3: it is not JSON`."""
        return f"{path}: {self}" if self.line is None else f"{path}:{self.line}: {self}"


class HookFile(NamedTuple):
    """The settings file of an agent, and our hook as it is written there.

    `entry` is added to the list of `event` below the key `hooks`. `frame` has the other required
    keys of the file. `off` is the setting that disables all hooks: its keys and value. `command` is
    the command of our program that the hook calls.
    """

    agent: str
    path: str
    event: str
    entry: Mapping[str, object]
    frame: Mapping[str, object] = {}
    off: tuple[tuple[str, ...], bool] | None = None
    command: str = "verify"


class FoundHook(NamedTuple):
    """Our hook in a file.

    `command` is its command line. `is_edited`: it differs from the hook that `init` writes.
    `is_off`: another setting of the file disables it.
    """

    command: str
    is_edited: bool
    is_off: bool


def command_of(agent: str) -> str:
    """Return the command line of our stop hook."""
    return f"helix-hooks verify --hook {agent}"


def block(*files: HookFile) -> str:
    """Return the text of a file that has only some hooks of ours."""
    text = ""
    for file in files:
        text = with_hook(text, file)
    return text


def with_hook(text: str, file: HookFile) -> str:
    """Return the text of a file with our hook; unchanged if it has it. `text` is "" for no file.

    Raises:
        JsonTextError: The text is not JSON, or has other types than expected.
    """
    if not text.strip():
        whole = {**file.frame, HOOKS: {file.event: [file.entry]}}
        return json.dumps(whole, indent=2) + "\n"
    root = _parsed(text)
    if any(_ours(root, file)):
        return text
    settings = _expect(root, dict, "the file")
    hooks = _expect(settings.setdefault(HOOKS, {}), dict, f"`{HOOKS}`")
    entries = _expect(hooks.setdefault(file.event, []), list, f"`{HOOKS}.{file.event}`")
    entries.append(file.entry)
    return _written(text, settings)


def hook_in(text: str, file: HookFile) -> FoundHook | None:
    """Return our hook in the text of a file; None if it has none. Raises JsonTextError."""
    root = _parsed(text)
    entry, handler = next(_ours(root, file), (None, None))
    if entry is None:
        return None
    return FoundHook(
        command=next(_command_lines(handler), ""),
        is_edited=entry != file.entry,
        is_off=file.off is not None and _setting(root, file.off[0]) is file.off[1],
    )


def _ours(root: Any, file: HookFile) -> Iterator[tuple[object, object]]:
    """Yield our hooks, each with the entry of the event's list that it is in.

    Claude Code, Codex and Gemini CLI list groups of hooks, Copilot CLI and Cursor list hooks.
    """
    entries = _setting(root, (HOOKS, file.event))
    for entry in entries if isinstance(entries, list) else ():
        for handler in _handlers(entry):
            if _is_ours(handler, file):
                yield entry, handler


def _handlers(entry: object) -> list[object]:
    """Return the hooks of a group, or the entry itself if it is a hook."""
    if not isinstance(entry, dict) or HOOKS not in entry:
        return [entry]
    handlers = entry[HOOKS]
    return handlers if isinstance(handlers, list) else []


def _is_ours(handler: object, file: HookFile) -> bool:
    """Return whether a hook calls our command for this agent, also by a path or a runner."""
    for line in _command_lines(handler):
        for call in _SEPARATOR.split(line):
            if _is_call(call.split(), file):
                return True
    return False


def _is_call(words: list[str], file: HookFile) -> bool:
    """Return whether the words of a command line call our command for this agent."""
    for number, word in enumerate(words):
        if _PROGRAM.search(word):
            arguments = words[number + 1 :]
            agent = {file.agent, f"--hook={file.agent}"}
            return file.command in arguments and not agent.isdisjoint(arguments)
    return False


def _command_lines(handler: object) -> Iterator[str]:
    if isinstance(handler, dict):
        lines = (handler.get(key) for key in _COMMANDS)
        yield from (line for line in lines if isinstance(line, str))


def _setting(value: object, keys: tuple[str, ...]) -> object:
    """Return the value below nested keys; None if one is missing."""
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _expect(value: Any, kind: type, subject: str) -> Any:
    """Return a value of the type. Raises JsonTextError."""
    if not isinstance(value, kind):
        raise JsonTextError(f"{subject} is not {'an object' if kind is dict else 'a list'}")
    return value


def _parsed(text: str) -> Any:
    """Return the value of a text. Raises JsonTextError; comments are no JSON."""
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise JsonTextError(f"it is not JSON: {error.msg}", error.lineno) from None
    except ValueError as error:
        raise JsonTextError(f"it is not JSON: {error}") from None  # a number of many digits
    except RecursionError:
        raise JsonTextError("it is nested too deeply") from None


def _refuse(constant: str) -> NoReturn:
    raise JsonTextError(f"it is not JSON: {constant} is no value of JSON")


def _object(members: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object. A key that is there twice would lose one of its values."""
    values = dict(members)
    if len(values) < len(members):
        raise JsonTextError("an object has a duplicate key")
    return values


def _written(text: str, root: object) -> str:
    """Return a value in the layout of a text: its indent, line ends and last characters.

    Raises:
        JsonTextError: The value can't be written as JSON.
    """
    indent: int | str | None = None
    indented = _INDENTED.search(text)
    if indented:
        indent = indented[1]
    elif "\n" in text.strip() or ":" not in text:
        indent = 2
    # Half a surrogate pair can only be written as an escape.
    is_ascii = text.isascii() or _SURROGATE.search(text) is not None
    try:
        new = json.dumps(root, indent=indent, ensure_ascii=is_ascii, allow_nan=False)
    except RecursionError:
        raise JsonTextError("it is nested too deeply") from None
    except ValueError:
        raise JsonTextError("a number is too large") from None
    newline = "\r\n" if "\r\n" in text else "\n"
    return new.replace("\n", newline) + text[len(text.rstrip()) :]
