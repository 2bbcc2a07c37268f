"""Fixtures of commands."""

from importlib import metadata

import pytest

_REAL = metadata.distribution


class _Unrecorded:
    """A distribution of which nothing is recorded."""

    def read_text(self, name: str) -> str:
        return "{}"


@pytest.fixture(autouse=True)
def installed_from_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """`init` would look up the clone from which the tests themselves are installed."""

    def distribution(name: str) -> object:
        return _Unrecorded() if name == "helix-hooks" else _REAL(name)

    monkeypatch.setattr(metadata, "distribution", distribution)
