"""The checks that an ADR names: found in a tree, and never run."""

import ast
import re

from ..adr.enforcement import NamedCheck
from ..check.trees import Tree
from ..yaml_reader import entries, parse

_WORKFLOWS = ".github/workflows/"


def exists(tree: Tree, check: NamedCheck) -> bool:
    """Return whether a named test, lint rule or job exists.

    In a workflow of GitHub it is a job, in a Python file a function or class, and in any other file
    a whole word, such as the id of a lint rule.
    """
    if not tree.has(check.path):
        return False
    text = tree.text(check.path)
    names = check.name.partition("[")[0].split("::")
    if check.path.startswith(_WORKFLOWS):
        return check.name in entries(entries(parse(text)[0]).get("jobs"))
    if check.path.endswith(".py"):
        return _is_defined(text, names)
    return re.search(rf"(?<![\w-]){re.escape(check.name)}(?![\w-])", text) is not None


def _is_defined(text: str, names: list[str]) -> bool:
    """Return whether a Python file defines a function or a class, by the names that lead to it."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return False
    for name in names:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        found = [node for node in body if isinstance(node, kinds) and node.name == name]
        if not found:
            return False
        body = found[-1].body
    return True
