"""The places of comments and sections that quick fixes insert."""

import pytest

from helix_hooks.adr.examine import Source, read
from helix_hooks.adr.model import Adr, applied
from helix_hooks.adr.parse.document import parse
from helix_hooks.check.files import packaged
from helix_hooks.config.settings import Settings, load
from helix_hooks.editor.actions import missing_sections, suppression
from helix_hooks.editor.text import EditorText
from helix_hooks.finding import Finding


@pytest.fixture(scope="module")
def settings() -> Settings:
    return load(lambda _: None, packaged)


def _adr(text: str, settings: Settings) -> Adr:
    return read(Source(parse(text.encode(), "a.md")), settings.ruleset)


def _finding(line: int, check: str = "placeholder", subject: str = "") -> Finding:
    return Finding("error", check, "structure", "m", "a.md", line, line, subject=subject)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("# T\n\ntext\n", 3, "# T\n\n<!-- helix-disable-next-line placeholder - REASON -->\ntext\n"),
        ("# T\n\ntext\n", 2, "<!-- helix-disable placeholder - REASON -->\n# T\n\ntext\n"),
        ("# T\r\n\r\nx\r\n", 3, "# T\r\n\r\n<!-- helix-disable-next-line placeholder - REASON -->\r\nx\r\n"),
        ("---\na: 1\n---\n# T\n", 2, "---\na: 1\n---\n<!-- helix-disable placeholder - REASON -->\n# T\n"),
        ("---\na: 1\n---\n# T\n", 1, "---\na: 1\n---\n<!-- helix-disable placeholder - REASON -->\n# T\n"),
        ("# T\n\n```\na\nb\n```\n", 5, "<!-- helix-disable placeholder - REASON -->\n# T\n\n```\na\nb\n```\n"),
    ],
)  # fmt: skip
def test_the_comment_stands_where_it_is_read(
    text: str, line: int, expected: str, settings: Settings
) -> None:
    fix = suppression(_adr(text, settings), EditorText(text), _finding(line))
    assert applied(text, fix.edits) == expected


def test_a_section_stands_in_the_order_of_the_template(settings: Settings) -> None:
    text = "# 1. T\n\n## Status\n\nAccepted\n\n## Decision\n\nWe do.\n\n## Consequences\n\nx y\n"
    found = _finding(1, "section-missing", "context")
    (fix,) = missing_sections(_adr(text, settings), EditorText(text), found)
    changed = applied(text, fix.edits)
    assert (
        "Accepted\n\n## Context\n\n{Say here" in changed and "section.}\n\n## Decision" in changed
    )


def test_a_section_at_the_end(settings: Settings) -> None:
    text = "# 1. T\n\n## Status\n\nAccepted\n\n## Context\n\nx y\n\n## Decision\n\nWe do."
    found = _finding(1, "section-missing", "consequences")
    (fix,) = missing_sections(_adr(text, settings), EditorText(text), found)
    assert applied(text, fix.edits).endswith(
        "We do.\n\n## Consequences\n\n{Say here what belongs in this section.}\n"
    )
