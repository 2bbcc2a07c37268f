"""The check of a branch: its diff, the comparison with its base, and what that adds to reports."""

from collections.abc import Callable
from typing import NamedTuple

from ..adr.baseline import Baseline
from ..adr.check_report import FileReport, Skipped
from ..adr.corpus import Corpus
from ..adr.examine import Source
from ..config.settings import Settings
from ..config.watched import Watch
from ..repository.branch import BranchDiff, NoBaseError, staged_diff
from ..repository.files import StagedTree, Tree
from ..repository.index import Index
from . import against_base, relaxation
from .comparison import Comparison, compare, watched
from .options import CheckOptions
from .upstream import behind

CorpusAround = Callable[[list[FileReport], Tree, Settings], tuple[Corpus, list[Skipped]]]


class Branch(NamedTuple):
    """A branch compared with its base, the reports on other files, and what is watched after it."""

    comparison: Comparison
    reports: list[FileReport]
    watch: Watch


def find_diff(
    root: str, revision: str, index: Index
) -> tuple[BranchDiff | None, str, tuple[str, ...]]:
    """Return the diff of the branch, or the reason why there is none, and notices for the user.

    Raises UsageError for an unknown revision.
    """
    try:
        diff = staged_diff(root, revision, index)
    except NoBaseError as error:
        return None, str(error), ()
    notice = behind(root, "--since", revision)
    return diff, "", (notice,) if notice else ()


def compare_branch(
    options: CheckOptions,
    diff: BranchDiff,
    tree: StagedTree,
    settings: Settings,
    *,
    rules_elsewhere: bool,
) -> Branch:
    """Compare a branch with its base. Raises ConfigError if the settings match nothing."""
    comparison = compare(options, diff, tree, settings, rules_elsewhere=rules_elsewhere)
    reports = relaxation.reports(comparison)
    watch = watched(comparison)
    reports += relaxation.unwatched(comparison, watch, reports)
    return Branch(comparison, reports, watch)


def finish_branch(
    branch: Branch,
    sources: list[Source],
    examined: list[FileReport],
    corpus: Corpus,
    baseline: Baseline | None,
    around: CorpusAround,
) -> list[FileReport]:
    """Return all reports of a branch; `around` returns the corpus around some ADRs of a tree."""
    base, settings = branch.comparison.diff.base, branch.comparison.base_settings
    adrs = against_base.finish_against_base(
        branch.comparison,
        sources,
        examined,
        corpus=corpus,
        baseline=baseline,
        corpus_at_base=lambda old: around(old, base, settings)[0],
    )
    return [*adrs, *branch.reports]
