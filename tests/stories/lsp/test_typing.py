"""What an editor shows while somebody types: the buffer counts, and not the disk."""

import json
from pathlib import Path

import pytest
from lsprotocol import types

from tests.conftest import Repository, Run
from tests.stories.lsp.client import capabilities, editor
from tests.stories.lsp.samples import helix, line_of

NEW = "docs/adr/002-use-a-queue.md"
THIRD = "docs/adr/003-use-a-log.md"
TWIN = "docs/adr/002-use-a-log.md"


async def test_a_buffer_is_checked_and_not_the_disk(decided: Repository) -> None:
    async with editor(decided.root) as shown:
        text = shown.open_from_disk(NEW)
        assert await shown.diagnostics(NEW) == []
        shown.change(NEW, text.replace("status: Accepted", "status: Acepted"))
        found = await shown.diagnostics(NEW)
        first = next(item for item in found if item.code == "header-invalid")
        assert first.range.start.line == line_of(text, "status:")
        assert first.severity == types.DiagnosticSeverity.Error
        assert first.source == "helix-hooks" and "unknown status 'Acepted'" in first.message
        assert first.code_description
        assert first.code_description.href.endswith("docs/rules.md#header-invalid")
        shown.change(NEW, text)
        assert await shown.diagnostics(NEW) == []


async def test_the_same_findings_as_check(decided: Repository, run: Run) -> None:
    text = helix("002", "Another title", more='depends_on: ["099"]\n').replace(
        "## Konsequenzen", "## Ausklang"
    )
    decided.write(NEW, text)
    report = json.loads(run("check", "--format", "json").out)
    listed = [
        (item["check"], item["line"], item["severity"])
        for file in report["files"]
        for item in file["findings"]
        if file["path"] == NEW
    ]
    names = {1: "error", 2: "warning", 3: "info"}
    async with editor(decided.root) as shown:
        shown.open_from_disk(NEW)
        found = await shown.diagnostics(NEW)
    assert listed == [
        (item.code, item.range.start.line + 1, names[item.severity or 0]) for item in found
    ]
    assert len(listed) > 2


async def test_other_open_adrs_are_checked_again(decided: Repository) -> None:
    async with editor(decided.root) as shown:
        shown.open_from_disk(NEW)
        await shown.diagnostics(NEW)
        text = helix("003", "Use a log")
        shown.open(TWIN, text)
        await shown.diagnostics(TWIN)
        shown.change(TWIN, text.replace('adr_id: "003"', 'adr_id: "002"'))
        await shown.until_codes(TWIN, lambda codes: "duplicate-id" in codes)
        await shown.until_codes(NEW, lambda codes: "duplicate-id" in codes)
        shown.close(TWIN)
        await shown.until_codes(NEW, lambda codes: "duplicate-id" not in codes)
        assert shown.codes(TWIN) == set()


async def test_a_file_that_is_no_adr_has_no_diagnostics(decided: Repository) -> None:
    async with editor(decided.root) as shown:
        shown.open("README.md", "# Title\n")
        shown.open("docs/adr/README.md", "# Title\n")
        shown.open(THIRD, "# Title\n")
        assert await shown.diagnostics(THIRD)
        assert await shown.diagnostics("README.md") == []
        assert await shown.diagnostics("docs/adr/README.md") == []


@pytest.mark.parametrize(
    ("encoding", "start"), [("", 4), ("utf-8", 8), ("utf-16", 4), ("utf-32", 3)]
)
async def test_positions_behind_emoji(encoding: str, start: int, decided: Repository) -> None:
    """Behind an emoji UTF-16 counts two, UTF-8 four. A client that names no encoding has UTF-16."""
    text = helix("003", "Use a log").replace("Die Seite über", "🚀漢 ADR-002, die Seite über")
    line = line_of(text, "🚀漢")
    able = capabilities([encoding] if encoding else None)
    async with editor(decided.root, able=able) as shown:
        shown.open(THIRD, text)
        await shown.diagnostics(THIRD)
        assert await shown.hover(THIRD, line, start - 1) is None
        found = await shown.hover(THIRD, line, start + 1)
        assert found and found.range
        assert (found.range.start.character, found.range.end.character) == (start, start + 7)


async def test_settings_that_change_and_break(decided: Repository) -> None:
    settings = ".helix-hooks.yaml"
    async with editor(decided.root) as shown:
        text = helix("003", "Use a log").replace("## Konsequenzen", "## Ausklang")
        shown.open(THIRD, text)
        await shown.until_codes(THIRD, lambda codes: "section-missing" in codes)
        await shown.until(lambda: types.WORKSPACE_DID_CHANGE_WATCHED_FILES in shown.registered)
        decided.write(settings, "severities: {section-missing: off}\n")
        shown.changed_on_disk(settings)
        await shown.until_codes(THIRD, lambda codes: "section-missing" not in codes)
        decided.write(settings, "\nseverities: [1\n")
        shown.changed_on_disk(settings)
        uri = shown.uri(settings)
        await shown.until(lambda: uri in shown.published)
        broken = shown.published[uri].diagnostics
        assert len(broken) == 1 and broken[0].range.start.line >= 1
        (not_checked,) = await shown.diagnostics(THIRD)
        assert not_checked.message.startswith(f"not checked: {settings}:")
        decided.write(settings, "severities: {section-missing: warning}\n")
        shown.changed_on_disk(settings)
        await shown.until_codes(THIRD, lambda codes: "section-missing" in codes)
        assert not shown.published[uri].diagnostics


async def test_settings_that_were_broken_at_the_start(decided: Repository) -> None:
    decided.write(".helix-hooks.yaml", "nonsense: 1\n")
    async with editor(decided.root) as shown:
        shown.open_from_disk(NEW)
        (found,) = await shown.diagnostics(NEW)
        assert found.message.startswith("not checked: .helix-hooks.yaml:1: ")
        shown.open(".helix-hooks.yaml", "template: helix\n", language="yaml")
        await shown.until(lambda: not shown.published[shown.uri(NEW)].diagnostics)


async def test_several_folders_and_a_file_outside_of_git(
    decided: Repository, tmp_path: Path
) -> None:
    """Outside of git no file is an ADR; `check` needs a path there too."""
    other = tmp_path / "other"
    (other / "adr").mkdir(parents=True)
    (other / "adr/0001-x.md").write_text("# 1. X\n\n## Status\n\nNo word\n")
    second = Repository(tmp_path / "second" / "with blank")
    second.write("docs/adr/0007-x.md", "# 7. X\n\n## Context\n\nx\n")
    async with editor(decided.root, other, second.root) as shown:
        shown.open_from_disk(NEW)
        outside, inside = "../other/adr/0001-x.md", "../second/with blank/docs/adr/0007-x.md"
        shown.open_from_disk(outside)
        shown.open_from_disk(inside)
        assert await shown.diagnostics(NEW) == []
        assert await shown.diagnostics(inside)
        assert await shown.hover(outside, 0, 0) is None
        assert shown.uri(outside) not in shown.published


async def test_a_commit_changes_what_was_accepted(decided: Repository) -> None:
    """The version at the last commit is read anew after a commit at a terminal."""
    async with editor(decided.root) as shown:
        text = shown.open_from_disk(NEW)
        await shown.diagnostics(NEW)
        changed = text.replace("nie umgekehrt", "oder umgekehrt")
        shown.change(NEW, changed)
        await shown.until_codes(NEW, lambda codes: "accepted-changed" in codes)
        decided.stage(NEW, changed)
        decided.commit()
        shown.change(NEW, changed)
        await shown.until_codes(NEW, lambda codes: "accepted-changed" not in codes)
