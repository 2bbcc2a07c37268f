"""Positions in a text, in characters and in the units of the protocol."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.editor.positions import (
    UTF_8,
    UTF_16,
    UTF_32,
    TextPosition,
    buffer_text,
    column_of,
    units,
)


@pytest.mark.parametrize(
    ("text", "encoding", "length"),
    [("aé", UTF_8, 3), ("aé", UTF_16, 2), ("漢", UTF_8, 3), ("漢", UTF_16, 1), ("🚀", UTF_8, 4), ("🚀", UTF_16, 2),
     ("🚀", UTF_32, 1), ("\ud800", UTF_16, 1), ("", UTF_8, 0)],
)  # fmt: skip
def test_length_in_units(text: str, encoding: str, length: int) -> None:
    assert units(text, encoding) == length


@pytest.mark.parametrize(
    ("count", "column"), [(-1, 0), (0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (99, 3)]
)
def test_a_count_inside_of_a_character_is_before_it(count: int, column: int) -> None:
    assert column_of("a🚀b", count, UTF_16) == column


@given(st.text(max_size=20), st.sampled_from([UTF_8, UTF_16, UTF_32]))
def test_units_lead_back_to_the_column(line: str, encoding: str) -> None:
    for column in range(len(line) + 1):
        assert column_of(line, units(line[:column], encoding), encoding) == column


def test_lines_end_as_the_protocol_says() -> None:
    text = buffer_text("a\r\nb\rc\nd\x0b\u2028\x85e\n")
    assert [text.line(number) for number in range(-1, 6)] == [
        "",
        "a",
        "b",
        "c",
        "d\x0b\u2028\x85e",
        "",
        "",
    ]


@given(st.text(alphabet="a\r\n🚀", max_size=30), st.integers(0, 40))
def test_an_offset_leads_back_to_itself(content: str, offset: int) -> None:
    text = buffer_text(content)
    position = text.position(offset)
    assert text.offset(position) <= offset
    if offset <= len(content) and content[max(0, offset - 1) : offset + 1] != "\r\n":
        assert text.offset(position) == offset


def test_a_position_outside_gives_the_nearest_place() -> None:
    text = buffer_text("ab\ncd")
    assert [text.offset(TextPosition(*place)) for place in ((-1, -1), (0, 9), (9, 0))] == [0, 2, 5]
