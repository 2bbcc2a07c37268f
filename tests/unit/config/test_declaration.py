"""What a declaration reports as weaker, above all where it says nothing about it."""

from typing import NamedTuple

from helix_hooks.config.declaration import BOOLEAN, Key, integer, lower, section


class Below(NamedTuple):
    strict: bool = True


class Record(NamedTuple):
    stated: int = 2
    unstated: int = 2
    harmless: int = 2
    below: Below = Below()


class Declared:
    stated = Key(integer(0), lower)
    unstated = Key(integer(0))
    harmless = Key(integer(0), None)
    below = Key(section(type("Inner", (), {"strict": Key(BOOLEAN)}), Below()))


def test_a_setting_that_does_not_say_what_is_weaker_reports_each_change() -> None:
    declared = section(Declared, Record())
    higher = Record(stated=3, unstated=3, harmless=3, below=Below(strict=False))
    assert [*declared.relaxed(Record(), higher, {})] == [
        "unstated 2 -> 3",
        "below.strict true -> false",
    ]
    assert [*declared.relaxed(Record(), Record(stated=1), {})] == ["stated 2 -> 1"]
    assert [*declared.relaxed(Record(), Record(), {})] == []
