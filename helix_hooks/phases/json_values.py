"""Readers and writers of plain JSON values. Each reader refuses values its writer can't write."""

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from ..errors import HelixError

Json = dict[str, object]
T_co = TypeVar("T_co", covariant=True)


class Codec(NamedTuple, Generic[T_co]):
    """Reader and writer of a field. `read` gets a value and its path in the document."""

    read: Callable[[object, str], T_co]
    write: Callable[[object], object]


def wrong(place: str, expected: str) -> HelixError:
    return HelixError(f"{place}: expected {expected}")


def same(value: object) -> object:
    return value


# In Python a bool is an int, which the readers of numbers must exclude.


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise wrong(place, "a string")
    return value


def _whole(value: object, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise wrong(place, "an integer of at least 0")
    return value


def _number(value: object, place: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e15:
        raise wrong(place, "a number of at least 0")
    return float(value)


def _boolean(value: object, place: str) -> bool:
    if not isinstance(value, bool):
        raise wrong(place, "true or false")
    return value


def _free(value: object, place: str) -> object:
    if isinstance(value, Mapping):
        return {_text(key, place): _free(item, f"{place}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_free(item, f"{place}[{number}]") for number, item in enumerate(value)]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise wrong(place, "a JSON value")


def _object(value: object, place: str) -> object:
    if not isinstance(value, dict):
        raise wrong(place, "an object")
    return _free(value, place)


TEXT = Codec(_text, same)
WHOLE = Codec(_whole, same)
NUMBER = Codec(_number, same)
BOOLEAN = Codec(_boolean, same)
OBJECT = Codec(_object, lambda value: _free(value, "details"))


def one_of(options: tuple[str, ...]) -> Codec[str]:
    """Return the codec of a string from a fixed set."""

    def read(value: object, place: str) -> str:
        """Return the string. Raises HelixError."""
        if not isinstance(value, str) or value not in options:
            raise HelixError(f"{place} is {value!r}; allowed are {', '.join(map(repr, options))}")
        return value

    return Codec(read, same)


def optional(codec: Codec[T_co]) -> Codec[T_co | None]:
    """Return the codec of a value that may be null."""
    return Codec(
        lambda value, place: None if value is None else codec.read(value, place),
        lambda value: None if value is None else codec.write(value),
    )


def listed(codec: Codec[T_co]) -> Codec[tuple[T_co, ...]]:
    """Return the codec of a tuple, which is a list in JSON."""

    def read(value: object, place: str) -> tuple[T_co, ...]:
        """Return the tuple. Raises HelixError."""
        if not isinstance(value, list):
            raise wrong(place, "a list")
        return tuple(codec.read(item, f"{place}[{number}]") for number, item in enumerate(value))

    def write(value: object) -> object:
        if not isinstance(value, tuple):
            return value
        return [codec.write(item) for item in value]

    return Codec(read, write)


def mapped(codec: Codec[T_co]) -> Codec[dict[str, T_co]]:
    """Return the codec of a mapping with string keys."""

    def read(value: object, place: str) -> dict[str, T_co]:
        """Return the mapping. Raises HelixError."""
        if not isinstance(value, dict):
            raise wrong(place, "an object")
        return {
            _text(key, place): codec.read(item, f"{place}.{key}") for key, item in value.items()
        }

    def write(value: object) -> object:
        if not isinstance(value, Mapping):
            return {}
        return {key: codec.write(item) for key, item in value.items()}

    return Codec(read, write)


def record(
    make: Callable[..., T_co], fields: Mapping[str, Codec[object]], needed: int
) -> Codec[T_co]:
    """Return the codec of a record with `needed` required fields.

    The fields after those have defaults: a stored document may be older than they are.
    """
    required = [*fields][:needed]

    def read(value: object, place: str) -> T_co:
        """Return the record. Raises HelixError."""
        if not isinstance(value, dict):
            raise wrong(place, "an object")
        for key in value:
            if key not in fields:
                raise HelixError(f"{place} has the unknown field {key!r}")
        for key in required:
            if key not in value:
                raise HelixError(f"{place} lacks the field {key!r}")
        return make(
            **{key: fields[key].read(item, f"{place}.{key}") for key, item in value.items()}
        )

    def write(value: object) -> object:
        return {key: codec.write(getattr(value, key)) for key, codec in fields.items()}

    return Codec(read, write)
