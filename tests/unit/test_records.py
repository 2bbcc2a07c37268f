"""Records behave as the NamedTuple of the standard library."""

import pickle
import typing
from collections.abc import Callable

import pytest

from helix_hooks.records import NamedTuple


class Ours(NamedTuple):
    name: str
    size: int
    items: tuple[str, ...] = ()

    @property
    def double(self) -> int:
        return 2 * self.size


class Theirs(typing.NamedTuple):
    name: str
    size: int
    items: tuple[str, ...] = ()

    @property
    def double(self) -> int:
        return 2 * self.size


class Heir(Ours):
    def first(self) -> str:
        return self.name[:1]


KINDS = type[Ours] | type[Theirs]


@pytest.mark.parametrize("use", [
    lambda kind: tuple(kind("a", 1)),
    lambda kind: tuple(kind("a", size=1, items=("x",))),
    lambda kind: kind("a", 1).double,
    lambda kind: kind("a", 1) == ("a", 1, ()),
    lambda kind: hash(kind("a", 1)) == hash(("a", 1, ())),
    lambda kind: kind("a", 1)._replace(size=5),
    lambda kind: kind("a", 1)._asdict(),
    lambda kind: kind._make(["a", 1, ()]),
    lambda kind: (kind._fields, kind.__match_args__, kind._field_defaults),
    lambda kind: pickle.loads(pickle.dumps(kind("a", 1))),
    lambda kind: type(pickle.loads(pickle.dumps(kind("a", 1)))) is kind,
    lambda kind: [name for name in dir(kind("a", 1)) if name == "__dict__"],
])  # fmt: skip
def test_a_record_is_a_named_tuple(use: Callable[[KINDS], object]) -> None:
    assert repr(use(Ours)).replace("Ours", "Theirs") == repr(use(Theirs))


@pytest.mark.parametrize("use", [
    lambda kind: kind("a"),
    lambda kind: kind("a", 1, (), 2),
    lambda kind: kind("a", 1, color=2),
    lambda kind: kind._make(["a"]),
    lambda kind: kind("a", 1)._replace(color=2),
    lambda kind: setattr(kind("a", 1), "size", 2),
])  # fmt: skip
@pytest.mark.parametrize("kind", [Ours, Theirs])
def test_a_wrong_record_is_refused(kind: KINDS, use: Callable[[KINDS], object]) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        use(kind)


def test_an_heir_has_the_constructor_of_its_record() -> None:
    heir = Heir("abc", 1)
    assert (heir, type(heir), heir.first()) == (("abc", 1, ()), Heir, "a")
    assert type(heir._replace(size=2)) is Heir
    assert type(Ours("abc", 1)) is Ours


def test_defaults_come_last() -> None:
    with pytest.raises(TypeError, match="without a default"):
        exec("class Wrong(NamedTuple):\n    a: int = 1\n    b: int\n", {"NamedTuple": NamedTuple})
