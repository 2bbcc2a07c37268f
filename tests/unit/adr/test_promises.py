"""The files, tests and commands that an acceptance criterion names."""

import time

import pytest

from helix_hooks.adr.promises import names_in


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


@pytest.mark.parametrize("text", ["./", "a.b", "[", "a/", "../", "[](", "`a", "a+a/", "::a"])
def test_a_long_criterion_costs_little(text: str) -> None:
    start = time.process_time()
    for _ in range(10):
        names_in(text * (3900 // len(text)))
    assert time.process_time() - start < 1
