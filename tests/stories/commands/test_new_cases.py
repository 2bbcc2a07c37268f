"""`new` writes the next ADR as the team writes its own: cases are repositories and the ADR that follows, with each one that it supersedes.

`args` are added to the call.

`--written tests/cases/new` writes what the program writes now; read it before you commit it.
"""

import json
import re
import shutil
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository, Run
from tests.stories.commands.blanks import filled

CASES = sorted((ROOT / "tests/cases/new").iterdir())
TODAY = time.strftime("%Y-%m-%d")
FORMS = {
    "%Y-%m-%d": "{today}",
    "%d.%m.%Y": "{day.month.year}",
    "%Y/%m/%d": "{year/month/day}",
}


def _paths(case: Path, repository: Repository, run: Run) -> list[str]:
    """Commit the repository of a case, and return the files that `new` writes there."""
    shutil.copytree(case / "repository", repository.root, dirs_exist_ok=True)
    repository.git("add", "-A")
    repository.commit()
    args = (case / "args").read_text().split() if (case / "args").exists() else []
    return run("new", "Keep Sessions in Redis", *args).out.splitlines()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_new_adr_is_written_as_its_neighbours_are(
    case: Path, repository: Repository, run: Run, written: Path | None
) -> None:
    paths = _paths(case, repository, run)
    printed = "\n".join(f"{path}\n\n{Path(path).read_text(encoding='utf-8')}" for path in paths)
    shown = printed.replace(TODAY.replace("-", ""), "TODAY")
    for form, name in FORMS.items():
        shown = shown.replace(time.strftime(form), name)
    if written:
        (written / case.name / "expected.txt").write_text(shown, encoding="utf-8")
    assert shown == (case / "expected.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_fails_until_its_blanks_are_filled_in(
    case: Path, repository: Repository, run: Run
) -> None:
    path = Path(_paths(case, repository, run)[0])
    repository.git("add", "-A")
    assert run("check", "--staged").code == 1
    text = path.read_text(encoding="utf-8")
    text = re.sub(r'"\{(\w+) \|.*\}"', r"\1", filled(text)).replace("TODO", "Ada")
    lines = re.sub(r"(?m)^([\w-]+:) \{.*\}$", r"\1 Ada", text).split("\n")
    path.write_text("\n".join(lines), encoding="utf-8")
    # The guidance of a template file may have no marks.
    for finding in json.loads(run("check", str(path), "--format", "json").out)["files"][0][
        "findings"
    ]:
        if finding["check"] == "placeholder":
            lines[finding["line"] - 1] = f"Line {finding['line']} says what is decided here."
    path.write_text("\n".join(lines), encoding="utf-8")
    repository.git("add", "-A")
    report = run("check", "--staged")
    assert report.code == 0, report.out
