"""Values as JSON and back: what is written is read, and anything else is refused with its place."""

import json
import math
import re
from typing import Annotated, Any, NamedTuple

import pytest

from helix_hooks.codec import Count, Share, lenient, loaded, plain, stored


class Item(NamedTuple):
    name: Annotated[str, re.compile("[a-z]+")]
    level: Annotated[str, ("low", "high")] = "low"


class Whole(NamedTuple):
    items: Annotated[tuple[Item, ...], range(3)]
    first: Item | None = None
    share: Share = 0.5
    number: Count = 0
    labels: dict[str, str] = {}  # noqa: RUF012 - a default of a tuple


VALUE = Whole((Item("a"), Item("b", "high")), Item("c"), 1, 7, {"x": "<y>"})
DATA: dict[str, Any] = json.loads(stored(VALUE, 3))


def test_a_named_tuple_is_an_object() -> None:
    assert DATA == {
        "version": 3,
        "items": [{"name": "a", "level": "low"}, {"name": "b", "level": "high"}],
        "first": {"name": "c", "level": "low"},
        "share": 1,
        "number": 7,
        "labels": {"x": "<y>"},
    }
    assert loaded(json.dumps(DATA), Whole, 3) == VALUE


def test_a_short_value_has_no_field_at_its_default() -> None:
    value = Whole((Item("a"), Item("b", "high")), share=0.5, number=7)
    short = plain(value, short=True)
    assert short == {"items": [{"name": "a"}, {"name": "b", "level": "high"}], "number": 7}
    assert lenient(short, Whole) == value


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "another version": ({"version": 2}, "its version is 2, but this program reads 3"),
    "no version": ({"version": None}, "it has no version"),
    "true as version": ({"version": True}, "it has no version"),
    "an unknown key": ({"more": 1}, "unknown field `more`"),
    "a text for a number": ({"number": "7"}, "Expected `int`, got `str` - at `$.number`"),
    "true for a number": ({"number": True}, "Expected `int`, got `bool` - at `$.number`"),
    "a fraction": ({"number": 1.5}, "Expected `int`, got `float` - at `$.number`"),
    "below the limit": ({"number": -1}, "`int` >= 0 - at `$.number`"),
    "above the limit": ({"number": 2**60}, "at `$.number`"),
    "a number of many digits": ({"share": 10**400}, "out of range"),
    "above one": ({"share": 1.01}, "`float` <= 1.0 - at `$.share`"),
    "no number": ({"share": math.nan}, "not JSON: NaN is no number"),
    "infinite": ({"share": math.inf}, "not JSON: Infinity is no number"),
    "a list for an object": ({"first": ["c", "low"]}, "Expected `object | null`, got `array`"),
    "an unknown word": ({"first": {"name": "c", "level": "x"}}, "Invalid enum value 'x'"),
    "a missing key": ({"first": {"name": "c"}}, "required field `level` - at `$.first`"),
    "a wrong text": ({"items": [{"name": "a\n", "level": "low"}]}, "at `$.items[0].name`"),
    "many items": ({"items": [DATA["first"]] * 3}, "length <= 2 - at `$.items`"),
    "a number as a text": ({"labels": {"x": 1}}, "Expected `str`, got `int` - at `$.labels[...]`"),
}


@pytest.mark.parametrize(("change", "message"), CHANGES.values(), ids=CHANGES)
def test_what_was_not_written_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        loaded(json.dumps({**DATA, **change}), Whole, 3)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"x"',
        "[" * 100_000,
        '{"version":3,"version":3}',
        '{"version":3} 1',
        '{"a":' * 100_000,
        b"\xff",
        b'{"version":3,"\xff":1}',
        '{"version": 3, "first": ' + "[" * 100_000 + "]" * 100_000 + "}",
    ],
)
def test_what_is_no_object_is_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        loaded(text, Whole, 3)


def test_a_lenient_reader_takes_defaults_and_ignores_the_rest() -> None:
    assert lenient({"items": [{"name": "a", "more": 1}], "more": 1}, Whole) == Whole((Item("a"),))
    with pytest.raises(ValueError, match="required field `items`"):
        lenient({}, Whole)
    with pytest.raises(ValueError, match=r"at `\$.share`"):
        lenient({**plain(VALUE), "share": math.nan}, Whole)
