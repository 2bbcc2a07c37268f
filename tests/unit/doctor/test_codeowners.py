"""Patterns and lines of CODEOWNERS, as GitHub reads them."""

import pytest

from helix_hooks.doctor import codeowners

PATTERNS = [
    ("*", "a/b/c.md", True),
    ("/*", "a.md", True),
    ("/*", "a/b.md", False),
    ("config/", "config/a.yaml", True),
    ("config/", "x/config/a/b.yaml", True),
    ("config/", "config", False),
    ("/config/", "x/config/a.yaml", False),
    ("/config", "config/a/b.yaml", True),
    ("config/*", "config/a.yaml", True),
    ("config/*", "config/a/b.yaml", False),
    ("config/*", "x/config/a.yaml", False),
    ("config/**", "config/a/b.yaml", True),
    ("/config/**/b.yaml", "config/b.yaml", True),
    ("/config/**/b.yaml", "config/x/y/b.yaml", True),
    ("**/checks", "approvals/adr/checks/a.md", True),
    ("**/checks/", "approvals/adr/checks", False),
    ("/**", "a/b", True),
    ("*.md", "a/b.md", True),
    ("*.md", "a/b.mdx", False),
    ("/approvals/*/CLAUDE.md", "approvals/adr/CLAUDE.md", True),
    ("/approvals/*/CLAUDE.md", "approvals/adr/x/CLAUDE.md", False),
    ("/a?c", "abc", True),
    ("/a?c", "a/c", False),
    ("/Config/", "config/a", False),
    ("a\\ b/", "a b/c", True),
    ("/a{b,c}", "ab", False),
    ("/a{b,c}", "a{b,c}", True),
    ("/", "a", False),
    ("**", "a/b", True),
    ("**/" * 300 + "x", "a/b", False),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), PATTERNS)
def test_patterns_match_as_on_github(pattern: str, path: str, expected: bool) -> None:
    assert (codeowners.owners(codeowners.parse(f"{pattern} @a"), path) == ("@a",)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* @a\n", ("@a",)),
        ("* @a @acme/some.team me@example.org # @c\n", ("@a", "@acme/some.team", "me@example.org")),
        ("* @a\n*.md @b\n", ("@b",)),
        ("*.md @b\n* @a\n", ("@a",)),
        ("* @a\n*.md\n", ()),
        ("* @a\n*.md # nobody\n", ()),
        ("# * @a\n\n   \n", ()),
        ("  * @a  \n", ("@a",)),
        ("* a\n", ()),
        ("* @a b\n", ()),
        ("* @a\n!x.md @b\n", ("@a",)),
        ("* @a\n[x].md @b\n", ("@a",)),
        ("* @a\n\\#x @b\n", ("@a",)),
        ("* @a\r\n*.txt @b\r\n", ("@a",)),
        ("* @a\n" + "*a" * 100_000 + " @b\n", ("@a",)),
        ("\\", ()),
        ("", ()),
    ],
)
def test_the_last_entry_that_matches_counts(text: str, expected: tuple[str, ...]) -> None:
    assert codeowners.owners(codeowners.parse(text), "x.md") == expected
