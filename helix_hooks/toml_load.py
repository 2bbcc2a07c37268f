"""TOML, without the keys that `tomllib` takes minutes to read."""

import re
import tomllib

MOST_PARTS = 100
_PART = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_PART}[ \t]*\.[ \t]*){{{MOST_PARTS}}}")


def loads(text: str) -> dict[str, object]:
    """Return the tables of a text.

    `tomllib` takes quadratic time or more in the number of parts of a dotted key.

    Raises:
        TOMLDecodeError: The text is not TOML, or a key has too many parts.
        RecursionError: The text is nested too deeply.
    """
    long_key = _LONG_KEY.search(text)
    if long_key:
        line = text.count("\n", 0, long_key.start()) + 1
        raise tomllib.TOMLDecodeError(f"A key has more than {MOST_PARTS} parts (at line {line})")
    return tomllib.loads(text)
