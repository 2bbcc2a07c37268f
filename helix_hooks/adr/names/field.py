"""A header field: the meaning of its key and of its value, in any spelling."""

import re
from functools import lru_cache
from typing import NamedTuple

from .aliases import FIELDS
from .heading import composed

_MARKUP = " \t*_`~\"'()[]{}<>.,;:!?\\"


class Field(NamedTuple):
    """A header field: its texts (one for a scalar, none if empty) and the place of its key."""

    texts: tuple[str, ...]
    line: int
    column: int = 1

    @property
    def text(self) -> str:
        return ", ".join(self.texts)


@lru_cache(maxsize=4096)
def field_name(key: str) -> str:
    """Return the field that a key means.

    `Depends-On`, `dependsOn`, `depends on` and `Abhängig von` are `depends_on`.
    """
    name = _names().get(squashed(key))
    if name:
        return name
    return "_".join(composed(key).casefold().replace("-", " ").replace("_", " ").split())


def squashed(key: str) -> str:
    """Return the letters and digits of a key in lowercase.

    Two spellings of one key have the same.
    """
    return "".join(filter(str.isalnum, composed(key).casefold()))


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    names: dict[str, str] = {}
    for field, words in FIELDS.items():
        for word in words:
            names["".join(filter(str.isalnum, word.casefold()))] = field
    return names


def comparable(text: str) -> str:
    """Return a value for comparison: in lowercase, without markup, quotes and invisible characters
    around or in it.
    """
    plain = composed(text).casefold()
    if not plain.isascii():
        plain = "".join(filter(str.isprintable, plain))
    return plain.strip(_MARKUP)


def says_value(text: str, values: tuple[str, ...]) -> bool:
    """Return whether a text is one of the (lowercase) values, or begins with one.

    `Major (all services)` is major.
    """
    plain = comparable(text)
    if plain in values:
        return True
    # The value ends at a sign, but `1.2` does not begin with the value `1`.
    return any(
        plain.startswith(value) and re.match(r"(?!\.\w)\W", plain[len(value) :]) for value in values
    )
