"""Every folder in tests/cases/changes is a change to a repository, beside the exact report and exit code.

`before` is committed on the branch main. `moves` are lines `old -> new` for `git mv`, or `old` for `git rm`; then `after` is laid over it.
The whole is committed on a branch, unless `args` say `--staged`; `args` is `--since main` where there is none. `--written
tests/cases/changes` writes what the program says now; read each difference.
"""

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository, Run

CHANGES = ROOT / "tests" / "cases" / "changes"


def play(folder: Path, repository: Repository) -> list[str]:
    """Lay out a change in a repository; returns the arguments of the check."""
    args = (
        (folder / "args").read_text().split() if (folder / "args").exists() else ["--since", "main"]
    )
    if (folder / "before").exists():
        _lay(folder / "before", repository.root)
        repository.git("add", "--all")
        repository.commit()
    repository.git("checkout", "--quiet", "-b", "change")
    for line in (folder / "moves").read_text().splitlines() if (folder / "moves").exists() else []:
        old, _, new = line.partition(" -> ")
        if new:
            (repository.root / new).parent.mkdir(parents=True, exist_ok=True)
        repository.git(*(["mv", old, new] if new else ["rm", "--quiet", old]))
    if (folder / "after").exists():
        _lay(folder / "after", repository.root)
    repository.git("add", "--all")
    if "--staged" not in args:
        repository.commit()
    return args


def _lay(folder: Path, root: Path) -> None:
    """Without the old times: git takes a file of the same size and time for the same."""
    shutil.copytree(folder, root, dirs_exist_ok=True, copy_function=shutil.copyfile)


@pytest.mark.parametrize("name", sorted(path.name for path in CHANGES.iterdir()))
@pytest.mark.sampled
def test_change(name: str, repository: Repository, run: Run, written: Path | None) -> None:
    result = run("check", "--color", "never", *play(CHANGES / name, repository))
    seen = f"{result.out}{result.err}exit {result.code}\n"
    if written:
        (written / name / "expected.txt").write_text(seen, encoding="utf-8")
    assert seen == (CHANGES / name / "expected.txt").read_text(encoding="utf-8")
