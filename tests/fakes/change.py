"""The change that most judges are asked about: tests/cases/verdicts/repository."""

import functools
import os
import shutil
import tempfile
from pathlib import Path

from tests.conftest import ROOT, SCRATCH, Repository

PLAIN = ROOT / "tests" / "cases" / "verdicts" / "repository"

Files = tuple[tuple[str, bytes], ...]
"""Paths and contents."""


def lay_out(repository: Repository, folder: Path | None = None) -> None:
    """Fill a new repository with that of all cases, on the branch `change`, and with what a case adds."""
    base, tree = (_files(folder / name) if folder else () for name in ("base", "tree"))
    if not _is_new(repository):
        _commit_base(repository, base)
        _commit_change(repository, tree)
    elif tree:
        _copy(_with_base(base), repository)
        _commit_change(repository, tree)
    else:
        _copy(_with_change(base), repository)


def _files(folder: Path) -> Files:
    return tuple(
        (path.relative_to(folder).as_posix(), path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    )


def _is_new(repository: Repository) -> bool:
    """Say if nothing was done with a repository yet."""
    config, new = (
        (root / ".git" / "config").read_bytes() for root in (repository.root, _with_base(()).root)
    )
    return (
        config == new
        and os.listdir(repository.root) == [".git"]
        and not (repository.root / ".git" / "index").exists()
    )


@functools.cache
def _with_base(base: Files) -> Repository:
    """Return the repository before the change, made once for all tests of a process."""
    made = Repository(Path(tempfile.mkdtemp(dir=SCRATCH.name)))
    _commit_base(made, base)
    return made


@functools.cache
def _with_change(base: Files) -> Repository:
    """Return the repository with the change of all cases, made once for all tests of a process."""
    made = Repository(Path(tempfile.mkdtemp(dir=SCRATCH.name)))
    _copy(_with_base(base), made)
    _commit_change(made, ())
    return made


def _copy(made: Repository, to: Repository) -> None:
    """Copy a repository into an empty one; git then looks at each file once, since their inodes are new."""
    shutil.rmtree(to.root / ".git")
    shutil.copytree(made.root, to.root, dirs_exist_ok=True)
    to.git("update-index", "-q", "--refresh")


def _commit_base(repository: Repository, more: Files) -> None:
    _commit(repository, PLAIN / "base", more)


def _commit_change(repository: Repository, more: Files) -> None:
    repository.git("checkout", "--quiet", "-b", "change")
    _commit(repository, PLAIN / "change", more)


def _commit(repository: Repository, folder: Path, more: Files) -> None:
    for path, data in (*_files(folder), *more):
        repository.write(path, data)
    repository.git("add", "--all")
    repository.commit()
