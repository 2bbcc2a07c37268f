"""The project's own ADRs: those in force describe code that exists, and the list by topic names each."""

import re
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT

FOLDER = ROOT / "docs" / "adr"
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)*/?[\w.-]*\.(?:py|md|yaml|yml|json|sh|toml|css|js|txt))`")
TEST = re.compile(r"\btest_\w+\b(?!\.py)")
PLACES = (ROOT, ROOT / "helix_hooks", FOLDER)


def header(path: Path) -> dict[str, object]:
    found: dict[str, object] = yaml.safe_load(path.read_text(encoding="utf-8").split("---")[1])
    return found


IN_FORCE = [
    path for path in sorted(FOLDER.glob("[0-9]*.md")) if header(path)["status"] == "Accepted"
]
FUNCTIONS = {
    name
    for file in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", file.read_text("utf-8"), re.MULTILINE)
}
each = pytest.mark.parametrize("path", IN_FORCE, ids=lambda path: path.name[:3])


@each
def test_a_decision_in_force_names_files_that_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    files = header(path)["files"]
    assert isinstance(files, dict)
    listed = [name for names in files.values() for name in names]
    written = [name for name in PATH.findall(text) if "/" in name]
    missing = [
        name for name in (*listed, *written) if not any((place / name).exists() for place in PLACES)
    ]
    assert missing == []


@each
def test_a_decision_in_force_names_tests_that_exist(path: Path) -> None:
    criteria = path.read_text(encoding="utf-8").partition("## Acceptance Criteria")[2]
    named = TEST.findall(criteria)
    assert named
    assert [name for name in named if name not in FUNCTIONS] == []


def test_the_list_by_topic_names_each_decision_in_force() -> None:
    topics = (FOLDER / "README.md").read_text(encoding="utf-8").partition("<!-- helix-index")[0]
    assert re.findall(r"\]\(([0-9][^)]+)\)", topics) == [path.name for path in IN_FORCE]
