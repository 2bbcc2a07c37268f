"""`check --fix` in real repositories: bytes that stay, hostile files, options, races."""

import json
import os
import sys
from pathlib import Path

import pytest

from helix_hooks.authoring import fix
from helix_hooks.authoring.difference import ChangedFile
from helix_hooks.errors import HelixError
from tests.conftest import Repository, Run
from tests.stories.check.samples import GOOD, expect

BAD = GOOD.replace("Accepted", "Acepted")
PATH = "docs/adr/0007-kafka.md"
ON_WINDOWS = sys.platform == "win32"


def test_line_ends_byte_order_mark_and_mode_stay(repository: Repository, run: Run) -> None:
    file = repository.write(PATH, b"\xef\xbb\xbf" + BAD.replace("\n", "\r\n").encode())
    file.chmod(0o750)
    result = run("check", "--fix")
    expect(result, 0, f"{PATH}:5: fixed: status 'Acepted' -> 'Accepted' [header-invalid]\n")
    assert file.read_bytes() == b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()
    assert ON_WINDOWS or file.stat().st_mode & 0o777 == 0o750


def test_a_patch_that_would_be_empty_is_a_message(repository: Repository, run: Run) -> None:
    repository.stage(PATH, GOOD)
    result = run("check", "--diff")
    assert (result.code, result.out) == (0, "")
    assert result.err == "helix-hooks: nothing to fix automatically\n"
    assert run("check", "--diff", "--quiet").err == ""


def test_a_file_that_is_not_utf_8_is_left_alone(repository: Repository, run: Run) -> None:
    data = BAD.encode() + b"\xff\xfe\n"
    file = repository.write(PATH, data)
    result = run("check", "--fix")
    assert (result.code, file.read_bytes()) == (1, data)
    assert "[file-unreadable]" in result.out


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "0001-x.md").write_text(BAD, encoding="utf-8")
    result = run("check", "--fix", "0001-x.md")
    assert result.code == 2 and "needs a git repository" in result.err
    assert (tmp_path / "0001-x.md").read_text(encoding="utf-8") == BAD


def test_a_path_outside_of_the_repository(repository: Repository, tmp_path: Path, run: Run) -> None:
    outside = tmp_path / "0001-x.md"
    outside.write_text(BAD, encoding="utf-8")
    repository.write(PATH, GOOD)
    assert run("check", "--fix", str(outside)).code == 1
    assert outside.read_text(encoding="utf-8") == BAD


def test_only_the_named_files(repository: Repository, run: Run) -> None:
    file = repository.write(PATH, BAD)
    other = repository.write("docs/adr/0008-other.md", BAD.replace("# 7", "# 8"))
    assert run("check", "--fix", PATH).code == 0
    assert file.read_text(encoding="utf-8") == GOOD
    assert "Acepted" in other.read_text(encoding="utf-8")


def test_since_fixes_what_the_branch_changed(repository: Repository, run: Run) -> None:
    old = repository.stage("docs/adr/0008-other.md", BAD.replace("# 7", "# 8"))
    repository.commit()
    file = repository.stage(PATH, BAD)
    result = run("check", "--fix", "--since", "HEAD")
    assert f"{PATH}:5: fixed:" in result.out and "git add" in result.err
    assert file.read_text(encoding="utf-8") == GOOD
    assert "Acepted" in old.read_text(encoding="utf-8")


def test_json_stays_json(repository: Repository, run: Run) -> None:
    repository.write(PATH, BAD)
    result = run("check", "--fix", "--format", "json")
    assert json.loads(result.out)["passed"] is True
    assert f"helix-hooks: {PATH}:5: fixed:" in result.err


@pytest.mark.skipif(ON_WINDOWS, reason="symbolic links need a privilege on Windows")
def test_links_are_left_alone(repository: Repository, tmp_path: Path, run: Run) -> None:
    outside = tmp_path / "secret.md"
    outside.write_text("<!-- helix-index -->\n<!-- /helix-index -->\n", encoding="utf-8")
    real = repository.write("notes/real.txt", BAD)
    folder = repository.root / "docs" / "adr"
    folder.mkdir(parents=True)
    os.symlink("../../notes/real.txt", folder / "0001-x.md")
    os.symlink(outside, folder / "README.md")
    result = run("check", "--fix")
    assert ": fixed: " not in result.out
    assert result.out.count("is a symbolic link; commit the file itself") == 1
    assert real.read_text(encoding="utf-8") == BAD
    assert "|" not in outside.read_text(encoding="utf-8")


@pytest.mark.skipif(ON_WINDOWS, reason="Windows has no such modes")
def test_what_may_not_be_written(repository: Repository, run: Run) -> None:
    file = repository.write(PATH, BAD)
    file.chmod(0o444)
    result = run("check", "--fix")
    assert result.code == 1 and "is read-only (chmod u+w)" in result.err
    assert file.read_text(encoding="utf-8") == BAD


@pytest.mark.skipif(ON_WINDOWS, reason="Windows has no such names")
def test_a_name_with_a_line_end(repository: Repository, run: Run) -> None:
    file = repository.write("docs/adr/0007-a\nb.md", BAD)
    shown = run("check", "--diff")
    assert 'diff --git "a/docs/adr/0007-a\\nb.md" "b/docs/adr/0007-a\\nb.md"\n' in shown.out
    (repository.root / "fix.patch").write_text(shown.out, encoding="utf-8")
    repository.git("apply", "--check", "fix.patch")
    result = run("check", "--fix")
    assert result.out.startswith("docs/adr/0007-a\\nb.md:5: fixed: ")
    assert file.read_text(encoding="utf-8") == GOOD


def test_large_files_and_yaml_bombs_are_left_alone(repository: Repository, run: Run) -> None:
    large = repository.write("docs/adr/0001-large.md", BAD + "x" * 1_100_000)
    letters = "bcdefghijklmnopqrstu"
    pairs = zip(letters, f"a{letters}", strict=False)
    rows = "".join(f"{name}: &{name} [*{above}, *{above}]\n" for name, above in pairs)
    bomb = f"---\na: &a [x, x]\n{rows}adr_id: 002\nstatus: Acepted\n---\n# 2. Bomb\n\ntext\n"
    exploding = repository.write("docs/adr/0002-bomb.md", bomb)
    wide = repository.write("docs/adr/0003-wide.md", GOOD.replace("Accepted", "Acepted" * 90_000))
    before = [file.read_bytes() for file in (large, exploding, wide)]
    assert run("check", "--fix").code == 1
    assert [file.read_bytes() for file in (large, exploding, wide)] == before


@pytest.mark.parametrize("place", ["branch", "ignored"])
def test_a_number_that_is_taken_elsewhere_is_not_given_again(
    decided: Repository, run: Run, place: str
) -> None:
    taken = "docs/adr/0008-theirs.md"
    if place == "branch":
        decided.git("switch", "--quiet", "--create", "theirs")
        decided.stage(taken, GOOD)
        decided.commit()
        decided.git("switch", "--quiet", "-")
    else:
        decided.stage(".gitignore", f"{taken}\n")
        decided.write(taken, GOOD)
    decided.write("docs/adr/0007-mine.md", GOOD)
    assert "fixed: renamed to docs/adr/0009-mine.md" in run("check", "--fix").out
    assert (decided.root / "docs/adr/0009-mine.md").exists()


def test_in_a_merge_no_number_is_changed(decided: Repository, run: Run) -> None:
    decided.git("checkout", "--quiet", "-b", "other")
    decided.stage("docs/adr/0008-theirs.md", GOOD.replace("# 7", "# 8"))
    decided.commit()
    decided.git("checkout", "--quiet", "-")
    decided.stage("docs/adr/0008-ours.md", GOOD.replace("# 7", "# 8"))
    decided.commit()
    decided.git("merge", "--no-commit", "--no-ff", "other")
    result = run("check", "--fix")
    assert result.code == 1 and ": fixed: " not in result.out


def test_before_the_first_commit_no_number_is_changed(repository: Repository, run: Run) -> None:
    repository.write(PATH, GOOD)
    repository.write("docs/adr/0007-other.md", GOOD)
    assert ": fixed: " not in run("check", "--fix").out


def test_a_moved_adr_keeps_its_number(repository: Repository, run: Run) -> None:
    """The new name may be that of an old decision, which must not get a third number."""
    repository.stage(PATH, GOOD.replace("# 7. ", "# "))
    repository.stage("docs/adr/0009-old.md", GOOD.replace("# 7. Use Kafka", "# Use Redis"))
    repository.commit()
    repository.git("mv", "docs/adr/0009-old.md", "docs/adr/0007-old.md")
    result = run("check", "--fix")
    assert result.code == 1 and ": fixed: " not in result.out
    assert (repository.root / "docs/adr/0007-old.md").exists()


def test_a_name_that_is_taken_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"old")
    (tmp_path / "b.md").write_bytes(b"other")
    with pytest.raises(HelixError, match="a\\.md could not be written: File exists"):
        fix.write(str(tmp_path), [ChangedFile("a.md", "b.md", b"old", b"old")])
    assert (tmp_path / "b.md").read_bytes() == b"other"


def test_a_file_that_could_not_be_written_is_exit_3(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file changes between the look at it and the writing."""
    first = repository.write("docs/adr/0006-first.md", BAD.replace("# 7", "# 6"))
    file = repository.write(PATH, BAD)
    write = fix.write

    def later(*arguments: object) -> object:
        file.write_text(BAD + "More.\n", encoding="utf-8")
        return write(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(fix, "write", later)
    result = run("check", "--fix")
    assert result.code == 3 and "changed during the fix; nothing was written" in result.err
    assert ": fixed: " not in result.out
    assert file.read_text(encoding="utf-8") == BAD + "More.\n"
    assert "Acepted" in first.read_text(encoding="utf-8")
