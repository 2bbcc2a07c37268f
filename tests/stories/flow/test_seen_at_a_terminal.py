"""What a person sees while a run goes on: its lines, and its table at the end."""

import re

import pytest

from tests.stories.flow.examples import FlowScene

pytestmark = pytest.mark.slow
LONG = "reading a file whose name is so long that no terminal of eighty columns has room for it"
FLOW = f"""phases:
  - id: write
    type: development
    run: [sh, -c, "echo '{LONG}'; printf '\\\\033[2Jred\\\\n'; sleep 1; mkdir -p out && echo x > out/a.md"]
    output: [out/a.md]
"""


def at_terminal(scene: FlowScene, **variables: str) -> str:
    scene.environment.update(variables)
    scene.repository.write("phases.yaml", FLOW)
    code, shown = scene.at_terminal("run", "phases.yaml", "--task", "x", typed="")
    assert code == 0, shown
    return shown


@pytest.mark.further
@pytest.mark.parametrize("terminal", ["xterm", "dumb"])
def test_lines_of_the_run_then_its_table(scene: FlowScene, terminal: str) -> None:
    shown = at_terminal(scene, TERM=terminal)
    plain = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown)
    assert "write: running, try 1/1" in plain and f"| write: {LONG}" in plain
    assert "\\x1b[2Jred" in plain and "\x1b[2J" not in shown
    assert "approved  write" in plain.splitlines()[-1]


@pytest.mark.further
def test_without_colours(scene: FlowScene) -> None:
    assert "\x1b[3" not in at_terminal(scene, NO_COLOR="1")
