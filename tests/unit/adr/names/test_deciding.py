"""Lines that state a decision behind a label, and texts that tell of one."""

import pytest

from helix_hooks.adr.names.deciding import is_labelled, mentions_decision
from helix_hooks.config.settings import load
from helix_hooks.repository import files

RULESET = load(lambda path: None, files.packaged).ruleset


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Decision: one table", True),
        ("- **Decision**: one table", True),
        ("Entscheidung: eine Tabelle", True),
        ("Decision:\none table for both", True),
        ("Decision: TBD", False),
        ("Decision: accepted", False),
        ("Decision drivers: cost", False),
        ("Decision date: 2024-01-31", False),
        ("The decision of last year is: one table", False),
    ],
)
def test_a_decision_behind_a_label(text: str, wanted: bool) -> None:
    assert is_labelled(text, RULESET.meanings, RULESET.statuses) is wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We decided to use one table.", True),
        ("It has been decided that they share a table.", True),
        ("The table was chosen.", True),
        ("Wir verwenden eine Tabelle.", True),
        ("Nous avons choisi une table.", True),
        ("Se ha decidido usar una tabla.", True),
        ("我们决定使用一个表。", True),
        ("We're using one table.", True),
        ("The services should share a table.", False),
        ("Two services share a table.", False),
        ("Somebody has to decide.", False),
        ("The willow stands where we are.", False),
    ],
)
def test_a_text_that_tells_of_a_decision(text: str, wanted: bool) -> None:
    assert mentions_decision(text) is wanted


def test_what_is_open_proposes() -> None:
    assert mentions_decision("The services should share a table.", is_open=True)
    assert not mentions_decision("Status: Proposed. Two services share a table.", is_open=True)
