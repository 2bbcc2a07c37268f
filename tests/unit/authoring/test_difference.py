"""Patches as git writes them."""

import subprocess
from pathlib import Path

import pytest

from helix_hooks.authoring.difference import ChangedFile, patch


@pytest.mark.parametrize(
    ("name", "new_name", "before", "after"),
    [
        ("a.md", "a.md", b"one\ntwo\n", b"one\nthree\n"),
        ("a.md", "a.md", b"one\r\ntwo", b"one\r\nthree"),
        ("a.md", "b.md", b"one\n", b"one\n"),
        ("a.md", "b.md", b"one\nsame\n", b"two\nsame\n"),
        ("with blank.md", "with other blank.md", b"\xff\n", b"\xfe\n"),
        ('\u00fc\t"\\.md', "\u00fc\n.md", b"a\xe2\x80\xa8b\n", b"a\x0cb\n"),
    ],
)
def test_git_applies_it(
    tmp_path: Path, name: str, new_name: str, before: bytes, after: bytes
) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / name).write_bytes(before)
    text = patch(ChangedFile(name, new_name, before, after))
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", "apply", "-"],
        cwd=tmp_path,
        input=text,
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0, (done.stderr, text)
    assert (tmp_path / new_name).read_bytes() == after
    assert name == new_name or not (tmp_path / name).exists()
