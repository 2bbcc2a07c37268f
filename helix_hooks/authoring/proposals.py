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
"""Number of files that are read, those with a number in their name first."""

_MOST_SHOWN = 5
_FEWEST = 2
"""Number of ADR-like files that a folder needs; a single one may be a page about decisions."""

_BESIDE = frozenset(("context", "consequences", "options", "status"))


class Folder(NamedTuple):
    """A pattern that matches the files of a folder, and a description of them."""

    pattern: str
    about: str


def look_alike(tree: WorkTree, settings: Settings) -> list[Folder]:
    """Return the folders in which several files have a decision as ADRs do, most files first."""
    pages = [path for path in tree.markdown("") if not settings.leaves_out(path)]
    pages.sort(key=lambda path: not re.search(r"\d", path.rpartition("/")[2]))
    alike = [path for path in pages[:_MOST_READ] if _reads_like_adr(tree, settings, path)]
    counts = Counter(collection(path) for path in alike).most_common(_MOST_SHOWN)
    return [_folder(folder, count) for folder, count in counts if count >= _FEWEST]


def _folder(folder: str, count: int) -> Folder:
    pattern = f"{escaped(folder)}/**/*.md" if folder else "*.md"
    place = folder or "the root of the repository"
    return Folder(pattern, f"{place}: {counted(count, 'file')} with a decision, as in ADRs")


def _reads_like_adr(tree: WorkTree, settings: Settings, path: str) -> bool:
    doc = tree.document(path)
    if doc.defect:
        return False
    adr = read(Source(doc), settings.ruleset)
    parts = set(adr.h2)
    if adr.header.statuses:
        parts.add("status")
    return "decision" in parts and not parts.isdisjoint(_BESIDE)
