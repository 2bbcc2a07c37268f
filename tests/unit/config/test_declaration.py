"""What a declaration reports as weaker, above all where it says nothing about it."""

from typing import NamedTuple

from helix_hooks.config import BOOLEAN, integer, key, lower, section


class Below(NamedTuple):
    strict: bool = key(BOOLEAN, True)


class Record(NamedTuple):
    stated: int = key(integer(0), 2, lower)
    unstated: int = key(integer(0), 2)
    harmless: int = key(integer(0), 2, None)
    below: Below = key(section(Below))


DECLARED = section(Record)


def test_a_setting_that_does_not_say_what_is_weaker_reports_each_change() -> None:
    higher = Record(stated=3, unstated=3, harmless=3, below=Below(strict=False))
    assert [*DECLARED.relaxed(Record(), higher, {})] == [
        "unstated 2 -> 3",
        "below.strict true -> false",
    ]
    assert [*DECLARED.relaxed(Record(), Record(stated=1), {})] == ["stated 2 -> 1"]
    assert [*DECLARED.relaxed(Record(), Record(), {})] == []
