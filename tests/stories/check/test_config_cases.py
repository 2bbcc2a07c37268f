"""Every folder in tests/cases/config is a repository with settings of its own, beside what `check-config` says about them. All files are tracked.

A broken file is exit 2, one line with file, line, key trail and what is allowed; `check` then checks nothing.
"""

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository, Run

FOLDERS = sorted(path for path in (ROOT / "tests" / "cases" / "config").iterdir())


@pytest.mark.sampled
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_check_config(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    work = tmp_path / "work"
    shutil.copytree(folder, work)
    monkeypatch.chdir(work)
    (work / "expected.txt").unlink()
    Repository(work).git("add", "--all")
    result = run("check-config")
    assert f"{result.out}{result.err}exit {result.code}\n" == (folder / "expected.txt").read_text(
        encoding="utf-8"
    )
    assert result.err.count("\n") == (result.code == 2), "one clear line"
    if folder.name.startswith(("rules", "settings")):
        checked = run("check")
        assert (checked.code, checked.out, checked.err) == (2, "", result.err), (
            "nothing is checked and nothing is said to be clean"
        )
