"""Four times as many of any construct are at most six times the work, from bytes to report.

Each construct of Markdown and of the header is repeated, alone and with every other one before it, so that a rule that looks at all of one kind
for each of another is found without anyone naming the pair. Work is counted in executed lines of the package; `make bench` measures time.
"""

from collections.abc import Callable
from itertools import product

import pytest

from helix_hooks.adr.check_report import CheckReport, finish
from helix_hooks.adr.corpus import Corpus
from helix_hooks.adr.examine import Source, examine
from helix_hooks.adr.parse.document import parse
from helix_hooks.check import files
from helix_hooks.config.settings import load
from helix_hooks.report import text
from tests.unit.work import calls_of

pytestmark = pytest.mark.slow

RULESET = load(lambda path: None, files.packaged).ruleset
FEW = 150
MOST = 6.0
"""Six-fold for four times as much; work that grows with its square is sixteen-fold."""

TEXTS: dict[str, Callable[[int], str]] = {
    "paragraphs": lambda i: f"Some text {i} of the decision.\n\n",
    "sections of one name": lambda i: "## Decision\n\nWe use it.\n\n",
    "short decisions": lambda i: "## Decision\n\nx\n\n",
    "sections": lambda i: f"## Part {i}\n\nText.\n\n",
    "empty sections": lambda i: f"## Part {i}\n\n",
    "options": lambda i: f"## Considered Options\n\n### Option {i}\n\nText.\n\n",
    "contexts": lambda i: "## Context\n\nTODO\n\n",
    "statuses": lambda i: "## Status\n\nAccepted\n\n",
    "subsections": lambda i: f"### Decision {i}\n\nTBD\n\n",
    "first-level headings": lambda i: f"# Decision {i}\n\n",
    "deep headings": lambda i: f"{'#' * (i % 6 + 1)} Part {i}\n\n",
    "underlined headings": lambda i: f"Part {i}\n---\n\n",
    "bold headings": lambda i: f"**Decision {i}:** we use it.\n\n",
    "broken headings": lambda i: f"##Decision {i}\n\n",
    "list items": lambda i: f"- item {i}\n",
    "numbered items": lambda i: f"{i + 1}. item\n",
    "nested items": lambda i: f"{'  ' * (i % 20)}- item\n",
    "task items": lambda i: f"- [{' x'[i % 2]}] task {i}\n",
    "criteria": lambda i: "## Acceptance Criteria\n\n- [ ] it works\n\n",
    "tables": lambda i: f"| a | b |\n|---|---|\n| x{i} | y |\n\n",
    "blank tables": lambda i: "| a | b |\n|---|---|\n| TODO | [name] |\n\n",
    "fences": lambda i: f"```\ncode {i}\n```\n\n",
    "open fences": lambda i: "```\n",
    "inline code": lambda i: f"`code {i}` ",
    "links": lambda i: f"[a](gone/{i}.md)\n",
    "links to ADRs": lambda i: f"[ADR-{i}](00{i}-x.md) ",
    "anchors": lambda i: f"[a](#gone-{i}) ",
    "definitions": lambda i: f"[a{i}]\n\n[a{i}]: http://x/{i}\n\n",
    "undefined references": lambda i: f"[a{i}][b{i}]\n\n",
    "pictures": lambda i: f"![a](b{i}.png)\n\n",
    "footnotes": lambda i: f"x[^{i}]\n\n[^{i}]: note\n\n",
    "tags": lambda i: f"<b>x{i}</b>\n",
    "open tags": lambda i: "<div>\n\n",
    "comments": lambda i: f"<!-- x{i} -->\n\n",
    "folded parts": lambda i: f"<details><summary>a</summary>\n\nx{i}\n\n</details>\n\n",
    "emphasis": lambda i: "**a *b* c** ",
    "open emphasis": lambda i: "*a **b ",
    "struck text": lambda i: f"~~x{i}~~ ",
    "quotes": lambda i: f"> x{i}\n\n",
    "nested quotes": lambda i: f"{'>' * (i % 20 + 1)} x\n",
    "addresses": lambda i: f"https://example.org/{i} ",
    "entities": lambda i: "&amp; &#65; ",
    "escapes": lambda i: "\\* \\# ",
    "alerts": lambda i: f"> [!NOTE]\n> x{i}\n\n",
    "rules": lambda i: "---\n\n",
    "suppressions": lambda i: f"<!-- helix-disable rule-{i} - it is so -->\n\n",
    "suppressions that are used": lambda i: (
        f"<!-- helix-disable-next-line referenced-file-missing - it is so -->\n[a](gone{i}.md)\n\n"
    ),
    "dropped topics": lambda i: f"<!-- helix-dropped: Topic {i} - it is so -->\n\n",
    "placeholders": lambda i: "{name} <b c> [d e]\n\n",
    "dates": lambda i: "- 2024-02-30: x\n",
    "references": lambda i: f"See ADR-{i + 100}. ",
    "files": lambda i: f"`src/gone{i}.py` ",
    "conflict marks": lambda i: "<<<<<<< a\n=======\n>>>>>>> b\n",
}
"""Constructs of the text; each starts a block or continues a line."""

FIELDS: dict[str, Callable[[int], str]] = {
    "fields": lambda i: f"field{i}: x\n",
    "fields of one name": lambda i: "field: x\n",
    "misspelt fields": lambda i: f"statuss{i}: x\n",
    "blank fields": lambda i: f"field{i}: {{list all of them}}\n",
    "nested fields": lambda i: f"field{i}: {{a: 1, b: [2, 3]}}\n",
    "long fields": lambda i: f"field{i}: |\n  a\n  b\n",
    "dates of fields": lambda i: f"date{i}: 2024-02-30\n",
    "notes": lambda i: f"# note {i}\n",
}
ITEMS = ("supersedes", "superseded_by", "depends_on", "related_to", "tags", "files_create")


def adr(fields: str, text: str) -> str:
    head = f'---\nadr_id: "9"\ntitle: x\nstatus: Accepted\n{fields}---\n\n# x\n\n'
    return f"{head}## Context\n\nOrders are lost.\n\n{text}"


def many(make: Callable[[int], str], count: int) -> str:
    return "".join(map(make, range(count)))


def of_text(make: Callable[[int], str]) -> Callable[[int], str]:
    return lambda count: adr("", many(make, count))


def of_fields(make: Callable[[int], str]) -> Callable[[int], str]:
    return lambda count: adr(many(make, count), "## Decision\n\nWe use it.\n")


def of_items(name: str) -> Callable[[int], str]:
    return lambda count: adr(f"{name}: [{many(lambda i: f'ADR-{i + 10}, ', count)}]\n", "")


def of_pair(first: Callable[[int], str], second: Callable[[int], str]) -> Callable[[int], str]:
    return lambda count: adr("", f"{many(first, count)}\n\n{many(second, count)}")


DOCUMENTS = {
    **{name: of_text(make) for name, make in TEXTS.items()},
    **{name: of_fields(make) for name, make in FIELDS.items()},
    **{f"items of {name}": of_items(name) for name in ITEMS},
}
PAIRS = {
    f"{first}, {second}": of_pair(TEXTS[first], TEXTS[second])
    for first, second in product(TEXTS, TEXTS)
    if first != second
}


def check(document: str) -> None:
    doc = parse(document.encode(), "docs/adr/0009-x.md")
    raw = examine(Source(doc), RULESET, lambda paths: set())
    corpus = Corpus(lambda path: None, lambda path: False)
    corpus.know([raw.entry] if raw.entry else [])
    text.render(CheckReport((finish(raw, RULESET, corpus),)))


def work(document: str) -> int:
    """Return the lines that a check runs. What is remembered is warm, but for the parser."""
    check(document)
    parse.cache_clear()
    return calls_of(lambda: check(document))


def growth(make: Callable[[int], str]) -> float:
    """Return how many times more lines four times as much takes."""
    return work(make(4 * FEW)) / work(make(FEW))


@pytest.mark.parametrize("make", DOCUMENTS.values(), ids=DOCUMENTS)
def test_four_times_as_much_is_at_most_six_times_the_work(make: Callable[[int], str]) -> None:
    assert growth(make) <= MOST


@pytest.mark.sampled
@pytest.mark.soak
@pytest.mark.parametrize("make", PAIRS.values(), ids=PAIRS)
def test_each_construct_behind_each_other(make: Callable[[int], str]) -> None:
    assert growth(make) <= MOST
