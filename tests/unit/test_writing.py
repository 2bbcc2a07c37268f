"""A file is written whole or not at all; links, devices and rights stay what they were."""

import errno
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from helix_hooks import writing

of_descriptors = pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no names for them")
posix = pytest.mark.skipif(sys.platform == "win32", reason="rights and devices of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def old(tmp_path: Path) -> Path:
    place = tmp_path / "a"
    place.write_text("old")
    return place


@pytest.mark.parametrize("kind", ["file", "folder", "link", "dead link"])
def test_create_overwrites_nothing(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "a"
    if kind == "folder":
        place.mkdir()
    elif kind == "file":
        place.write_text("old")
    else:
        (tmp_path / "b").write_text("old")
        place.symlink_to(tmp_path / ("b" if kind == "link" else "gone"))
    before = names(tmp_path)
    with pytest.raises(FileExistsError):
        writing.create(str(place), b"new")
    assert names(tmp_path) == before
    assert not (tmp_path / "gone").exists()


@posix
def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "file").write_text("old")
    (tmp_path / "link").symlink_to("docs/file")
    writing.replace(str(tmp_path / "link"), b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "docs" / "file").read_bytes() == b"new"
    assert names(tmp_path / "docs") == ["file"]


@posix
@pytest.mark.parametrize(
    ("before", "most", "after"),
    [
        (0o644, 0o666, 0o644),
        (0o755, 0o777, 0o755),
        (0o644, 0o600, 0o600),
        (0o640, 0o666, 0o640),
        (0o755, 0o666, 0o755),
        (0o755, 0o600, 0o700),
    ],
)
def test_rights_stay_and_are_never_more_than_asked_for(
    old: Path, before: int, most: int, after: int
) -> None:
    old.chmod(before)
    writing.replace(str(old), b"new", mode=most)
    assert (old.read_bytes(), stat.S_IMODE(old.stat().st_mode)) == (b"new", after)


@posix
def test_a_new_file_is_as_private_as_asked_for(tmp_path: Path) -> None:
    writing.create(str(tmp_path / "a"), b"", mode=0o600)
    writing.replace(str(tmp_path / "b"), b"", mode=0o600)
    writing.append(str(tmp_path / "c"), b"", mode=0o600)
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


@posix
def test_what_is_no_regular_file_is_written_to(tmp_path: Path) -> None:
    writing.replace(os.devnull, b"gone")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    seen: list[bytes] = []
    reader = threading.Thread(target=lambda: seen.append(pipe.read_bytes()))
    reader.start()
    writing.replace(str(pipe), b"through")
    reader.join(timeout=10)
    assert (seen, stat.S_ISFIFO(pipe.stat().st_mode)) == ([b"through"], True)


@of_descriptors
@pytest.mark.parametrize("is_linked", [False, True])
def test_a_pipe_that_has_a_name_in_dev_is_written_to(tmp_path: Path, is_linked: bool) -> None:
    read, write = os.pipe()
    place = f"/dev/fd/{write}"
    if is_linked:
        (tmp_path / "link").symlink_to(place)
        place = str(tmp_path / "link")
    writing.replace(place, b"through")
    os.close(write)
    with open(read, "rb") as pipe:
        assert pipe.read() == b"through"


@of_descriptors
def test_a_file_behind_a_redirection_stays_the_file_that_the_shell_has_open(tmp_path: Path) -> None:
    place = tmp_path / "a"
    with place.open("wb") as redirected:
        writing.replace(f"/dev/fd/{redirected.fileno()}", b"report")
        assert place.stat().st_ino == os.fstat(redirected.fileno()).st_ino
    assert place.read_bytes() == b"report"


def test_a_file_that_may_not_be_written_is_not_replaced(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: (path, mode) != (str(old), os.W_OK))
    with pytest.raises(PermissionError, match="Permission denied"):
        writing.replace(str(old), b"new")
    assert (names(old.parent), old.read_text()) == (["a"], "old")


@pytest.mark.parametrize("path", ["folder", "folder/", "new/"])
def test_a_folder_is_no_file(tmp_path: Path, path: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="irectory"):
        writing.replace(f"{tmp_path}/{path}", b"new")
    assert names(tmp_path) == ["folder"]


@pytest.mark.parametrize("write", [writing.create, writing.replace])
def test_a_full_disk_leaves_the_old_file_and_no_rest(
    tmp_path: Path, write: "type", monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "a"
    if write is writing.replace:
        place.write_text("old")

    def full(opened: int, _: bytes) -> None:
        os.write(opened, b"half")
        os.close(opened)
        raise OSError(errno.ENOSPC, "No space left on device")

    before = names(tmp_path)
    monkeypatch.setattr(writing, "_write_all", full)
    with pytest.raises(OSError, match="No space left"):
        write(str(place), b"new")
    assert names(tmp_path) == before
    assert not before or place.read_text() == "old"


@posix
def test_a_file_in_a_folder_where_nobody_may_create_one_is_written_in_place(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def refuse(path: str, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_EXCL:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    writing.replace(str(old), b"new")
    assert old.read_bytes() == b"new"


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    place = tmp_path / "a"
    texts = (b"a" * 100_000, b"b" * 200_000)
    place.write_bytes(texts[0])
    done = threading.Event()
    seen: set[bytes] = set()

    def look() -> None:
        while not done.is_set():
            seen.add(place.read_bytes())

    reader = threading.Thread(target=look)
    reader.start()
    for number in range(100):
        writing.replace(str(place), texts[number % 2])
    done.set()
    reader.join()
    assert seen <= set(texts)


def test_lines_of_several_writers_do_not_mix(tmp_path: Path) -> None:
    place = str(tmp_path / "a")

    def write(sign: bytes) -> None:
        for _ in range(50):
            writing.append(place, sign * 500 + b"\n")

    writers = [threading.Thread(target=write, args=[sign]) for sign in (b"a", b"b", b"c")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert set(Path(place).read_bytes().splitlines()) == {b"a" * 500, b"b" * 500, b"c" * 500}
