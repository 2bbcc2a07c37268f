"""Measure how much longer twice the input takes: a check of hostile ADRs, from bytes to report, in
processor time.
"""

import time
from collections.abc import Callable

from helix_hooks.adr.check_report import CheckReport
from helix_hooks.adr.corpus import Corpus
from helix_hooks.adr.examine import Source, examine
from helix_hooks.adr.finish import finish
from helix_hooks.adr.parse.document import parse
from helix_hooks.config.settings import load
from helix_hooks.report import text
from helix_hooks.repository import files

Row = tuple[str, str, float, float]

_SIZE, _PASSES, _LIMIT = 250_000, 3, 2.6
_FRONT = '---\nadr_id: "9"\ntitle: x\nstatus: {}\n{}---\n\n# x\n\n## Context\n\nText.\n\n'


def _until(size: int, make: Callable[[int], str]) -> str:
    parts: list[str] = []
    length = 0
    while length < size:
        parts.append(make(len(parts)))
        length += len(parts[-1])
    return "".join(parts)


CONSTRUCTS: dict[str, Callable[[int], str]] = {
    "a line of references": lambda size: _FRONT.format(
        "Accepted", f"depends_on: [{_until(size, lambda i: f'{i + 10}, ')}]\n"
    ),
    "a status of successors": lambda size: _FRONT.format(
        f"'Superseded by {_until(size, lambda i: f'ADR-{i + 10}, ')}'", ""
    ),
    "a comment of many rules": lambda size: (
        f"{_FRONT.format('Accepted', '')}<!-- helix-disable "
        f"{_until(size, lambda i: f'rule-{i} ')}- it is so -->\n"
    ),
    "many comments": lambda size: (
        _FRONT.format("Accepted", "")
        + _until(size, lambda i: f"<!-- helix-disable rule-{i} - it is so -->\n\n")
    ),
    "headings": lambda size: (
        _FRONT.format("Accepted", "") + _until(size, lambda i: f"## Part {i}\n\nText.\n\n")
    ),
    "tables": lambda size: (
        f"{_FRONT.format('Accepted', '')}{'|a' * (size // 4)}|\n{'|-' * (size // 4)}|\n"
    ),
    "lost links": lambda size: (
        _FRONT.format("Accepted", "") + _until(size, lambda i: f"- [a](gone/{i}.md)\n")
    ),
}


def rows() -> list[Row]:
    """For each construct, the time of twice as much in times of once."""
    small, large = f"{_SIZE // 1000} kB", f"{2 * _SIZE // 1000} kB"
    return [
        (f"{name}, {large}", small, _seconds(make(2 * _SIZE)) / _seconds(make(_SIZE)), _LIMIT)
        for name, make in CONSTRUCTS.items()
    ]


def _seconds(document: str) -> float:
    return min(_once(document) for _ in range(_PASSES))


def _once(document: str) -> float:
    ruleset = load(lambda _: None, files.packaged).ruleset
    start = time.process_time()
    raw = examine(Source(parse(document.encode(), "docs/adr/0009-x.md")), ruleset, lambda _: set())
    corpus = Corpus(lambda _: None, lambda _: False)
    corpus.know([raw.entry] if raw.entry else [])
    text.render(CheckReport((finish(raw, ruleset, corpus),)))
    return time.process_time() - start
