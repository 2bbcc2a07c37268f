"""Fixtures of a change that a judge is asked about."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Repository
from tests.fakes import judges
from tests.fakes.change import lay_out
from tests.fakes.scripted_model import Model
from tests.stories.approve.scene import ADR, Place

MARKS = ("double", "real_cli")


@pytest.fixture
def change(repository: Repository) -> Repository:
    lay_out(repository)
    return repository


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """The environment of a call, with a stand-in, or with the claude CLI or its double as the test is marked."""

    def environment(
        case: dict[str, Any] | None = None, model: Model | None = None
    ) -> dict[str, str]:
        folder = tmp_path / f"programs-{len(list(tmp_path.iterdir()))}"
        (tmp_path / "tmp").mkdir(exist_ok=True)
        marks = [name for name in MARKS if request.node.get_closest_marker(name)]
        assert model is None or len(marks) == 1, f"who speaks to the model? one mark of {MARKS}"
        programs = judges.programs(folder, case, double="double" in marks)
        return {
            **judges.without_claude(judges.environment(model, programs)),
            "TMPDIR": str(tmp_path / "tmp"),
        }

    return environment


@pytest.fixture
def good() -> Iterator[Model]:
    """A model that reads each file, and approves."""
    with Model(judges.script([[{"use": [["Read", {"file_path": ADR}]]}, {"answer": {}}]])) as model:
        yield model
