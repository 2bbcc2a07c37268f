"""Values of YAML that know their line and the keys that lead to them. Knows no setting.

Every scalar keeps its text: `015` stays "015", a date stays as it was written.
"""

from collections.abc import Collection
from math import isfinite, nan

from .errors import ConfigError
from .records import Any, NamedTuple

NULLS = frozenset(("", "~", "null", "Null", "NULL"))
"""Plain scalars without a value."""
_BOOLEANS = {
    "true": True,
    "True": True,
    "TRUE": True,
    "yes": True,
    "on": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "no": False,
    "off": False,
}


class Defect(NamedTuple):
    """Something the text does not allow to be read as meant; `line` counts from 1."""

    line: int
    message: str


class Value(NamedTuple):
    """A YAML value: `data` is a text, a list of Values, a dict of text to MappingEntry, or None.

    The readers below raise ConfigError with file, line, key trail, what is wrong and what is
    allowed.
    """

    data: Any
    line: int
    column: int
    path: str = ""
    trail: str = ""

    def fail(self, message: str) -> ConfigError:
        return ConfigError(self.path, self.line, self.trail, message)

    def _at(self, value: "Value", step: str) -> "Value":
        return Value(value.data, value.line, value.column, self.path, f"{self.trail}{step}")

    def mapping(
        self,
        allowed: Collection[str] | None = None,
        required: Collection[str] = (),
        listed: str = "",
    ) -> dict[str, "Value"]:
        """The entries of a mapping; an unknown or missing key is an error that names the allowed
        ones, or says `listed`.
        """
        if not isinstance(self.data, dict):
            raise self.fail(f"a mapping (key: value) is wanted here, not {self.kind}")
        entries = {}
        for key, entry in self.data.items():
            step = f".{key}" if self.trail else key
            entries[key] = self._at(entry.value, step)
            if allowed is not None and key not in allowed:
                place = self._at(entry.value._replace(line=entry.line), step)
                raise place.fail(
                    f"unknown key; {_meant(key, allowed)}allowed are "
                    f"{listed or ', '.join(sorted(allowed))}"
                )
        for key in required:
            if key not in entries:
                raise self.fail(f"the key {key!r} is missing")
        return entries

    def sequence(self) -> list["Value"]:
        if not isinstance(self.data, list):
            raise self.fail(f"a list is wanted here, not {self.kind}")
        return [self._at(item, f"[{number}]") for number, item in enumerate(self.data)]

    def one_or_more(self) -> list["Value"]:
        """Return the items of a list, or the value itself."""
        return self.sequence() if isinstance(self.data, list) else [self]

    def text(self) -> str:
        if not isinstance(self.data, str) or not self.data.strip():
            raise self.fail(f"a text is wanted here, not {self.kind}")
        return self.data

    def texts(self) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        return (
            (self.text(),)
            if isinstance(self.data, str)
            else tuple(item.text() for item in self.sequence())
        )

    def choice(self, options: Collection[str]) -> str:
        text = self.text()
        if text not in options:
            raise self.fail(
                f"{text!r} is not allowed; {_meant(text, options)}allowed are {', '.join(options)}"
            )
        return text

    def boolean(self) -> bool:
        if not isinstance(self.data, str) or self.data not in _BOOLEANS:
            raise self.fail(f"true or false is wanted here, not {self.kind}")
        return _BOOLEANS[self.data]

    def number(self, low: float, high: float = float("inf")) -> float:
        try:
            number = float(self.data)
        except (TypeError, ValueError):
            number = nan
        if not isfinite(number) or not self.data.isascii():
            raise self.fail(f"a number is wanted here, not {self.kind}")
        if not low <= number <= high:
            limits = (
                f"at least {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
            )
            raise self.fail(f"{self.data} is out of range; it must be {limits}")
        return number

    def integer(self, low: int) -> int:
        number = self.number(low)
        if number != int(number) or "e" in self.data.lower():
            raise self.fail(f"a whole number is wanted here, not {self.data}")
        return int(number)

    @property
    def kind(self) -> str:
        if self.data is None:
            return "nothing"
        if isinstance(self.data, dict):
            return "a mapping"
        return "a list" if isinstance(self.data, list) else f"the text {_short(self.data)!r}"


class MappingEntry(NamedTuple):
    """A key of a mapping with its own place, which is where a reader looks."""

    line: int
    column: int
    value: Value


_LONGEST_WORD = 100
"""Characters of a word that may be a misspelt one; comparing takes the square of its length."""


def nearest(word: str, options: Collection[str], alike: float = 0.6) -> str:
    """The option that a word is most like, "" when it is like none; `alike` is between 0 and 1."""
    if len(word) > _LONGEST_WORD:
        return ""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(options), 1, alike)), "")


def _meant(word: str, options: Collection[str]) -> str:
    found = nearest(word, options)
    return f"did you mean {found!r}? " if found else ""


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
