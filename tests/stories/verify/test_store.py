"""Counters and feedback in the git directory of a work tree, on real repositories.

Attack on a verification: damaged counters, a killed process, two sessions at once.
Answer: no pass, and no endless block.
Shown by: `tests/stories/verify/test_store.py`, `test_killed_counter.py`, `test_killed_loop.py`.
"""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from helix_hooks.errors import HelixError
from helix_hooks.verification.pending import Records
from helix_hooks.verify import copy, store
from helix_hooks.verify.stop import count
from helix_hooks.verify.store import DamagedError
from tests.conftest import Repository
from tests.stories.verify.scene import approve_adr, verified


def fail(place: store.Store, session: str = "s", retries: int = 2) -> str:
    """Count an attempt that left another tree, and return its state."""
    work = Path("work")
    work.mkdir(exist_ok=True)
    (work / f"{len(list(work.iterdir()))}").write_text("x")
    (counted,) = count(verified(Path.cwd()), session, place, retries, 1000)
    return counted.state.state


@pytest.fixture
def place(repository: Repository) -> store.Store:
    approve_adr(repository)
    return store.opened(str(repository.root))


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_only_the_owner_may_read_what_is_stored(place: store.Store) -> None:
    fail(place)
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (Path(place.folder), *Path(place.folder).iterdir())
    }
    assert modes == {"verify": 0o700, "lock": 0o600, "state.json": 0o600, "feedback.md": 0o600}


def test_each_linked_work_tree_has_its_own(
    repository: Repository, place: store.Store, tmp_path: Path
) -> None:
    repository.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = store.opened(str(tmp_path / "linked"))
    fail(place)
    assert store.read(place) and store.read(linked) == ()
    assert Path(linked.folder).is_relative_to(repository.root / ".git/worktrees")


def test_processes_at_once_lose_no_attempt(place: store.Store) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom helix_hooks.verify import store\n"
        "from helix_hooks.verify.stop import count\nfrom tests.stories.verify.scene import verified\n"
        "root = Path.cwd()\n"
        "for number in range(10):\n"
        "    root.joinpath(f'work-{sys.argv[1]}-{number}').write_text(sys.argv[1])\n"
        "    (result,) = verified(root)\n"
        "    mine = result._replace(path=sys.argv[1])\n"
        "    count([mine], 's', store.opened(str(root)), 1000, 1000)\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(number)], env=env) for number in range(3)
    ]
    assert [process.wait(60) for process in started] == [0, 0, 0]
    assert [item.attempts.number for item in store.read(place)] == [10, 10, 10]
    assert Path(place.feedback).read_text().count("- Attempt: 10 of 1001\n") == 3


def test_a_lock_that_another_one_holds_is_a_failure(place: store.Store) -> None:
    fail(place)
    inside, done = threading.Event(), threading.Event()

    def hold(records: Records) -> tuple[Records, None]:
        inside.set()
        done.wait(30)
        return records, None

    thread = threading.Thread(target=store.update, args=(place, hold))
    thread.start()
    inside.wait(30)
    with pytest.raises(HelixError, match="is locked: another verification is running"):
        fail(place._replace(patience=0.1))
    done.set()
    thread.join()
    assert [item.attempts.number for item in store.read(place)] == [1]


@pytest.mark.parametrize("damage", ["", "{", "\0" * 5000, '{"version": 7, "records": []}'])
def test_damaged_records_are_a_failure_once_and_then_a_new_start(
    place: store.Store, damage: str
) -> None:
    for _ in range(3):
        fail(place)
    state = Path(place.folder, "state.json")
    state.write_text(damage)
    with pytest.raises(DamagedError):
        store.read(place)
    with pytest.raises(DamagedError):
        fail(place)
    assert Path(f"{state}.damaged").read_text() == damage
    assert [fail(place) for _ in range(3)] == ["blocked", "blocked", "capped"]


def test_a_link_in_place_of_the_records_is_not_followed(place: store.Store, tmp_path: Path) -> None:
    fail(place)
    state = Path(place.folder, "state.json")
    state.rename(tmp_path / "elsewhere.json")
    state.symlink_to(tmp_path / "elsewhere.json")
    before = (tmp_path / "elsewhere.json").read_text()
    with pytest.raises(DamagedError, match="symbolic link"):
        fail(place)
    assert fail(place) == "blocked"
    assert (tmp_path / "elsewhere.json").read_text() == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_a_failure(place: store.Store) -> None:
    fail(place)
    os.chmod(place.folder, 0o500)
    with pytest.raises(HelixError, match="Permission denied"):
        fail(place)
    os.chmod(place.folder, 0o700)


def test_a_file_in_place_of_the_folder_is_a_failure(
    repository: Repository, place: store.Store
) -> None:
    repository.write(".git/helix-hooks/verify", "x")
    with pytest.raises(HelixError, match="helix-hooks/verify"):
        fail(place)


# A copy in the work tree.


def test_a_copy_is_written_and_removed(repository: Repository) -> None:
    approve_adr(repository)
    place = store.opened(str(repository.root), ".helix/feedback.md")
    written = repository.root / ".helix/feedback.md"
    assert fail(place) == "blocked"
    assert written.read_text() == Path(place.feedback).read_text()
    store.clear(place)
    assert not written.exists()


def test_a_copy_goes_with_the_feedback_where_nobody_knows_the_setting(
    repository: Repository,
) -> None:
    approve_adr(repository)
    place = store.opened(str(repository.root), ".helix/feedback.md")
    fail(place)
    store.clear(store.opened(str(repository.root)))
    assert not (repository.root / ".helix/feedback.md").exists()
    fail(place)
    fail(store.opened(str(repository.root), "elsewhere.md"), retries=9)
    assert not (repository.root / ".helix/feedback.md").exists()
    assert (repository.root / "elsewhere.md").exists()


def test_the_copy_is_no_change_of_the_tree(repository: Repository) -> None:
    approve_adr(repository)
    place = store.opened(str(repository.root), "feedback.md")
    results = verified(repository.root)
    found = [count(results, "s", place, 5, now)[0].state for now in (1, 100)]
    assert [(state.state, state.reason) for state in found] == [
        ("blocked", ""),
        ("capped", "unchanged"),
    ]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/tmp/feedback.md", "not a path in the repository"),
        ("../feedback.md", "not a path in the repository"),
        ("a/../../feedback.md", "not a path in the repository"),
        ("a//feedback.md", "not a path in the repository"),
        ("C:/feedback.md", "not a path in the repository"),
        ("a\\feedback.md", "not a path in the repository"),
        (".git/hooks/pre-commit", "inside .git"),
        ("a/.GIT/config", "inside .git"),
        (".git./config", "inside .git"),
        ("docs/adr/014-use-kafka.md", "another file is there"),
        ("tracked.md", "it is tracked"),
        ("linked/feedback.md", "the path contains a symbolic link"),
        ("link.md", "the path contains a symbolic link"),
        ("notes.md", "another file is there"),
        ("notes.md/feedback.md", "the path contains a file instead of a folder"),
        ("docs", "it is no file"),
    ],
)
def test_a_copy_goes_nowhere_else(
    repository: Repository, tmp_path: Path, path: str, why: str
) -> None:
    approve_adr(repository)
    repository.stage("tracked.md", "# Verification feedback\n")
    repository.write("notes.md", "mine\n")
    (tmp_path / "elsewhere").mkdir()
    (repository.root / "linked").symlink_to(tmp_path / "elsewhere")
    (repository.root / "link.md").symlink_to(tmp_path / "elsewhere/x.md")
    with pytest.raises(HelixError, match=why):
        store.opened(str(repository.root), path)
    with pytest.raises(HelixError, match="git ignores"):
        copy.write(str(repository.root), path, "# Verification feedback\n", str(tmp_path / "x"))
    assert not list((tmp_path / "elsewhere").iterdir())
    assert (repository.root / "notes.md").read_text() == "mine\n"


def test_a_path_that_became_a_link_counts_no_attempt(
    repository: Repository, tmp_path: Path
) -> None:
    approve_adr(repository)
    place = store.opened(str(repository.root), "feedback.md")
    fail(place)
    (repository.root / "feedback.md").unlink()
    (repository.root / "feedback.md").symlink_to(tmp_path / "x")
    with pytest.raises(HelixError, match="symbolic link"):
        fail(place)
    assert [item.attempts.number for item in store.read(place)] == [1]
