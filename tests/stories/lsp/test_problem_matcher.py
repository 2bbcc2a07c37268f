"""Problem matchers find each finding in the output of `check`, and the documentation has valid examples."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository, Run
from tests.stories.lsp.samples import helix

_BLOCK = r"(?ms)^```(\w+)\n(.*?)^```$"


def blocks(language: str) -> list[str]:
    """Return the examples of the page of editors in a language."""
    page = (ROOT / "docs/check.md").read_text(encoding="utf-8")
    return [text for name, text in re.findall(_BLOCK, page) if name == language]


def _packaged() -> str:
    data = json.loads((ROOT / "docs/problem-matcher.json").read_text(encoding="utf-8"))
    return str(data["problemMatcher"][0]["pattern"][0]["regexp"])


@pytest.mark.parametrize(
    ("color", "regexp"),
    [("never", _packaged()), ("always", _packaged())],
    ids=["plain", "coloured"],
)
def test_each_finding_is_found(color: str, regexp: str, repository: Repository, run: Run) -> None:
    text = helix("003", "Use a log", more='depends_on: ["099"]\n')
    repository.stage("docs/adr/003-a b.md", text.replace("## Konsequenzen", "## Ausklang"))
    repository.stage("docs/adr/004-c.md", text.replace("Proposed", "Propsed").replace("{", ""))
    report = json.loads(run("check", "--format", "json").out)
    expected = [
        (item["path"], item["line"], item["column"], item["severity"], item["check"])
        for file in report["files"]
        for item in file["findings"]
    ]
    output = run("--color", color, "check").out
    found = [
        (match[1], int(match[2]), int(match[3]), match[4], match[6])
        for row in output.splitlines()
        if (match := re.search(regexp, row))
    ]
    assert sorted(found) == sorted(expected) and len(expected) > 2


def test_the_examples_can_be_read() -> None:
    (settings,) = map(json.loads, blocks("json"))
    assert settings["glspc.server.commandArguments"] == ["lsp"]
    (helix_editor,) = map(tomllib.loads, blocks("toml"))
    assert helix_editor["language-server"]["helix-hooks"]["args"] == ["lsp"]
    assert Path(ROOT / "docs/problem-matcher.json").is_file()
