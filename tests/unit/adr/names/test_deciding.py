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
        ("Decision: x", False),
        ("Decision: not yet decided", False),
        ("**Decision:** ???", False),
        ("Outcome: unclear", False),
        ("Decision: yes", True),
        ("Decision: not to share a table", True),
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
        ("The table is to be decided.", False),
        ("The table should be chosen.", False),
        ("We should decide soon.", False),
        ("We will decide later.", False),
        ("We will see.", False),
        ("If the table is chosen, both wait.", False),
        ("Es ist noch nicht entschieden.", False),
        ("Wir werden das später entscheiden.", False),
        ("The willow stands where we are.", False),
    ],
)
def test_a_text_that_tells_of_a_decision(text: str, wanted: bool) -> None:
    assert mentions_decision(text) is wanted


def test_what_is_open_proposes() -> None:
    assert mentions_decision("The services should share a table.", is_open=True)
    assert not mentions_decision("Status: Proposed. Two services share a table.", is_open=True)
