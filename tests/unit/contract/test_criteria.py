"""The files, tests and commands that an acceptance criterion names."""

import time

import pytest

from helix_hooks.contract.claims import claimed_in
from helix_hooks.contract.criteria import names_in


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("all orders are kept", []),
        ("`src/a/b.py` sends orders", [("path", "src/a/b.py")]),
        ("see [the guide](docs/kafka.md) and [a page](https://example.org/a/b.py)", [("path", "docs/kafka.md")]),
        ("src/a.py, tests/b.py.", [("path", "src/a.py"), ("path", "tests/b.py")]),
        ("read https://example.org/src/a.py", []),
        ("read https://example.org/~joe/src/a.py and src/b.py", [("path", "src/b.py")]),
        ("read https://example.com/x?path=src/app.py&name=test_orders", []),
        ("the package `src/kafka/` exists", [("path", "src/kafka/")]),
        ("`tests/test_a.py::test_b` passes", [("test", "test_b")]),
        ("tests/test_a.py::TestOrders::test_b[1] passes", [("test", "TestOrders.test_b")]),
        ("test_replays() passes", [("test", "test_replays")]),
        ("`TestOrders.test_replays`", [("test", "TestOrders.test_replays")]),
        ("`make lint` passes", [("command", "make lint")]),
        ("latency is below 5 ms/request, and/or 1/2", []),
        ("`retries` is 3 and `{}` is empty", []),
        ("ADR-014/015 stays", []),
    ],
)  # fmt: skip
def test_the_names_in_a_criterion(criterion: str, expected: list[tuple[str, str]]) -> None:
    assert [(name.kind, name.text) for name in names_in(criterion)] == expected


def test_the_file_of_a_test_is_known() -> None:
    (name,) = names_in("`tests/test_a.py::test_b`")
    assert name.path == "tests/test_a.py"


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


@pytest.mark.parametrize("text", ["./", "a.b", "[", "a/", "../", "[](", "`a", "a+a/", "::a"])
def test_a_long_criterion_costs_little(text: str) -> None:
    start = time.process_time()
    for _ in range(10):
        names_in(text * (3900 // len(text)))
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    "text",
    ["Implements: a b ", "Implements: \t", "- ", "Implements: ADR-1,\n ", "* - > Implements"],
)
def test_a_long_message_costs_little(text: str) -> None:
    start = time.process_time()
    claimed_in(text * (500_000 // len(text)))
    claimed_in(f"{text}\n" * (500_000 // len(text)))
    assert time.process_time() - start < 4
