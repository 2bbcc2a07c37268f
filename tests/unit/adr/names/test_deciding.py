"""Texts that tell of a decision, in English and German."""

import pytest

from helix_hooks.adr.names.deciding import mentions_decision


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We decided to use one table.", True),
        ("It has been decided that they share a table.", True),
        ("The table was chosen.", True),
        ("Wir verwenden eine Tabelle.", True),
        ("The services should share a table.", False),
        ("Two services share a table.", False),
        ("Somebody has to decide.", False),
        ("We decided not to share a table.", True),
        ("It was decided against a table.", True),
        ("We will not share a table.", True),
        ("Not much is needed, so one table was chosen.", True),
        ("If not, both fail. We will share one table.", True),
        ("Nothing was decided.", False),
        ("This is not decided.", False),
        ("It has not yet been decided.", False),
        ("The answer hasn't been agreed.", False),
        ("No option was chosen.", False),
        ("We have not decided yet.", False),
        ("We never agreed on it.", False),
        ("Es ist noch nicht entschieden.", False),
        ("The willow stands where we are.", False),
    ],
)
def test_a_text_that_tells_of_a_decision(text: str, wanted: bool) -> None:
    assert mentions_decision(text) is wanted


def test_what_is_open_proposes() -> None:
    assert mentions_decision("The services should share a table.", is_open=True)
    assert not mentions_decision("Status: Proposed. Two services share a table.", is_open=True)
