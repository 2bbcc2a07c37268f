"""Words that are corrected, and words that could mean something else."""

import pytest

from helix_hooks.adr.names.status import statuses
from helix_hooks.fixes.spelling import distance, in_case_of, meant

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
    assert meant("abcdf", {"abcdef": "A", "abcdgf": "A"}) == "", "neither is nearer"


def test_distance_counts_a_swap_once() -> None:
    assert [distance("ab", "ba"), distance("", "abc"), distance("kitten", "sitting")] == [1, 3, 3]


def test_the_case_stays() -> None:
    words = [in_case_of("accepted", word) for word in ("ACEPTED", "Acepted", "acepted")]
    assert words == ["ACCEPTED", "Accepted", "accepted"]
