"""Every folder in tests/cases/init is a repository with ADRs, beside what `init` says. Its settings and ADRs stay as they are.

`repository.txt` has the files, each below a line `=== path`. A path with `{1-8}` is eight files, in whose content `{n}` is the number.
`--written tests/cases/init` writes what the program says now; read it before you commit it.
"""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository, Run

CASES = ROOT / "tests" / "cases" / "init"
NAMES = sorted(path.name for path in CASES.iterdir())
HOOKS = (
    "repos:\n  - repo: https://github.com/helix-hooks/helix-hooks\n    hooks: [{id: helix-adr}]\n"
)


def lay(name: str, repository: Repository) -> None:
    """Write and commit the files of a case."""
    text = (CASES / name / "repository.txt").read_text(encoding="utf-8")
    parts = re.split(r"(?m)^=== (.+)\n", text)
    for path, content in zip(parts[1::2], parts[2::2], strict=True):
        span = re.search(r"\{(\d+)-(\d+)\}", path)
        for number in range(int(span[1]), int(span[2]) + 1) if span else (0,):
            place = path.replace(span[0], f"{number:04}") if span else path
            repository.write(place, content.replace("{n}", str(number)))
    repository.write(".pre-commit-config.yaml", HOOKS)
    repository.git("add", "--all", "--force")
    repository.commit()


def files(root: Path) -> dict[str, bytes]:
    """Return the files of a repository, without those of git."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


@pytest.mark.parametrize("name", NAMES)
def test_init(name: str, repository: Repository, run: Run, written: Path | None) -> None:
    lay(name, repository)
    before = files(repository.root)
    dry = run("init", "--dry-run")
    result = run("init")
    assert dry.out == f"Nothing is written; without --dry-run:\n{result.out}"
    said = result.out.partition("\n\nNext:\n")[0]
    if written:
        (written / name / "expected.txt").write_text(f"{said}\n", encoding="utf-8")
    assert f"{said}\n" == (CASES / name / "expected.txt").read_text(encoding="utf-8")
    assert files(repository.root) == before


def test_the_settings_that_init_names_make_no_old_adr_red(repository: Repository, run: Run) -> None:
    lay("folders-that-read-like-adrs", repository)
    line = re.search(r"`(paths: .*?)` into", run("init").out)
    assert line and run("check").code == 2 and line[1] in run("check").err
    repository.write(".helix-hooks.yaml", f"{line[1]}\n")
    assert run("check").code == 0
    assert "found  3 ADRs in handbook/choices, Nygard; a new ADR must have " in run("init").out
