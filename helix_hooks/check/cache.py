"""Cache the reports of ADRs between runs.

The findings in one ADR depend on the program, on the settings, and on the answers of the tree to
the questions of the rules. Program and settings are the key of a cache. An entry is used if the
tree gives the same answer to each question of the entry. Findings about several ADRs are not
cached.
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
_CORRUPT = (AttributeError, LookupError, TypeError, ValueError)
"""Errors from a cache file that is damaged, or that another program wrote."""

Result = TypeVar("Result")
Work = Callable[[str], FileReport]
Recorded = tuple[FileReport, dict[Question, Mark] | None]
"""A report, and its questions with their answers; None if it can't be cached."""


class Examination(NamedTuple):
    """An examination of many ADRs.

    `work` examines one ADR without a cache. With `is_whole`, the cached reports on other ADRs are
    dropped. For fewer ADRs than `fewest`, the process does not split. `jobs` is the number of
    processes, 0 for one per processor.
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
        """Return whether the style of the other ADRs counts; see `versions.source`."""
        return self.versions is not None and self.settings.ruleset.template == "auto"

    def each(self, paths: list[str], work: Callable[[str], Result]) -> list[Result]:
        """Return the results of some work on ADRs, by several processes."""
        tell = self.observer.done if self.observer else None
        return each(paths, work, self.begin, jobs=self.jobs, tell=tell)

    def begin(self) -> None:
        """Drop the resources of the parent process. Called in each child."""
        self.tree.after_fork()
        if self.versions:
            self.versions.after_fork()


def examine_each(paths: list[str], job: Examination, *, uses_cache: bool) -> list[FileReport]:
    """Return the findings in each ADR on its own, from a cache if possible."""
    job.tree.remember()
    program = ""
    if uses_cache:
        program = cache_key.program()
    place, key = _place(job, program)
    if not place:
        return job.each(paths, job.work)
    cached, reports = _loaded(place, key, paths, job)
    if job.observer:
        job.observer.reuse(len(reports))
    fresh = _examine_and_record(paths, reports.keys(), cached.usable, job)
    # The program may have been updated while it ran. Then the key does not describe the new code.
    if _has_marks(fresh) and cache_key.program() == program:
        retained = reports.keys() if job.is_whole else cached.reports.reports.keys()
        with contextlib.suppress(*_CORRUPT):
            cache_file.save(place, key, _merged(cached, retained - fresh.keys(), fresh))
    reports.update((path, file) for path, (file, _) in fresh.items())
    return [reports[path] for path in paths]


def _has_marks(fresh: dict[str, Recorded]) -> bool:
    """Return whether there is a report that can be cached."""
    return any(marks for _, marks in fresh.values())


def _place(job: Examination, program: str) -> tuple[str, str]:
    """Return the path of the cache and its key; "" if there is none."""
    if not program:
        return "", ""
    key = cache_key.key(program, job.settings, asks_habit=job.asks_habit)
    if not key:
        return "", ""
    return cache_file.place(job.root, key), key


class _Cached(NamedTuple):
    """The cached reports, and the present answers to their questions.

    `usable` are the ADRs whose reports depend on no other version.
    """

    reports: CachedReports
    marks: dict[Question, Mark]
    usable: frozenset[str]


def _loaded(
    place: str, key: str, paths: list[str], job: Examination
) -> tuple[_Cached, dict[str, FileReport]]:
    """Return the cache, and the reports in it that are still valid; empty if it is corrupt."""
    cached = cache_file.load(place, key)
    usable = frozenset(path for path in paths if _is_usable(path, job))
    try:
        marks = _present_marks(cached, usable, job)
        return _Cached(cached, marks, usable), _valid_reports(cached, usable, marks)
    except _CORRUPT:
        return _Cached(cache_file.EMPTY, {}, usable), {}


def _is_usable(path: str, job: Examination) -> bool:
    """Return whether a report depends on no other version of the ADR."""
    versions = job.versions
    return versions is None or versions.has_unchanged(path, job.tree)


def _present_marks(
    cached: CachedReports, usable: frozenset[str], job: Examination
) -> dict[Question, Mark]:
    """Return the present answers of the tree to the questions of the usable reports."""
    numbers = set[int]()
    for path in usable & cached.reports.keys():
        numbers.update(cached.reports[path].questions)
    others: dict[str, Ask] = {
        _HABIT: lambda tree, folder: files.shows_habit(tree, job.settings, folder)
    }
    return answers(job.tree, [cached.questions[number] for number in numbers], others)


def _valid_reports(
    cached: CachedReports, usable: frozenset[str], marks: dict[Question, Mark]
) -> dict[str, FileReport]:
    """Return the cached reports whose questions still have the same answers, by path."""
    pairs = enumerate(zip(cached.questions, cached.marks, strict=True))
    valid = {number for number, (question, mark) in pairs if marks.get(question) == mark}
    return {
        path: report(cached.reports[path].report)
        for path in usable & cached.reports.keys()
        if valid.issuperset(cached.reports[path].questions)
    }


def _examine_and_record(
    all_paths: list[str], cached: Collection[str], usable: frozenset[str], job: Examination
) -> dict[str, Recorded]:
    """Examine the ADRs without a cached report, and record the questions to the tree."""
    paths = [path for path in all_paths if path not in cached]
    work = partial(_recorded_one, usable, job)
    recorded = job.each(paths, work) if len(paths) >= job.fewest else map(work, paths)
    return dict(zip(paths, recorded, strict=True))


def _recorded_one(usable: frozenset[str], job: Examination, path: str) -> Recorded:
    if path not in usable:
        return job.work(path), None
    tree = RecordingTree(job.tree)
    source = files.source(tree, path, job.settings)
    if job.asks_habit:
        source = source._replace(has_habit=partial(_has_habit, tree, job, path))
    report = examine(source, job.settings.ruleset, tree.present)
    return report, tree.asked if tree.is_complete else None


def _has_habit(tree: RecordingTree, job: Examination, path: str) -> bool:
    folder = collection(path)
    shown = files.shows_habit(job.tree, job.settings, folder)
    return tree.answered(_HABIT, folder, shown)


def _merged(
    cached: _Cached, retained: Collection[str], fresh: dict[str, Recorded]
) -> CachedReports:
    """Return the cached reports on some paths, with fresh ones.

    All of them must have the same answer to a question, so a report with another one is left out.
    """
    marks = dict(cached.marks)
    for _, questions in fresh.values():
        marks.update(questions or {})
    rows: dict[str, tuple[Collection[Question], list[object]]] = {}
    for path in retained:
        questions, report = _row(cached.reports, path)
        # Questions that were not asked again have the answers of the cache.
        if all(marks.setdefault(item, mark) == mark for item, mark in questions.items()):
            rows[path] = questions, report
    for path, (file, recorded) in fresh.items():
        if recorded and all(marks[item] == mark for item, mark in recorded.items()):
            rows[path] = recorded, list(file)
    return _numbered(rows, marks)


def _row(cached: CachedReports, path: str) -> tuple[dict[Question, Mark], list[object]]:
    """Return a cached report with its questions and their answers at that time."""
    row = cached.reports[path]
    questions = {cached.questions[number]: cached.marks[number] for number in row.questions}
    return questions, row.report


def _numbered(
    rows: dict[str, tuple[Collection[Question], list[object]]], marks: dict[Question, Mark]
) -> CachedReports:
    """Return reports as the file has them: each question once, and its number in the reports."""
    questions: dict[Question, None] = {}
    for asked, _ in rows.values():
        questions.update(dict.fromkeys(asked))
    ordered = sorted(questions, key=itemgetter(0))
    numbers = {question: number for number, question in enumerate(ordered)}
    reports = {
        path: CachedReport([numbers[question] for question in asked], row)
        for path, (asked, row) in rows.items()
    }
    return CachedReports(ordered, [marks[question] for question in ordered], reports)
