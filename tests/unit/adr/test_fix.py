"""Lines with their ends, counted as the parser counts them, and words with a typo."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.adr.model import lines_of
from helix_hooks.adr.names import statuses
from helix_hooks.adr.rules.structure.value_misspelt import meant

NAMES = {name: status for name, status in statuses().names.items() if " " not in name}


@pytest.mark.parametrize(
    ("word", "correct"),
    [
        ("Acepted", "accepted"),
        ("accetped", "accepted"),
        ("Propsed", "proposed"),
        ("Supersceded", "superseded"),
        ("DEPRICATED", "deprecated"),
        ("Akzeptirt", "akzeptiert"),
    ],
)
def test_corrected(word: str, correct: str) -> None:
    assert meant(word, NAMES) == correct


@pytest.mark.parametrize(
    "word",
    [
        "Accepted", "Unaccepted", "Disapproved", "Supersede", "Supersedes", "Supercedes", "Acceptable",
        "Opne", "xyz", "", "Implementing", "a" * 100_000,
    ],
)  # fmt: skip
def test_left_alone(word: str) -> None:
    assert meant(word, NAMES) == ""


def test_two_meanings_are_none() -> None:
    assert meant("stated", {"stated1": "A"}) == ""
    assert meant("abcdf", {"abcdef": "A", "abcdgf": "B"}) == ""


@given(st.text(alphabet="a\r\n\u2028\ufeff"))
def test_the_lines_are_the_text(text: str) -> None:
    lines = lines_of(text)
    start = 1 if text.startswith("\ufeff") else 0
    assert "".join(f"{line.text}{line.ending}" for line in lines) == text[start:]
    assert all(text[line.start : line.stop] == line.text for line in lines)
    assert len(lines) == text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
