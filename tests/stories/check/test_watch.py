"""`check --watch` as a process: rounds at changes, broken settings between two rounds, its end."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Repository

PATH = "docs/adr/0001-x.md"
GOOD = "# 1. X\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nKafka.\n\n## Consequences\n\nx\n"
BAD = GOOD.replace("## Decision\n\nKafka.\n\n", "")
_LONG = 20
"""Seconds after which a line that does not come is a failure."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another signal there")


class Watching:
    """A running `check --watch`, and the lines that it prints."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-I", "-m", "helix_hooks", "check", "--watch", *arguments]
        # A shell starts `pytest &` with SIGINT ignored, and children inherit that.
        outside = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        signal.signal(signal.SIGINT, outside)
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def until(self, text: str) -> list[str]:
        """Return the lines up to one that contains a text."""
        lines: list[str] = []
        while not lines or text not in lines[-1]:
            lines.append(self._lines.get(timeout=_LONG))
        return lines

    def end(self) -> int:
        """Press Ctrl-C, and return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(_LONG)

    def kill(self) -> None:
        """Leave nothing running, whatever a test has found."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stdout
        self.process.stdout.close()


@pytest.fixture
def watching(repository: Repository) -> Iterator[Watching]:
    repository.stage(PATH, GOOD)
    repository.commit()
    started = Watching(repository.root)
    yield started
    started.kill()


def written(repository: Repository, path: str, text: str) -> None:
    """Write a file as an editor does, by a new one in its place."""
    place = repository.write(f"{path}~", text)
    os.replace(place, repository.root / path)


def test_each_change_is_a_round(repository: Repository, watching: Watching) -> None:
    first = watching.until("1 ADR checked: no findings")
    assert first[0].startswith("--- ") and first[0].endswith(", check 1 ---")
    written(repository, PATH, BAD)
    second = watching.until("1 ADR checked: 2 errors")
    assert second[1].endswith(", check 2 ---") and "\x1b" not in "".join(second)
    repository.write("docs/adr/0002-y.md", GOOD.replace("# 1.", "# 2."))
    watching.until("2 ADRs checked: 2 errors")
    written(repository, PATH, GOOD)
    watching.until("2 ADRs checked: no findings")
    (repository.root / PATH).unlink()
    watching.until("1 ADR checked: no findings")
    assert watching.end() == 130


def test_broken_settings_are_a_line_and_the_next_round_goes_on(
    repository: Repository, watching: Watching
) -> None:
    watching.until("1 ADR checked")
    written(repository, ".helix-hooks.yaml", "template: [nonsense\n")
    lines = watching.until("helix-hooks: .helix-hooks.yaml:")
    assert not any("checked" in line for line in lines)
    written(repository, ".helix-hooks.yaml", "severities: {section-missing: error}\n")
    watching.until("1 ADR checked: no findings")
    assert watching.end() == 130


def test_settings_that_are_broken_from_the_start(repository: Repository) -> None:
    repository.stage(PATH, GOOD)
    repository.stage(".helix-hooks.yaml", "nonsense: 1\n")
    started = Watching(repository.root)
    try:
        started.until("helix-hooks: .helix-hooks.yaml:1")
        written(repository, ".helix-hooks.yaml", "strict_from: 1\n")
        started.until("1 ADR checked: no findings")
        assert started.end() == 130
    finally:
        started.kill()


def test_a_named_file_that_goes_and_comes(repository: Repository) -> None:
    repository.stage(PATH, GOOD)
    started = Watching(repository.root, PATH, "--ignore", "corpus")
    try:
        started.until("not the result of the gate")
        (repository.root / PATH).unlink()
        started.until(f"helix-hooks: {PATH}: there is no such file")
        repository.write(PATH, BAD)
        started.until("1 ADR checked: 1 error")
        assert started.end() == 130
    finally:
        started.kill()


def test_a_commit_is_a_change(repository: Repository, watching: Watching) -> None:
    watching.until("1 ADR checked")
    repository.commit("nothing in it")
    watching.until("1 ADR checked: no findings")
    assert watching.end() == 130
