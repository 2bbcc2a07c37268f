"""`make measure` counts what it says it counts."""

import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

SOURCE = '''"""What a module is for."""

from . import other  # why

X = 1
"""How many."""


class Twice:
    pass


def simple() -> int:
    return 1


def branching(a: int, b: int) -> int:
    """Whether it branches."""
    if a and b:
        return 1 if a > b else 2 if a else 3
    return max(item for item in (a, b) if item)
'''


def test_sizes_of_a_small_package(tmp_path: Path) -> None:
    package, tests = tmp_path / "package", tmp_path / "tests"
    package.mkdir()
    tests.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text(SOURCE)
    (package / "other.py").write_text(
        f"from . import one\n\n\nclass Twice:\n    x = '{'x' * 100}'\n"
    )
    (tests / "test_one.py").write_text("def test_it() -> None:\n    assert True\n")
    command = [sys.executable, str(ROOT / "scripts" / "measure.py"), str(tmp_path), str(tmp_path)]
    rows = [
        line.split("  ")
        for line in subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout.splitlines()
    ]
    shown = {row[0]: [cell.strip() for cell in row[1:] if cell.strip()] for row in rows[1:]}
    assert all(len(cells) == 2 and cells[0] == cells[1] for cells in shown.values())
    assert {title: cells[0] for title, cells in shown.items()} == {
        "modules": "3",
        "lines": "26",
        "lines with code": "13",
        "lines of a module (median / p90 / max)": "5 / 21 / 21",
        "functions": "2",
        "lines of a function (median / p90 / max)": "5 / 5 / 5",
        "complexity (median / p90 / max)": "7 / 7 / 7",
        "complexity, mean": "4.00",
        "... without `and` and `or`": "3.50",
        "functions over 12": "0",
        "conditional expressions": "2",
        "... per 1000 lines with code": "153.8",
        "... nested": "1",
        "comprehensions with two loops or conditions": "0",
        "lines over 100": "3.8 %",
        "comments, of lines with code": "7.7 %",
        "texts below constants": "1",
        "docstrings, of modules, classes, functions": "28.6 %",
        "... that begin with What, Whether, How": "3",
        "public class names used twice": "1",
        "module names used twice": "0",
        "imports between modules": "2",
        "modules in a circle of imports": "2",
        "test lines per line with code": "0.15",
    }
