"""Every folder in tests/cases/adr is an ADR (or a few, with settings and concepts) beside the exact report and exit code.

`args` holds the arguments where they are not just `adr.md`. To add a case, add a folder. `--written tests/cases/adr`
writes what the program says now; read it before you commit it.

Attack by a hostile ADR: YAML that constructs objects (`!!python/...`).
Answer: values are built from parser events; nothing is constructed, and the tag is a finding.
Shown by: `tests/cases/adr/header-tag`.

Attack by a hostile ADR: aliases that multiply.
Answer: they may repeat at most 200 values; more is an error.
Shown by: `tests/cases/adr/header-alias-bomb`.

Attack by a hostile ADR: deep nesting, in YAML or Markdown.
Answer: YAML ends at 50 levels; Markdown is parsed without recursion.
Shown by: `tests/cases/adr/header-deep-nesting`, `tests/unit/adr/parse/test_document.py`.

Attack by a hostile ADR: a huge file, binary content.
Answer: 1 MB is the limit; an unreadable file is an error, never skipped.
Shown by: `tests/cases/adr/unreadable-*`, `tests/stories/check/test_staged.py`.

Attack by a hostile ADR: escape sequences that repaint the terminal, direction marks that reorder it.
Answer: escaped in every report.
Shown by: `tests/cases/adr/report-control-characters`.

Attack by a hostile ADR: newlines that forge workflow commands.
Answer: escaped as GitHub documents.
Shown by: `tests/cases/adr/report-github`.

Attack by a hostile ADR: a concept path outside the repository.
Answer: refused.
Shown by: `tests/cases/adr/layer3-concept-outside`.

Attack by a hostile ADR: a section where nobody sees it: a comment across HTML blocks, link definitions, invisible letters, one long word.
Answer: not counted; the section is missing or empty.
Shown by: `tests/cases/adr/layer2-major-migration-*`.

Attack by a hostile ADR: a header that no rule reads: odd keys, look-alike letters, behind a comment, in code, several fields on a line.
Answer: read, or an error.
Shown by: `tests/cases/adr/header-*`.

Attack by a hostile ADR: a concept that is empty, the ADR itself, or dropped with a placeholder.
Answer: an error.
Shown by: `tests/cases/adr/layer3-*`.
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
