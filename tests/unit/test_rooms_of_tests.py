"""Tests stand alone: what several need is in a module that is no test, and none needs a script but four."""

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

ROOMS = [place for place in (ROOT / "tests").iterdir() if place.is_dir() and place.name != "cases"]
MODULES = sorted(
    [*(ROOT / "tests").glob("*.py"), *(path for room in ROOMS for path in room.rglob("*.py"))]
)
SCRIPTS = {path.stem for path in (ROOT / "scripts").glob("*.py")} | {"scripts"}
MEASURES = {"scripts.measure", "scripts.contents", "scripts.declared", "scripts.commands"}
"""What tests of the project apply: the sizes of code, tables of contents, and generated pages."""


def imports(source: str) -> set[str]:
    """Return all that a module imports, with the names that it takes from others."""
    nodes = list(ast.walk(ast.parse(source)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {
        f"{node.module}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def unwanted(source: str) -> list[str]:
    """Return the imports of other tests, of fixtures, which pytest finds itself, and of scripts."""
    found = sorted(imports(source) - MEASURES)
    ours = [name for name in found if name.startswith("tests.")]
    of_tests = [name for name in ours if any(part.startswith("test_") for part in name.split("."))]
    of_fixtures = [name for name in ours if "conftest" in name.split(".")[2:]]
    return [*of_tests, *of_fixtures, *(name for name in found if name.split(".")[0] in SCRIPTS)]


@pytest.mark.slow
@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_imports_a_test_or_a_script(path: Path) -> None:
    assert unwanted(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    ["from tests.unit.test_globs import x", "from tests.unit import test_globs", "import tests.unit.test_globs as globs", "import bench",
     "from tests.stories.approve.conftest import place", "from scripts.bench import x"],
)  # fmt: skip
def test_each_of_these_is_seen(source: str) -> None:
    assert len(unwanted(source)) == 1


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if path.name.startswith("test_")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_test_lies_among_the_units_or_the_stories(path: Path) -> None:
    assert path.relative_to(ROOT).parts[1] in ("unit", "stories")
