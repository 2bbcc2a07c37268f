"""One printer for all tables: wide and hostile texts, colours, and narrow terminals."""

from helix_hooks.text import width
from helix_hooks.text.table import table

HEADS = ("state", "phase", "cost", "gate")
ROWS = (
    (("approved", "path"), "設計", "$0.30", "complete"),
    (("running", "info"), "plan", "", "\x1b[2Jred\u202e ghp_" + "a" * 36),
)
FOLDED = """\
  approved  設計  $0.30
    complete
  running  plan
    \\x1b[2Jred\\u202e (a secret)"""


def test_columns_are_as_wide_as_their_cells() -> None:
    assert table(ROWS, HEADS, indent=2, right=(2,)) == [
        "  state     phase   cost  gate",
        "  approved  設計   $0.30  complete",
        "  running   plan          \\x1b[2Jred\\u202e (a secret)",
    ]


def test_a_last_cell_reaches_into_the_columns_after_it() -> None:
    assert table((("a", "b", "c"), ("", "a longer text"))) == ["a  b  c", "   a longer text"]


def test_the_last_cell_is_cut_at_the_terminal() -> None:
    rows = (("id", "漢字" * 40), ("::error::x", "b" * 80))
    lines = table(rows, columns=60)
    assert [width(line) for line in lines] == [59, 60]
    assert lines[1].startswith("./::error::x  bbb") and lines[1].endswith("…")


def test_rows_are_folded_at_a_narrow_terminal() -> None:
    assert "\n".join(table(ROWS, HEADS, indent=2, columns=32)) == FOLDED


def test_colours_take_no_room() -> None:
    plain, painted = (table(ROWS, HEADS, color=color) for color in (False, True))
    assert painted[1].startswith("\x1b[1mapproved\x1b[0m  設計   ")
    for color in ("\x1b[1m", "\x1b[2m", "\x1b[1;36m", "\x1b[0m"):
        painted = [line.replace(color, "") for line in painted]
    assert painted == plain


def test_no_rows() -> None:
    assert table(()) == []
