"""Repositories that are large, odd or partly unreadable: one clear line, and the right exit code."""

import os
import subprocess
from pathlib import Path

import pytest

from helix_hooks import git
from helix_hooks.check import work_tree
from helix_hooks.check.trees import Index
from helix_hooks.check.work_tree import WorkTree
from tests import series
from tests.conftest import Repository, Run
from tests.stories.check.samples import GOOD

NO_ADR = "helix-hooks: no ADR in this repository; looked for folders such as docs/adr"
CLOSED = "may not be read, so its ADRs would not be checked; give yourself permission (chmod u+rx)"
NUMBERED = GOOD.replace("# 7. ", "# 1. ")


def fill_index(repository: Repository, names: list[str]) -> None:
    """Stage empty files without writing them to the disk."""
    entries = "".join(
        f"100644 {'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'} 0\t{name}\n" for name in names
    )
    repository.git("hash-object", "-w", "-t", "blob", os.devnull)
    subprocess.run(
        ["git", "update-index", "--index-info"],
        cwd=repository.root,
        input=entries.encode(),
        check=True,
    )


@pytest.mark.series
def test_very_many_files_without_an_adr(repository: Repository, run: Run) -> None:
    endings = ("md", "py", "txt")
    count = series.size(100_000)
    fill_index(repository, [f"src/m{i % 900}/f{i}.{endings[i % 3]}" for i in range(count)])
    result = run("check")
    assert (result.code, result.out, result.err.count("\n")) == (0, "", 1)
    assert result.err.startswith(NO_ADR)


def test_a_folder_of_adrs_behind_a_link(repository: Repository, run: Run) -> None:
    repository.stage("store/kafka.md", GOOD)
    (repository.root / "docs").mkdir()
    (repository.root / "docs" / "decision-records").symlink_to("../store")
    repository.git("add", "--all")
    assert run("check").out == "1 ADR checked: no findings\n"


@pytest.mark.parametrize("name", ["docs/decision-records", "docs/adr-7.md", "docs/0001-x.md"])
def test_a_link_to_nothing_in_the_place_of_adrs(
    name: str, repository: Repository, run: Run
) -> None:
    repository.stage("docs/notes.md", "x\n")
    (repository.root / name).symlink_to("../gone")
    repository.git("add", "--all")
    result = run("check")
    line = (
        f"{name} is a symbolic link that leads to nothing in the repository; commit the file itself"
    )
    assert (result.code, result.out.count(line)) == (1, 1)
    assert result.out.endswith("1 ADR checked: 1 error, no warnings\n")


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
    assert (result.code, result.out.count(line)) == (0, lines)
    assert result.err.startswith(NO_ADR) and result.err.count("\n") == 1


def test_two_collections_with_one_numbering(repository: Repository, run: Run) -> None:
    for path in ("decisions/a/0001-x.md", "decisions/b/0001-x.md", "services/x/adr/0001-y.md"):
        repository.stage(path, NUMBERED)
    assert run("check").out == "3 ADRs checked: no findings\n"


@pytest.mark.parametrize(
    "paths",
    [
        ("docs/adr/0001-x.md", "docs/adr/0001-y.md"),
        ("docs/adr/0001-x/README.md", "docs/adr/0001-y/README.md"),
        ("docs/adr/0001-x/adr.md", "docs/adr/0001-y.md"),
        ("docs/arch/adr-1.md", "docs/arch/ADR-001-x.md"),
        ("docs/adr/0001-x.md", "docs/adr/0001-X.md"),
    ],
)
def test_one_collection_with_a_number_twice(
    paths: tuple[str, ...], repository: Repository, run: Run
) -> None:
    for path in paths:
        repository.stage(path, NUMBERED)
    result = run("check")
    assert (result.code, result.out.count("[duplicate-id]")) == (1, 2)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (("docs/adr/Kafka.md", "docs/adr/kafka.md"), "docs/adr/Kafka.md and docs/adr/kafka.md"),
        (("docs/ADR/kafka.md", "docs/adr/queue.md"), "docs/ADR and docs/adr"),
    ],
)
def test_names_that_differ_in_case_only(
    paths: tuple[str, ...], names: str, repository: Repository, run: Run
) -> None:
    for path in paths:
        repository.stage(path, GOOD.replace("# 7. ", "# "))
    if (repository.root / paths[0].swapcase()).exists():
        pytest.skip("this disk does not know such names apart")
    result = run("check")
    assert (result.code, result.out) == (0, "2 ADRs checked: no findings\n")
    assert result.err == (
        f"helix-hooks: {names} differ only in case, and macOS and Windows keep one of them; "
        "rename one\n"
    )
    assert not run("check", "--staged").err, "a hook speaks of what is staged"


@pytest.mark.parametrize("path", ["docs/adr/0007-\udcff.md", "caf\udce9/adr/0007-x.md"])
def test_a_path_that_is_not_utf_8(path: str, repository: Repository, run: Run) -> None:
    repository.stage(path, "# 7. Kafka\n")
    result = run("check")
    assert result.code == 1 and "1 ADR checked: 1 error" in result.out
    assert path.encode("ascii", "backslashreplace").decode() in result.out


@pytest.mark.parametrize("is_hidden", [True, False])
@pytest.mark.parametrize("new", [[], ["new.md", "H x.md", "new.txt"]])
def test_markdown_files_are_listed_whatever_they_are_called(
    new: list[str], is_hidden: bool, repository: Repository
) -> None:
    odd = ["H b.md", "a.md\nH c.md", "a.md/.md", ".md", "x.mdx", "md", "caf\udce9.md", "d.MD"]
    for path in odd:
        repository.stage(path, "x\n")
    for path in new:
        (repository.root / path).write_text("x\n", encoding="utf-8")
    if is_hidden:
        repository.git("update-index", "--skip-worktree", "md")
    known = git.listing(str(repository.root))
    assert sorted(known.paths) == sorted([*odd, *new])
    assert sorted(known.untracked) == sorted(new)
    assert sorted(known.hidden) == (["md"] if is_hidden else [])


@pytest.mark.parametrize("tracked", [True, False])
def test_a_folder_of_adrs_that_may_not_be_read(
    tracked: bool, repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The permission is taken away by hand, since root may read everything."""
    repository.stage("decisions/0007-x.md", GOOD)
    if tracked:
        repository.stage("docs/adr/0001-x.md", NUMBERED)
    closed = repository.root / "docs" / "adr"
    known = git.listing(str(repository.root))

    def walk(_root: str, onerror: object) -> list[str]:
        assert callable(onerror)
        onerror(PermissionError(13, "Permission denied", str(closed)))
        onerror(PermissionError(13, "Permission denied", str(repository.root / "data")))
        return []

    monkeypatch.setattr(work_tree, "listing", lambda _: known._replace(has_warnings=True))
    monkeypatch.setattr("os.walk", walk)
    result = run("check")
    assert (result.code, result.out, result.err) == (2, "", f"helix-hooks: docs/adr {CLOSED}\n")


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
