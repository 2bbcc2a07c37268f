"""Every folder in tests/cases/flows is a flow, a script, and all that follows from it.

`phases.yaml` is the flow. A line of `events.txt` is a command of a person whom GitHub confirms, as
in `@grace flow approve --phase approval`, or the end of the task that runs, as in
`approval rejected a.md:3 no owner` (also `approved`, `unsure` and `failed`). Before the end of a
task stand a `cost USD` of its program, or a file that somebody changes by then: `write PATH [TEXT]`,
and `restore PATH` for the content that its author wrote. `write` before a command is a person's.

A command with `during` before it is given while a program works, one with `meanwhile` while GitHub
is asked who gives the next command. RUN is the id of the newest run. `expected.txt` has what the
run recorded, what the authors were asked, what each command printed, the files that are left, and
the state at the end. `--written FOLDER` writes what is seen now.

Attack in a flow: change a file after its approval.
Answer: its gate is asked again before anything relies on it.
Shown by: `changed-file-reopens`, `a-phase-changes-what-was-approved`.
"""

from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository
from tests.fakes.github.server import FakeGitHub
from tests.stories.flow.flow_case import FlowCase

pytestmark = pytest.mark.slow
"""Each command of a run starts an engine."""

FOLDERS = sorted((ROOT / "tests" / "cases" / "flows").iterdir())
FURTHER = {
    "cascade-middle-rejects",
    "keeps-changing",
    "own-retries-exhausted",
    "prompt-made-again",
}
"""Cases that guard no approval that another case does not guard."""


def marked(folder: Path) -> object:
    marks = [pytest.mark.further] if folder.name in FURTHER else []
    return pytest.param(folder, id=folder.name, marks=marks)


@pytest.mark.parametrize("folder", [marked(folder) for folder in FOLDERS])
def test_a_flow(folder: Path, repository: Repository, tmp_path: Path, written: Path | None) -> None:
    with FakeGitHub(repository.root) as github:
        case = FlowCase(folder, repository, tmp_path / "script", github)
        case.play()
        text = case.transcript()
    file = folder / "expected.txt"
    if written:
        place = written / folder.name / file.name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    else:
        assert text == file.read_text(encoding="utf-8")
