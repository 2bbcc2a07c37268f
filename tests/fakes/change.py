"""The change that most judges are asked about: tests/cases/verdicts/repository."""

import functools
import os
import shutil
import tempfile
from pathlib import Path

from tests.conftest import ROOT, SCRATCH, Repository

PLAIN = ROOT / "tests" / "cases" / "verdicts" / "repository"


def lay_out(repository: Repository, folder: Path | None = None) -> None:
    """Fill a new repository with that of all cases, on the branch `change`, and with what a case adds."""
    if folder is None and _is_new(repository):
        _copy(_made(), repository)
    else:
        _commit_both(repository, folder)


def _is_new(repository: Repository) -> bool:
    """Say if nothing was done with a repository yet."""
    configs = [(place.root / ".git" / "config").read_bytes() for place in (repository, _made())]
    return (
        configs[0] == configs[1]
        and os.listdir(repository.root) == [".git"]
        and not (repository.root / ".git" / "index").exists()
    )


@functools.cache
def _made() -> Repository:
    """Return the repository of all cases, made once for all tests of a process."""
    made = Repository(Path(tempfile.mkdtemp(dir=SCRATCH.name)))
    _commit_both(made, None)
    return made


def _copy(made: Repository, to: Repository) -> None:
    """Copy a repository into an empty one; git then looks at each file once, since their inodes are new."""
    shutil.rmtree(to.root / ".git")
    shutil.copytree(made.root, to.root, dirs_exist_ok=True)
    to.git("update-index", "-q", "--refresh")


def _commit_both(repository: Repository, folder: Path | None) -> None:
    _commit(repository, PLAIN / "base", folder / "base" if folder else None)
    repository.git("checkout", "--quiet", "-b", "change")
    _commit(repository, PLAIN / "change", folder / "tree" if folder else None)


def _commit(repository: Repository, *folders: Path | None) -> None:
    for folder in folders:
        if folder and folder.exists():
            shutil.copytree(
                folder, repository.root, dirs_exist_ok=True, copy_function=shutil.copyfile
            )
    repository.git("add", "--all")
    repository.commit()
