"""Look for any ADR in a repository that the settings match."""

from ..config.settings import Settings
from ..config.watched import Watch, watch
from ..errors import UsageError
from . import files, views
from .trees import GitTree
from .work_tree import WorkTree

_WAY_OUT = "check it out (`git restore`, `git sparse-checkout`), or commit the deletion"


def watched(tree: GitTree | WorkTree, settings: Settings, index: GitTree) -> Watch:
    """Return the files that settings match in a tree. Raises ConfigError if there are none."""
    if isinstance(tree, GitTree):
        return watch(views.of_commit(settings, tree))
    # Without patterns in the settings, the files on the disk are enough, and git lists nothing.
    has_patterns = settings.paths_at or settings.exclude_at
    if not has_patterns and not files.adrs(tree, settings):
        return Watch(())
    return watch(views.of_work_tree(settings, tree, index))


def is_empty(
    tree: GitTree | WorkTree,
    settings: Settings,
    index: GitTree,
    watch: Watch | None,
    selected: tuple[str, ...] | None,
) -> bool:
    """Return whether a repository has no ADR.

    `watch` is what the settings match after a change, None without one. `selected` are the ADRs on
    the disk, None if the work tree is not checked as a whole.

    Raises:
        ConfigError: The settings match nothing.
        UsageError: All ADRs are missing on the disk.
    """
    watch = watch or watched(tree, settings, index)
    if selected == ():
        _refuse_missing(watch, tree)
    return not (watch.adrs or watch.lost or selected)


def _refuse_missing(watch: Watch, tree: GitTree | WorkTree) -> None:
    """Raise UsageError if ADRs are tracked, and the work tree has none of them."""
    if watch.adrs and isinstance(tree, WorkTree):
        message = f"{watch.adrs[0]} is tracked, but no ADR is in the work tree"
        raise UsageError(f"{message}; {_WAY_OUT}")
