"""Which paths globs match, and which globs may match the same path.

Attack by a hostile ADR: globs with many stars, braces or characters.
Answer: globs are one automaton that reads each character of a path once; too long ones are refused.
Shown by: `tests/unit/test_globs.py`, `tests/cases/config/settings-paths-*`.
"""

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.paths import matches, overlap
from tests import series

TOKENS = ["a", "b", "/", "*", "**", "**/", "?", "{a,b}", "{a,", "}", ",", "{", ".", "{,a}"]


def _as_regex(pattern: str) -> str:
    regex, depth = "", 0
    for token in re.findall(r"(?s)\*\*/|\*\*|.", pattern):
        depth += (token == "{") - (token == "}")
        plain = re.escape(token) if token != "," else ("|" if depth else ",")
        regex += {
            "**/": "(?:.*/)?",
            "**": ".*",
            "*": "[^/]*",
            "?": "[^/]",
            "{": "(?:",
            "}": ")",
        }.get(token, plain)
    return rf"(?s:{regex})\Z"


def _balanced(pattern: str) -> bool:
    depths = [
        pattern[:size].count("{") - pattern[:size].count("}") for size in range(len(pattern) + 1)
    ]
    return min(depths) >= 0 and not depths[-1]


@given(
    patterns=st.lists(
        st.lists(st.sampled_from(TOKENS), max_size=9).map("".join).filter(_balanced), max_size=3
    ),
    path=st.text(alphabet="ab/*?,.{\n", max_size=9),
)
def test_globs_match_what_they_mean(patterns: list[str], path: str) -> None:
    assert matches(path, tuple(patterns)) is any(
        re.match(_as_regex(pattern), path) is not None for pattern in patterns
    )


WORDS = ["".join(word) for size in range(7) for word in product("ab/", repeat=size)]


@settings(max_examples=series.examples(400), deadline=None)
@given(
    first=st.lists(st.sampled_from(TOKENS), max_size=4).map("".join).filter(_balanced),
    second=st.lists(st.sampled_from(TOKENS), max_size=4).map("".join).filter(_balanced),
)
def test_globs_overlap_if_a_path_matches_both(first: str, second: str) -> None:
    one, two = re.compile(_as_regex(first)), re.compile(_as_regex(second))
    if any(one.match(word) and two.match(word) for word in WORDS):
        assert overlap(first, second)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("output/ADR-*.md", "output/*.md", True),
        ("output/ADR-*.md", "output/b.md", False),
        ("src/**", "src/a/b.py", True),
        ("src/**/*.py", "src/a.md", False),
        ("src/*.py", "src/a/b.py", False),
        ("{src,docs}/a", "{tests,docs}/?", True),
        ("a/**", "b/**", False),
        ("a*c", "*b?", True),
        ("src/*.py", "src/*.md", False),
        ("src/a.py", "src/a.py", True),
        ("*a*", "b", False),
        ("a{b,c}", "a{d,e}", True),
    ],
)
def test_which_globs_overlap(first: str, second: str, same: bool) -> None:
    assert overlap(first, second) is overlap(second, first) is same
