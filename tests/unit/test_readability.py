"""The size of each room, and a few habits that make code hard to read. `make measure` has the sizes."""

import ast
import re
from collections.abc import Iterator

import pytest

from scripts import measure
from tests.conftest import ROOT

PACKAGE = ROOT / "helix_hooks"

CEILINGS = {
    "adr": 6_629,
    "agents": 517,
    "api": 232,
    "audit": 894,
    "authoring": 1_597,
    "change": 1_414,
    "check": 2_684,
    "cli": 3_299,
    "config": 2_110,
    "console": 115,
    "contract": 300,
    "dashboard": 1_653,
    "decision": 2_805,
    "doctor": 710,
    "enforce": 1_282,
    "editor": 611,
    "flow": 3_414,
    "gates": 1_052,
    "git": 703,
    "judge": 3_885,
    "notify": 1_015,
    "pages": 1_325,
    "phases": 2_174,
    "proc": 398,
    "pull": 5_722,
    "queue": 2_295,
    "report": 1_078,
    "root": 710,
    "text": 500,
    "verdict": 1_296,
    "verification": 950,
    "verify": 1_819,
    "waiting": 1_993,
}
"""Lines with code that a room may have. Lower one after its room was rebuilt; raise none without an ADR."""

NAMES = frozenset(("given", "found", "said", "kept", "stated", "this", "what", "told"))
"""No names of parameters, fields, functions and classes: they do not say what they hold."""

_FIRST_WORD = re.compile(r"(?:what|whether|how|why|who|whom|whose|where|when)\b", re.IGNORECASE)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def complaints(name: str, source: str) -> Iterator[str]:
    """Yield what is hard to read in a module, each with its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, measure.Function):
            yield from _of_function(name, node)
        if isinstance(node, measure.Function | ast.ClassDef | ast.Module):
            yield from _of_docstring(name, node)
        if isinstance(node, ast.IfExp) and len(_ternaries(node)) > 1:
            yield f"{name}:{node.lineno}: a conditional expression in another one"
        yield from _of_names(name, node)


def _ternaries(tree: ast.AST) -> list[ast.IfExp]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.IfExp)]


def _of_function(name: str, function: measure.Function) -> Iterator[str]:
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


def test_the_modules_can_be_read() -> None:
    assert [
        complaint
        for path in sorted(PACKAGE.rglob("*.py"))
        for complaint in complaints(path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8"))
    ] == []


SIZES = measure.by_room(measure.read(ROOT))


@pytest.mark.parametrize("room", SIZES)
def test_a_room_stays_below_its_ceiling(room: str) -> None:
    assert SIZES[room] <= CEILINGS.get(room, 0), "delete something, or write an ADR"


BROKEN = {
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
