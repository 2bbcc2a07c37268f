"""Words that the project does not use: archaic, or with a plainer standard term.

Docstrings, comments and messages of the package are read, and the documentation. Lists of words of
other languages and patterns are not prose.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import contents
from tests.conftest import ROOT

PACKAGE = ROOT / "helix_hooks"
PLAINER = {
    "whoever": "the role: the author, a decider",
    "somebody": "the role, or `a person`",
    "anew": "again",
    "wherever": "if",
    "mend": "fix",
    "mends": "fixes",
    "mended": "fixed",
    "dear": "expensive",
    "thereby": "two sentences",
    "hence": "so",
    "comes to": "computes",
    "is told": "gets",
    "are told": "get",
    "goes on": "continues",
    "go on": "continue",
    "is wanted": "expected",
    "are wanted": "expected",
    "in the place of": "instead of",
    "by the word of": "according to",
    "what is said": "the text",
}
"""Each word with what to write instead."""

TABLES = frozenset(("verdict/injection/phrases.py", "verdict/light.py", "verdict/prompt.py"))
"""Modules that are lists of phrases, or the text of a prompt, whose effect was measured."""

_WORDS = re.compile(rf"(?<!`)\b(?:{'|'.join(map(re.escape, PLAINER))})\b", re.IGNORECASE)
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *(page for page in contents.PAGES if page.name not in contents.GENERATED),
]


def complaints(name: str, text: str, line: int = 1) -> Iterator[str]:
    for match in _WORDS.finditer(text):
        number = line + text.count("\n", 0, match.start())
        yield f"{name}:{number}: {match[0]!r}; write {PLAINER[match[0].lower()]}"


def prose(source: str) -> Iterator[tuple[int, str]]:
    """Yield docstrings, comments and the strings of a module that are sentences, with their line."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_a_module_uses_plain_words(path: Path) -> None:
    name = path.relative_to(PACKAGE).as_posix()
    if name in TABLES:
        return
    source = path.read_text(encoding="utf-8")
    assert [
        complaint for line, text in prose(source) for complaint in complaints(name, text, line)
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_uses_plain_words(page: Path) -> None:
    assert [*complaints(page.name, page.read_text(encoding="utf-8"))] == []


def test_a_word_is_reported_with_its_line() -> None:
    source = '"""A module.\n\nWhoever reads it.\n"""\n# asked anew\nx = "it goes on"\n'
    found = [item for line, text in prose(source) for item in complaints("a.py", text, line)]
    assert [item.partition("; ")[0] for item in found] == [
        "a.py:5: 'anew'",
        "a.py:3: 'Whoever'",
        "a.py:6: 'goes on'",
    ]
