"""What a criterion says about the files that it names: there, gone, or open."""

from itertools import product

import pytest

from helix_hooks.contract.criteria import names_in
from helix_hooks.contract.removal import GONE, OPEN, THERE

_OLD, _NEW = "src/old/m.py", "src/new.py"


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("`src/new.py` sends orders", {_NEW: THERE}),
        ("`src/new.py` does not lose orders", {_NEW: THERE}),
        ("`src/new.py` removes stale orders", {_NEW: THERE}),
        ("`src/new.py` sends orders without loss", {_NEW: THERE}),
        ("`src/new.py` no longer imports `src/old/m.py`", {_NEW: OPEN, _OLD: OPEN}),
        ("`src/new.py` sends orders and the old queue is removed", {_NEW: OPEN}),
        ("`src/new.py` sends orders; `src/old/m.py` is removed", {_NEW: THERE, _OLD: GONE}),
        ("`src/new.py` replaces `src/old/m.py`", {_NEW: THERE, _OLD: OPEN}),
        ("`src/old/m.py` is replaced by `src/new.py`", {_NEW: OPEN, _OLD: OPEN}),
        ("`src/old/m.py` wurde durch `src/new.py` ersetzt", {_NEW: OPEN, _OLD: OPEN}),
        ("Replace `src/old/m.py` with `src/new.py`", {_NEW: OPEN, _OLD: OPEN}),
        ("move `src/old/m.py` to `src/new.py`", {_NEW: OPEN, _OLD: OPEN}),
        ("rename src/old/m.py to src/new.py", {_NEW: OPEN, _OLD: OPEN}),
        ("`src/old/m.py` is renamed to `src/new.py`", {_NEW: OPEN, _OLD: OPEN}),
        ("`src/old/m.py` wird nach `src/new.py` verschoben", {_NEW: OPEN, _OLD: OPEN}),
        ("`src/new.py` is used instead of `src/old/m.py`", {_NEW: OPEN, _OLD: OPEN}),
        ("`src/old/m.py` is not removed", {_OLD: OPEN}),
        ("do not remove `src/old/m.py`", {_OLD: OPEN}),
        ("the build fails if `src/old/m.py` is deleted", {_OLD: OPEN}),
        ("the flag is removed from `src/old/m.py`", {_OLD: OPEN}),
        ("`src/old/m.py` is retired", {_OLD: OPEN}),
        ("`src/old/m.py` has had its time. It is removed.", {_OLD: OPEN}),
        ("`src/old/m.py` is removed in the first pass and restored later", {_OLD: OPEN}),
        ("`src/old/m.py` and `src/new.py` are gone.", {_OLD: GONE, _NEW: GONE}),
        ("Remove `src/old/m.py`", {_OLD: GONE}),
        ("the old `src/old/m.py` is removed", {_OLD: OPEN}),
    ],
)
def test_the_claim_about_each_file(criterion: str, expected: dict[str, str]) -> None:
    assert {name.path: name.claim for name in names_in(criterion)} == expected


_SAID = (
    *("{} is gone", "{} is removed.", "{} has been deleted", "{} no longer exists", "{} deleted"),
    *("{} does not exist any more", "{} must not exist", "{} isn't there", "{} is to be removed"),
    *("there is no {}", "No {} remains", "Remove {}", "delete the old file {}", "Removed: {}"),
    *("the removal of {}", "{} is removed from the repository", "{} is dropped in this change"),
    *("{} ist entfernt", "{} gibt es nicht mehr", "Es gibt kein {} mehr", "Die Datei {} ist weg"),
    *("{} existiert nicht mehr", "{} wird gelöscht", "{} muss entfernt werden", "Entferne {}"),
)
_FORMS = ("`{}`", "{}", "**`{}`**", "[the module]({})", "[`{0}`]({0})", "`./{}`")
_MARKS = ("{}", "- [ ] {}", "the orders arrive, and {}", "the orders arrive; {}", "{}\n  at once")


@pytest.mark.parametrize("said", _SAID)
def test_each_form_of_a_removal_is_one(said: str) -> None:
    for form, mark in product(_FORMS, _MARKS):
        criterion = mark.format(said.format(form.format(_OLD)))
        claims = {name.claim for name in names_in(criterion)}
        assert claims and THERE not in claims, criterion
