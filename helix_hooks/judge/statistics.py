"""The statistics of all recorded judge runs of a repository."""

from contextlib import closing

from ..check import files
from ..check.trees import Index
from ..check.work_tree import WorkTree
from ..config.settings import load
from ..verdict.statistics import Figures, figures
from . import store


def of_repository(root: str) -> Figures:
    """Return the statistics of the run records, and of the ADRs in the index."""
    with closing(Index(root)) as index:
        settings = load(WorkTree(root, index).read, files.packaged)
        tree = index
        blobs = {path: tree.blob(path) for path in files.adrs(tree, settings)}
    contents = {path: blob[1] for path, blob in blobs.items() if blob}
    return figures(store.records(store.folder(root)), contents)
