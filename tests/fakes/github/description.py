"""GitHub's own description of its REST API, by which requests and responses are checked.

The models and the methods that githubkit generates from the description say everything: a method's docstring has the verb and the path, its code
the body, the query and the response. The methods are read as source, as importing all of them would take seconds.
"""

import ast
import builtins
import datetime as dt
import functools
import importlib
import json
import re
import textwrap
import types
import urllib.parse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

models: Any = importlib.import_module(
    "githubkit_schemas.v2022_11_28.models"
)  # by name, as mypy would take minutes for all of them
_MISSING: Any = importlib.import_module("githubkit.typing").Missing
_REST = Path(models.__file__).parent.parent / "rest"
_AREAS = (
    "pulls",
    "checks",
    "git",
    "issues",
    "reactions",
    "repos",
    "actions",
    "teams",
    "users",
)


class Operation(NamedTuple):
    """One thing that can be asked of GitHub. Types are the source text of an annotation; `errors` has one per status."""

    verb: str
    template: str
    body: str | None
    query: Mapping[str, str]
    response: str | None
    errors: Mapping[str, str]
    documentation: str


@functools.lru_cache(maxsize=1000)
def operation(verb: str, path: str) -> Operation | None:
    """What a request for a concrete path means to GitHub, or None if nothing."""
    for area in _AREAS:
        for candidate in _methods(area):
            if candidate.verb == verb and _pattern(candidate.template).fullmatch(path):
                return _operation(candidate)
    return None


def values(found: Operation, path: str) -> dict[str, str]:
    """What stands in the place of an operation's placeholders."""
    match = _pattern(found.template).fullmatch(path)
    assert match
    return {name: urllib.parse.unquote(value) for name, value in match.groupdict().items()}


def query_errors(found: Operation, query: Mapping[str, str]) -> list[str]:
    unknown = [f"query {name}: not a parameter" for name in query if name not in found.query]
    return unknown + [
        f"query {name}: {error}"
        for name, value in query.items()
        if name in found.query
        for error in _invalid(found.query[name], value, as_text=True)
    ]


def body_errors(found: Operation, body: Any) -> list[str]:
    """A body that holds nothing is as good as none, where a body is optional."""
    if found.body is None:
        return [] if body is None else ["body: none is wanted"]
    if body is None:
        return ["body: missing"] if _invalid(found.body, {}) else []
    return _invalid(found.body, body) or [
        f"body: {error}" for error in _beyond(_type(found.body), body, "", sent=True)
    ]


def response_errors(found: Operation, payload: Any, status: int = 200) -> list[str]:
    """An answer of 400 and above is measured by what the description says of that status, if it says anything."""
    expected = found.response if status < 400 else found.errors.get(str(status))
    if expected is None:
        return ["response: none is described"] if status < 400 and payload is not None else []
    return _invalid(expected, payload) + [
        f"response: {error}" for error in _beyond(_type(expected), payload, "", sent=False)
    ]


class _Method(NamedTuple):
    """A method of a generated module: what is asked for by it, and its source."""

    verb: str
    template: str
    source: str


_SOURCE = re.compile(
    r"""
    ^\ {4}def\ (?:(?!^\ {4}(?:async\ )?def\ |^\ {4}@).*\n)*?
    ^\ {8}r?\"{3}.*\n \n \ {8}([A-Z]+)\ (/\S+)\n
    (?:(?!^\ {4}\S).*\n)*
    """,
    re.MULTILINE | re.VERBOSE,
)
"""A method with the docstring of an operation, up to the next one."""


@functools.cache
def _methods(area: str) -> tuple[_Method, ...]:
    """The methods of one generated module, those with literal paths before those with placeholders."""
    text = (_REST / f"{area}.py").read_text(encoding="utf-8")
    entries = [_Method(match[1], match[2], match[0]) for match in _SOURCE.finditer(text)]
    found = {(entry.verb, entry.template): entry for entry in reversed(entries)}
    return tuple(sorted(found.values(), key=_precedence))


def _precedence(entry: _Method) -> tuple[int, list[bool]]:
    """Longer paths first, as a reference may reach over slashes."""
    parts = entry.template.split("/")
    return -len(parts), [part.startswith("{") for part in parts]


@functools.cache
def _operation(found: _Method) -> Operation:
    (method,) = ast.parse(textwrap.dedent(found.source)).body
    assert isinstance(method, ast.FunctionDef)
    paragraphs = (ast.get_docstring(method) or "").split("\n\n")
    calls = {_called(node): node for node in ast.walk(method) if isinstance(node, ast.Call)}
    body = calls.get("type_validate_python")
    asked = {keyword.arg: keyword.value for keyword in calls["request"].keywords}
    documentation = re.search(r"See also: (\S+)", paragraphs[-1])
    return Operation(
        verb=found.verb,
        template=found.template,
        body=ast.unparse(body.args[0]) if body else None,
        query=_query(method),
        response=ast.unparse(asked["response_model"]) if "response_model" in asked else None,
        errors=_texts(asked["error_models"]) if "error_models" in asked else {},
        documentation=documentation[1] if documentation else "https://docs.github.com/rest",
    )


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)


def _query(method: ast.FunctionDef) -> dict[str, str]:
    """The names that `params` sends, each with the annotation of the argument it takes."""
    annotations = {
        argument.arg: ast.unparse(argument.annotation)
        for argument in method.args.kwonlyargs
        if argument.annotation
    }
    for node in method.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "params":
            return {name: annotations[variable] for name, variable in _texts(node.value).items()}
    return {}


def _texts(node: ast.expr) -> dict[str, str]:
    assert isinstance(node, ast.Dict)
    return {
        ast.literal_eval(key): ast.unparse(value)
        for key, value in zip(node.keys, node.values, strict=True)
        if key
    }


@functools.cache
def _pattern(template: str) -> re.Pattern[str]:
    """A reference and a path may hold slashes, and clients do not all quote them."""
    parts = re.split(r"\{(\w+)\}", template)
    names = [
        f"(?P<{part}>{'.+' if part in ('ref', 'basehead', 'path') else '[^/]+'})"
        for part in parts[1::2]
    ]
    return re.compile(
        "".join(re.escape(text) + name for text, name in zip(parts[::2], [*names, ""], strict=True))
    )


class _Names(dict[str, Any]):
    """What the source of an annotation may name: typing's words and every model."""

    def __missing__(self, name: str) -> Any:
        return getattr(models, name, None) or getattr(builtins, name)


@functools.cache
def _type(source: str) -> Any:
    """The type that the source text of an annotation means."""
    words = {
        "Annotated": Annotated,
        "Any": Any,
        "Field": Field,
        "Literal": Literal,
        "Missing": _MISSING,
        "Union": Union,
        "_dt": dt,
    }
    return eval(source, {}, _Names(words))


@functools.cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _invalid(source: str, payload: Any, *, as_text: bool = False) -> list[str]:
    """What keeps a payload from being of a type: of a choice of types, from being of the one it is nearest to."""
    kind = _type(source)
    kinds = get_args(kind) if get_origin(kind) is Union and not as_text else (kind,)
    return min((_refused(each, payload, as_text=as_text) for each in kinds), key=len)


def _refused(kind: Any, payload: Any, *, as_text: bool) -> list[str]:
    """A query is text and is read as such; JSON is taken at its word."""
    try:
        if as_text:
            _adapter(kind).validate_python(payload)
        else:
            _adapter(kind).validate_json(json.dumps(payload), strict=True)
    except ValidationError as error:
        found = [
            (entry["loc"], entry["msg"])
            for entry in error.errors()
            if not any("UNSET" in str(part) for part in entry["loc"])
        ]
        return [
            ": ".join(filter(None, (".".join(map(str, place)), message)))
            for place, message in found
            if "UNSET" not in message
        ] or [str(error)]
    return []


def _beyond(kind: Any, payload: Any, where: str, *, sent: bool) -> Iterator[str]:
    """What the models let pass: keys they do not know, and null for what may be absent but not null.

    Some models are open. What we send must be described all the same; what GitHub sends through an open model may be anything.
    """
    origin, inner = _shape(kind)
    if origin is Annotated:
        yield from _beyond(inner[0], payload, where, sent=sent)
    elif origin in (Union, types.UnionType):
        fitting = [
            member
            for member in inner
            if _walkable(member) and not _refused(member, payload, as_text=False)
        ]
        yield from min(
            (list(_beyond(member, payload, where, sent=sent)) for member in fitting),
            key=len,
            default=[],
        )
    elif origin is list and isinstance(payload, list):
        for number, item in enumerate(payload):
            yield from _beyond(inner[0], item, f"{where}[{number}]", sent=sent)
    elif origin is dict and isinstance(payload, dict):
        for key, item in payload.items():
            yield from _beyond(inner[1], item, f"{where}.{key}", sent=sent)
    elif isinstance(kind, type) and issubclass(kind, BaseModel) and isinstance(payload, dict):
        yield from _beyond_model(kind, payload, where, sent=sent)


@functools.cache
def _shape(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(kind), get_args(kind)


@functools.cache
def _walkable(kind: Any) -> bool:
    """Not None, not UNSET, not a plain value: something that can hold keys."""
    return get_origin(kind) in (Annotated, Union, list, dict) or (
        isinstance(kind, type) and issubclass(kind, BaseModel)
    )


class _Key(NamedTuple):
    """What a model says of a key."""

    kind: Any
    nullable: bool


@functools.cache
def _fields(model: type[BaseModel]) -> dict[str, _Key]:
    return {
        field.alias or name: _Key(field.annotation, _nullable(model, name))
        for name, field in model.model_fields.items()
    }


def _beyond_model(
    model: type[BaseModel], payload: Mapping[str, Any], where: str, *, sent: bool
) -> Iterator[str]:
    fields = _fields(model)
    closed = model.model_config.get("extra") != "allow" or (sent and fields)
    for key, item in payload.items():
        place = f"{where}.{key}".lstrip(".")
        if key not in fields:
            if closed:
                yield f"{place}: {model.__name__} has no such key"
        elif item is None:
            if not fields[key].nullable:
                yield f"{place}: {model.__name__} does not allow null"
        elif isinstance(item, dict | list):
            yield from _beyond(fields[key].kind, item, place, sent=sent)


def _nullable(model: type[BaseModel], name: str) -> bool:
    """githubkit lets an optional key be null as well, so what the description says stands only in the annotation's source."""
    source = model.__annotations__[name]
    return (
        not source.startswith("Missing[")
        or re.fullmatch(r"Missing\[(None|Union\[.*\bNone\])\]", source, re.DOTALL) is not None
    )
