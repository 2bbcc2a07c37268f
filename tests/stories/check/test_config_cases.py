"""Every folder in tests/cases/config is a repository with settings of its own, beside what `check-config` says about them. All files are tracked.

A broken file is exit 2, a line for each error with file, line, key trail and what is allowed; `check` then prints one of them and checks nothing.

Attack by a hostile ADR: settings that select nothing, rules that can never fire, a misspelt name of a settings file.
Answer: exit 2.
Shown by: `tests/cases/config`.

Attack by a hostile ADR: `paths` that match no tracked file: another case, another folder, only READMEs, excluded, ignored or untracked files, a submodule; an `exclude` that leaves nothing.
Answer: exit 2 for every command that checks all ADRs.
Shown by: `tests/cases/config/settings-paths-*`, `tests/stories/check/test_unwatched.py`.
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
    assert bool(result.err) == (result.code == 2)
    if folder.name.startswith(("rules", "settings")):
        checked = run("check")
        assert (checked.code, checked.out) == (2, ""), "nothing is checked or said to be clean"
        assert checked.err.count("\n") == 1 and checked.err in result.err
