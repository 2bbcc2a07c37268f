"""How dense the code is, and what its docstrings and names are like; `make measure` has the averages.

To see what a room still lacks: `.venv/bin/pytest -q tests/unit/test_readability.py -k 'room and adr'`.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from scripts import measure
from tests.conftest import ROOT

PACKAGE = ROOT / "helix_hooks"

TABLES = frozenset(("verdict/injection/phrases.py",))
"""Modules of data alone, whose lines may be long."""

MEAN_COMPLEXITY = 3.2
"""Without `and` and `or`, which mccabe and ruff do not count. The best of the field have 2 to 3.6."""
MEAN_WITH_OPERATORS = 3.65
CONDITIONAL_EXPRESSIONS = 15
"""For 1000 lines with code, over the whole package. httpx has 14, repo-review 24."""

NAMES = frozenset(("given", "found", "said", "kept", "stated", "this", "what", "told"))
"""No names of parameters, fields, functions and classes: they do not say what they hold."""

_FIRST_WORD = re.compile(r"(?:what|whether|how|why|who|whom|whose|where|when)\b", re.IGNORECASE)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return "root" if first.endswith(".py") else first


@cache
def rooms() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        found.setdefault(room_of(path), []).append(path)
    return found


def complaints(name: str, source: str) -> Iterator[str]:
    """Yield what is hard to read in a module, each with its line."""
    tree = ast.parse(source)
    if name not in TABLES:
        yield from _long_lines(name, source)
    for node in ast.walk(tree):
        if isinstance(node, measure.Function):
            yield from _of_function(name, node)
        if isinstance(node, measure.Function | ast.ClassDef | ast.Module):
            yield from _of_docstring(name, node)
        yield from _of_names(name, node)
    for comprehension in measure.crowded(tree):
        if _is_plain_chain(comprehension):
            continue
        yield f"{name}:{comprehension.lineno}: a comprehension with two loops or two conditions"
    for outer in _ternaries(tree):
        if any(inner is not outer for inner in _ternaries(outer)):
            yield f"{name}:{outer.lineno}: a conditional expression in another one"


def _long_lines(name: str, source: str) -> Iterator[str]:
    for number, line in enumerate(source.splitlines(), 1):
        if len(line) > measure.WIDTH:
            yield f"{name}:{number}: a line of {len(line)} characters"


def _is_plain_chain(comprehension: ast.expr) -> bool:
    """Return whether a comprehension only joins lists: `[item for row in rows for item in row]`."""
    if not isinstance(comprehension, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return False
    clauses = comprehension.generators
    if len(clauses) != 2 or any(clause.ifs for clause in clauses):
        return False
    return isinstance(comprehension.elt, ast.Name) and isinstance(
        clauses[1].iter, ast.Name | ast.Attribute
    )


def _ternaries(tree: ast.AST) -> list[ast.IfExp]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.IfExp)]


def _of_function(name: str, function: measure.Function) -> Iterator[str]:
    complexity = measure.complexity(function)
    if complexity > measure.MOST_COMPLEX:
        yield f"{name}:{function.lineno}: {function.name} has complexity {complexity}"
    docstring = ast.get_docstring(function) or ""
    if not function.name.startswith("_") and _raises(function) and "raise" not in docstring.lower():
        yield f"{name}:{function.lineno}: {function.name} raises, and its docstring does not say it"


def _raises(function: measure.Function) -> bool:
    """Return whether a function itself raises an error; `raise` alone passes one on."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Definition):
            continue
        if isinstance(node, ast.Raise) and node.exc is not None:
            return True
        waiting.extend(ast.iter_child_nodes(node))
    return False


def _of_docstring(name: str, node: Definition | ast.Module) -> Iterator[str]:
    docstring = ast.get_docstring(node) or ""
    if _FIRST_WORD.match(docstring):
        line = getattr(node, "lineno", 1)
        yield f"{name}:{line}: a docstring that begins with {docstring.split()[0]!r}"


def _of_names(name: str, node: ast.AST) -> Iterator[str]:
    for line, named in _named(node):
        if named.strip("_").lower() in NAMES:
            yield f"{name}:{line}: {named} does not say what it holds"


def _named(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and name of a parameter, function or class, and of the fields of a class."""
    if isinstance(node, ast.arg):
        yield node.lineno, node.arg
    if isinstance(node, Definition):
        yield node.lineno, node.name
    if isinstance(node, ast.ClassDef):
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                yield statement.lineno, statement.target.id


@pytest.mark.parametrize("room", sorted(rooms()))
def test_a_room_can_be_read(room: str) -> None:
    assert [
        complaint
        for path in rooms()[room]
        for complaint in complaints(path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8"))
    ] == []


def test_the_package_is_not_dense() -> None:
    codebase = measure.read(ROOT)
    functions = measure.functions(codebase)
    complexities = [measure.complexity(function) for function in functions]
    without = [measure.complexity_without_operators(function) for function in functions]
    lines = sum(module.code for module in codebase.modules)
    assert sum(complexities) / len(complexities) <= MEAN_WITH_OPERATORS
    assert sum(without) / len(without) <= MEAN_COMPLEXITY
    assert 1000 * measure.ternaries(codebase) / lines <= CONDITIONAL_EXPRESSIONS


BROKEN = {
    "a long line": (f"x = '{'x' * 100}'", "a line of 106 characters"),
    "a complex function": ("def f(a):\n" + "    if a:\n        a()\n" * 12, "f has complexity 13"),
    "two loops": ("x = [a + 1 for b in c for a in b]", "two loops"),
    "two conditions": ("x = [a for a in b if a if not c]", "two conditions"),
    "a nested condition": ("x = 1 if a else 2 if b else 3", "in another one"),
    "an error": ("def f():\n    '''Do it.'''\n    raise ValueError(1)", "f raises"),
    "a question": ("def f():\n    '''Whether it is so.'''", "begins with 'Whether'"),
    "a parameter": ("def f(found):\n    pass", "found does not say"),
    "a field": ("class A:\n    said: str", "said does not say"),
    "a class": ("class Given:\n    pass", "Given does not say"),
    "a function": ("def _told():\n    pass", "_told does not say"),
}


@pytest.mark.parametrize(("source", "words"), BROKEN.values(), ids=BROKEN)
def test_what_is_hard_to_read_is_reported(source: str, words: str) -> None:
    (complaint,) = complaints("a.py", source)
    assert words in complaint


def test_what_is_easy_to_read_is_not_reported() -> None:
    source = '''"""A module."""


def f(path: str) -> int:
    """Return the size.

    Raises:
        ValueError: There is none.
    """
    if not path:
        raise ValueError(path)
    return 1 if path else 2


def g(rows: list[list[str]]) -> list[str]:
    try:
        f("")
    except ValueError:
        raise
    return [cell for row in rows for cell in row]
'''
    assert [*complaints("a.py", source)] == []
