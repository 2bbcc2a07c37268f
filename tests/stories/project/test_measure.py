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


def _once() -> int:
    return 1


def branching(a: int, b: int) -> int:
    """Return the larger one."""
    return a if a > b else b + _once()
'''


def test_sizes_of_a_small_package(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text(SOURCE)
    (package / "other.py").write_text("from . import one\n\n\nclass Other:\n    x = 1\n")
    command = [sys.executable, str(ROOT / "scripts" / "measure.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == (
        f"{tmp_path.name}: 3 modules, 11 lines with code, 56 tokens, 2 functions, "
        "1 of them private and called once\n"
    )
