"""The change that most judges are asked about: tests/cases/verdicts/repository."""

import shutil
from pathlib import Path

from tests.conftest import ROOT, Repository

PLAIN = ROOT / "tests" / "cases" / "verdicts" / "repository"


def lay_out(repository: Repository, folder: Path | None = None) -> None:
    """The repository of all cases, on the branch `change`, with what the case adds."""
    _commit(repository, PLAIN / "base", folder / "base" if folder else None)
    repository.git("checkout", "--quiet", "-b", "change")
    _commit(repository, PLAIN / "change", folder / "tree" if folder else None)


def _commit(repository: Repository, *folders: Path | None) -> None:
    for folder in folders:
        if folder and folder.exists():
            shutil.copytree(folder, repository.root, dirs_exist_ok=True, copy_function=shutil.copyfile)
    repository.git("add", "--all")
    repository.commit()
