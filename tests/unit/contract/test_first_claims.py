"""The names that a pull request may claim, of which few are taken along."""

import pytest

from helix_hooks.contract.claims import Claims, first_claims


def test_names_are_read_from_all_texts_once() -> None:
    found = first_claims("Implements: ADR-014", ["x\n\nImplements: 14, ADR-15"])
    assert found == Claims(("ADR-014", "ADR-15"), 0)


def test_names_of_adrs_come_before_others() -> None:
    tickets = "\n".join(f"Implements: SHOP-{number}" for number in range(30))
    found = first_claims(tickets, ["Implements: ADR-014"])
    assert (found.ids[0], len(found.ids), found.left_out) == ("ADR-014", 20, 11)


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        (f"Implements: ADR-{'1' * 197}", 1),
        (f"Implements: {'1' * 400}", 1),
        ("Implements: ADR-1<img src=x>", 0),
        ("Implements: ADR-1`", 0),
        ("Implements: ../../ADR-1", 0),
        ("Implements: https://evil.example/x.md", 0),
    ],
)
def test_what_is_no_short_name_is_left_out(text: str, left_out: int) -> None:
    found = first_claims("", [text])
    assert (set(found.ids) <= {"ADR-1"}, found.left_out) == (True, left_out)
