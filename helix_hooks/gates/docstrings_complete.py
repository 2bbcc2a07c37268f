"""`docstrings_complete`: public modules, classes and functions of Python have docstrings."""

import ast
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from ..config.gates import Gate
from ..finding import Finding
from ..phases.gate_result import GateResult
from ..text.plural import counted
from .content import files_of, opened
from .results import approved, error, rejected
from .work import GateWork

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_ELSEWHERE = frozenset(("overload", "setter", "deleter"))
"""Decorators of functions whose docstring stands at another one of the same name."""


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
        found: list[Definition] = []
        for path in files.paths:
            if not path.endswith((".py", ".pyi")):
                findings.append(error(gate, "this is no Python file; name others", path))
                continue
            try:
                found += definitions(path, content.tree.content(path))
            except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
                line = getattr(wrong, "lineno", None) or 1
                findings.append(error(gate, f"it can't be parsed: {wrong}", path, line))
    return _judged(gate, found, findings)


def _judged(gate: Gate, found: list[Definition], findings: list[Finding]) -> GateResult:
    if findings:
        return rejected(gate, f"{counted(len(findings), 'file')} not read", findings)
    if not found:
        return rejected(gate, "the files define nothing public, so the gate would watch nothing")
    missing = [item for item in found if not item.has_docstring]
    share = 100 * (len(found) - len(missing)) / len(found)
    details = {"definitions": len(found), "missing": len(missing), "percent": round(share, 1)}
    message = f"{share:.0f} % of {counted(len(found), 'public definition')} have a docstring"
    if share >= gate.percent:
        return approved(gate, message, details)
    wrong = [error(gate, f"{item.name} has no docstring", item.path, item.line) for item in missing]
    return rejected(gate, f"{message}, and {gate.percent:g} % are asked for", wrong, details)


def definitions(path: str, data: bytes) -> Iterator[Definition]:
    """Yield the public definitions of a file. Raises SyntaxError and ValueError.

    An empty module needs no docstring. What lies in a function is not public.
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
            if not isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
                if not isinstance(child, ast.expr):
                    waiting.append((prefix, child))
            elif not child.name.startswith("_") and not _is_elsewhere(child):
                name = f"{prefix}{child.name}"
                yield Definition(path, name, child.lineno, has_docstring=_has_docstring(child))
                if isinstance(child, ast.ClassDef):
                    waiting.append((f"{name}.", child))


def _has_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> bool:
    return bool((ast.get_docstring(node) or "").strip())


def _is_elsewhere(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = (item.attr if isinstance(item, ast.Attribute) else item for item in node.decorator_list)
    called = {name.id if isinstance(name, ast.Name) else name for name in names}
    return not _ELSEWHERE.isdisjoint(called)
