"""Every folder in tests/cases/flows is a flow, a script, and all that follows from it.

`phases.yaml` is the flow. A line of `events.txt` is a command of a person whom GitHub confirms, as
in `@grace flow approve --phase approval`, or the end of the task that runs, as in
`approval rejected a.md:3 no owner` (also `approved`, `unsure` and `failed`). `cost USD`,
`write PATH [TEXT]` and `restore PATH` before the end of a task are done by its program, `write`
before a command by a person. `meanwhile` is before a command that another person gives while
GitHub is asked about the next one. `expected.txt` has all that follows, and the state at the end.
`--written FOLDER` writes what is seen now.
"""

from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository
from tests.fakes.github.server import FakeGitHub
from tests.stories.flow.flow_case import FlowCase

pytestmark = pytest.mark.slow
"""Each command of a run starts an engine."""

FOLDERS = sorted((ROOT / "tests" / "cases" / "flows").iterdir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
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
