"""The settings in pyproject.toml, each with its line."""

import re
import tomllib

from ..errors import ConfigError
from ..paths import PYPROJECT
from ..yaml_reader import MappingEntry, Value


def table(text: str) -> Value | None:
    """Return the table `tool.helix-hooks`; None if there is none.

    Raises:
        ConfigError: The text is not TOML, or the table has a misspelt name.
    """
    tools = _tools(text)
    lines = text.splitlines()
    if "helix_hooks" in tools:
        line = next((number for number, row in enumerate(lines, 1) if "helix_hooks" in row), 1)
        raise ConfigError(
            PYPROJECT,
            line,
            "tool.helix_hooks",
            "unknown table; rename it to [tool.helix-hooks]",
        )
    if "helix-hooks" not in tools:
        return None
    value = _from_toml(tools["helix-hooks"], lines, 0)
    return value._replace(path=PYPROJECT, trail="tool.helix-hooks")


def _tools(text: str) -> dict[str, object]:
    try:
        tools = tomllib.loads(text).get("tool", {})
    except RecursionError:
        raise ConfigError(PYPROJECT, 1, "", "this is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        # Before Python 3.14, the error has its line only in the message.
        match = re.search(r"line (\d+)", str(error))
        line = int(match[1]) if match else 1
        raise ConfigError(PYPROJECT, line, "", f"invalid TOML: {error}") from None
    return tools if isinstance(tools, dict) else {}


def _from_toml(data: object, lines: list[str], above: int) -> Value:
    """Return a TOML value as a YAML one. `above` is the index of the line of its key.

    `tomllib` returns no lines: a key gets the first line after `above` that begins with it.
    """
    line = above + 1
    if isinstance(data, dict):
        entries = {}
        for key, item in data.items():
            index = _index_of(key, lines, above)
            entries[key] = MappingEntry(index + 1, 1, _from_toml(item, lines, index))
        return Value(entries, line, 1)
    if isinstance(data, list):
        return Value([_from_toml(item, lines, above) for item in data], line, 1)
    if isinstance(data, bool):
        return Value(str(data).lower(), line, 1)
    return Value(str(data), line, 1)


def _index_of(key: str, lines: list[str], start: int) -> int:
    pattern = re.compile(rf'^\s*(?:\[.*)?"?{re.escape(key)}"?\s*(?:[=\].])')
    for index in range(start, len(lines)):
        if pattern.match(lines[index]):
            return index
    return start
