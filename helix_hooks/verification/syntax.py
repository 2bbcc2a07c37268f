"""Syntax errors in a file, by the kind of the file."""

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Callable, Iterable
from posixpath import basename, splitext

from .. import yaml_reader
from ..adr.parse.document import parse
from ..paths import MARKDOWN
from ..text import without_invisible

_WITH_COMMENTS = re.compile(
    r"(?:^|/)(?:tsconfig[\w.-]*\.json|\.vscode/.*|\.devcontainer/.*|jsconfig\.json)$"
)
"""JSON files whose readers allow comments and trailing commas."""
_FENCE = re.compile(rb"^ {0,3}(`{3,}|~{3,})")
_TEMPLATED = re.compile(r"\{\{|\{%")
"""Marks of a template of Helm or Jinja: the text is not YAML before it is rendered."""


_MAY_BE_EMPTY = frozenset(("__init__.py", "py.typed", ".gitkeep", ".keep", ".nojekyll"))
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_VISIBLE = re.compile(rb"[!-~]")
_COMMENT = re.compile(
    r"(?ms)^[ \t]*(?:/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)|(?://|#(?!\[|define\b)|--|;)[^\n]*)"
)
"""A comment at the start of a line, in the usual spellings."""
_CODE = tuple(
    ".c .cc .cpp .cs .go .java .js .jsx .kt .lua .php .rb .rs .scala .sh .sql .swift .ts "
    ".tsx".split()
)
"""Suffixes of languages with these comments."""
_REST_OF_LINE = re.compile(r"(?<=\s)(?://|#\s)[^\n]*")


def syntax_error(path: str, data: bytes) -> str:
    """Return a syntax error in a file, with its line; "" if it has none, or is of an unknown kind.

    Python is parsed by the version that runs this program. A YAML file may have several documents,
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
    """Return whether `syntax_error` parses all of a file.

    It does not parse other kinds of files, JSON with comments, and templates of YAML.
    """
    kind = splitext(basename(path))[1].lower()
    if kind not in _CHECKS or _WITH_COMMENTS.search(path):
        return False
    is_template = kind in (".yaml", ".yml") and _TEMPLATED.search(data.decode(errors="replace"))
    return not is_template


def is_empty(path: str, data: bytes) -> bool:
    """Return whether a file has nothing in it, although its name asks for something."""
    return basename(path) not in _MAY_BE_EMPTY and not has_content(data)


def has_content(data: bytes) -> bool:
    """Return whether a file has a visible character."""
    if _VISIBLE.search(data):
        return True
    # A byte-order mark of UTF-16 would be decoded as visible replacement characters.
    text = data.removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff").decode(errors="replace")
    return any(char.isprintable() for char in without_invisible("".join(text.split())))


def is_stub(path: str, data: bytes) -> bool:
    """Return whether a file of code has none but comments.

    In Python, imports, docstrings, `pass`, `...`, and functions that raise NotImplementedError do
    not count either.
    """
    text = data.decode("utf-8-sig", errors="replace")
    if path.endswith(_CODE):
        return not has_content(_COMMENT.sub("", text).encode())
    # A package may have its names from other modules.
    if not path.endswith(".py") or basename(path) == "__init__.py":
        return False
    tree = _parsed(text)
    return tree is not None and all(map(_is_idle, tree.body))


def _is_idle(node: ast.stmt) -> bool:
    """Return whether a statement does nothing."""
    if isinstance(node, _DEFINITIONS):
        return all(map(_is_idle, node.body))
    if isinstance(node, ast.Raise):
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    is_constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_constant or isinstance(node, (ast.Pass, ast.Import, ast.ImportFrom))


def _parsed(text: str) -> ast.Module | None:
    """Return Python as a tree; None if it can't be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defined_in(path: str, data: bytes, names: Iterable[str]) -> frozenset[str]:
    """Return the names of tests that a file defines.

    In Python it is a function or class outside any function. In other languages each part of the
    name must be a word outside the comments.
    """
    # Parsing takes long; most files have none of the names.
    candidates = [name for name in names if name.rpartition(".")[2].encode() in data]
    if not candidates:
        return frozenset()
    text = data.decode(errors="replace")
    if path.endswith(".py"):
        return _definitions(text).intersection(candidates)
    code = _REST_OF_LINE.sub("", _COMMENT.sub("", text))
    return frozenset(name for name in candidates if _has_words(code, name.split(".")))


def _has_words(text: str, words: list[str]) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in words)


def _definitions(text: str) -> frozenset[str]:
    """Return the names of functions and classes, alone and after the name of their class.

    Those inside a function are left out, since a test runner does not find them.
    """
    tree = _parsed(text)
    names: set[str] = set()
    waiting: list[tuple[str, ast.AST]] = [("", tree)] if tree else []
    while waiting:
        prefix, node = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _DEFINITIONS):
                names.update((child.name, f"{prefix}{child.name}"))
            if isinstance(child, ast.ClassDef):
                waiting.append((f"{prefix}{child.name}.", child))
            elif not isinstance(child, _DEFINITIONS):
                waiting.append((prefix, child))
    return frozenset(names)


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
        # `int` refuses numbers of more than 4300 digits; JSON does not.
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
    return yaml_reader.syntax_error(text)


def _markdown(text: str) -> str:
    """Return an error for a front matter or a code fence that is never closed."""
    doc = parse(text.encode(), "x.md")
    if doc.defect:
        return f"line {doc.defect.line}: {doc.defect.message}"
    if doc.front is not None and not doc.front_closed:
        return "line 1: the front matter is never closed"
    for fence in doc.fences:
        if fence.info is None or doc.data[fence.stop :].strip():
            continue  # only the last block can be open: it then ends with the file
        if _is_open(doc.data[fence.start : fence.stop]):
            return f"line {doc.line_at(fence.start)}: the code fence is never closed"
    return ""


def _is_open(block: bytes) -> bool:
    """Return whether a fenced block has no closing fence."""
    opening = _FENCE.match(block)
    if not opening:
        return False
    if b"\n" not in block.strip():
        return True
    last = block.rstrip().rsplit(b"\n", 1)[-1].strip()
    is_fence = not last.strip(opening[1][:1])
    return not is_fence or len(last) < len(opening[1])


_CHECKS: dict[str, Callable[[str], str]] = {
    ".py": _python,
    ".pyi": _python,
    ".json": _json,
    ".toml": _toml,
    ".yaml": _yaml,
    ".yml": _yaml,
    **dict.fromkeys(MARKDOWN, _markdown),
}
PARSED = tuple(_CHECKS)
"""Endings of files that are parsed."""
