"""The names of an ADR in texts."""

import pytest

from helix_hooks.verification.naming import long_name, short_name


@pytest.mark.parametrize(
    ("adr_id", "title", "short", "long"),
    [
        ("014", "Use Kafka", "ADR-014", "ADR-014: Use Kafka"),
        ("014", "ADR-014: Use Kafka", "ADR-014", "ADR-014: Use Kafka"),
        ("INFRA-7", "Use Kafka", "INFRA-7", "INFRA-7: Use Kafka"),
        ("", "Use Kafka", "a.md", "a.md: Use Kafka"),
        ("014", "", "ADR-014", "ADR-014"),
    ],
)
def test_names(adr_id: str, title: str, short: str, long: str) -> None:
    assert (short_name(adr_id, "a.md"), long_name(adr_id, title, "a.md")) == (short, long)
