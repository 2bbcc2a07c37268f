"""The registry has each rule once: the modules of rules are compared with what it lists."""

from pathlib import Path

import pytest

from helix_hooks.adr import rules as room
from helix_hooks.adr.model import Described
from helix_hooks.adr.rules.registry import (
    BLOCKING,
    CORPUS,
    STRUCTURE,
    built_in,
    gate_rules,
    in_force,
)
from helix_hooks.check import files
from helix_hooks.config.settings import load

KINDS: dict[str, tuple[Described, ...]] = {
    "structure": (*BLOCKING, *STRUCTURE),
    "corpus": CORPUS,
    "gate": gate_rules(),
}


def modules(kind: str) -> list[str]:
    folder = Path(room.__file__).parent / kind
    return sorted({path.stem for path in folder.glob("*.py")} - {"__init__"})


@pytest.mark.parametrize("kind", KINDS)
def test_a_built_in_rule_lives_in_the_module_of_its_name(kind: str) -> None:
    assert sorted(rule.id.replace("-", "_") for rule in KINDS[kind]) == modules(kind)


def test_all_kinds_are_built_in_and_no_id_is_used_twice() -> None:
    ids = [rule.id for rule in built_in()]
    assert sorted(ids) == sorted({rule.id for rules in KINDS.values() for rule in rules})
    assert len(ids) == len(set(ids))


def test_the_rules_in_force_are_the_built_in_ones_and_those_of_the_rules_file() -> None:
    ruleset = load(lambda _: None, files.packaged).ruleset
    contextual = {rule.id for rule in ruleset.contextual}
    assert {rule.id for rule in in_force(ruleset)} == {rule.id for rule in built_in()} | contextual
