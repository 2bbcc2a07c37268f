"""Where the runs of a repository are kept: the database, the lock, and the files of each run."""

import hashlib
import os
from collections.abc import Mapping
from typing import NamedTuple

from ..change.approvals import approvals_of
from ..config.approvals import Approvals
from ..errors import UsageError
from ..repository import git
from ..repository.index import Index
from ..repository.runner import run
from ..repository.work_tree import WorkTree

DATABASE = "HELIX_FLOW_DATABASE"
"""The variable with the URL of a PostgreSQL database, for several workers at once."""

FILES = ".helix/flows"
"""The folder of the runs' files in the work tree, where agents and judges can read them."""


class FlowPlace(NamedTuple):
    """The work tree of a run, our folder in the git common directory, and the database's URL.

    The URL may have a password, so it is never printed. It is "" for SQLite in that folder.
    """

    root: str
    folder: str
    url: str = ""

    @property
    def is_shared(self) -> bool:
        """Return whether the database is a server, which several processes may work on at once."""
        return bool(self.url)

    @property
    def database(self) -> str:
        """The path of the SQLite database."""
        return os.path.join(self.folder, "flows.sqlite")

    @property
    def lock(self) -> str:
        """The path of the lock of whoever executes the runs of the SQLite database."""
        return os.path.join(self.folder, "flows.lock")

    @property
    def name(self) -> str:
        """The name of this repository's runs in a database that it shares with others.

        It is made of the path: a worker elsewhere needs the work tree at the same place.
        """
        return f"helix-{hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]}"


def files_of(root: str, run: str) -> str:
    """Return the folder of a run's files."""
    return os.path.join(root, *FILES.split("/"), run)


def place_of(root: str, environment: Mapping[str, str], url: str = "") -> FlowPlace:
    """Return the place of a work tree's runs; `url` is what the settings name. Raises GitError."""
    common = run(["rev-parse", "--path-format=absolute", "--git-common-dir"], root).stdout
    folder = os.path.join(os.path.realpath(os.fsdecode(common.removesuffix(b"\n"))), "helix-hooks")
    return FlowPlace(os.path.realpath(root), folder, environment.get(DATABASE, "") or url)


def here(environment: Mapping[str, str], what: str = "a flow") -> FlowPlace:
    """Return the place of the work tree around this folder.

    Raises UsageError outside of one, in which `what` names what needs it.
    """
    repository = git.repository()
    if not repository:
        raise UsageError(f"{what} needs a git repository, and this folder is not in one")
    url = "" if environment.get(DATABASE) else approvals_here(repository).flow.database
    return place_of(repository, environment, url)


def approvals_here(root: str) -> Approvals:
    """Return the approvals of the work tree. Raises ConfigError."""
    reader = Index(root)
    try:
        return approvals_of(WorkTree(root, reader))
    finally:
        reader.close()
