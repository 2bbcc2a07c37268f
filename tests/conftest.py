"""A clean environment for every test: no CI variables, no colours, no configuration of the machine's git."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_SCRUBBED = ("GITHUB_", "GH_", "GIT_", "HELIX_", "PRE_COMMIT", "PREK")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(_SCRUBBED) or name in ("CI", "NO_COLOR", "FORCE_COLOR", "SKIP"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "test")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "test@example.org")


class Repository:
    """A real git repository in a folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git("init", "--quiet", "--initial-branch", "main")

    def git(self, *arguments: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=check)

    def write(self, path: str, text: str | bytes) -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return place

    def stage(self, path: str, text: str | bytes) -> Path:
        place = self.write(path, text)
        self.git("add", "--", path)
        return place

    def commit(self, message: str = "a commit") -> None:
        self.git("commit", "--quiet", "--no-verify", "--allow-empty", "--message", message)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    root = tmp_path / "repository"
    root.mkdir()
    monkeypatch.chdir(root)
    return Repository(root)


class Result:
    """What a call printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command line in this process."""
    from helix_hooks.cli.main import main

    def call(*arguments: str) -> Result:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call
