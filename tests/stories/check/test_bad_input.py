"""Repositories that are large, odd or partly unreadable: one clear line, and the right exit code."""

import os
import subprocess
from pathlib import Path

import pytest

from helix_hooks.check.trees import Index
from helix_hooks.check.work_tree import WorkTree
from tests import series
from tests.conftest import Repository, Run
from tests.stories.check.samples import GOOD, expect

NO_ADR = "helix-hooks: no ADR in this repository; looked for folders such as docs/adr"
NUMBERED = GOOD.replace("# 7. ", "# 1. ")


@pytest.mark.series
def test_very_many_files_without_an_adr(repository: Repository, run: Run) -> None:
    """They are in the index, and not on the disk."""
    empty = repository.git("hash-object", "-w", "-t", "blob", os.devnull).stdout.strip()
    names = (f"src/m{i % 900}/f{i}.{('md', 'py')[i % 2]}" for i in range(series.size(100_000)))
    rows = "".join(f"100644 {empty} 0\t{name}\n" for name in names)
    subprocess.run(["git", "update-index", "--index-info"], input=rows, text=True, check=True)
    result = run("check")
    assert (result.code, result.out, result.err.count("\n")) == (0, "", 1)
    assert result.err.startswith(NO_ADR)


def test_a_folder_of_adrs_behind_a_link(repository: Repository, run: Run) -> None:
    repository.stage("store/kafka.md", GOOD)
    (repository.root / "docs").mkdir()
    (repository.root / "docs" / "decision-records").symlink_to("../store")
    repository.git("add", "--all")
    link = "docs/decision-records:1:1: error: docs/decision-records is a symbolic link"
    paths = 'paths: ["store/**/*.md"]'
    assert f"{link}; add its target to the settings, as in {paths}" in run("check").out
    repository.stage(".helix-hooks.yaml", f"{paths}\n")
    assert run("check").out == "1 ADR checked: no findings\n"


@pytest.mark.parametrize("name", ["docs", "arch", "src/architecture"])
def test_a_link_to_nothing_elsewhere(name: str, repository: Repository, run: Run) -> None:
    repository.stage("adr/0007-x.md", GOOD)
    (repository.root / name).parent.mkdir(exist_ok=True)
    (repository.root / name).symlink_to("gone")
    repository.git("add", "--all")
    assert run("check").out == "1 ADR checked: no findings\n"


@pytest.mark.parametrize(("place", "lines"), [("docs/decision-log", 1), ("docs", 0)])
def test_a_submodule(place: str, lines: int, repository: Repository, run: Run) -> None:
    library = repository.root.parent / "library"
    library.mkdir()
    Repository(library).stage("0001-x.md", GOOD)
    Repository(library).commit()
    allowed = ("-c", "protocol.file.allow=always")
    repository.git(*allowed, "submodule", "--quiet", "add", str(library), place)
    result = run("check")
    line = f"{place}: not checked: this is a submodule; its ADRs belong to another repository\n"
    expect(result, 0, line, times=lines)
    assert result.err.startswith(NO_ADR) and result.err.count("\n") == 1


def test_what_lies_in_a_closed_folder_is_not_passed_over(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.stage("docs/adr/0001-x.md", NUMBERED)
    lstat = os.lstat

    def refusing(path: str | Path) -> os.stat_result:
        if str(path).endswith("0001-x.md"):
            raise PermissionError(13, "Permission denied", str(path))
        return lstat(path)

    monkeypatch.setattr("os.lstat", refusing)
    tree = WorkTree(str(repository.root), Index(str(repository.root)))
    assert tree.on_disk("docs/adr/0001-x.md")
    assert tree.place("docs/adr/0001-x.md").reason == "docs/adr/0001-x.md may not be read"


@pytest.mark.parametrize("call", ["check --staged --matching {}", "check --staged", "check"])
@pytest.mark.parametrize(
    "missing", ["HEAD", "HEAD^{tree}", "HEAD:docs/adr", "HEAD:docs/adr/0001-store.md"]
)
def test_a_last_commit_that_can_not_be_read(
    missing: str, call: str, repository: Repository, run: Run
) -> None:
    path = "docs/adr/0001-store.md"
    repository.stage(path, NUMBERED)
    repository.commit()
    repository.stage(path, f"{NUMBERED}\nMore.\n")
    _remove_object(repository, missing)
    result = run(*call.format(path).split())
    assert (result.code, result.out) == (3, "")
    assert "git" in result.err


def test_an_adr_of_a_staged_concept_that_can_not_be_read(repository: Repository, run: Run) -> None:
    """Such a file is not taken for one that names no concept."""
    path = "docs/adr/0001-store.md"
    repository.stage(path, f"---\nconcept: docs/store.md\n---\n\n{NUMBERED}")
    repository.commit()
    repository.stage("docs/store.md", "# Store\n\n## Rollback\n\nWe go back to files.\n")
    assert run("check", "--staged", "--matching", "docs/store.md").code == 1
    _remove_object(repository, f":{path}")
    result = run("check", "--staged", "--matching", "docs/store.md")
    assert (result.code, result.out) == (3, "")
    assert "git has no object" in result.err


def _remove_object(repository: Repository, named: str) -> None:
    name = repository.git("rev-parse", named).stdout.strip()
    (repository.root / ".git" / "objects" / name[:2] / name[2:]).unlink()
