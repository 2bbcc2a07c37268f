"""What docs/flows.md shows of gates and settings is what the program does."""

import os
import re

import pytest

from helix_hooks.config.gates import GATE_KINDS, Gate
from tests.conftest import ROOT, Repository, Run
from tests.fakes.program import program
from tests.stories.gates.scene import APPROVALS

PAGE = (ROOT / "docs" / "flows.md").read_text(encoding="utf-8")
SETTINGS = [
    block
    for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    if not block.startswith(("# phases.yaml", "on:"))
]
(GATES,) = [block for block in SETTINGS if block.startswith("gates:")]
CALLS = re.findall(r"\$ helix-hooks (.*)\n((?:[^$`].*\n)+)", PAGE.split("```console\n")[1])
ADR = (ROOT / "tests/cases/verdicts/repository/change/docs/adr/0007-kafka.md").read_bytes()
CODE = '"""Orders."""\n\n\ndef publish(order): ...\n'


@pytest.mark.parametrize("text", SETTINGS, ids=range(len(SETTINGS)))
def test_settings_are_well_formed(text: str, repository: Repository, run: Run) -> None:
    repository.stage(APPROVALS, text)
    result = run("check-config")
    assert result.code == 0, result.err


@pytest.mark.parametrize(("call", "output"), CALLS)
def test_output(call: str, output: str, repository: Repository) -> None:
    for path, text in ((APPROVALS, GATES), ("src/orders.py", CODE)):
        repository.stage(path, text)
    repository.stage("docs/adr/0007-kafka.md", ADR)
    repository.commit()
    assert program(*call.split(), env=os.environ).stdout == output


def test_the_page_names_every_kind_and_key() -> None:
    for kind in GATE_KINDS:
        assert f"| `{kind}` |" in PAGE
    not_keys = {"name", "kind", "place", "result", "is_default"}
    for key in (*({*Gate._fields} - not_keys), "required_result", "reads_files"):
        assert f"`{key}`" in PAGE or f"{key}:" in PAGE
