"""The codec: values as JSON and back, by the types of their fields. Pure.

A named tuple is an object with exactly its fields. A type may have a limit, as in
`Annotated[str, ("a", "b")]`: a tuple of all values, a range of whole numbers or of the length of a
list, `Between`, or a pattern of the whole text. msgspec checks types and limits. It is imported
here only when a value is read, since the hooks have no use for it.
"""

import json
import re
from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

_Value = TypeVar("_Value")


class Between(NamedTuple):
    """The limits of a number, which may have them too."""

    least: float
    most: float = 1e15


Commit = Annotated[str, re.compile("[0-9a-f]{40}|[0-9a-f]{64}")]
Fingerprint = Annotated[str, re.compile("[0-9a-f]{16}")]
TypeName = Annotated[str, re.compile("[a-z][a-z0-9-]{0,60}")]
"""The name of an approval type."""

Count = Annotated[int, range(2**53)]
Positive = Annotated[int, range(1, 2**53)]
Amount = Annotated[float, Between(0)]
Share = Annotated[float, Between(0, 1)]


def parsed(text: bytes | str) -> object:
    """Return strict JSON.

    Raises:
        ValueError: It is not JSON, has a repeated key, NaN or text after its end, or is nested too
            deeply.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply to be read") from None
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError("a key occurs twice")
    return unique


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


def plain(value: Any, *, short: bool = False) -> Any:
    """Return a value as JSON data; with `short`, for `lenient`, without fields at their default."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if hasattr(value, "_asdict"):
        defaults = value._field_defaults if short else {}
        fields = zip(value._fields, value, strict=True)
        return {
            name: plain(field, short=short)
            for name, field in fields
            if name not in defaults or field != defaults[name]
        }
    if isinstance(value, (tuple, list)):
        return [plain(item, short=short) for item in value]
    if isinstance(value, Mapping):
        return {name: plain(item, short=short) for name, item in value.items()}
    return value


def stored(value: Any, version: int) -> str:
    """Return a named tuple as JSON text with the version of its form."""
    return json.dumps({"version": version, **plain(value)})


def loaded(text: bytes | str, kind: type[_Value], version: int) -> _Value:
    """Return the value that `stored` wrote.

    Raises:
        ValueError: It is anything else, or of another version; the message has the place.
    """
    data = parsed(text)
    other = data.pop("version", None) if isinstance(data, dict) else None
    if type(other) is not int:
        raise ValueError("it has no version")
    if other != version:
        raise ValueError(f"its version is {other}, but this program reads {version}")
    value: _Value = _converted(data, kind, exact=True)
    return value


def lenient(data: object, kind: type[_Value]) -> _Value:
    """Return a value from JSON data that may have more fields, and lack those with a default.

    Texts need not match the pattern of their type.

    Raises:
        ValueError: A field is missing or wrong; the message has its place.
    """
    value: _Value = _converted(data, kind, exact=False)
    return value


def _converted(data: object, kind: Any, *, exact: bool) -> Any:
    from msgspec import convert

    try:
        return _value(convert(data, _shape(kind, exact)))
    except RecursionError:
        raise ValueError("nested too deeply to be read") from None


@cache
def _shape(kind: Any, exact: bool) -> Any:
    """Return a type in the form of msgspec, in which a named tuple is an object."""
    from msgspec import defstruct

    if hasattr(kind, "_fields"):
        defaults = {} if exact else kind._field_defaults
        fields: list[Any] = []
        for name, hint in get_type_hints(kind, include_extras=True).items():
            field = (name, _shape(hint, exact))
            fields.append((*field, defaults[name]) if name in defaults else field)
        made_from = {"named_tuple": kind}
        return defstruct(
            kind.__name__, fields, kw_only=True, forbid_unknown_fields=exact, namespace=made_from
        )
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _limited(arguments[0], arguments[1], exact)
    if origin is None:
        return kind
    shapes = tuple(item if item is ... else _shape(item, exact) for item in arguments)
    if origin in (Union, UnionType):
        return reduce(or_, shapes)
    return origin[shapes]


def _limited(kind: Any, limit: Any, exact: bool) -> Any:
    from msgspec import Meta

    if isinstance(limit, Between):
        return Annotated[kind, Meta(ge=limit.least, le=limit.most)]
    if isinstance(limit, range) and kind is not int:
        return Annotated[_shape(kind, exact), Meta(max_length=limit.stop - 1)]
    if isinstance(limit, range):
        return Annotated[kind, Meta(ge=limit.start, lt=limit.stop)]
    if isinstance(limit, tuple):
        return Literal[limit]
    if exact:
        return Annotated[kind, Meta(pattern=rf"\A(?:{limit.pattern})\Z")]
    return kind


def _value(data: Any) -> Any:
    """Return what msgspec read, with named tuples."""
    if kind := getattr(data, "named_tuple", None):
        return kind(*(_value(getattr(data, name)) for name in kind._fields))
    if type(data) is tuple:
        return tuple(map(_value, data))
    if isinstance(data, dict):
        return {name: _value(item) for name, item in data.items()}
    return data
