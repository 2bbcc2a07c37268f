"""Folders whose files read like ADRs although the settings match none of them."""

import re
from collections import Counter
from typing import NamedTuple

from ..adr.examine import Source, read
from ..adr.reference import collection
from ..config.settings import Settings
from ..config.watched import escaped
from ..repository.work_tree import WorkTree
from ..text.plural import counted

_MOST_READ = 2000
"""Files that are read, those with a number in their name first."""

_MOST_SHOWN = 5
_FEWEST = 2
"""Files of a folder that read like ADRs; a single one may be a page about decisions."""

_BESIDE = frozenset(("context", "consequences", "options", "status"))


class Folder(NamedTuple):
    """A folder, the pattern that matches its files, and what was seen there."""

    pattern: str
    about: str


def look_alike(tree: WorkTree, settings: Settings) -> list[Folder]:
    """Return the folders in which several files have a decision as ADRs do, most files first."""
    pages = [path for path in tree.markdown("") if not settings.leaves_out(path)]
    pages.sort(key=lambda path: not re.search(r"\d", path.rpartition("/")[2]))
    alike = [path for path in pages[:_MOST_READ] if _reads_like_adr(tree, settings, path)]
    folders = Counter(collection(path) for path in alike)
    return [
        _folder(folder, count)
        for folder, count in folders.most_common(_MOST_SHOWN)
        if count >= _FEWEST
    ]


def _folder(folder: str, count: int) -> Folder:
    pattern = f"{escaped(folder)}/**/*.md" if folder else "*.md"
    place = folder or "the root of the repository"
    return Folder(pattern, f"{place}: {counted(count, 'file')} with a decision, as in ADRs")


def _reads_like_adr(tree: WorkTree, settings: Settings, path: str) -> bool:
    doc = tree.document(path)
    if doc.defect:
        return False
    adr = read(Source(doc), settings.ruleset)
    stated = {"status"} if adr.header.statuses else set()
    found = adr.h2.keys() | stated
    return "decision" in found and not found.isdisjoint(_BESIDE)
