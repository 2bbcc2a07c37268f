"""What a change may do to a gate: links, huge files, forged results, planted settings. None of it is approved."""

import json
import os
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.fakes.program import approve
from tests.stories.gates.scene import ADR, APPROVALS, Gates, gates_of

RESULT = "approval-result.json"
PASSED = (
    f"passed: {{type: approval_passed, result_file: {RESULT}, approval_type: adr, files: {ADR}}}"
)
REVIEW = f"review: {{type: approval, approval_type: adr, files: {ADR}}}"


@pytest.fixture
def gates(repository: Repository, tmp_path: Path) -> Gates:
    return gates_of(repository, tmp_path / "programs")


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside.md", "nowhere.md", ".git/config"])
@pytest.mark.parametrize("pattern", ["linked/*", "linked/a.md"])
def test_a_link_out_of_the_tree_is_no_file(
    target: str, pattern: str, gates: Gates, tmp_path: Path
) -> None:
    """Attack on a custom gate: a link out of the tree, `../**`, an absolute path, `.git`.
    Answer: refused in the settings, rejected in the content.
    Shown by: `test_a_link_out_of_the_tree_is_no_file`, `test_an_ignored_folder_that_is_a_link_is_not_searched`, `approvals-gate-files-outside`, `approvals-gate-files-of-git`.
    """
    gates.define(f'there: {{type: files_exist, files: ["{pattern}"]}}')
    (tmp_path / "outside.md").write_text("secret\n")
    (gates.repository.root / "linked").mkdir()
    os.symlink(target, gates.repository.root / "linked" / "a.md")
    done = gates.ask("there")
    assert done.returncode == 1 and "secret" not in done.stdout


def test_an_ignored_folder_that_is_a_link_is_not_searched(gates: Gates, tmp_path: Path) -> None:
    gates.define('there: {type: files_exist, files: ["output/*.md"]}')
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.md").write_text("secret\n")
    gates.repository.write(".gitignore", "output\n")
    os.symlink(tmp_path / "outside", gates.repository.root / "output")
    assert gates.ask("there").returncode == 1


def test_a_change_that_removes_the_concept_is_not_complete(gates: Gates) -> None:
    gates.repository.git("checkout", "--quiet", "main")
    gates.repository.stage("concept.md", "# K\n\n## Lost\n\nNot in the ADR.\n")
    keys = f"file: {ADR}, concept: concept.md, semantic: false"
    gates.define(f"complete: {{type: adr_complete, {keys}}}")
    (gates.repository.root / "concept.md").unlink()
    done = gates.ask("complete", "--base", "main")
    assert done.returncode == 1 and "concept.md:1: error: there is no such file" in done.stdout
    own = gates.ask("complete")
    assert own.returncode == 1 and "concept.md:1: error: there is no such file" in own.stdout


@pytest.mark.parametrize("kind", ["files_exist", "syntax", "docstrings_complete"])
def test_a_huge_file_is_not_passed_half_read(kind: str, gates: Gates) -> None:
    gates.define(f'read: {{type: {kind}, files: ["lib/*.py"]}}')
    gates.repository.write("lib/a.py", '"""A."""\n' + "#" * 1_000_001)
    done = gates.ask("read")
    assert done.returncode == 1 and "larger than 1 MB" in done.stdout


def test_a_deleted_file_is_missing_though_git_tracks_it(gates: Gates) -> None:
    gates.define(f"there: {{type: files_exist, files: [{ADR}]}}")
    (gates.repository.root / ADR).unlink()
    done = gates.ask("there")
    assert done.returncode == 1 and "there is no such file" in done.stdout


def test_files_are_named_from_the_current_folder(gates: Gates) -> None:
    gates.define("there: {type: files_exist, files: [nowhere.md]}")
    done = gates.ask("there", "0007-kafka.md", cwd=gates.repository.root / "docs" / "adr")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", ["/etc/passwd", "../outside.md"])
def test_a_file_outside_of_the_repository_is_refused(
    path: str, gates: Gates, tmp_path: Path
) -> None:
    gates.define("there: {type: files_exist, files: [nowhere.md]}")
    (tmp_path / "outside.md").write_text("secret\n")
    done = gates.ask("there", path)
    assert done.returncode == 2 and "it lies outside of the repository" in done.stderr


def approved(gates: Gates) -> str:
    """Let a judge approve the ADR, and return what it has written."""
    gates.repository.write(".gitignore", f"{RESULT}\n")
    gates.repository.git("add", "--all")
    gates.repository.commit()
    done = approve(ADR, "--type", "adr", "--result", RESULT, env=gates.environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return (gates.repository.root / RESULT).read_text(encoding="utf-8")


def test_a_recorded_approval_passes_as_long_as_nothing_changes(gates: Gates) -> None:
    gates.define(PASSED)
    approved(gates)
    done = gates.ask("passed")
    assert (done.returncode, done.stdout) == (
        0,
        "approved: passed: adr: approved, for 1 file as they are\n",
    )
    text = (gates.repository.root / ADR).read_text(encoding="utf-8")
    gates.repository.write(ADR, f"{text}\nMore.\n")
    done = gates.ask("passed")
    assert done.returncode == 1 and f"{ADR} was changed since; approve it again" in done.stdout


@pytest.mark.parametrize(
    "change",
    [
        {"approval_id": "00000000"},
        {"approval_type": "code"},
        {"confidence": 0.5},
        {"timestamp": "2020-01-01T00:00:00Z"},
        {"files": []},
        {"files": [{"path": "src/orders.py", "hash": "0" * 40}]},
    ],
)
def test_a_result_that_was_edited_is_not_believed(change: dict[str, object], gates: Gates) -> None:
    gates.define(PASSED)
    result = {**json.loads(approved(gates)), **change}
    gates.repository.write(RESULT, json.dumps(result))
    done = gates.ask("passed")
    assert done.returncode == 1 and "the file alone is not proof" in done.stdout


def test_an_approval_of_other_files_is_not_enough(gates: Gates) -> None:
    gates.define(PASSED.replace(ADR, f"[{ADR}, docs/adr/0001-records.md]"))
    approved(gates)
    done = gates.ask("passed")
    assert done.returncode == 1
    assert "docs/adr/0001-records.md is not among the files that were approved" in done.stdout


def test_a_rejection_is_recorded_and_passes_nothing(repository: Repository, tmp_path: Path) -> None:
    gates = gates_of(repository, tmp_path / "programs", structured={"result": "needs_revision"})
    gates.define(PASSED)
    done = approve(ADR, "--type", "adr", "--result", RESULT, env=gates.environment)
    assert done.returncode == 1
    done = gates.ask("passed")
    assert done.returncode == 1 and "so it was not approved" in done.stdout


def test_docs_are_compiled_in_a_copy(gates: Gates) -> None:
    gates.define(
        'docs: {type: docs_compiled, outputs: "out/*", command: [sh, -c, "echo new > out/a; rm src/*"]}'
    )
    gates.repository.stage("out/a", "old\n")
    done = gates.ask("docs")
    assert done.returncode == 1 and "out/a:1: error: it is out of date" in done.stdout
    assert (gates.repository.root / "out" / "a").read_text() == "old\n"
    assert (gates.repository.root / "src" / "orders.py").exists()


def test_a_planted_judge_is_a_sign(gates: Gates) -> None:
    """Settings in the change, which say who judges, keep a judge's approval from counting."""
    gates.define(REVIEW)
    assert gates.ask("review").returncode == 0
    gates.repository.write(APPROVALS, f"gates:\n  {REVIEW}\napprovals: {{adr: {{timeout: 200}}}}\n")
    done = gates.ask("review")
    assert done.returncode == 4 and "modifies its own review rules" in done.stdout
