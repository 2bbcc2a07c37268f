"""What a check does grows with its input, and no faster: the calls that it makes are counted for an input and for twice of it.

Attack by a hostile ADR: thousands of findings on a line, of references, comments or drops, or of ADRs that share an id or a successor.
Answer: the work grows in proportion to the input: it is counted for an input and for one of twice the size.
Shown by: `tests/unit/test_linear.py`.
"""

from collections.abc import Callable

import pytest

from helix_hooks.adr.check_report import CheckReport, FileReport, finish
from helix_hooks.adr.corpus import Corpus
from helix_hooks.adr.examine import Source, examine
from helix_hooks.adr.parse.document import parse
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
    "a status of successors": _one(
        lambda n: _front(status=f"'Superseded by {_many(lambda i: f'ADR-{i + 10}, ', n)}'")
    ),
    "one comment of many rules": _one(
        lambda n: (
            f"{_front()}<!-- helix-disable {_many(lambda i: f'rule-{i} ', n)}- because it is so -->\n"
        )
    ),
    "lost links": _one(lambda n: _front() + _many(lambda i: f"- [a](gone/{i}.md)\n", n)),
    "one heading": _one(lambda n: f"{_front()}## {'word ' * 10 * n}\n\nText.\n"),
    "a table of many rows": _one(lambda n: _front() + "| a | b |\n|---|---|\n" + "| x | y |\n" * n),
    "a table of many columns": _one(lambda n: f"{_front()}{'|a' * n}|\n{'|-' * n}|\n{'|x' * n}|\n"),
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
            + "<!-- helix-disable-next-line dangling-reference - it is so -->\n\nText.\n\n" * n
        )
    ),
    "open braces": _one(lambda n: f"{_front()}{'{' * 100 * n}\n\n{'{a [b <c ' * 10 * n}\n"),
    "headings of one name": _one(
        lambda n: f"{_front()}[x](#gone)\n\n" + "## Part\n\n## Part 1\n\n" * n
    ),
}

"""What tests/unit/adr/test_repeated.py does not repeat, or has other reports."""

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
        gone = [f"docs/adr/{n:04}-gone.md" for n in range(size)]
        rows = ",\n".join(f'"{path}": {{"section-missing": 1}}' for path in gone)
        repository.stage("b.json", f'{{"version": 1, "findings": {{\n{rows}\n}}}}\n')
        counts.append(calls_of(lambda: run("check", "--baseline", "b.json")))
    assert counts[1] / counts[0] < MOST


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
    for size in (15, 60):
        wrong = [f"{word[:5]}x{word[5:]}" for word in words[:size]]
        old, new = (f"{_front()}{plain} {' '.join(row)}\n" for row in (wrong, words[:size]))
        counts.append(_changed(repository, run, old, new))
    assert counts[1] / counts[0] < MOST, "four times as many"
