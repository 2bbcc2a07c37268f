"""Lines with their ends, counted as the parser counts them."""

from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.fixes.lines import LONGEST, line_at, lines_of


@given(st.text(alphabet="a\r\n\u2028\ufeff"))
def test_the_lines_are_the_text(text: str) -> None:
    lines = lines_of(text)
    start = 1 if text.startswith("\ufeff") else 0
    assert "".join(f"{line.text}{line.ending}" for line in lines) == text[start:]
    assert all(text[line.start : line.stop] == line.text for line in lines)
    assert len(lines) == text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


def test_a_line_that_is_not_there() -> None:
    assert line_at("a\n", 3) is None
    assert line_at("a\n", 0) is None
    assert line_at("x" * (LONGEST + 1), 1) is None
