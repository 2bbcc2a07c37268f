"""The places of a repository's runs: the database, the lock, and the files of each run."""

import hashlib
import os
from collections.abc import Mapping
from typing import NamedTuple

from .. import git
from ..check.trees import Index
from ..check.work_tree import WorkTree
from ..config.approvals import Approvals, FlowSettings
from ..errors import HelixError
from ..git import run
from ..judge.approvals import approvals_of
from .stored_name import FLOWS, stored_name

DATABASE = "HELIX_FLOW_DATABASE"
"""The environment variable with the URL of a PostgreSQL database, for several workers."""

FILES = ".helix/flows"
"""The folder of a run's files in its work tree, where agents and judges can read them."""


_NO_SETTINGS = FlowSettings()
SQLITE = "flows.sqlite"
EVENTS, FLOW = "events.jsonl", "flow.yaml"
"""The files of a run outside its work tree: its events, and its flow as it was read."""


class FlowPlace(NamedTuple):
    """The user's work tree, our folder in the git common directory, and the database's URL.

    The URL may have a password, so it is never printed. It is "" for SQLite in the folder. `state`
    is the folder of the user for state of programs, where the work trees of runs are. `remote` is
    the git remote by which clones share the commits of runs, and `given_name` the name under which
    they find the runs in a shared database. `stored_name` is the name of the runs of this clone,
    which is stored with the first one; "" for a hash of its path.
    """

    root: str
    folder: str
    url: str = ""
    state: str = ""
    remote: str = ""
    given_name: str = ""
    stored_name: str = ""

    @property
    def is_shared(self) -> bool:
        """Return whether the database is a server, which several processes may use at once."""
        return bool(self.url)

    @property
    def is_main(self) -> bool:
        """Return whether this is the work tree in which the clone itself is."""
        return os.path.dirname(self.folder) == os.path.join(self.root, ".git")

    @property
    def database(self) -> str:
        """The path of the SQLite database."""
        return os.path.join(self.folder, SQLITE)

    @property
    def lock(self) -> str:
        """The path of the lock file of the process that executes runs of the SQLite database."""
        return os.path.join(self.folder, "flows.lock")

    @property
    def name(self) -> str:
        """The name of this repository's runs in a shared database.

        Without a name in the settings no other clone has it.
        """
        return _named(self.given_name.encode()) if self.given_name else self.own_name

    @property
    def own_name(self) -> str:
        """The name of this clone, by which no other one is called."""
        return self.stored_name or _named(os.fsencode(self.folder))

    def run_folder(self, run: str) -> str:
        """Return the folder of a run on this machine."""
        return os.path.join(self.state, "helix-hooks", self.own_name, run)

    def tree(self, run: str) -> str:
        """Return the path of a run's work tree on this machine."""
        return os.path.join(self.run_folder(run), "tree")

    def made_run_folder(self, run: str) -> str:
        """Return the folder of a run, created if missing. Raises HelixError."""
        folder = self.run_folder(run)
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
        except OSError as error:
            raise HelixError(
                f"{folder} can't be created: {error.strerror}; set XDG_STATE_HOME to a folder for "
                "the work trees of runs"
            ) from None
        return folder


def _new_name(folder: str) -> str:
    """Return the name of a clone that has none; "" if its database is older than stored names.

    The path alone is not enough: another clone may have been there before, and was moved.
    """
    if os.path.exists(os.path.join(folder, SQLITE)):
        return ""
    return _named(os.fsencode(f"{folder}:{os.stat(os.path.dirname(folder)).st_ino}"))


def _named(text: bytes) -> str:
    return f"helix-{hashlib.sha256(text).hexdigest()[:16]}"


def files_of(root: str, run: str) -> str:
    """Return the folder of a run's files."""
    return os.path.join(root, *FILES.split("/"), run)


def place_of(
    root: str, environment: Mapping[str, str], settings: FlowSettings = _NO_SETTINGS
) -> FlowPlace:
    """Return the place of a work tree's runs. Raises GitError."""
    common = run(["rev-parse", "--path-format=absolute", "--git-common-dir"], root).stdout
    folder = os.path.join(os.path.realpath(os.fsdecode(common.removesuffix(b"\n"))), "helix-hooks")
    url = environment.get(DATABASE, "") or settings.database
    return FlowPlace(
        root=os.path.realpath(root),
        folder=folder,
        url=url,
        state=_state(environment),
        remote=settings.remote if url else "",
        given_name=settings.name if url else "",
        stored_name=stored_name(folder, FLOWS) or _new_name(folder),
    )


def _state(environment: Mapping[str, str]) -> str:
    """Return the folder for state of programs, by the XDG Base Directory Specification."""
    chosen = environment.get("XDG_STATE_HOME", "")
    if not os.path.isabs(chosen):
        home = environment.get("HOME", "") or os.path.expanduser("~")
        chosen = os.path.join(home, ".local", "state")
    return os.path.realpath(chosen)


def here(environment: Mapping[str, str], subject: str = "a flow") -> FlowPlace:
    """Return the place of the work tree around the current folder.

    Raises:
        UsageError: There is no work tree. The message says that `subject` needs one.
    """
    repository = git.root_for(subject)
    return place_of(repository, environment, approvals_here(repository).flow)


def approvals_here(root: str) -> Approvals:
    """Return the approvals of the work tree. Raises ConfigError."""
    reader = Index(root)
    try:
        return approvals_of(WorkTree(root, reader))
    finally:
        reader.close()
