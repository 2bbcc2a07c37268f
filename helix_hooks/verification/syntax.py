"""Syntax errors in the text of a file, by the kind of the file."""

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Callable
from posixpath import basename, splitext

from ..adr.parse.document import parse

_WITH_COMMENTS = re.compile(
    r"(?:^|/)(?:tsconfig[\w.-]*\.json|\.vscode/.*|\.devcontainer/.*|jsconfig\.json)$"
)
"""JSON files whose readers allow comments and trailing commas."""
_FENCE = re.compile(rb"^ {0,3}(`{3,}|~{3,})")
_TEMPLATED = re.compile(r"\{\{|\{%")
"""Signs of a template, such as those of Helm and Jinja: the text is no YAML before it is filled."""


def syntax_error(path: str, data: bytes) -> str:
    """Return what is wrong with the text of a file, with its line; "" if nothing is, or if its kind
    is not known.

    Python is read as by the Python that runs this program. A YAML file may have several documents
    and tags.
    """
    check = _CHECKS.get(splitext(basename(path))[1].lower())
    if not check or _WITH_COMMENTS.search(path):
        return ""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f"line {line}: the file is not valid UTF-8"
    try:
        return check(text)
    except (RecursionError, MemoryError):
        return "the text is nested too deeply to be read"


def definitions(text: str) -> frozenset[str] | None:
    """Return the names of the functions and classes of a Python text, with those of their class
    before a dot; None if the text can't be read.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: set[str] = set()
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, node = waiting.pop()
        for child in ast.iter_child_nodes(node):
            below = prefix
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.update((child.name, f"{prefix}{child.name}"))
            if isinstance(child, ast.ClassDef):
                below = f"{prefix}{child.name}."
            waiting.append((below, child))
    return frozenset(found)


def _python(text: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return f"line {error.lineno or 1}: {error.msg}"
    except ValueError as error:
        return f"line 1: {error}"
    return ""


def _json(text: str) -> str:
    try:
        json.loads(text, parse_int=str)
    except json.JSONDecodeError as error:
        return f"line {error.lineno}: {error.msg}"
    return ""


def _toml(text: str) -> str:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return str(error)
    return ""


def _yaml(text: str) -> str:
    if _TEMPLATED.search(text):
        return ""
    from .. import yaml_events  # PyYAML is needed for such files only

    return yaml_events.syntax_error(text)


def _markdown(text: str) -> str:
    """Return what is wrong with Markdown: a front matter that is never closed, or a code fence."""
    doc = parse(text.encode(), "x.md")
    if doc.defect:
        return f"line {doc.defect.line}: {doc.defect.message}"
    if doc.front is not None and not doc.front_closed:
        return "line 1: the front matter is never closed"
    for fence in doc.fences:
        block = doc.data[fence.start : fence.stop]
        opening = _FENCE.match(block)
        if fence.info is None or not opening or doc.data[fence.stop :].strip():
            continue
        last = block.rstrip().rsplit(b"\n", 1)[-1].strip()
        sign = opening[1][:1]
        if b"\n" not in block.strip() or last.strip(sign) or len(last) < len(opening[1]):
            return f"line {doc.line_at(fence.start)}: the code fence is never closed"
    return ""


_CHECKS: dict[str, Callable[[str], str]] = {
    ".py": _python,
    ".pyi": _python,
    ".json": _json,
    ".toml": _toml,
    ".yaml": _yaml,
    ".yml": _yaml,
    ".md": _markdown,
    ".markdown": _markdown,
}
