"""Findings as an editor underlines them."""

from helix_hooks.editor.diagnostics import address_of, message_of, range_of
from helix_hooks.editor.positions import TextPosition, TextRange, buffer_text
from helix_hooks.finding import Finding

TEXT = buffer_text("# Title\n\n  a line here  \n")


def _finding(line: int, column: int = 1, check: str = "placeholder") -> Finding:
    return Finding("error", check, "structure", "m", "a.md", line, line, column, "h")


def _range(line: int, start: int, end: int) -> TextRange:
    return TextRange(TextPosition(line, start), TextPosition(line, end))


def test_the_rest_of_the_line_is_underlined() -> None:
    assert range_of(_finding(1), TEXT) == _range(0, 0, 7)
    assert range_of(_finding(3), TEXT) == _range(2, 2, 13)
    assert range_of(_finding(3, 5), TEXT) == _range(2, 4, 13)


def test_a_finding_outside_of_the_text_stays_inside() -> None:
    assert range_of(_finding(99, 99), TEXT) == _range(3, 0, 0)
    assert range_of(_finding(0, 0), TEXT) == _range(0, 0, 7)
    assert range_of(_finding(3, 99), TEXT) == _range(2, 15, 15)


def test_only_a_built_in_rule_has_an_address() -> None:
    assert address_of(_finding(1)).endswith("#placeholder")
    assert address_of(_finding(1, check="our-rule")) == ""
    assert message_of(_finding(1)) == "m\nh"


def test_control_characters_are_escaped() -> None:
    assert "\x1b" not in message_of(_finding(1)._replace(message="a\x1b[31m"))
