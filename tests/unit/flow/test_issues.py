"""The findings of earlier rounds, in a file that an agent can write."""

from pathlib import Path

import pytest

from helix_hooks.flow import issues
from helix_hooks.phases.run_state import StageTask

TASK = StageTask("run", "code", "response", 2, 2, True)


@pytest.mark.parametrize("text", ["", "{", "[" * 200_000, "[1]", '[{"id": 1}]', "null", "{}"])
def test_a_damaged_file_has_no_findings(tmp_path: Path, text: str) -> None:
    folder = tmp_path / ".helix" / "flows" / "run"
    folder.mkdir(parents=True)
    (folder / "revision-issues.json").write_text(text)
    assert issues.earlier(str(tmp_path), TASK) == ()
