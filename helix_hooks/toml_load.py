"""TOML, except for keys that would take minutes to read."""

import re
import tomllib

MOST_PARTS = 100
_PART = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_PART}[ \t]*\.[ \t]*){{{MOST_PARTS}}}")


def loads(text: str) -> dict[str, object]:
    """Return the tables of a text. Raises TOMLDecodeError, RecursionError.

    `tomllib` takes a time that grows with the square of the parts of a dotted key, or worse.
    """
    found = _LONG_KEY.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise tomllib.TOMLDecodeError(f"A key has more than {MOST_PARTS} parts (at line {line})")
    return tomllib.loads(text)
