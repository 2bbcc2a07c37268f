"""Errors in the settings of a change as findings, whatever characters they have."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_hooks.errors import ConfigError
from helix_hooks.judge.change import Change
from helix_hooks.judge.options import Range
from helix_hooks.judge.repair import settings_report
from tests.conftest import Repository
from tests.fakes.change import lay_out

SETTINGS = ".helix.yaml"


@pytest.fixture
def change(repository: Repository, tmp_path: Path) -> Iterator[Change]:
    lay_out(repository)
    repository.stage(SETTINGS, "# a\u2028b\x0bc\npaths: 1\n")
    repository.commit()
    opened = Change(str(repository.root), str(tmp_path), Range(base="main"))
    yield opened
    opened.close()


def test_the_row_is_the_line_as_git_counts(change: Change) -> None:
    (report,) = settings_report([ConfigError(SETTINGS, 2, "paths", "expected a list")], change)
    assert report.lines == {2: "paths: 1"} and change.line(SETTINGS, 2) == "paths: 1"


def test_the_message_is_utf8(change: Change) -> None:
    (report,) = settings_report([ConfigError(SETTINGS, 2, "", "no file a\udcff.md")], change)
    assert report.findings[0].message == "no file a\ufffd.md"
