"""The names of ADRs that an editor shows over an id."""

import pytest

from helix_hooks.adr.corpus import Entry
from helix_hooks.editor.hover import hover_text
from helix_hooks.report.adr_table import DatedEntry


def _adr(id: str, title: str) -> DatedEntry:
    return DatedEntry(
        Entry(
            path="docs/adr/a.md",
            id=id,
            key=id.lstrip("0"),
            declared="",
            titled="",
            title=title,
            title_line=1,
            id_line=1,
            status="Accepted",
            status_line=3,
            references=(),
            lost=(),
            named=id,
        ),
        "",
    )


@pytest.mark.parametrize(
    ("id", "title", "name"),
    [
        ("001", "ADR-001: Use a file", "ADR-001: Use a file"),
        ("0003", "3. Use a queue", "ADR-0003: Use a queue"),
        ("003", "Use a queue", "ADR-003: Use a queue"),
        ("", "Use a queue", "Use a queue"),
    ],
)
def test_the_number_is_shown_once(id: str, title: str, name: str) -> None:
    assert hover_text(_adr(id, title), ()).startswith(f"**{name}**\n")
