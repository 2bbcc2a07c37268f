"""Every folder in tests/cases/fixes: what is committed, what is changed on top, what `check --fix` prints, and its patch.

The patch of `--diff`, applied by git, gives the same files. A second run changes nothing.
"""

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository, Run

FOLDERS = sorted(path for path in (ROOT / "tests" / "cases" / "fixes").iterdir())


def contents(root: Path) -> dict[str, bytes]:
    """Return all files of a work tree."""
    files = [path for path in root.rglob("*") if path.is_file()]
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in files
        if ".git" not in path.relative_to(root).parts
    }


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_fix(folder: Path, repository: Repository, run: Run) -> None:
    shutil.copytree(folder / "committed", repository.root, dirs_exist_ok=True)
    repository.git("add", "--all")
    repository.commit()
    if (folder / "changed").exists():
        shutil.copytree(folder / "changed", repository.root, dirs_exist_ok=True)
    before = contents(repository.root)
    expected = (folder / "expected.diff").read_text(encoding="utf-8")

    shown = run("check", "--diff")
    assert (shown.code, shown.out) == (int(bool(expected)), expected)
    assert contents(repository.root) == before, "--diff writes nothing"
    if expected:
        repository.git("apply", str(folder / "expected.diff"))
    applied = contents(repository.root)
    for path in applied.keys() - before.keys():
        (repository.root / path).unlink()
    for path, data in before.items():
        repository.write(path, data)

    done = run("check", "--fix")
    lines = [f"{line}\n" for line in done.out.splitlines() if ": fixed: " in line]
    assert "".join(lines) + done.err == (folder / "output.txt").read_text(encoding="utf-8")
    assert contents(repository.root) == applied
    assert done.code == run("check").code

    again = run("check", "--fix")
    assert ": fixed: " not in again.out
    assert contents(repository.root) == applied
