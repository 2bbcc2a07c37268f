"""The question whether a repository has any ADR that the settings watch."""

from ..config.settings import Settings
from ..config.watched import Watch, watch
from ..errors import UsageError
from ..repository import files, views
from ..repository.files import StagedTree
from ..repository.index import Index
from ..repository.work_tree import WorkTree

_WAY_OUT = "check it out (`git restore`, `git sparse-checkout`), or commit the deletion"


def watched(tree: StagedTree | WorkTree, settings: Settings, index: Index) -> Watch:
    """Return what settings watch in a tree. Raises ConfigError where that is nothing."""
    if isinstance(tree, StagedTree):
        return watch(views.of_commit(settings, tree))
    has_places = settings.paths_at or settings.exclude_at
    if not has_places and not files.adrs(tree, settings):
        return Watch(())  # without asking what of all that is tracked
    return watch(views.of_work_tree(settings, tree, index))


def refuse_missing(watch: Watch, tree: StagedTree | WorkTree) -> None:
    """Raise UsageError where ADRs are tracked, and the work tree has none of them."""
    if watch.adrs and isinstance(tree, WorkTree):
        message = f"{watch.adrs[0]} is tracked, but no ADR is in the work tree"
        raise UsageError(f"{message}; {_WAY_OUT}")
