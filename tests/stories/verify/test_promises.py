"""What `contract` says of an ADR, and the patch that it offers: a folder of cases is a repository and all that is printed.

`--written tests/cases/contract` writes what the program says now; read it before you commit it.
"""

import json
import shutil
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository, Run

CASES = sorted((ROOT / "tests/cases/contract").iterdir())
PATH = "docs/adr/0001-use-kafka.md"
EMPTY = "# 1. Use Kafka\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nKafka.\n\n## Consequences\n\nx\n"


def _called(run: Run, *arguments: str) -> str:
    result = run("contract", PATH, *arguments)
    command = " ".join(("$ helix-hooks contract", PATH, *arguments))
    return f"{command}\n{result.out}{result.err}exit {result.code}\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_promised_before_and_after_the_patch(
    case: Path, repository: Repository, run: Run, written: Path | None, tmp_path: Path
) -> None:
    shutil.copytree(case / "repository", repository.root, dirs_exist_ok=True)
    repository.git("add", "--all")
    before = (repository.root / PATH).read_bytes()
    printed = [_called(run), _called(run, "--suggest")]
    assert (repository.root / PATH).read_bytes() == before
    patch = run("contract", PATH, "--suggest").out
    if patch.startswith("diff "):
        place = tmp_path / "patch"
        place.write_bytes(patch.encode(errors="surrogateescape"))
        repository.git("apply", str(place))
        printed += ["$ git apply\n", _called(run)]
        assert run("contract", PATH, "--suggest").out == ""
    seen = "".join(printed)
    if written:
        (written / case.name / "expected.txt").write_text(seen, encoding="utf-8", newline="")
    assert seen == (case / "expected.txt").read_bytes().decode()


def test_a_program_reads_the_promises_and_the_offer(repository: Repository, run: Run) -> None:
    repository.stage(PATH, f"{EMPTY}\n## Validation\n\nEach test of the service passes.\n")
    result = run("contract", "1", "--suggest", "--format", "json")
    value = json.loads(result.out)
    assert (result.code, result.err) == (0, "")
    assert value["patch"].startswith("diff --git ")
    del value["patch"]
    assert value == {
        "version": 1,
        "adr_id": "001",
        "path": PATH,
        "title": "1. Use Kafka",
        "promises": [],
        "suggestions": [
            {"kind": "criterion", "subject": "Each test of the service passes.", "line": 21}
        ],
    }
    assert json.loads(run("contract", "1", "--format", "json").out)["promises"] == []


@pytest.mark.parametrize("name", ["7", "docs/adr/0007-other.md", "README.md", "../x.md"])
def test_an_unknown_adr(name: str, repository: Repository, run: Run) -> None:
    repository.stage(PATH, EMPTY)
    repository.stage("README.md", "# Shop\n")
    result = run("contract", name)
    assert (result.code, result.out) == (2, "")
    assert result.err == f"helix-hooks: {name}: there is no such ADR in the work tree\n"


def test_an_id_of_two_adrs_and_a_file_that_is_no_text(repository: Repository, run: Run) -> None:
    repository.stage(PATH, EMPTY)
    repository.stage("docs/adr/0001-other.md", b"\xff\xfe# 1")
    assert "is ambiguous" in run("contract", "1").err
    result = run("contract", "docs/adr/0001-other.md")
    assert (result.code, result.err) == (
        2,
        "helix-hooks: docs/adr/0001-other.md: the file is UTF-16; save it as UTF-8\n",
    )


def test_it_reads_the_work_tree_whatever_the_status(repository: Repository, run: Run) -> None:
    repository.stage(PATH, EMPTY)
    repository.commit()
    repository.write(PATH, f"---\nstatus: draft\nfiles: {{create: [a/b.py]}}\n---\n{EMPTY}")
    assert run("contract", "ADR-1").out == (
        f"{PATH}: 1 promise, at best 1 shown (1. Use Kafka)\n"
        "  shown  create  a/b.py (line 3): git proves it\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "- one order arrives at {number}\n",
        "## Validation\n\n1. one order arrives at {number}\n\n",
        "- `a/{number}.py` is added and a/{number}.py/ is not\n",
        "Add `a/{number}.py`, a/b/c/{number}.py. ",
        "a/",
        "`a ",
        "- [ ] *a",
        "## Acceptance Criteria\n\n- it works in a way\n",
    ],
)
def test_a_hostile_adr_costs_little(text: str, repository: Repository, run: Run) -> None:
    rows = "".join(text.replace("{number}", str(number)) for number in range(10_000))
    start = time.process_time()
    repository.stage(PATH, f"{EMPTY}\n## Validation\n\n{rows}")
    result = run("contract", PATH, "--suggest", "--format", "json")
    assert result.code in (0, 4)
    assert len(json.loads(result.out)["suggestions"]) <= 40
    assert time.process_time() - start < 20
