"""JSON values with their places in a text, and edits that keep all other characters."""

import json
import re
from typing import NamedTuple, NoReturn

_MOST_LEVELS = 100
_SPACE = re.compile(r"[ \t\r\n]*")
_INDENTED = re.compile(r"\n([ \t]+)\S")
_DECODER = json.JSONDecoder()


class JsonTextError(Exception):
    """The text can't be edited. `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        super().__init__(message)


class JsonPart(NamedTuple):
    """A value and its place in the text, from `start` up to `end`.

    `parts` are the members of an object, each beginning at its key, or the items of a list.
    """

    start: int
    end: int
    value: object
    parts: "tuple[JsonMember, ...]" = ()


class JsonMember(NamedTuple):
    """A member of an object from its key on, or an item of a list, whose key is ""."""

    start: int
    key: str
    part: JsonPart


def parse(text: str) -> JsonPart:
    """Return the value of a text with its parts.

    Raises:
        JsonTextError: The text is not JSON, has comments, or has a key twice in an object.
    """
    try:
        json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise JsonTextError(error.lineno, f"it is not JSON: {error.msg}") from None
    except ValueError as error:
        raise JsonTextError(1, f"it is not JSON: {error}") from None
    except RecursionError:
        raise JsonTextError(1, "it is nested too deeply") from None
    return _part(text, _after_space(text, 0), 0)


def line_of(text: str, place: int) -> int:
    """Return the line number of a place."""
    return text.count("\n", 0, place) + 1


def with_member(text: str, parent: JsonPart, key: str, value: object) -> str:
    """Return the text with a member added at the end of an object."""
    return _added(text, parent, f"{json.dumps(key, ensure_ascii=False)}: ", value)


def with_item(text: str, parent: JsonPart, value: object) -> str:
    """Return the text with an item added at the end of a list."""
    return _added(text, parent, "", value)


def without(text: str, parent: JsonPart, index: int) -> str:
    """Return the text without one part of an object or a list that has several."""
    removed = parent.parts[index]
    if index:
        return text[: parent.parts[index - 1].part.end] + text[removed.part.end :]
    return text[: removed.start] + text[parent.parts[1].start :]


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no value of JSON")


def _after_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


def _part(text: str, start: int, level: int) -> JsonPart:
    """Return the value at a place of a text that is valid JSON. Raises JsonTextError."""
    if level > _MOST_LEVELS:
        raise JsonTextError(line_of(text, start), "it is nested too deeply")
    if text[start] not in "{[":
        value, end = _DECODER.raw_decode(text, start)
        return JsonPart(start, end, value)
    members, end = _members(text, start, level)
    if text[start] == "[":
        items = [member.part.value for member in members]
        return JsonPart(start, end, items, tuple(members))
    values = {member.key: member.part.value for member in members}
    # An edit of one of them might have no effect.
    if len(values) < len(members):
        raise JsonTextError(line_of(text, start), "an object has a duplicate key")
    return JsonPart(start, end, values, tuple(members))


def _members(text: str, start: int, level: int) -> tuple[list[JsonMember], int]:
    """Return the members of an object or the items of a list, and its end."""
    members: list[JsonMember] = []
    place = _after_space(text, start + 1)
    while text[place] not in "}]":
        key, value_start = "", place
        if text[start] == "{":
            key, value_start = _key(text, place)
        part = _part(text, value_start, level + 1)
        members.append(JsonMember(place, key, part))
        place = _after_space(text, part.end)
        if text[place] == ",":
            place = _after_space(text, place + 1)
    return members, place + 1


def _key(text: str, place: int) -> tuple[str, int]:
    """Return a key and the place of its value."""
    key, end = _DECODER.raw_decode(text, place)
    colon = _after_space(text, end)
    return str(key), _after_space(text, colon + 1)


def _added(text: str, parent: JsonPart, label: str, value: object) -> str:
    """Return the text with a value added to an object or list, in the style of the text."""
    newline = "\r\n" if "\r\n" in text else "\n"
    indented = _INDENTED.search(text)
    unit = indented[1] if indented else "  "
    if not parent.parts:
        outer = _indentation(text, parent.start)
        new = label + _written(value, unit, outer + unit, newline)
        inside = f"{newline}{outer}{unit}{new}{newline}{outer}"
        return f"{text[: parent.start + 1]}{inside}{text[parent.end - 1 :]}"
    last = parent.parts[-1]
    before = text[len(text[: last.start].rstrip(" \t\r\n")) : last.start]
    if "\n" in before:
        inner = before.rpartition("\n")[2]
        new = f",{newline}{inner}{label}{_written(value, unit, inner, newline)}"
    else:
        new = f", {label}{json.dumps(value, ensure_ascii=False)}"
    return text[: last.part.end] + new + text[last.part.end :]


def _indentation(text: str, place: int) -> str:
    """Return the white space at the beginning of the line of a place."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _written(value: object, unit: str, outer: str, newline: str) -> str:
    written = json.dumps(value, ensure_ascii=False, indent=unit)
    return written.replace("\n", newline + outer)
