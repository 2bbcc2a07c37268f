"""The two databases of the store."""

from pathlib import Path

import pytest

from helix_hooks.flow.place import FlowPlace


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> FlowPlace:
    """Give the place of a store, once for each database."""
    url = request.getfixturevalue("postgres").url() if request.param == "postgres" else ""
    folder = tmp_path / "repository" / ".git" / "helix-hooks"
    return FlowPlace(str(tmp_path / "repository"), str(folder), url)
