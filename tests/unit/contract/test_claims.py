"""The ids and files that a message claims.

Attack on a verification: a claim hidden by its spelling, its encoding or thousands of other names.
Answer: found.
Shown by: `tests/unit/contract/test_claims.py`, `test_thousands_of_names_hide_no_claim_and_read_the_adrs_once`, `test_messages_in_another_encoding_claim`.
"""

import time

import pytest

from helix_hooks.contract.claims import claimed_in


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Use Kafka\n\nImplements: ADR-014", ("ADR-014",)),
        ("x\n\nimplements: adr-14, 015 and ADR-0016\nSigned-off-by: a", ("adr-14", "015", "ADR-0016")),
        ("x\n\nImplements: ADR-014\nImplements: ADR-14", ("ADR-014",)),
        ("x\r\n\r\nImplements: `ADR-014`.\r\n", ("ADR-014",)),
        ("x\n\nImplements: `docs/adr/014-use-kafka.md`, ADR-15", ("docs/adr/014-use-kafka.md", "ADR-15")),
        ("This implements: nothing", ()),
        ("Implements: the thing", ()),
        ("Implements ADR-014", ()),
        ("Implements:", ()),
        ("x\n\nImplements: docs/adr/014-use-kafka.md", ("docs/adr/014-use-kafka.md",)),
        ("x\n\nImplements: ADR-014: Use Kafka", ("ADR-014",)),
        ("x\n\nImplements: ADR-014 - Use Kafka, partly", ("ADR-014",)),
        ("x\n\nImplements: ADR-014 (part 1)", ("ADR-014",)),
        ("x\n\nImplements: 0014 Use Kafka 3", ("0014",)),
        ("x\n\nImplements: [ADR-014](docs/adr/014-use-kafka.md)", ("ADR-014",)),
        ("x\n\nImplements: [ADR-014: Use Kafka](014.md), [ADR-015]", ("ADR-014", "ADR-015")),
        ("x\n\n- Implements: ADR-014\n* **Implements:** ADR-015", ("ADR-014", "ADR-015")),
        ("x\n\n**Implements**: ADR-014", ("ADR-014",)),
        ("x\n\nImplements : ADR-014", ("ADR-014",)),
        ("x\n\nImplements: ADR-014,\n  ADR-015\nNext: 16", ("ADR-014", "ADR-015")),
        ("x\n\nImplements: ADR-014 & ADR-015 ADR-016", ("ADR-014", "ADR-015", "ADR-016")),
        ("x\n\nImplements: ADR-014\u200b", ("ADR-014",)),
        ("x\n\nImplements: ADR\u2011014", ("ADR-014",)),
        ("x\n\nImplements: #123", ()),
        ("x\n\nImplements: RFC 1234", ()),
        ("x\n\nImplements: ADR-014: " + "Kafka " * 100, ("ADR-014",)),
        ("x\n\nImplements: the retry of 3 calls", ()),
        ("x\n\nImplements: 3 retries", ()),
    ],
)  # fmt: skip
def test_the_claims_of_a_message(message: str, expected: tuple[str, ...]) -> None:
    assert claimed_in(message) == expected


@pytest.mark.parametrize(
    "text",
    ["Implements: a b ", "Implements: \t", "- ", "Implements: ADR-1,\n ", "* - > Implements"],
)
def test_a_long_message_costs_little(text: str) -> None:
    start = time.process_time()
    claimed_in(text * (500_000 // len(text)))
    claimed_in(f"{text}\n" * (500_000 // len(text)))
    assert time.process_time() - start < 4
