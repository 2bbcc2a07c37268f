"""Each module and function that docs/architecture.md names exists, and each room has a line there."""

import ast
import re

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "helix_hooks"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:\w+/)*\w+\.py)(?::(\w+))?`", PAGE)))


def missing(path: str, name: str) -> str:
    """Return what a reader would not find: the module, or the function in it."""
    place = next((folder / path for folder in (PACKAGE, ROOT) if (folder / path).is_file()), None)
    if place is None:
        return f"there is no {path}"
    tree = ast.parse(place.read_text(encoding="utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return f"{path} has no {name}" if name and name not in defined else ""


@pytest.mark.parametrize(("path", "name"), NAMED, ids=":".join)
def test_what_the_page_names_exists(path: str, name: str) -> None:
    assert missing(path, name) == ""


def test_each_room_has_its_line() -> None:
    tree = PAGE.partition("```")[2].partition("```")[0]
    words = set(re.findall(r"[\w/]+", tree))
    rooms = {f"{path.parent.name}/" for path in PACKAGE.glob("*/__init__.py")}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert rooms | modules <= words, (rooms | modules) - words


def test_each_path_in_contributing_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:helix_hooks|tests|docs|config|approvals)/[\w./-]+)`", text)
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []
