"""The registry has each rule once: the classes of the rule modules are compared with what it lists."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import pytest

from helix_hooks.adr import rules as room
from helix_hooks.adr.model import Described
from helix_hooks.adr.rules import registry
from helix_hooks.adr.rules.registry import (
    BLOCKING,
    CORPUS,
    FIRM,
    OF_THE_CHANGE,
    STRUCTURE,
    built_in,
    change_rules,
    gate_rules,
    in_force,
)
from helix_hooks.check import files
from helix_hooks.config.settings import load

KINDS: dict[str, tuple[Described, ...]] = {
    "structure": (*BLOCKING, *STRUCTURE),
    "corpus": CORPUS,
    "change": change_rules(),
    "gate": gate_rules(),
}


def modules(kind: str) -> set[str]:
    folder = Path(room.__file__).parent / kind
    return {path.stem for path in folder.glob("*.py")} - {"__init__"}


def classes(kind: str) -> set[type]:
    """Return the rules that the modules of a kind define."""
    loaded = [import_module(f"helix_hooks.adr.rules.{kind}.{name}") for name in modules(kind)]
    owned = [
        value
        for module in loaded
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]
    return {value for value in owned if hasattr(value, "id") and hasattr(value, "layer")}


def complaints(defined: Iterable[type], listed: Iterable[Described]) -> list[str]:
    """Return which rules are not registered, or registered more than once."""
    kinds = [type(rule) for rule in listed]
    missing = [f"{rule.__name__} is not registered" for rule in defined if rule not in kinds]
    return sorted(
        missing
        + [f"{rule.__name__} is registered twice" for rule in set(kinds) if kinds.count(rule) > 1]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_each_rule_is_registered_once(kind: str) -> None:
    assert complaints(classes(kind), KINDS[kind]) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_built_in_rule_lives_in_the_module_of_its_name(kind: str) -> None:
    assert {rule.id.replace("-", "_") for rule in KINDS[kind]} == modules(kind)


def test_a_rule_that_is_not_registered_is_noticed() -> None:
    assert complaints(classes("corpus"), CORPUS[1:]) == ["DuplicateId is not registered"]


def test_a_rule_that_is_registered_twice_is_noticed() -> None:
    assert complaints(classes("corpus"), (*CORPUS, CORPUS[0])) == [
        "DuplicateId is registered twice"
    ]


def test_all_kinds_are_built_in_and_no_id_is_used_twice() -> None:
    ids = [rule.id for rule in built_in()]
    assert sorted(ids) == sorted({rule.id for rules in KINDS.values() for rule in rules})
    assert len(ids) == len(set(ids))


def test_groups_of_rules_name_rules() -> None:
    assert {rule.id for rule in built_in()} >= FIRM | OF_THE_CHANGE


def test_nobody_else_makes_a_list_of_rules() -> None:
    package = Path(registry.__file__).parents[2]
    makers = [
        path
        for path in package.rglob("*.py")
        if path.parts[-3:-1] != ("rules", "structure") and "HeaderInvalid()" in path.read_text()
    ]
    assert makers == [Path(registry.__file__)]


def test_the_rules_in_force_are_the_built_in_ones_and_those_of_the_rules_file() -> None:
    ruleset = load(lambda _: None, files.packaged).ruleset
    contextual = {rule.id for rule in ruleset.contextual}
    assert {rule.id for rule in in_force(ruleset)} == {rule.id for rule in built_in()} | contextual
