"""`docstrings_complete`: public modules, classes and functions of Python have docstrings."""

import ast
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from ..config.gates import Gate
from ..phases.gate_result import GateResult
from ..text import counted
from .content import files_of, opened
from .results import approved, error, rejected
from .work import GateWork

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_ELSEWHERE = frozenset(("overload", "setter", "deleter"))
"""Decorators of functions that share the docstring of another function of the same name."""


class Definition(NamedTuple):
    """A public module, class or function, and whether it has a docstring."""

    path: str
    name: str
    line: int
    has_docstring: bool


def docstrings_complete(gate: Gate, work: GateWork) -> GateResult:
    with opened(work) as content:
        files = files_of(gate, content)
        findings = list(files.findings)
        public: list[Definition] = []
        for path in files.paths:
            if not path.endswith((".py", ".pyi")):
                findings.append(error(gate, "not a Python file; list only .py files", path))
                continue
            try:
                public += definitions(path, content.tree.content(path))
            except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
                line = getattr(wrong, "lineno", None) or 1
                findings.append(error(gate, f"it can't be parsed: {wrong}", path, line))
    if findings:
        return rejected(gate, f"{counted(len(findings), 'file')} not read", findings)
    if not public:
        return rejected(gate, "the files define nothing public, so the gate would check nothing")
    return _answer(gate, public)


def _answer(gate: Gate, public: list[Definition]) -> GateResult:
    missing = [item for item in public if not item.has_docstring]
    share = 100 * (len(public) - len(missing)) / len(public)
    details = {"definitions": len(public), "missing": len(missing), "percent": round(share, 1)}
    message = f"{share:.0f} % of {counted(len(public), 'public definition')} have a docstring"
    if share >= gate.percent:
        return approved(gate, message, details)
    wrong = [error(gate, f"{item.name} has no docstring", item.path, item.line) for item in missing]
    return rejected(gate, f"{message}, and {gate.percent:g} % are asked for", wrong, details)


def definitions(path: str, data: bytes) -> Iterator[Definition]:
    """Yield the public definitions of a file. Raises SyntaxError and ValueError.

    An empty module needs no docstring. Definitions inside a function are not public.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(data)
    if tree.body:
        yield Definition(path, "the module", 1, has_docstring=_has_docstring(tree))
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        prefix, node = waiting.pop(0)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
                if child.name.startswith("_") or _is_elsewhere(child):
                    continue
                name = f"{prefix}{child.name}"
                yield Definition(path, name, child.lineno, has_docstring=_has_docstring(child))
                if isinstance(child, ast.ClassDef):
                    waiting.append((f"{name}.", child))
            elif not isinstance(child, ast.expr):
                # An `if` or a `try` may contain definitions; an expression cannot.
                waiting.append((prefix, child))


def _has_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> bool:
    return bool((ast.get_docstring(node) or "").strip())


def _is_elsewhere(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether another function of the same name has the docstring."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Attribute) and decorator.attr in _ELSEWHERE:
            return True
        if isinstance(decorator, ast.Name) and decorator.id in _ELSEWHERE:
            return True
    return False
