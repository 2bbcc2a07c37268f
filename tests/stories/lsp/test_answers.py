"""Hover and quick fixes, asked as an editor asks."""

import asyncio

import pytest
from lsprotocol import types

from tests.conftest import Repository
from tests.stories.lsp.client import Editor, applied, editor
from tests.stories.lsp.samples import helix, line_of

NEW = "docs/adr/002-use-a-queue.md"
OLD = "docs/adr/001-use-a-file.md"
THIRD = "docs/adr/003-use-a-log.md"


async def _hover(shown: Editor, text: str, part: str, inside: str) -> str:
    line = line_of(text, part)
    column = text.split("\n")[line].index(inside) + 1
    found = await shown.hover(THIRD, line, column)
    if not found:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_hover(decided: Repository) -> None:
    text = helix("003", "Use a log", more='depends_on: ["001"]\n').replace(
        "Die Seite", "Wie [hier](002-use-a-queue.md#kontext), nicht wie ADR-1 und ADR-77. Die Seite"
    )

    async def story() -> None:
        async with editor(decided.root) as shown:
            shown.open(THIRD, text)
            old = (
                "**ADR-001: Use a file**\n\nSuperseded · `docs/adr/001-use-a-file.md`\n\n"
                "Superseded by ADR-002: Use a queue (`docs/adr/002-use-a-queue.md`)"
            )
            new = (
                "**ADR-002: Use a queue**\n\nAccepted · 2026-02-03 · `docs/adr/002-use-a-queue.md`"
            )
            assert await _hover(shown, text, "depends_on", "001") == old
            assert await _hover(shown, text, "Wie [hier]", "ADR-1 ") == old
            assert await _hover(shown, text, "Wie [hier]", "002-use") == new
            assert await _hover(shown, text, "Wie [hier]", "ADR-77") == ""
            assert await _hover(shown, text, "Warteschlange", "Warte") == ""

    asyncio.run(story())


def test_hover_over_the_promises_of_an_adr(decided: Repository) -> None:
    text = helix("003", "Use a log", more="files: {create: [src/log.py]}\n")
    promised = (
        "**4 promises**, at best 1 shown, 3 unchecked\n"
        "- shown: create `src/log.py`, git proves it\n"
        "- unchecked: criterion `Eine Bestellung ist nach einem Neustart noch da.`, "
        "a person or the judge\n"
    )

    async def story() -> None:
        async with editor(decided.root) as shown:
            shown.open(THIRD, text)
            for part in ("files:", "# ADR-003", "## Akzeptanzkriterien", "[ ] Zwei"):
                assert (await _hover(shown, text, part, part)).startswith(promised)
            shown.change(THIRD, text.replace("- [ ]", "-").replace("files:", "areas:"))
            nothing = "It promises nothing that can be verified"
            assert await _hover(shown, text, "# ADR-003", "ADR-003") == nothing

    asyncio.run(story())


def test_a_token_at_the_end_of_what_a_hover_shows_is_masked(decided: Repository) -> None:
    token = f"ghp_{'0123456789abcdefghij' * 2}"[:40]
    title = f"{'Use a very long title ' * 13}{token}"
    decided.stage("docs/adr/004-long.md", helix("004", title, status=f'"{"x" * 290} {token}"'))
    text = helix("003", "Use a log", more='depends_on: ["004"]\n')

    async def story() -> None:
        async with editor(decided.root) as shown:
            shown.open(THIRD, text)
            found = await _hover(shown, text, "depends_on", "004")
            assert "Use a very long" in found and "ghp" not in found

    asyncio.run(story())


def test_quick_fixes(decided: Repository) -> None:
    text = helix("003", "Use a log", status="Proposed").replace("## Konsequenzen", "## Ausklang")
    text = text.replace("status: Proposed", "status: Propsed")

    async def story() -> None:
        async with editor(decided.root) as shown:
            shown.open(THIRD, text)
            assert shown.codes(THIRD) or await shown.diagnostics(THIRD)
            line = line_of(text, "status:")
            repair, *others = await shown.actions(THIRD, line)
            assert repair.edit and repair.is_preferred
            repaired = applied(text, repair.edit, shown.uri(THIRD))
            assert repaired == text.replace("Propsed", "Proposed")
            assert repair.diagnostics and repair.diagnostics[0].code == "header-invalid"
            assert "Suppress header-invalid in this file, with a reason" in [
                item.title for item in others
            ]
            assert await shown.actions(THIRD, line, only=["source.fixAll"]) == []
            assert len(await shown.actions(THIRD, line, only=["quickfix"])) == len(others) + 1
            shown.change(THIRD, repaired)
            (insert, comment) = await shown.actions(THIRD, line_of(text, "# ADR-003"))
            assert insert.title == "Insert the section '## Konsequenzen'" and insert.edit
            filled = applied(repaired, insert.edit, shown.uri(THIRD))
            shown.change(THIRD, filled)
            await shown.diagnostics(THIRD)
            assert shown.codes(THIRD) == {"placeholder"}
            assert comment.edit
            commented = applied(repaired, comment.edit, shown.uri(THIRD))
            shown.change(THIRD, commented)
            await shown.diagnostics(THIRD)
            assert shown.codes(THIRD) == {"section-missing", "suppression-invalid"}
            shown.change(THIRD, commented.replace("REASON", "the outlook says it"))
            await shown.diagnostics(THIRD)
            assert shown.codes(THIRD) == set()

    asyncio.run(story())


def test_a_fix_that_hides_a_finding_is_not_offered(decided: Repository) -> None:
    """A closed ADR needs no section: its status would hide what is missing."""
    text = helix("003", "Use a log", status="Rejectd").replace("## Konsequenzen", "## Ausklang")

    async def story() -> None:
        async with editor(decided.root) as shown:
            shown.open(THIRD, text)
            await shown.until_codes(THIRD, lambda codes: "section-missing" in codes)
            titles = [item.title for item in await shown.actions(THIRD, line_of(text, "status:"))]
            assert titles == ["Suppress header-invalid in this file, with a reason"]
            whole = text.replace("## Ausklang", "## Konsequenzen")
            shown.change(THIRD, whole)
            titles = [item.title for item in await shown.actions(THIRD, line_of(text, "status:"))]
            assert titles[0] == "status 'Rejectd' -> 'Rejected'"

    asyncio.run(story())


def test_several_findings_on_one_line_have_each_fix_once(decided: Repository) -> None:
    text = helix("003", "Use a log").replace("## Konsequenzen", "## Ausklang")
    text = text.replace("## Kontext", "## Vorwort")

    async def story() -> None:
        async with editor(decided.root) as shown:
            shown.open(THIRD, text)
            titles = [item.title for item in await shown.actions(THIRD, line_of(text, "# ADR-003"))]
            assert sorted(titles) == [
                "Insert the section '## Konsequenzen'",
                "Insert the section '## Kontext'",
                "Suppress section-missing here, with a reason",
            ]

    asyncio.run(story())


def test_quick_fixes_of_a_whole_long_file_are_few(decided: Repository) -> None:
    blanks = "".join(f"\n## Teil {number}\n\n{{Hier}}\n" for number in range(300))
    text = helix("003", "Use a log") + blanks

    async def story() -> None:
        async with editor(decided.root) as shown:
            shown.open(THIRD, text)
            assert len(await shown.diagnostics(THIRD)) >= 300
            whole = types.Range(types.Position(0, 0), types.Position(10_000, 0))
            document = types.TextDocumentIdentifier(shown.uri(THIRD))
            context = types.CodeActionContext(diagnostics=[])
            params = types.CodeActionParams(document, whole, context)
            found = await shown.client.text_document_code_action_async(params) or []
            assert 0 < len(found) <= 100
            assert await shown.actions(THIRD, text.count("\n") - 1)

    asyncio.run(story())


def test_a_fix_in_another_file(decided: Repository) -> None:
    decided.stage(OLD, helix("001", "Use a file", status="Superseded"))
    decided.commit()

    async def story() -> None:
        async with editor(decided.root) as shown:
            text = shown.open_from_disk(NEW)
            found = await shown.diagnostics(NEW)
            assert [item.code for item in found] == ["supersede-asymmetric"]
            fix = next(
                item
                for item in await shown.actions(NEW, found[0].range.start.line)
                if item.is_preferred
            )
            assert fix.edit and applied(text, fix.edit, shown.uri(NEW)) == text
            old = (decided.root / OLD).read_text(encoding="utf-8")
            assert "002" in applied(old, fix.edit, shown.uri(OLD)).split("---")[1]

    asyncio.run(story())


@pytest.mark.parametrize("folder", ["docs/adr/2 % ü", "docs/adr/a#b?c"], ids=["escapes", "signs"])
def test_an_address_with_escapes_is_answered(decided: Repository, folder: str) -> None:
    path = f"{folder}/003-use-two-queues.md"
    text = helix("003", "Use two queues", status="Acepted", more='related_to: ["001"]\n')
    decided.stage(path, text)

    async def story() -> None:
        async with editor(decided.root) as shown:
            shown.open_from_disk(path)
            assert await shown.diagnostics(path)
            titles = [item.title for item in await shown.actions(path, 3)]
            assert "status 'Acepted' -> 'Accepted'" in titles
            assert await shown.hover(path, line_of(text, "related_to"), 15)
            decided.stage(".helix-hooks.yaml", "severities: {header-invalid: warning}\n")
            shown.changed_on_disk(".helix-hooks.yaml")
            warning = types.DiagnosticSeverity.Warning
            await shown.until(
                lambda: any(
                    item.severity == warning
                    for item in shown.published[shown.uri(path)].diagnostics
                )
            )

    asyncio.run(story())
