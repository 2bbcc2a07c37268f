"""What a person sees while a run goes on: a calm table of 80 columns at a terminal, lines elsewhere."""

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
def test_a_table_that_fits_and_is_taken_away_at_the_end(scene: FlowScene) -> None:
    shown = at_terminal(scene)
    plain = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown)
    rows = [row for row in re.split(r"[\r\n]+", plain) if row.startswith("running  ")]
    assert rows and max(map(len, rows)) <= 80
    assert any("\\x1b[2Jred" in row for row in rows) and "\x1b[2J" not in shown
    assert "approved  write" in plain.splitlines()[-1]


@pytest.mark.further
def test_without_colours(scene: FlowScene) -> None:
    assert "\x1b[3" not in at_terminal(scene, NO_COLOR="1")


@pytest.mark.further
def test_a_terminal_that_can_do_nothing_gets_lines(scene: FlowScene) -> None:
    shown = at_terminal(scene, TERM="dumb")
    assert (
        "write: running, try 1/1" in shown and f"| write: {LONG}" in shown and "\x1b" not in shown
    )
