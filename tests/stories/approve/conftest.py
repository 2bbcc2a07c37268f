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


@pytest.fixture
def change(repository: Repository) -> Repository:
    lay_out(repository)
    return repository


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """The environment of a call, with a stand-in or the real claude CLI."""

    def environment(
        case: dict[str, Any] | None = None, model: Model | None = None
    ) -> dict[str, str]:
        folder = tmp_path / f"programs-{len(list(tmp_path.iterdir()))}"
        (tmp_path / "tmp").mkdir(exist_ok=True)
        return {
            **judges.without_claude(judges.environment(model, judges.programs(folder, case))),
            "TMPDIR": str(tmp_path / "tmp"),
        }

    return environment


@pytest.fixture
def good() -> Iterator[Model]:
    """A model that reads each file, and approves."""
    with Model(judges.script([[{"use": [["Read", {"file_path": ADR}]]}, {"answer": {}}]])) as model:
        yield model
