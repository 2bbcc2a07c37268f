"""The first run on a scene, which is the same in many tests: made once, and put into each scene that is alike.

Scenes are alike if GitHub was told the same, the branches are at the same commits, and program and judge are given the same.
A test that changes the program itself takes the steps of a job instead.
"""

import os
import pickle
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import SCRATCH, Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import Ended

_OF_ONE_SCENE = ("_server", "lock", "place", "url", "repository", "others", "oauth")
"""What the fake does not share with that of another test."""


class _Made(NamedTuple):
    """How a run ended, what GitHub knew then, and copies of the folders that are in the folder of its scene."""

    ended: Ended
    facts: bytes
    scene: Path
    copies: Path


_MADE: dict[str, _Made] = {}


def first_run(
    github: FakeGitHub, repository: Repository, folder: Path, case: object, run: Callable[[], Ended]
) -> Ended:
    """Run, or do to the scene what the run has done to one that is alike; jobs are in a folder."""
    alike = _alike(github, repository, case)
    if alike is None:
        return run()
    if alike in _MADE:
        return _restore(_MADE[alike], github, folder)
    before = set(os.listdir(folder))
    ended = run()
    _MADE[alike] = _made(ended, github, folder, sorted({*os.listdir(folder)} - before))
    return ended


def facts(github: FakeGitHub) -> dict[str, Any]:
    """Return all that the fake knows and that is not of its scene alone."""
    return {name: value for name, value in vars(github).items() if name not in _OF_ONE_SCENE}


def _alike(github: FakeGitHub, repository: Repository, case: object) -> str | None:
    """Return a text that is the same for scenes that are alike; None where a test plays a part of GitHub itself."""
    known = facts(github)
    if any(callable(value) for value in known.values()):
        return None
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
    }
    return repr((known, github.place.name, _branches(repository), environment, case))


def _branches(repository: Repository) -> list[tuple[str, bytes]]:
    folder = repository.root / ".git"
    places = [folder / "config", folder / "HEAD", folder / "packed-refs", *folder.glob("refs/**/*")]
    return sorted(
        (place.relative_to(folder).as_posix(), place.read_bytes())
        for place in places
        if place.is_file()
    )


def _made(ended: Ended, github: FakeGitHub, folder: Path, names: list[str]) -> _Made:
    copies = Path(tempfile.mkdtemp(dir=SCRATCH.name))
    for name in names:
        shutil.copytree(folder / name, copies / name, symlinks=True)
    return _Made(ended, pickle.dumps(facts(github)), folder, copies)


def _restore(made: _Made, github: FakeGitHub, folder: Path) -> Ended:
    """Name the folder of this scene wherever the run has named that of its own."""
    vars(github).update(pickle.loads(made.facts))
    for name in os.listdir(made.copies):
        shutil.copytree(made.copies / name, folder / name, symlinks=True)
    old, new = str(made.scene), str(folder)
    for place in (*folder.glob("job-*/output"), *folder.glob("programs-*/*")):
        if not place.is_symlink():
            place.write_bytes(place.read_bytes().replace(old.encode(), new.encode()))
    return made.ended._replace(
        out=made.ended.out.replace(old, new), err=made.ended.err.replace(old, new)
    )
