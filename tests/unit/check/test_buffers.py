"""A work tree with buffers: each look-up sees the buffer, and all other files as they lie there."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helix_hooks.check.trees import FILE, NOTHING, Index
from helix_hooks.check.work_tree import BufferTree
from helix_hooks.paths import MAX_BYTES
from tests.conftest import Repository

TreeOf = Callable[[dict[str, bytes]], BufferTree]


@pytest.fixture
def tree_of(repository: Repository) -> Iterator[TreeOf]:
    index = Index(str(repository.root))
    yield lambda buffers: BufferTree(str(repository.root), index, buffers)
    index.close()


def test_a_buffer_of_a_new_file_is_there_for_all_look_ups(
    repository: Repository, tree_of: TreeOf
) -> None:
    repository.stage("docs/adr/0001-x.md", "on the disk")
    tree = tree_of({"docs/adr/0002-y.md": b"in the editor"})
    path = "docs/adr/0002-y.md"
    assert tree.has(path) and tree.on_disk(path) and tree.present([path]) == {path}
    assert tree.folder("docs") == tree.markdown("docs/adr") == ["docs/adr/0001-x.md", path]
    assert (tree.read(path), tree.raw(path), tree.content(path)) == (b"in the editor",) * 3
    assert tree.place(path).kind == FILE and tree.place("docs/adr/0003-z.md").kind == NOTHING
    assert tree.content("docs/adr/0001-x.md") == b"on the disk"


def test_git_does_not_see_a_buffer_that_differs(repository: Repository, tree_of: TreeOf) -> None:
    repository.stage("a.md", "x\n")
    assert tree_of({"a.md": b"x\r\n"}).hidden == frozenset()
    assert tree_of({"a.md": b"y\n"}).hidden == {"a.md"}


def test_a_buffer_is_cut_and_stays_too_large(tree_of: TreeOf) -> None:
    tree = tree_of({"a.md": b"x" * (MAX_BYTES + 100)})
    assert len(tree.content("a.md")) == MAX_BYTES + 1
    assert tree.document("a.md").defect


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege on Windows")
def test_a_buffer_of_a_link_is_that_of_its_file(repository: Repository, tree_of: TreeOf) -> None:
    repository.stage("a.md", "old")
    os.symlink("a.md", repository.root / "link.md")
    os.symlink("../outside", repository.root / "out.md")
    tree = tree_of({"link.md": b"new", "out.md": b"mine"})
    assert tree.content("a.md") == tree.content("link.md") == b"new"
    assert tree.place("link.md").path == "a.md"
    assert tree.content("out.md") == b"mine"
    assert (repository.root / "a.md").read_text() == "old"


def test_a_file_outside_of_the_tree_is_there(tree_of: TreeOf, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("x")
    tree = tree_of({})
    assert tree.has(str(outside)) and tree.there(str(outside))
