"""Positions in a text, in characters and in the units of the protocol."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position

from helix_hooks.editor.text import EditorText


@pytest.mark.parametrize(
    ("text", "encoding", "length"),
    [("aé", "utf-8", 3), ("aé", "utf-16", 2), ("漢", "utf-8", 3), ("漢", "utf-16", 1), ("🚀", "utf-8", 4), ("🚀", "utf-16", 2),
     ("🚀", "utf-32", 1), ("\ud800", "utf-16", 1), ("", "utf-8", 0)],
)  # fmt: skip
def test_length_in_units(text: str, encoding: str, length: int) -> None:
    assert EditorText(text, encoding).position(0, 99) == Position(0, length)


@pytest.mark.parametrize(
    ("count", "column"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (99, 3), (10**9, 3)]
)
def test_a_count_inside_of_a_character_is_before_it(count: int, column: int) -> None:
    assert EditorText("a🚀b").column(Position(0, count)) == column


@given(st.text(max_size=20), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_units_lead_back_to_the_column(content: str, encoding: str) -> None:
    text = EditorText(content, encoding)
    for column in range(len(text.line(0)) + 1):
        assert text.column(text.position(0, column)) == column


def test_lines_end_as_the_protocol_says() -> None:
    text = EditorText("a\r\nb\rc\nd\x0b\u2028\x85e\n")
    lines = [text.line(number) for number in range(-1, 6)]
    assert lines == ["", "a", "b", "c", "d\x0b\u2028\x85e", "", ""]
    assert text.line_end == "\r\n"
    assert [text.offset(line) for line in (0, 1, 3, 9)] == [0, 3, 7, 13]


def test_a_range_between_offsets_ends_in_a_line_and_not_in_its_end() -> None:
    text = EditorText("ab\r\n🚀d")
    assert text.range(1, 3) == text.part(0, 1, 2)
    assert text.range(4, 6).end == Position(1, 3)
