"""Syntax errors in the text of a file, by the kind of the file."""

import ast
import json
import re
import warnings
from collections.abc import Callable, Iterable
from posixpath import basename, splitext

from ..adr.parse.document import parse
from ..text.invisible import without_invisible

_WITH_COMMENTS = re.compile(
    r"(?:^|/)(?:tsconfig[\w.-]*\.json|\.vscode/.*|\.devcontainer/.*|jsconfig\.json)$"
)
"""JSON files whose readers allow comments and trailing commas."""
_FENCE = re.compile(rb"^ {0,3}(`{3,}|~{3,})")
_TEMPLATED = re.compile(r"\{\{|\{%")
"""Signs of a template, such as those of Helm and Jinja: the text is no YAML before it is filled."""


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_VISIBLE = re.compile(rb"[!-~]")
_COMMENT = re.compile(
    r"(?ms)^[ \t]*(?:/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)|(?://|#(?!\[|define\b)|--|;)[^\n]*)"
)
"""A comment at the start of a line, in the usual spellings."""
_REST_OF_LINE = re.compile(r"(?<=\s)(?://|#\s)[^\n]*")


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


def is_parsed(path: str, data: bytes) -> bool:
    """Return whether `syntax_error` reads a file as a whole.

    It does not for other kinds of files, JSON with comments, and templates of YAML.
    """
    kind = splitext(basename(path))[1].lower()
    if kind not in _CHECKS or _WITH_COMMENTS.search(path):
        return False
    is_template = kind in (".yaml", ".yml") and _TEMPLATED.search(data.decode(errors="replace"))
    return not is_template


def has_content(data: bytes) -> bool:
    """Return whether a file has a visible character; a byte-order mark is none."""
    if _VISIBLE.search(data):
        return True
    text = data.removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff").decode(errors="replace")
    return any(char.isprintable() for char in without_invisible("".join(text.split())))


def defined_in(path: str, data: bytes, names: Iterable[str]) -> frozenset[str]:
    """Return those of some names of tests that a file defines.

    For Python that is a function or class which no function hides. Of other languages each part of
    the name must be there as a word outside of comments.
    """
    spoken = [name for name in names if name.rpartition(".")[2].encode() in data]
    if not spoken:
        return frozenset()
    text = data.decode(errors="replace")
    if path.endswith(".py"):
        return _definitions(text).intersection(spoken)
    code = _REST_OF_LINE.sub("", _COMMENT.sub("", text))
    return frozenset(name for name in spoken if _has_words(code, name.split(".")))


def _has_words(text: str, words: list[str]) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in words)


def _definitions(text: str) -> frozenset[str]:
    """Return the names of the functions and classes of a Python text, with those of their class
    before a dot. None lies in a function, where no runner of tests looks.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    found: set[str] = set()
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, node = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _DEFINITIONS):
                found.update((child.name, f"{prefix}{child.name}"))
            if isinstance(child, ast.ClassDef):
                waiting.append((f"{prefix}{child.name}.", child))
            elif not isinstance(child, _DEFINITIONS):
                waiting.append((prefix, child))
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
    import tomllib  # for such files only

    from .. import toml_load

    try:
        toml_load.loads(text)
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
PARSED = tuple(_CHECKS)
"""Endings of files that are parsed."""
