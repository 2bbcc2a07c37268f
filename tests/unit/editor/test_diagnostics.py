"""Findings as an editor underlines them."""

import pytest

from helix_hooks.editor.diagnostics import diagnostic
from helix_hooks.editor.text import EditorText
from helix_hooks.finding import Finding

TEXT = EditorText("# Title\n\n  a line here  \n")


def _finding(line: int, column: int = 1, end: int = 0, check: str = "placeholder") -> Finding:
    message = "a\x1b[31m"
    finding = Finding("error", check, "structure", message, "a.md", line, line, column, "h")
    return finding._replace(end_column=end)


@pytest.mark.parametrize(
    ("finding", "line", "start", "end"),
    [
        (_finding(1), 0, 0, 7),
        (_finding(3), 2, 2, 13),
        (_finding(3, 5), 2, 4, 13),
        (_finding(3, 5, 7), 2, 4, 6),
        (_finding(99, 99), 3, 0, 0),
        (_finding(0, 0), 0, 0, 7),
        (_finding(3, 99), 2, 15, 15),
    ],
)
def test_the_rest_of_the_line_is_underlined_and_nothing_outside_of_the_text(
    finding: Finding, line: int, start: int, end: int
) -> None:
    shown = diagnostic(finding, TEXT).range
    assert shown == TEXT.part(line, start, end)
    assert (shown.start.character, shown.end.character) == (start, end)


def test_only_a_built_in_rule_has_an_address_and_control_characters_are_escaped() -> None:
    built_in, own = (diagnostic(_finding(1, check=id), TEXT) for id in ("placeholder", "our-rule"))
    assert built_in.code_description
    assert built_in.code_description.href.endswith("#placeholder")
    assert own.code_description is None
    assert own.message == "a\\x1b[31m\nh"
