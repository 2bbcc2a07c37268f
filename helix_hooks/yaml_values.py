"""YAML values that have their line and the keys that lead to them. Knows no setting.

Every scalar keeps its text: `015` stays "015", and a date is not parsed.
"""

from collections.abc import Callable, Collection
from math import isfinite, nan

from .errors import ConfigError
from .records import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import TypeVar

    Setting = TypeVar("Setting")

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
    """A part of a text that cannot be read as meant; `line` counts from 1."""

    line: int
    message: str


class Value(NamedTuple):
    """A YAML value: `data` is a string, a list of Values, a dict of str to MappingEntry, or None.

    All methods that read it raise ConfigError with file, line, keys, what is wrong and what is
    allowed.
    """

    data: Any
    line: int
    column: int
    path: str = ""
    trail: str = ""

    def fail(self, message: str) -> ConfigError:
        """Return an error at this value."""
        return ConfigError(self.path, self.line, self.trail, message)

    def _at(self, value: "Value", step: str) -> "Value":
        return Value(value.data, value.line, value.column, self.path, f"{self.trail}{step}")

    def mapping(
        self,
        allowed: Collection[str] | None = None,
        required: Collection[str] = (),
        listed: str = "",
    ) -> dict[str, "Value"]:
        """Return the entries of a mapping.

        `listed` replaces the allowed keys in a message.

        Raises:
            ConfigError: It is not a mapping, or it has an unknown key, or lacks a required one.
        """
        if not isinstance(self.data, dict):
            raise self.fail(f"expected a mapping (key: value), got {self.kind}")
        entries = {}
        for key, entry in self.data.items():
            step = f".{key}" if self.trail else key
            entries[key] = self._at(entry.value, step)
            if allowed is not None and key not in allowed:
                # The line of the key: its value may begin below it.
                raise (
                    entries[key]
                    ._replace(line=entry.line)
                    .fail(
                        f"unknown key; {_meant(key, allowed)}allowed: "
                        f"{listed or ', '.join(sorted(allowed))}"
                    )
                )
        for key in required:
            if key not in entries:
                raise self.fail(f"missing key {key!r}")
        return entries

    def sequence(self) -> list["Value"]:
        """Return the items of a list.

        Raises:
            ConfigError: It is not a list.
        """
        if not isinstance(self.data, list):
            raise self.fail(f"expected a list, got {self.kind}")
        return [self._at(item, f"[{number}]") for number, item in enumerate(self.data)]

    def one_or_more(self) -> list["Value"]:
        """Return the items of a list, or the value itself."""
        if isinstance(self.data, list):
            return self.sequence()
        return [self]

    def text(self) -> str:
        """Return a string.

        Raises:
            ConfigError: It is not a string, or a blank one.
        """
        if not isinstance(self.data, str) or not self.data.strip():
            raise self.fail(f"expected a string, got {self.kind}")
        return self.data

    def texts(self) -> tuple[str, ...]:
        """Return a list of strings; a single string counts as a list of one."""
        if isinstance(self.data, str):
            return (self.text(),)
        return tuple(item.text() for item in self.sequence())

    def choice(self, options: Collection[str]) -> str:
        """Return one of the options.

        Raises:
            ConfigError: It is none of them.
        """
        text = self.text()
        if text not in options:
            raise self.fail(
                f"invalid value {text!r}; {_meant(text, options)}allowed: {', '.join(options)}"
            )
        return text

    def boolean(self) -> bool:
        """Return a boolean.

        Raises:
            ConfigError: It is not a YAML boolean.
        """
        if not isinstance(self.data, str) or self.data not in _BOOLEANS:
            raise self.fail(f"expected true or false, got {self.kind}")
        return _BOOLEANS[self.data]

    def number(self, low: float, high: float = float("inf")) -> float:
        """Return a number from `low` to `high`.

        Raises:
            ConfigError: It is not a number, or out of range.
        """
        try:
            number = float(self.data)
        except (TypeError, ValueError):
            number = nan
        # `float` also reads "nan", "inf" and digits of other scripts.
        if not isfinite(number) or not self.data.isascii():
            raise self.fail(f"expected a number, got {self.kind}")
        if low <= number <= high:
            return number
        limits = f"between {low:g} and {high:g}"
        if high == float("inf"):
            limits = f"at least {low:g}"
        raise self.fail(f"{self.data} is out of range; expected {limits}")

    def integer(self, low: int) -> int:
        """Return an integer of at least `low`.

        Raises:
            ConfigError: It is not an integer, or too small.
        """
        number = self.number(low)
        if number != int(number) or "e" in self.data.lower():
            raise self.fail(f"expected an integer, got {self.data}")
        return int(number)

    @property
    def kind(self) -> str:
        """The value for a message, as in "a list"."""
        if self.data is None:
            return "nothing"
        if isinstance(self.data, dict):
            return "a mapping"
        if isinstance(self.data, list):
            return "a list"
        return repr(_short(self.data))


def optional(
    entries: dict[str, Value],
    key: str,
    read: "Callable[[Value], Setting]",
    default: "Setting",
) -> "Setting":
    """Return an entry of a mapping, read by `read`; `default` without the entry."""
    if key not in entries:
        return default
    return read(entries[key])


class MappingEntry(NamedTuple):
    """A value of a mapping, with the line and column of its key."""

    line: int
    column: int
    value: Value


_MAX_WORD_LENGTH = 100
"""Maximum characters of a word that is compared; the comparison is quadratic in its length."""


def nearest(word: str, options: Collection[str], alike: float = 0.6) -> str:
    """Return the option that is most like a word; "" if none is.

    `alike` is the minimum similarity, from 0 to 1.
    """
    if len(word) > _MAX_WORD_LENGTH:
        return ""
    from difflib import get_close_matches  # loaded only for a message

    return next(iter(get_close_matches(word, list(options), 1, alike)), "")


def _meant(word: str, options: Collection[str]) -> str:
    """Return the question for a misspelt word, as in "did you mean 'paths'? "; "" without one."""
    option = nearest(word, options)
    if not option:
        return ""
    return f"did you mean {option!r}? "


def _short(text: str) -> str:
    if len(text) <= 40:
        return text
    return text[:39] + "…"
