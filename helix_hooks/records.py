"""NamedTuple and other names of `typing`, which a hook does not import: it takes too long.

The standard library compiles a constructor for each class. Here one constructor serves all classes.
"""

from collections.abc import Iterable

TYPE_CHECKING = False  # type checkers treat a variable of this name as true

if TYPE_CHECKING:
    from typing import Any, NamedTuple, Protocol, Self
else:
    from collections import _tuplegetter
    from itertools import starmap

    Any = Self = object

    class Protocol:
        __slots__ = ()

    class _Record(tuple):
        """The methods that the standard library writes for each class."""

        __slots__ = ()
        _fields = ()

        def __new__(cls, /, *values: object, **named: object) -> Self:
            if named or len(values) != len(cls._fields):
                values += cls._record_rest(len(values), named)
            return tuple.__new__(cls, values)

        # Subclasses inherit this, so its name must be none that a record would use.
        @classmethod
        def _record_rest(cls, count: int, named: dict[str, object]) -> tuple[object, ...]:
            """Return the values of the fields after the first `count`, by name or default.

            Raises:
                TypeError: A value is missing, unknown or repeated.
            """
            fields = cls._fields[count:]
            values = named
            if len(named) != len(fields):
                values = {**cls._field_defaults, **named}
                if not named.keys() <= set(fields):
                    raise TypeError(
                        f"{cls.__name__} takes each of {cls._fields} once, and no others"
                    )
            try:
                rest = [values[field] for field in fields]
            except KeyError:
                rest = []
            if len(rest) < len(fields) or count > len(cls._fields):
                raise TypeError(f"{cls.__name__} takes values for {cls._fields}")
            return tuple(rest)

        @classmethod
        def _make(cls, values: Iterable[object]) -> Self:
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{len(cls._fields)} values expected, got {len(made)}")
            return made

        def _replace(self, /, **changed: object) -> Self:
            made = self._make(map(changed.pop, self._fields, self))
            if changed:
                raise ValueError(f"unknown fields: {', '.join(changed)}")
            return made

        def _asdict(self) -> dict[str, object]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = ", ".join(starmap("{}={!r}".format, zip(self._fields, self, strict=True)))
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

    class _Maker(type):
        """Make a class of records from a body with annotations."""

        def __new__(cls, name: str, _: tuple[type, ...], body: dict[str, object]) -> type:
            fields = tuple(body["__annotations__"])
            defaults = {field: body.pop(field) for field in fields if field in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one that has one")
            getters = {field: _tuplegetter(number, "") for number, field in enumerate(fields)}
            about = {"_fields": fields, "__match_args__": fields, "_field_defaults": defaults}
            return type(name, (_Record,), {"__slots__": (), **body, **getters, **about})

    class _Probe:
        field: int

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
    if "__annotations__" not in vars(_Probe):  # Python 3.14 keeps annotations elsewhere
        from typing import NamedTuple

__all__ = ["TYPE_CHECKING", "Any", "NamedTuple", "Protocol"]
