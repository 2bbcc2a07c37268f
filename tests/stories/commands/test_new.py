"""A new ADR in a repository with branches, and the ADRs that it supersedes."""

from pathlib import Path

import pytest

from helix_hooks.git.history import on_branches
from tests.conftest import Repository, Run

NYGARD = (
    "# {n}. {title}\n\nDate: 2024-01-02\n\n## Status\n\n{status}\n\n## Context\n\nMessages get lost "
    "between the services.\n\n## Decision\n\nWe use {title} for all events.\n\n## Consequences\n\n"
    "Somebody has to run it.\n"
)


def _commit(repository: Repository, text: str = NYGARD, count: int = 2) -> None:
    for n in range(1, count + 1):
        content = text.format(n=n, title=f"Tool{n}", status="Accepted")
        repository.stage(f"docs/adr/{n:04}-tool{n}.md", content)
    repository.commit()


def test_a_number_of_another_branch_is_taken(repository: Repository, run: Run) -> None:
    _commit(repository)
    repository.git("switch", "--quiet", "--create", "theirs")
    repository.stage("docs/adr/0003-theirs.md", "x\n")
    repository.commit()
    repository.git("update-ref", "refs/remotes/origin/theirs", "theirs")
    repository.git("switch", "--quiet", "-")
    repository.git("branch", "--quiet", "-D", "theirs")
    assert run("new", "Mine").out == "docs/adr/0004-mine.md\n"


def test_a_number_of_a_branch_counts_for_the_first_adr(repository: Repository, run: Run) -> None:
    repository.commit()
    repository.git("switch", "--quiet", "--create", "theirs")
    repository.stage("docs/adr/004-theirs.md", "x\n")
    repository.commit()
    repository.git("switch", "--quiet", "-")
    assert run("new", "Mine").out == "docs/adr/005-mine.md\n"


def test_a_number_of_an_ignored_file_is_taken(repository: Repository, run: Run) -> None:
    _commit(repository)
    repository.write(".gitignore", "0003*\n")
    repository.write("docs/adr/0003-private.md", "x\n")
    assert run("new", "Mine").out == "docs/adr/0004-mine.md\n"


def test_the_newest_branches_are_read(repository: Repository) -> None:
    _commit(repository)
    repository.git("branch", "same")
    repository.git("switch", "--quiet", "--create", "other")
    repository.stage("docs/adr/0003-x.md", "x\n")
    repository.commit()
    found = on_branches(str(repository.root), frozenset(("docs/adr",)), most=2)
    assert found.left_out == 0 and "docs/adr/0003-x.md" in found.paths
    assert on_branches(str(repository.root), frozenset(("docs/adr",)), most=1).left_out == 1


def test_a_clone_without_the_trees_of_branches_fetches_nothing(
    repository: Repository, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _commit(repository)
    repository.git("switch", "--quiet", "--create", "other")
    repository.stage("docs/adr/0003-x.md", "x\n")
    repository.commit()
    repository.git("switch", "--quiet", "-")
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    source = f"file://{repository.root}"
    repository.git("clone", "--quiet", "--filter=tree:0", source, str(clone))
    repository.git("-C", str(clone), "config", "protocol.file.allow", "always")
    monkeypatch.chdir(clone)
    packs = sorted((clone / ".git/objects").rglob("*"))
    result = run("new", "Mine", "--dry-run")
    assert result.code == 0 and result.out.startswith("docs/adr/0003-mine.md\n"), result.err
    assert "1 branch was not read; the number may be taken there" in result.err
    assert sorted((clone / ".git/objects").rglob("*")) == packs


TABLE = NYGARD.replace(
    "Date: 2024-01-02\n\n## Status\n\n{status}",
    "| Status   | Date       |\n|----------|------------|\n| {status} | 2024-01-02 |",
)


def test_a_table_gets_the_link_in_its_cell(repository: Repository, run: Run) -> None:
    _commit(repository, TABLE)
    assert run("new", "Pulsar", "--supersedes", "2").code == 0
    text = Path("docs/adr/0002-tool2.md").read_text()
    assert "\n| Superseded by [ADR-0003](0003-pulsar.md) | 2024-01-02 |\n" in text


def _state(repository: Repository) -> dict[str, bytes]:
    files = (path for path in repository.root.rglob("*.md") if path.is_file())
    return {str(path): path.read_bytes() for path in files}


@pytest.mark.parametrize("id", ["tool", "9", ".*", "(", "[0-9]+", "../../etc/passwd", "\x1b[31m"])
def test_an_unknown_id_is_refused(id: str, repository: Repository, run: Run) -> None:
    _commit(repository)
    before = _state(repository)
    result = run("new", "X", "--supersedes", id)
    assert result.code == 2 and "there is no ADR" in result.err and "\x1b" not in result.err
    assert "helix-hooks index" not in result.err, "a hint calls no command that writes files"
    assert "; give the number, file name or path" in result.err
    assert _state(repository) == before


def test_an_id_of_several_is_refused(repository: Repository, run: Run) -> None:
    _commit(repository)
    repository.stage("docs/adr/0002-twin.md", NYGARD.format(n=2, title="Twin", status="Accepted"))
    repository.commit()
    result = run("new", "X", "--supersedes", "2")
    assert result.code == 2 and "docs/adr/0002-tool2.md, docs/adr/0002-twin.md" in result.err
    assert run("new", "X", "--supersedes", "docs/adr/0002-twin.md").code == 0


@pytest.mark.parametrize("state", ["dirty", "latin1", "link", "superseded", "no status", "utf16"])
def test_an_old_adr_that_may_not_be_changed_stays(
    state: str, repository: Repository, run: Run, tmp_path: Path
) -> None:
    _commit(repository)
    place = repository.root / "docs/adr/0002-tool2.md"
    text = place.read_text()
    if state == "dirty":
        place.write_text(f"{text}\nMore.\n")
    elif state == "link":
        (tmp_path / "outside.md").write_text(text)
        place.unlink()
        place.symlink_to(tmp_path / "outside.md")
    elif state == "superseded":
        place.write_text(text.replace("Accepted", "Superseded by [1](0001-tool1.md)"))
    elif state == "no status":
        place.write_text(text.replace("## Status\n\nAccepted\n\n", ""))
    else:
        place.write_bytes(f"{text}ä\n".encode("latin1" if state == "latin1" else "utf-16"))
    if state != "dirty":
        repository.git("add", "--all")
        repository.commit()
    before = _state(repository)
    result = run("new", "X", "--supersedes", "2", "--supersedes", "1")
    assert result.code == 2 and result.err.count("\n") == 1
    assert _state(repository) == before


def test_nothing_is_written_if_an_old_adr_can_not_be(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _commit(repository)
    before = _state(repository)

    def refuse(path: str, data: bytes, mode: int = 0) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("helix_hooks.writing.replace", refuse)
    result = run("new", "X", "--supersedes", "2")
    assert result.code == 3 and "No space left on device; nothing was changed" in result.err
    assert _state(repository) == before


def test_a_dry_run_writes_nothing(repository: Repository, run: Run) -> None:
    _commit(repository)
    before = _state(repository)
    result = run("new", "Pulsar", "--supersedes", "2", "--dry-run")
    assert result.code == 0 and result.out.startswith("docs/adr/0003-pulsar.md\n")
    assert "\n+# 3. Pulsar\n" in result.out and "\n-Accepted\n+Superseded by [3. " in result.out
    assert _state(repository) == before


@pytest.mark.parametrize(
    "title", ["a\x1b[31mb", "a\0b", "🎉", "___", "..", "../", "a\u202eb", "\udcff"]
)
def test_a_title_that_is_none_is_refused(title: str, repository: Repository, run: Run) -> None:
    _commit(repository)
    before = _state(repository)
    result = run("new", title)
    assert result.code == 2 and "a title needs a letter or digit" in result.err
    assert _state(repository) == before


@pytest.mark.parametrize(
    "title", ["../../../x", "/etc/x", "a" * 5000, "𠀀" * 500, 'say "x" \\ `y`', "-x", "[a](b)"]
)
@pytest.mark.parametrize("model", ["docs/adr/0001 Use Kafka.md", "docs/adr/0001-use-kafka.md"])
def test_a_strange_title_stays_in_its_folder(
    title: str, model: str, repository: Repository, run: Run
) -> None:
    repository.stage(model, NYGARD.format(n=1, title="Kafka", status="Accepted"))
    repository.commit()
    result = run("new", "--supersedes", "1", "--", title)
    assert result.code == 0, result.err
    new = Path(result.out.splitlines()[0])
    assert new.parent == Path("docs/adr") and new.exists()
    assert f"# 2. {title}\n" in new.read_text(encoding="utf-8")


def test_a_folder_that_leads_out_of_the_repository_is_refused(
    repository: Repository, run: Run, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (repository.root / "docs").mkdir()
    (repository.root / "docs/adr").symlink_to(outside)
    for arguments in ((), ("--dir", "docs/adr")):
        result = run("new", "X", *arguments)
        assert result.code == 2 and "out" in result.err
    assert not [*outside.iterdir()]


@pytest.mark.parametrize("target", ["../.git", "../.git/refs/heads"])
def test_a_folder_that_leads_into_the_files_of_git_is_refused(
    target: str, repository: Repository, run: Run
) -> None:
    (repository.root / "docs").mkdir()
    (repository.root / "docs/adr").symlink_to(target)
    result = run("new", "X")
    assert result.code == 2 and "leads into the files of git" in result.err
    assert not [*(repository.root / ".git").rglob("*-x.md")]


@pytest.mark.parametrize(
    ("planted", "number"),
    [("999999-x.md", "0003"), ("99999999-x.md", "0003"), (f"{'9' * 200}-x.md", "0003")],
)
def test_a_planted_number_does_not_block_the_next_one(
    planted: str, number: str, repository: Repository, run: Run
) -> None:
    _commit(repository)
    repository.stage(f"docs/adr/{planted}", NYGARD.format(n=3, title="X", status="Accepted"))
    result = run("new", "Mine", "--dry-run")
    assert f"/{number}-mine.md" in result.out or f"/{int(number):06}-mine.md" in result.out


def test_a_number_of_many_digits_in_a_title_is_none(repository: Repository, run: Run) -> None:
    _commit(repository)
    repository.stage(
        "docs/adr/0003-x.md", NYGARD.format(n="9" * 5000, title="X", status="Accepted")
    )
    result = run("new", "Mine")
    assert (result.code, result.out) == (0, "docs/adr/0004-mine.md\n"), result.err


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_the_ends_of_lines_stay(end: str, repository: Repository, run: Run) -> None:
    _commit(repository)
    text = NYGARD.format(n=3, title="X", status="Accepted").replace("\n", end)
    path = repository.root / "docs/adr/0003-x.md"
    path.write_bytes(text.encode())
    repository.git("add", "--all")
    repository.commit()
    result = run("new", "Mine", "--supersedes", "3")
    link = "Superseded by [4. Mine](0004-mine.md)"
    assert result.code == 0, result.err
    assert path.read_bytes().decode() == text.replace("Accepted", link)


def test_an_adr_that_paths_would_not_match_is_refused(repository: Repository, run: Run) -> None:
    repository.stage(".helix-hooks.yaml", "paths: [records/**/*.md]\n")
    result = run("new", "X", "--dir", "elsewhere")
    assert result.code == 2 and "not covered by `paths` (records/**/*.md)" in result.err
    assert not Path("elsewhere").exists()
    assert run("new", "X").out == "records/001-x.md\n"
