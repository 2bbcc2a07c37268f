"""What a check does grows with its input, and no faster: the calls that it makes are counted for an input and for twice of it."""

from collections.abc import Callable

import pytest

from helix_hooks.adr import baseline
from helix_hooks.adr.check_report import CheckReport, FileReport, finish
from helix_hooks.adr.corpus import Corpus
from helix_hooks.adr.examine import Source, examine
from helix_hooks.adr.parse import document
from helix_hooks.adr.parse.document import parse
from helix_hooks.change.placed_words import placed_words
from helix_hooks.check import files
from helix_hooks.config.settings import load
from helix_hooks.report import github, json, junit, markdown, sarif, text
from tests.conftest import Repository, Run
from tests.unit.work import MOST, calls_of, growth

pytestmark = pytest.mark.slow

RULESET = load(lambda path: None, files.packaged).ruleset


def _front(more: str = "", id: int = 9, status: str = "Accepted") -> str:
    return f'---\nadr_id: "{id}"\ntitle: x\nstatus: {status}\n{more}---\n\n# x\n\n## Context\n\nText.\n\n'


def _many(make: Callable[[int], str], count: int) -> str:
    return "".join(map(make, range(count)))


Make = Callable[[int], tuple[dict[str, str], str]]
"""From a size, ADRs by their path, and a concept."""


def _one(make: Callable[[int], str]) -> Make:
    return lambda size: ({"docs/adr/0009-x.md": make(size)}, "")


def _all(
    header: Callable[[int, int], str], path: str = "docs/adr/{:04}-x.md", id: int = -1
) -> Make:
    return lambda size: (
        {path.format(n): _front(header(n, size), n if id < 0 else id) for n in range(1, size + 1)},
        "",
    )


CONSTRUCTS: dict[str, Make] = {
    "findings on one line": _one(
        lambda n: _front(f"depends_on: [{_many(lambda i: f'{i + 10}, ', n)}]\n")
    ),
    "lines of references": _one(
        lambda n: _front("supersedes:\n" + _many(lambda i: f"  - ADR-{i + 10}\n", n))
    ),
    "a status of successors": _one(
        lambda n: _front(status=f"'Superseded by {_many(lambda i: f'ADR-{i + 10}, ', n)}'")
    ),
    "one comment of many rules": _one(
        lambda n: (
            f"{_front()}<!-- helix-disable {_many(lambda i: f'rule-{i} ', n)}- because it is so -->\n"
        )
    ),
    "many comments": _one(
        lambda n: (
            _front() + _many(lambda i: f"<!-- helix-disable rule-{i} - because it is so -->\n\n", n)
        )
    ),
    "comments and findings": _one(
        lambda n: (
            _front()
            + _many(
                lambda i: (
                    f"<!-- helix-disable-next-line dangling-reference - it is so -->\n[a](gone{i}.md)\n\n"
                ),
                n,
            )
        )
    ),
    "lost links": _one(lambda n: _front() + _many(lambda i: f"- [a](gone/{i}.md)\n", n)),
    "headings": _one(lambda n: _front() + _many(lambda i: f"## Part {i}\n\nSome text.\n\n", n)),
    "deep headings": _one(
        lambda n: _front() + _many(lambda i: f"{'#' * (i % 6 + 1)} Part {i}\n\n", n)
    ),
    "one heading": _one(lambda n: f"{_front()}## {'word ' * 10 * n}\n\nText.\n"),
    "definitions": _one(
        lambda n: _front() + _many(lambda i: f"[a{i}]\n\n[a{i}]: http://x/{i}\n\n", n)
    ),
    "a table of many rows": _one(lambda n: _front() + "| a | b |\n|---|---|\n" + "| x | y |\n" * n),
    "a table of many columns": _one(lambda n: f"{_front()}{'|a' * n}|\n{'|-' * n}|\n{'|x' * n}|\n"),
    "nested lists and quotes": _one(
        lambda n: _front() + _many(lambda i: f"{'  ' * (i % 30)}- x\n{'>' * (i % 30)} x\n", n)
    ),
    "brackets and emphasis": _one(lambda n: f"{_front()}{'[*_a ' * 10 * n}\n"),
    "footnotes and entities": _one(
        lambda n: _front() + _many(lambda i: f"x[^{i}] &amp; &#65;\n\n[^{i}]: note\n\n", n)
    ),
    "header fields": _one(lambda n: _front(_many(lambda i: f"field{i}: x\n", n))),
    "a long line of front matter": _one(lambda n: _front(f"note: {'word ' * 10 * n}\n")),
    "a concept that was dropped": lambda n: (
        {
            "docs/adr/0009-x.md": _front()
            + _many(lambda i: f"<!-- helix-dropped: Topic{i} - it is so now -->\n\n", n)
        },
        _many(lambda i: f"## Topic{i}\n\nSome words{i}.\n\n", n),
    ),
    "a concept and one section": lambda n: (
        {"docs/adr/0009-x.md": f"{_front()}## Migration\n\n{'word ' * n}\n"},
        _many(lambda i: f"## Migration\n\nSome words{i}.\n\n", n),
    ),
    "comments beside findings": _one(
        lambda n: (
            _front(f"depends_on: [{_many(lambda i: f'{i + 10}, ', n)}]\n")
            + _many(
                lambda i: (
                    f"<!-- helix-disable-next-line dangling-reference - it is so -->\n\nText {i}.\n\n"
                ),
                n,
            )
        )
    ),
    "sections of blanks": _one(
        lambda n: _front() + _many(lambda i: f"{'#' * (i % 5 + 2)} Part {i}\n\nTODO\n\n", n)
    ),
    "empty sections of one name": _one(lambda n: _front() + "## Decision\n\nTBD\n\n" * n),
    "headings alone": _one(
        lambda n: _front() + _many(lambda i: f"{'#' * (i % 5 + 2)} TODO\n\n", n)
    ),
    "rows of blanks": _one(
        lambda n: _front() + "| a | b |\n|---|---|\n" + "| TODO | [name] |\n| x | y |\n" * n
    ),
    "blanks in a line": _one(lambda n: f"{_front()}{'{a b} <c> [d e] ' * 10 * n}\n"),
    "open braces": _one(lambda n: f"{_front()}{'{' * 100 * n}\n\n{'{a [b <c ' * 10 * n}\n"),
    "blanks in the header": _one(
        lambda n: _front(_many(lambda i: f"field{i}: {{list all of them}}\n", n))
    ),
    "anchors that are not there": _one(
        lambda n: _front() + _many(lambda i: f"## Part {i}\n\n[x](#gone-{i})\n\n", n)
    ),
    "headings of one name": _one(
        lambda n: f"{_front()}[x](#gone)\n\n" + "## Part\n\n## Part 1\n\n" * n
    ),
    "links that lead elsewhere": _one(
        lambda n: _front() + _many(lambda i: f"- [ADR-{i + 10}](00{i + 20}-x.md)\n", n)
    ),
    "dates that do not exist": _one(
        lambda n: (
            _front(_many(lambda i: f"field{i}: 2024-02-30\n", n))
            + "## Changelog\n\n"
            + "- 2024-02-30: x\n" * n
        )
    ),
    "raw HTML": _one(
        lambda n: (
            _front()
            + _many(
                lambda i: (
                    f"<{('div hidden', 's', 'td', 'li', 'p', 'b')[i % 6]}>text</i> <!-- a -->\n\n"
                ),
                n,
            )
        )
    ),
}

CORPORA: dict[str, Make] = {
    "a chain of ADRs": _all(lambda n, _: f"depends_on: [{n - 1}]\n" if n > 1 else ""),
    "a circle of ADRs": _all(
        lambda n, size: f"depends_on: [{n - 1 or size}]\nsupersedes: [{n - 1 or size}]\n"
    ),
    "one successor of all": _all(
        lambda n, size: (
            f"supersedes: [{_many(lambda i: f'{i + 2}, ', size - 1)}]\n"
            if n == 1
            else "superseded_by: [1]\n"
        )
    ),
    "all succeed one": _all(
        lambda n, size: (
            f"superseded_by: [{_many(lambda i: f'{i + 2}, ', size - 1)}]\n"
            if n == 1
            else "supersedes: [1]\n"
        )
    ),
    "references that dangle": _all(lambda n, _: f"depends_on: [{n + 90_000}, API-{n}]\n"),
    "one id for all": _all(lambda _n, _size: "", "docs/adr/0001-x{}.md", 1),
    "versions of one": _all(lambda _n, _size: "", "docs/adr/0001-x.v{}.md", 1),
    "one id in each folder": _all(
        lambda _n, _size: "depends_on: [2]\n", "service{}/docs/adr/0001-x.md", 1
    ),
    "names without a number": _all(lambda _n, _size: "depends_on: [77]\n", "docs/adr/name{}.md"),
}
CONSTRUCTS.update(CORPORA)


def _examined(made: tuple[dict[str, str], str]) -> list[FileReport]:
    adrs, concept = made
    beside = parse(concept.encode(), "docs/adr/0009-x.concept.md") if concept else None
    return [
        examine(Source(parse(data.encode(), path), beside), RULESET, lambda _: set())
        for path, data in adrs.items()
    ]


def _finished(raw: list[FileReport]) -> CheckReport:
    corpus = Corpus(lambda _: None, lambda _: False)
    corpus.know(file.entry for file in raw if file.entry)
    return CheckReport(tuple(finish(file, RULESET, corpus) for file in raw))


def _reported(report: CheckReport) -> None:
    for form in (text, json, sarif, github, markdown, junit):
        assert form.render(report)


@pytest.mark.parametrize("make", CONSTRUCTS.values(), ids=CONSTRUCTS)
@pytest.mark.sampled
def test_twice_the_input_is_twice_the_work(make: Make) -> None:
    def work(size: int) -> int:
        if make in CORPORA.values():  # each ADR of which is examined by itself
            raw = _examined(make(size))
            return calls_of(lambda: _finished(raw))
        return calls_of(lambda: _finished(_examined(make(size))))

    _finished(_examined(make(10)))  # what is remembered, before anything is counted
    assert growth(work, of=60 if make in CORPORA.values() else 20) < MOST


@pytest.mark.parametrize("make", CONSTRUCTS.values(), ids=CONSTRUCTS)
@pytest.mark.sampled
def test_twice_the_findings_are_twice_the_report(make: Make) -> None:
    def work(size: int) -> int:
        report = _finished(_examined(make(size)))
        return calls_of(lambda: _reported(report))

    _reported(_finished(_examined(make(10))))
    assert growth(work, of=5 if make in CORPORA.values() else 30) < MOST


def test_a_baseline_of_many_is_read_in_one_pass(repository: Repository, run: Run) -> None:
    repository.stage("docs/adr/0001-x.md", _front(id=1))
    counts = []
    for size in (100, 200):
        rows = ",\n".join(
            f'"docs/adr/{n:04}-gone.md": {{"section-missing": 1}}' for n in range(size)
        )
        repository.stage("b.json", f'{{"version": 1, "findings": {{\n{rows}\n}}}}\n')
        counts.append(calls_of(lambda: run("check", "--baseline", "b.json")))
    assert counts[1] / counts[0] < MOST


def test_a_stale_entry_is_pointed_at() -> None:
    text = '{"version": 1, "findings": {\n  "a\\"b.md": {"section-missing": 1},\n  "c.md": {"section-missing": 1}\n}}\n'
    lines = baseline.parse(text, "b.json").lines()
    assert [lines.get(path) for path in ('a"b.md', "c.md", "gone.md")] == [2, 3, None]


@pytest.mark.further
def test_old_findings_of_a_staged_adr(repository: Repository, run: Run) -> None:
    def work(size: int) -> int:
        vain = _many("<!-- helix-disable section-{} - nothing is there -->\n\n".format, size)
        repository.stage("docs/adr/0009-x.md", f"{_front()}Mendde.\n\n{vain}")
        repository.commit()
        repository.stage("docs/adr/0009-x.md", f"{_front()}Mended.\n\n{vain}")
        return calls_of(lambda: run("check", "--staged"))

    assert growth(work, 100) < MOST


def _changed(repository: Repository, run: Run, old: str, new: str) -> int:
    """The work of a check of one changed ADR."""
    repository.stage("docs/adr/0009-x.md", old)
    repository.commit()
    repository.stage("docs/adr/0009-x.md", new)
    repository.commit()
    return calls_of(lambda: run("check", "--since", "HEAD~1"))


CHANGED: dict[str, Callable[[int], tuple[str, str]]] = {
    "references": lambda n: (
        _front(),
        _front(f"related_to: [{_many(lambda i: f'{i + 10}, ', n)}]\n"),
    ),
    "one comment of many rules": lambda n: (
        f"{_front()}<!-- helix-disable {_many(lambda i: f'rule-{i} ', n)}- because it is so -->\n",
        f"{_front()}<!-- helix-disable {_many(lambda i: f'rule-{i} ', n + 1)}- because it is so -->\n",
    ),
    "comments and findings": lambda n: (
        _front(),
        _front(f"depends_on: [{_many(lambda i: f'{i + 10}, ', n)}]\n")
        + "<!-- helix-disable-next-line section-missing - it is so -->\n\n" * n,
    ),
    "headings": lambda n: (
        _front() + _many(lambda i: f"# Part {i}\n\n", n),
        _front() + _many(lambda i: f"# Part {i}\n\n", n + 1),
    ),
}


@pytest.mark.parametrize("make", CHANGED.values(), ids=CHANGED)
@pytest.mark.sampled
def test_twice_the_change_is_twice_the_work(
    make: Callable[[int], tuple[str, str]], repository: Repository, run: Run
) -> None:
    _changed(repository, run, *make(10))
    assert growth(lambda size: _changed(repository, run, *make(size)), of=20) < MOST


@pytest.mark.further
def test_typos_are_looked_up_in_the_other_adrs_at_once(repository: Repository, run: Run) -> None:
    words = [f"word{chr(97 + i // 26)}{chr(97 + i % 26)}ing" for i in range(60)]
    plain = " ".join("some plain text that stays".split() * 500)
    for number in range(20, 60):
        repository.stage(f"docs/adr/{number:04}-x.md", f"{_front(id=number)}{' '.join(words)}\n")
    counts = []
    for size in (15, 30, 60):
        wrong = [f"{word[:5]}x{word[5:]}" for word in words[:size]]
        counts.append(
            _changed(
                repository,
                run,
                f"{_front()}{plain} {' '.join(wrong)}\n",
                f"{_front()}{plain} {' '.join(words[:size])}\n",
            )
        )
    assert counts[2] / counts[0] < MOST, "four times as many"


def test_a_large_heading_is_not_copied_to_what_stands_below_it() -> None:
    doc = parse(
        f"{_front()}## {'word ' * 5_000}\n\n### A\n\nText.\n".encode(), "docs/adr/0009-x.md"
    )
    places = [place for _, (place, _) in placed_words(doc, RULESET.meanings)]
    assert max(map(len, places)) < 1_000


def test_a_large_adr_is_parsed_once_for_each_version(repository: Repository, run: Run) -> None:
    old = f"{_front()}{'Some text of an ADR that is long.' * 2_000}\n"
    counts = []
    for number in range(2):
        counts.append(document.parse.cache_info().misses)
        _changed(repository, run, f"{old}{number}\n", f"{old}{number} more\n")
    assert document.parse.cache_info().misses - counts[1] <= 2
