"""Write the tables of docs/attacks.md from the docstrings of the tests.

`make docs` runs it. A docstring of a test, or of a module of tests, has for each attack

    Attack by a hostile ADR: aliases that multiply.
    Answer: they may repeat at most 200 values; more is an error.
    Shown by: `tests/cases/adr/header-alias-bomb`.

Without the third line, the test itself shows it. The table of a topic is between
`<!-- attacks: a hostile ADR -->` and `<!-- end of attacks -->`.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "attacks.md"
_ENTRY = re.compile(
    r"^ *Attack (?:by|on|in) (?P<topic>[^:]+): (?P<attack>.+)\.\n"
    r" *Answer: (?P<answer>.+)\.(?:\n *Shown by: (?P<shown>.+)\.)?$",
    re.MULTILINE,
)
_BEGINNING = re.compile(r"^ *Attack (?:by|on|in) ", re.MULTILINE)
_TABLE = re.compile(r"(<!-- attacks: ([^>]+) -->\n).*?(<!-- end of attacks -->)", re.DOTALL)


class Attack(NamedTuple):
    """An attack on a topic, what answers it, and the names of the tests and cases that show it."""

    topic: str
    attack: str
    answer: str
    shown: str


def attacks(source: str, module: str) -> Iterator[Attack]:
    """Yield the attacks that a module of tests names, in their order.

    Raises:
        SystemExit: An attack is not written as above.
    """
    tree = ast.parse(source)
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    for node, name in [(tree, module), *((node, node.name) for node in functions)]:
        docstring = ast.get_docstring(node) or ""
        entries = [*_ENTRY.finditer(docstring)]
        if len(entries) != len(_BEGINNING.findall(docstring)):
            sys.exit(
                f"{name} in {module}: an attack needs its lines `Attack ...: ....`, `Answer: ....`"
            )
        for entry in entries:
            shown = entry["shown"] or f"`{name}`"
            yield Attack(entry["topic"], entry["attack"], entry["answer"], shown)


def all_attacks() -> list[Attack]:
    """Return the attacks of all tests."""
    found: list[Attack] = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        found += attacks(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())
    return found


def written(page: str, found: list[Attack]) -> str:
    """Return the page with its tables.

    Raises:
        SystemExit: An attack has a topic without a table, or a table has no attack.
    """
    topics = {topic for _, topic, _ in _TABLE.findall(page)}
    if unknown := {item.topic for item in found} ^ topics:
        sys.exit(f"no table, or no attack: {', '.join(sorted(unknown))}")

    def table(match: re.Match[str]) -> str:
        rows = [
            f"| {item.attack} | {item.answer} | {item.shown} |\n"
            for item in found
            if item.topic == match[2]
        ]
        return f"{match[1]}\n| attack | answer | test |\n|---|---|---|\n{''.join(rows)}\n{match[3]}"

    return _TABLE.sub(table, page)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), all_attacks()), encoding="utf-8")
