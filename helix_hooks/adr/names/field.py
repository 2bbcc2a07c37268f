"""A header field: the name a key stands for, and what its value says, however either is spelt."""

import re
from functools import lru_cache

from ...records import NamedTuple
from .aliases import FIELDS
from .heading import composed

_MARKUP = " \t*_`~\"'()[]{}<>.,;:!?\\"


class Field(NamedTuple):
    """A header field: its texts (one for a scalar, none for an empty one) and where its key
    stands.
    """

    texts: tuple[str, ...]
    line: int
    column: int = 1

    @property
    def text(self) -> str:
        return ", ".join(self.texts)


@lru_cache(maxsize=4096)
def field_name(key: str) -> str:
    """The field a key stands for: `Depends-On`, `dependsOn`, `depends on` and `Abhängig von` are
    `depends_on`.
    """
    return _names().get(squashed(key)) or "_".join(
        composed(key).casefold().replace("-", " ").replace("_", " ").split()
    )


def squashed(key: str) -> str:
    """The letters and digits of a key in lower case, by which two spellings of one key are the
    same.
    """
    return "".join(character for character in composed(key).casefold() if character.isalnum())


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    names = {}
    for field, words in FIELDS.items():
        for word in words:
            names["".join(filter(str.isalnum, word.casefold()))] = field
    return names


def comparable(text: str) -> str:
    """A value as it is compared: in lower case, without markup, quotes and invisible characters
    around or in it.
    """
    plain = composed(text).casefold()
    if not plain.isascii():
        plain = "".join(character for character in plain if character.isprintable())
    return plain.strip(_MARKUP)


def says_value(text: str, values: tuple[str, ...]) -> bool:
    """Return whether a value is one of the (lower-case) values, or begins with it: `Major (all
    services)` is major.
    """
    plain = comparable(text)
    return plain in values or any(
        plain.startswith(value) and re.match(r"(?!\.\w)\W", plain[len(value) :]) for value in values
    )
