"""The programs that are started are found by their absolute path: nothing in the checkout runs in their stead.

Attack by a hostile ADR: a program called `git` in the checkout, if PATH has a relative or empty entry.
Answer: every program is found by its absolute path; the programs it starts get a PATH without relative or empty entries.
Shown by: `tests/stories/commands/test_programs.py`.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from helix_hooks import proc
from tests.conftest import ROOT, Repository
from tests.fakes import program as forked

ADR = '---\nadr_id: "1"\ntitle: x\nstatus: Proposed\n---\n\n# x\n\n## Context\n\nText.\n'
COMMANDS = [
    ["check"],
    ["check", "--staged"],
    ["check", "--since", "HEAD~1"],
    ["approve"],
    ["check-config", "--staged"],
    ["doctor"],
    ["graph"],
    ["index"],
    ["init"],
    ["new", "A title"],
    ["report", "html"],
    ["stats"],
    ["feedback"],
]
ENTRIES = {"empty": "", "dot": ".", "folder": "bin", "dotted": "./bin", "above": "docs/../bin"}
ENTRIES["all"] = os.pathsep.join(ENTRIES.values())


def _path_of_git(folder: Path) -> str:
    """A PATH with git alone, so that nothing else decides what is run."""
    folder.mkdir()
    git = shutil.which("git")
    assert git
    (folder / "git").symlink_to(git)
    return str(folder)


def _lie_in_wait(place: Path, mark: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (place / name).write_text(f"#!/bin/sh\ntouch '{mark}'\nexit 0\n")
        (place / name).chmod(0o755)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
@pytest.mark.sampled
def test_a_git_in_the_checkout_is_not_run(
    repository: Repository, tmp_path: Path, entry: str, arguments: list[str]
) -> None:
    repository.stage("docs/adr/0001-x.md", ADR)
    repository.commit()
    repository.stage("docs/adr/0002-y.md", ADR.replace('"1"', '"2"'))
    repository.stage("helix.txt", "x\n")
    repository.commit()
    (repository.root / "bin").mkdir()
    mark = tmp_path / "it was run"
    for folder in (repository.root, repository.root / "bin"):
        _lie_in_wait(folder, mark, ("git", "git.exe", "git.bat", "git-lfs", "claude", "rm", "sh"))
    repository.git("config", "filter.lfs.clean", "git-lfs clean -- %f")
    repository.write(".gitattributes", "*.txt filter=lfs\n")
    repository.write("helix.txt", "y\n")
    search = os.pathsep.join([ENTRIES[entry], _path_of_git(tmp_path / "programs"), ENTRIES[entry]])
    environment = {**os.environ, "PATH": search}
    if entry == "all":  # what is imported may start git too
        command = [str(forked.PROGRAM), *arguments]
        subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
    else:
        forked.program(*arguments, env=environment, timeout=60)
    assert not mark.exists()


@pytest.mark.parametrize("path", ["", ".", ":", "bin:."])
def test_without_a_git_elsewhere_there_is_none(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "defpath", "bin")
    _lie_in_wait(tmp_path, tmp_path / "mark", ("git",))
    assert not proc.find("git", {"PATH": path})


def test_what_is_no_program_is_passed_over(tmp_path: Path) -> None:
    for number, folder in enumerate(("folder", "plain", "fifo", "gone", "good")):
        (tmp_path / folder).mkdir()
        place = tmp_path / folder / "tool"
        if folder == "folder":
            place.mkdir()
        elif folder == "fifo":
            os.mkfifo(place)
            place.chmod(0o755)
        elif folder == "gone":
            place.symlink_to(tmp_path / "nowhere")
        else:
            place.write_text("#!/bin/sh\n")
            place.chmod(0o755 if number else 0o644)
    (tmp_path / "plain/tool").chmod(0o644)
    search = os.pathsep.join(
        str(tmp_path / name) for name in ("folder", "plain", "fifo", "gone", "good")
    )
    assert proc.find("tool", {"PATH": search}) == str(tmp_path / "good/tool")


def test_every_program_is_started_by_its_absolute_path() -> None:
    """No other module starts a program by its bare name."""
    package = ROOT / "helix_hooks"
    starters = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if re.search(r"subprocess\.(run|Popen)\(|\.posix_spawn\(", path.read_text())
    }
    assert starters == {
        "proc/run.py",
        "git/__init__.py",
        "flow/answering.py",
        "judge/workspace.py",
        "queue/telling.py",
    }
    bare = [
        path
        for path in package.rglob("*.py")
        if 'subprocess.run(["' in (text := path.read_text()) or 'subprocess.Popen(["' in text
    ]
    assert not bare
