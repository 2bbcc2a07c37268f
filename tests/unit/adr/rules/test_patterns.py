"""Patterns of a repository's own rules: what could hold up a check is refused, all else finds what it found before."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.adr.rules.contextual.pattern import MOST_READ, REACH, SlowError, bounded
from helix_hooks.adr.rules.contextual.requirement import Element
from tests.unit.adr.rules.patterns import patterns

SLOW = [
    r"(a+)+$", r"(a|a)*b", r"(.*)*x", r".*.*.*x", r"(\w+\s?)*$", r"(a|aa)+$", r"(a*)*b", r"a*a*b", r"(x+x+)+y", r"x.*y.*z", r"(\d+)\1x",
    r"(?=(a+)+b)", r"(?<!(a|a){40})b", r"(\s*\w*)*x", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(a?){40}b", r"(.|\s)*x", r"(ab|a)(bc|c)*(c|cc)*d",
    r"([^a]|b)+c", r"a{0,90000}b", r"(?s:.)*(?s:.)*x", r"(?>a+)+b|(a+)+c", r"(K|\u212a|k)+(k)+x", "(" * 900 + "a" + ")+" * 900 + "b",
    r"(a{1,90}){1,90}b", r"\d+(?(1)a|b)|(x)", r"(a+){3}b", r"a*?a*?b", r"(foo|foobar|f\w+)*x", r"(\d|\w)+(\w|_)+-",
]  # fmt: skip
FINE = [
    r"\bADR-\d+\b", r"https?://\S+", r"\b(GET|POST|PUT|DELETE)\s+/", r"v\d+\.\d+(\.\d+)?", r"\d+\s*(ms|s|%)", r"We (will|must).*Kafka",
    r"\bKafka\b", r"TODO|FIXME", r"^\s*-\s+\w", r"`[^`]+`", r"\$\s+\w+", r"helix \w+", r"\w+@\w+\.com", r"rollback|revert", r"[A-Z]{2,10}-\d+",
    r"\w+\s+Kafka", r"(foo|bar)+", r"```", r"\[[^\]]+\]\([^)]+\)", r"(?:Schritt|Step)\s*\d+", r"\b(phase|step)\s+\d+.*",
    r"(?<!no )breaking changes?", r"\w+(?:, \w+)*", r"We.*(Kafka|RabbitMQ|Redis|Postgres|MySQL|SQLite|Pulsar)", r"[\w.-]+/[\w.-]+\.py",
    r"\(.*\)", r".+", r"\|.*\|", r"^#+ ", r"\d{4}-\d{2}-\d{2}", r"(?s)begin.*end", r"\d+(?:[.,]\d+)?\s*(?:€|EUR|USD)", r"[^\W\d_]+ing\b",
]  # fmt: skip


@pytest.mark.parametrize("pattern", SLOW)
def test_a_pattern_that_could_hold_up_a_check_is_refused(pattern: str) -> None:
    with pytest.raises(SlowError):
        bounded(pattern)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [*FINE, *patterns()])
@pytest.mark.parametrize(
    "unit",
    ["a", "1", "a ", "We will ka", "[a", "-\n", "|", "(", "`a", "a.a/", "1 ", "breaking change"],
)
@pytest.mark.sampled
def test_what_is_taken_reads_a_text_to_its_end(pattern: str, unit: str) -> None:
    found = Element(pattern, "it", trusted=False).matches(unit * (30_000 // len(unit)))
    assert sum(1 for _ in found) <= 30_000


@given(
    pattern=st.sampled_from(FINE),
    text=st.text(alphabet="aAdkKfoN1 0-._/@`[](),\n|#€ſ\u212aé", max_size=REACH),
)
def test_it_finds_what_it_found_before(pattern: str, text: str) -> None:
    assert [match.span() for match in bounded(pattern).regex.finditer(text)] == [
        match.span() for match in re.finditer(pattern, text, re.IGNORECASE)
    ]


def test_a_repeat_reaches_so_far_and_no_further() -> None:
    for size, found in ((REACH, True), (REACH + 1, False)):
        assert bool(bounded("x[^y]*y").regex.search(f"x{'a' * size}y")) is found


def test_what_lies_behind_the_beginning_of_a_long_text_is_not_looked_at() -> None:
    element = Element("Kafka", "Kafka", trusted=False)
    assert any(element.matches("a" * (MOST_READ - 5) + "Kafka"))
    assert not any(element.matches("a" * MOST_READ + "Kafka"))
