"""A new ADR in a repository with branches, and the ADRs that it supersedes."""

import json
import os
from pathlib import Path

import pytest

from helix_hooks.git.history import on_branches
from tests.conftest import Repository, Run
from tests.stories.commands.blanks import filled

NYGARD = (
    "# {n}. {title}\n\nDate: 2024-01-02\n\n## Status\n\n{status}\n\n## Context\n\nMessages get lost "
    "between the services.\n\n## Decision\n\nWe use {title} for all events.\n\n## Consequences\n\n"
    "Somebody has to run it.\n"
)
MADR = (
    "---\nstatus: accepted\ndate: 2024-01-02\n---\n\n# {title}\n\n## Context and Problem Statement\n\n"
    "Messages get lost.\n\n## Considered Options\n\n- {title}\n- Nothing\n\n## Decision Outcome\n\n"
    "Chosen option: {title}, because it is there.\n"
)
BULLET = MADR.replace("---\nstatus: accepted\ndate: 2024-01-02\n---\n\n", "").replace(
    "# {title}\n\n## C", "# {title}\n\n* Status: accepted\n* Date: 2024-01-02\n\n## C", 1
)
GERMAN = (
    "# {n}. {title}\n\nDatum: 2024-01-02\n\n## Status\n\nAkzeptiert\n\n## Kontext\n\nNachrichten "
    "gehen verloren.\n\n## Entscheidung\n\nWir nehmen {title}.\n\n## Konsequenzen\n\nJemand "
    "betreibt es.\n"
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


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (NYGARD, "\nSuperseded by [3. Use Pulsar](0003-use-pulsar.md)\n",
         "\nAccepted\n\nSupersedes [2. Tool2](0002-tool2.md)\n"),
        (NYGARD.replace("\n", "\r\n"), "\nSuperseded by [3. Use Pulsar](0003-use-pulsar.md)\r\n",
         "\nAccepted\n\nSupersedes [2. Tool2](0002-tool2.md)\n"),
        (GERMAN, "\nErsetzt durch [3. Use Pulsar](0003-use-pulsar.md)\n",
         "\nAkzeptiert\n\nErsetzt [2. Tool2](0002-tool2.md)\n"),
        (MADR, "\nstatus: superseded by ADR-0003\n", '\nsupersedes: ["0002"]\n'),
        (MADR.replace("status", 'adr_id: "000{n}"\nstatus'),
         '\nstatus: superseded\nsuperseded_by: ["0003"]\n', '\nsupersedes: ["0002"]\n'),
        (BULLET, "\n* Status: superseded by [ADR-0003](0003-use-pulsar.md)\n",
         "\n* Status: accepted, supersedes [ADR-0002](0002-tool2.md)\n"),
    ],
    ids=["section", "crlf", "german", "madr", "keys", "bullet"],
)  # fmt: skip
def test_both_sides_of_a_succession_are_written(
    text: str, old: str, new: str, repository: Repository, run: Run
) -> None:
    _commit(repository, text)
    before = Path("docs/adr/0002-tool2.md").read_bytes().decode()
    created = run("new", "Use Pulsar", "--supersedes", "ADR-2")
    path, former = created.out.splitlines()
    assert (path, former) == ("docs/adr/0003-use-pulsar.md", "docs/adr/0002-tool2.md")
    after = Path(former).read_bytes().decode()
    assert old in after and new in Path(path).read_text(encoding="utf-8")
    lost = set(before.splitlines(keepends=True)) - set(after.splitlines(keepends=True))
    assert len(lost) == 1
    assert "tatus" in min(lost) or "kzeptiert" in min(lost) or "ccepted" in min(lost)
    Path(path).write_text(filled(Path(path).read_text(encoding="utf-8")), encoding="utf-8")
    repository.git("add", "--all")
    repository.commit()
    report = run("check", "--since", "HEAD~1", "--format", "json")
    found = [item for file in json.loads(report.out)["files"] for item in file["findings"]]
    assert report.code == 0 and not [item for item in found if item["severity"] != "info"], found


TABLE = NYGARD.replace(
    "Date: 2024-01-02\n\n## Status\n\n{status}",
    "| Status   | Date       |\n|----------|------------|\n| {status} | 2024-01-02 |",
)


def test_a_table_gets_the_link_in_its_cell(repository: Repository, run: Run) -> None:
    _commit(repository, TABLE)
    assert run("new", "Pulsar", "--supersedes", "2").code == 0
    text = Path("docs/adr/0002-tool2.md").read_text()
    assert "\n| Superseded by [ADR-0003](0003-pulsar.md) | 2024-01-02 |\n" in text


def test_a_key_without_a_value_is_filled_in(repository: Repository, run: Run) -> None:
    _commit(repository, MADR.replace("date", 'adr_id: "000{n}"\nsuperseded-by: null\ndate'))
    assert run("new", "Pulsar", "--supersedes", "2").code == 0
    text = Path("docs/adr/0002-tool2.md").read_text()
    assert '\nsuperseded-by: ["0003"]\n' in text and text.count("uperseded") == 2


def test_several_are_superseded(repository: Repository, run: Run) -> None:
    _commit(repository, count=3)
    result = run("new", "Pulsar", "--supersedes", "0001-tool1.md", "--supersedes", "3")
    assert result.out.splitlines()[1:] == ["docs/adr/0001-tool1.md", "docs/adr/0003-tool3.md"]
    text = Path("docs/adr/0004-pulsar.md").read_text()
    assert "Supersedes [1. Tool1](0001-tool1.md)\n\nSupersedes [3. Tool3](" in text
    assert run("new", "Again", "--supersedes", "1").code == 2


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


def test_lines_that_end_with_carriage_returns_alone_stay_so(
    repository: Repository, run: Run
) -> None:
    _commit(repository)
    text = NYGARD.format(n=3, title="X", status="Accepted").replace("\n", "\r")
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


@pytest.mark.parametrize(
    ("status", "text", "template"),
    [("* Status: proposed\n", BULLET, "madr"), ("---\nstatus: Proposed\n", "yaml", "nygard")],
)
def test_the_status_is_written_as_in_the_neighbours(
    status: str, text: str, template: str, repository: Repository, run: Run
) -> None:
    if text == "yaml":
        section = "Date: 2024-01-02\n\n## Status\n\n{status}\n\n"
        text = "---\nstatus: Accepted\n---\n\n" + NYGARD.replace(section, "")
    _commit(repository, text)
    path = Path(run("new", "Pulsar").out.strip())
    assert status in path.read_text() and "## Status" not in path.read_text()
    path.write_text(filled(path.read_text()))
    assert run("check", str(path), "--fail-on", "warning").code == 0


def test_the_editor_of_git_opens_the_file(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GIT_EDITOR", raising=False)
    repository.git("config", "core.editor", "printf '%s\\n' edited >>")
    assert run("new", "First", "--edit").code == 0
    assert Path("docs/adr/001-first.md").read_text().endswith("edited\n")


def test_an_editor_that_fails_keeps_the_file(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_EDITOR", "exit 7;")
    result = run("new", "First", "--edit")
    assert result.code == 3 and "ended with exit code 7" in result.err
    assert result.out == "docs/adr/001-first.md\n" and Path("docs/adr/001-first.md").exists()


def test_without_an_editor_one_line_says_so(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_EDITOR", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    result = run("new", "First", "--edit")
    assert result.code == 3 and "there is no editor" in result.err
    assert result.err.count("\n") == 1 and os.path.exists("docs/adr/001-first.md")
