"""The place of an outbox."""

from pathlib import Path

import pytest

from helix_hooks.flow.place import FlowPlace
from tests.stories.notify.scene import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(FlowPlace(str(tmp_path / "tree"), str(tmp_path / "tree" / ".git")), tmp_path)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.further)])
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Scene:
    """A scene on either database."""
    url = request.getfixturevalue("postgres").url() if request.param == "postgres" else ""
    return Scene(FlowPlace(str(tmp_path / "tree"), str(tmp_path / "tree" / ".git"), url), tmp_path)
