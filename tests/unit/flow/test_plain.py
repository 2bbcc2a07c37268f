"""Files in places where agents write."""

import os
from pathlib import Path

import pytest

from helix_hooks.errors import HelixError
from helix_hooks.flow import plain
from helix_hooks.flow.contents import contents
from helix_hooks.flow.run_files import read, write


def special(folder: Path) -> list[Path]:
    """Make what is no plain file; to open some of it would block."""
    names = ("pipe", "link", "folder")
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("/dev/zero")
    (folder / "folder").mkdir()
    return [folder / name for name in names]


def test_only_plain_files_are_read_and_written(tmp_path: Path) -> None:
    for place in special(tmp_path):
        assert plain.opened(str(place)) is None
        with pytest.raises(HelixError, match="is not a regular file; remove it"):
            read(str(place))
        with pytest.raises(HelixError, match="is not a regular file; remove it"):
            write(str(tmp_path), place.name, "text")


def test_a_file_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert read(str(tmp_path / "a")) == ""
    assert read(write(str(tmp_path), "a", "text")) == "text"


def test_a_sparse_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    with open(tmp_path / "a", "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(HelixError, match="larger than 10 MB"):
        read(str(tmp_path / "a"))
    assert contents(str(tmp_path), ["a"]).refused == ("a",)
