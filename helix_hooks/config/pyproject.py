"""The settings in pyproject.toml, each at its line."""

import re
import tomllib

from .. import toml_load
from ..errors import ConfigError
from ..paths import PYPROJECT
from ..yaml_values import MappingEntry, Value


def table(text: str) -> Value | None:
    """Return the table `tool.helix-hooks`; None without it. Raises ConfigError."""
    try:
        tools = toml_load.loads(text).get("tool", {})
    except RecursionError:
        raise ConfigError(PYPROJECT, 1, "", "this is nested too deeply to be read") from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        raise ConfigError(
            PYPROJECT, int(line[1]) if line else 1, "", f"this is not valid TOML: {error}"
        ) from None
    tools = tools if isinstance(tools, dict) else {}
    if "helix_hooks" in tools:
        place = next(
            (number for number, row in enumerate(text.splitlines(), 1) if "helix_hooks" in row), 1
        )
        raise ConfigError(
            PYPROJECT,
            place,
            "tool.helix_hooks",
            "this table is not read; rename it to [tool.helix-hooks]",
        )
    own = tools.get("helix-hooks")
    if own is None:
        return None
    value = _from_toml(own, text.splitlines(), 0)
    return value._replace(path=PYPROJECT, trail="tool.helix-hooks")


def _from_toml(data: object, lines: list[str], above: int) -> Value:
    """Return a TOML value. TOML keeps no lines: a key stands where it first occurs in its table."""
    if isinstance(data, dict):
        entries = {}
        for key, item in data.items():
            found = re.compile(rf'^\s*(?:\[.*)?"?{re.escape(key)}"?\s*(?:[=\].])')
            line = next(
                (number for number, text in enumerate(lines[above:], above) if found.match(text)),
                above,
            )
            entries[key] = MappingEntry(line + 1, 1, _from_toml(item, lines, line))
        return Value(entries, above + 1, 1)
    if isinstance(data, list):
        return Value([_from_toml(item, lines, above) for item in data], above + 1, 1)
    return Value(str(data).lower() if isinstance(data, bool) else str(data), above + 1, 1)
