"""Files by their hashes: links, special files, globs, and what has changed."""

import hashlib
import os
import sys
from pathlib import Path

import pytest

from helix_hooks.flow.contents import changed, contents, hash_of

windows = pytest.mark.skipif(sys.platform == "win32", reason="Windows has few links")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "tree"
    (made / "out" / "deep").mkdir(parents=True)
    (made / "out" / "a.txt").write_text("a")
    (made / "out" / "deep" / "b.txt").write_text("b")
    (made / ".git").mkdir()
    (made / ".git" / "x.txt").write_text("x")
    return made


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_paths_and_globs(root: Path) -> None:
    found = contents(str(root), ["out/**/*.txt", "out/a.txt", "**/*.txt"])
    assert found.hashes == {"out/a.txt": sha("a"), "out/deep/b.txt": sha("b")}
    assert (found.missing, found.refused) == ((), ())


def test_what_is_missing_is_named(root: Path) -> None:
    assert contents(str(root), ["out/c.txt", "*.md", "out/a.txt"]).missing == ("out/c.txt", "*.md")


@windows
def test_no_link_and_no_special_file_is_content(root: Path) -> None:
    (root / "link.txt").symlink_to("out/a.txt")
    (root / "out" / "gone.txt").symlink_to("nothing")
    (root / "folder").symlink_to("out")
    os.mkfifo(root / "pipe.txt")
    found = contents(str(root), ["link.txt", "out/gone.txt", "pipe.txt", "folder/a.txt", "out"])
    assert found.hashes == {}
    assert set(found.refused) == {"link.txt", "out/gone.txt", "pipe.txt", "folder/a.txt", "out"}


@windows
@pytest.mark.parametrize("how", ["edit", "remove", "link", "folder"])
def test_every_change_is_seen(root: Path, how: str) -> None:
    before = contents(str(root), ["out/a.txt", "out/deep/b.txt"]).hashes
    assert changed(str(root), before) == ()
    place = root / "out" / "a.txt"
    place.unlink()
    if how == "edit":
        place.write_text("A")
    elif how == "link":
        (root / "same.txt").write_text("a")
        place.symlink_to("../same.txt")
    elif how == "folder":
        place.mkdir()
    assert changed(str(root), before) == ("out/a.txt",)
    assert hash_of(str(root), "out/deep/b.txt") == sha("b")
