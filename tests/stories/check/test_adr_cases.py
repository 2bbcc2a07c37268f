"""Every folder in tests/cases/adr is an ADR (or a few, with settings and concepts) beside the exact report and exit code.

`args` holds the arguments where they are not just `adr.md`. To add a case, add a folder. `--written tests/cases/adr`
writes what the program says now; read it before you commit it.
"""

import contextlib
import io
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT

CASES = ROOT / "tests" / "cases" / "adr"


def report(folder: Path) -> str:
    """Standard output, standard error and exit code of the check in a folder."""
    from helix_hooks.cli.main import main

    arguments = (folder / "args").read_text().split() if (folder / "args").exists() else ["adr.md"]
    arguments = (
        arguments
        if any(argument.endswith((".md", "adr")) for argument in arguments)
        else [*arguments, "adr.md"]
    )
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["check", "--color", "never", *arguments])
    return f"{out.getvalue()}{err.getvalue()}exit {code}\n"


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_case(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: Path | None
) -> None:
    work = tmp_path / name
    shutil.copytree(CASES / name, work)
    monkeypatch.chdir(work)
    seen = report(work)
    if written:
        (written / name / "expected.txt").write_text(seen, encoding="utf-8")
    assert seen == (CASES / name / "expected.txt").read_text(encoding="utf-8")
