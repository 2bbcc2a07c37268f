"""Reuse what a former run found in ADRs that nothing has changed.

What the rules find in one ADR depends on the program, on the settings, and on what they ask of the
tree. The first two are the key of a cache; an entry of it is used if the tree answers each question
as it did then. All that concerns several ADRs is not cached.
"""

import contextlib
from collections.abc import Callable, Collection
from functools import partial
from operator import itemgetter
from typing import TypeVar

from ..adr.check_report import FileReport
from ..adr.examine import examine
from ..adr.reference import collection
from ..config.settings import Settings
from ..parallel import each
from ..records import NamedTuple
from ..repository import files
from ..repository.questions import Ask, Mark, Question, RecordingTree, answers
from . import cache_file, cache_key
from .cache_file import CachedReport, CachedReports
from .cached_report import report
from .observing import CheckObserver
from .versions import BaseVersions

_HABIT = "habit"
_FOREIGN = (AttributeError, LookupError, TypeError, ValueError)
"""Errors by which a file shows that another program wrote it."""

Result = TypeVar("Result")
Work = Callable[[str], FileReport]
Recorded = tuple[FileReport, dict[Question, Mark] | None]
"""A report, and the questions by which it was found; None for one that is not cached."""


class Examination(NamedTuple):
    """An examination of many ADRs.

    `work` examines one without a cache. With `is_whole`, what is cached of other ADRs is not needed
    again. For fewer than `fewest` the process does not split. `jobs` is the number of processes, 0
    for one a processor.
    """

    root: str
    tree: files.Tree
    settings: Settings
    versions: BaseVersions | None
    work: Work
    is_whole: bool
    fewest: int
    jobs: int = 0
    observer: CheckObserver | None = None

    @property
    def asks_habit(self) -> bool:
        """Return whether the style of the other ADRs counts; see `run`."""
        return self.versions is not None and self.settings.ruleset.template == "auto"

    def each(self, paths: list[str], work: Callable[[str], Result]) -> list[Result]:
        """Return the results of some work on ADRs, by several processes."""
        tell = self.observer.done if self.observer else None
        return each(paths, work, self.begin, jobs=self.jobs, tell=tell)

    def begin(self) -> None:
        """Drop what belongs to the parent process. Called in each child."""
        self.tree.after_fork()
        if self.versions:
            self.versions.after_fork()


def examined(paths: list[str], about: Examination, *, uses_cache: bool) -> list[FileReport]:
    """Return what the rules find in each ADR on its own, from a cache where it is known."""
    about.tree.remember()
    running = cache_key.program() if uses_cache else ""
    key = running and cache_key.key(running, about.settings, asks_habit=about.asks_habit)
    place = key and cache_file.place(about.root, key)
    if not place:
        return about.each(paths, about.work)
    known = cache_file.load(place, key)
    usable = frozenset(path for path in paths if _is_usable(path, about))
    try:
        marks = _asked_again(known, usable, about)
        reports = _reports(known, usable, marks)
    except _FOREIGN:
        known, marks, reports = cache_file.EMPTY, {}, {}
    if about.observer:
        about.observer.reuse(len(reports))
    fresh = _recorded([path for path in paths if path not in reports], usable, about)
    added = {path: (found, asked) for path, (found, asked) in fresh.items() if asked}
    if added and cache_key.program() == running:
        names = reports if about.is_whole else known.reports
        rows = {path: known.reports[path] for path in names if path not in fresh}
        with contextlib.suppress(*_FOREIGN):
            cache_file.save(place, key, _with(known._replace(reports=rows), marks, added))
    reports.update({path: found for path, (found, _) in fresh.items()})
    return [reports[path] for path in paths]


def _is_usable(path: str, about: Examination) -> bool:
    """Return whether a report depends on no other version of the ADR."""
    versions = about.versions
    return versions is None or versions.has_unchanged(path, about.tree)


def _asked_again(
    known: CachedReports, usable: frozenset[str], about: Examination
) -> dict[Question, Mark]:
    """Return the answers of the tree to the questions behind the reports that may be used."""
    numbers = set[int]()
    for path in usable & known.reports.keys():
        numbers.update(known.reports[path].questions)
    others: dict[str, Ask] = {
        _HABIT: lambda tree, folder: files.shows_habit(tree, about.settings, folder)
    }
    return answers(about.tree, [known.questions[number] for number in numbers], others)


def _reports(
    known: CachedReports, usable: frozenset[str], marks: dict[Question, Mark]
) -> dict[str, FileReport]:
    """Return the reports that still hold, by path."""
    pairs = enumerate(zip(known.questions, known.marks, strict=True))
    holding = {number for number, (question, was) in pairs if marks.get(question) == was}
    return {
        path: report(known.reports[path].report)
        for path in usable & known.reports.keys()
        if holding.issuperset(known.reports[path].questions)
    }


def _recorded(paths: list[str], usable: frozenset[str], about: Examination) -> dict[str, Recorded]:
    """Examine ADRs, and write down what is asked of the tree."""
    work = partial(_recorded_one, usable, about)
    found = about.each(paths, work) if len(paths) >= about.fewest else map(work, paths)
    return dict(zip(paths, found, strict=True))


def _recorded_one(usable: frozenset[str], about: Examination, path: str) -> Recorded:
    if path not in usable:
        return about.work(path), None
    tree = RecordingTree(about.tree)
    source = files.source(tree, path, about.settings)
    if about.asks_habit:
        source = source._replace(has_habit=partial(_has_habit, tree, about, path))
    found = examine(source, about.settings.ruleset, tree.present)
    return found, tree.asked if tree.is_complete else None


def _has_habit(tree: RecordingTree, about: Examination, path: str) -> bool:
    folder = collection(path)
    shown = files.shows_habit(about.tree, about.settings, folder)
    return tree.answered(_HABIT, folder, shown)


def _with(
    kept: CachedReports,
    marks: dict[Question, Mark],
    added: dict[str, tuple[FileReport, dict[Question, Mark]]],
) -> CachedReports:
    """Return the cached reports with others; `marks` are the answers of now.

    A report that was found by other answers is left out.
    """
    now = dict(marks)
    for _, questions in added.values():
        now.update(questions)
    rows: dict[str, tuple[Collection[Question], list[object]]] = {}
    known = dict(zip(kept.questions, kept.marks, strict=True))
    for path, row in kept.reports.items():
        same = [kept.questions[number] for number in row.questions]
        if all(now.setdefault(question, known[question]) == known[question] for question in same):
            rows[path] = same, row.report
    for path, (found, questions) in added.items():
        if all(now[question] == answer for question, answer in questions.items()):
            rows[path] = questions, list(found)
    asked_by_any = dict.fromkeys(question for asked, _ in rows.values() for question in asked)
    ordered = sorted(asked_by_any, key=itemgetter(0))
    numbers = {question: number for number, question in enumerate(ordered)}
    reports = {
        path: CachedReport([numbers[question] for question in asked], row)
        for path, (asked, row) in rows.items()
    }
    return CachedReports(ordered, [now[question] for question in ordered], reports)
