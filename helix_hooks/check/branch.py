"""The diff of a branch, the comparison with its base, and the reports on files that are no ADRs."""

from typing import NamedTuple

from ..adr.check_report import FileReport
from ..config.settings import Settings
from ..config.watched import Watch
from . import relaxation
from .branch_diff import BranchDiff, NoBaseError, staged_diff
from .comparison import Comparison, compare, watched
from .options import CheckOptions
from .trees import GitTree
from .upstream import behind


class Branch(NamedTuple):
    """A branch compared with its base, the reports on other files, and what is watched after it."""

    comparison: Comparison
    reports: list[FileReport]
    watch: Watch


def find_diff(
    root: str, revision: str, index: GitTree
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
    tree: GitTree,
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
