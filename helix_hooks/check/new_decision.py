"""Find decisions that a branch adds to a folder of ADRs in a file without the name of an ADR."""

from ..adr.examine import Source, examine, read
from ..adr.names.place import is_translation_folder
from ..adr.parse.document import AdrDocument
from ..adr.reference import key_in_path
from ..adr.rules.registry import Ruleset
from ..adr.rules.structure.placeholder import Placeholder
from ..adr.template import DECISION
from ..config.settings import Settings
from ..config.watched import collection_around
from ..repository.files import StagedTree
from ..repository.history import Changed
from .comparison import Comparison


def is_new_decision(comparison: Comparison, change: Changed) -> bool:
    """Return whether a file in a folder of ADRs reads like a decision, and did not at the base.

    Its name is not the name of an ADR.
    """
    tree, base, settings = comparison.tree, comparison.diff.base, comparison.settings
    was_there = change.status != "A" and _decides(base, settings, change.old)
    if was_there or not _decides(tree, settings, change.path):
        return False
    return not _is_translation(comparison, change.path)


def _decides(tree: StagedTree, settings: Settings, path: str) -> bool:
    if not collection_around(settings, path) or not tree.has(path):
        return False
    return _reads_like_decision(tree.document(path), settings.ruleset)


def _reads_like_decision(doc: AdrDocument, ruleset: Ruleset) -> bool:
    """Return whether a text has a title, no blank of a template, and a decision or a status.

    `TODO` in a sentence is not a blank.
    """
    if doc.defect or not doc.title:
        return False
    adr = read(Source(doc), ruleset)
    if DECISION not in adr.h2 and not adr.statuses.read(adr.header.text("status")):
        return False
    findings = examine(Source(doc), ruleset).findings
    return all(item.check != Placeholder.id or item.severity == "info" for item in findings)


def _is_translation(comparison: Comparison, path: str) -> bool:
    """Return whether a file in a folder of a language has the name or the number of an ADR."""
    folder, _, name = path.rpartition("/")
    if not is_translation_folder(folder):
        return False
    number = key_in_path(path)
    around = comparison.tree.folder(collection_around(comparison.settings, path))
    return any(
        other.endswith(f"/{name}") or (number and key_in_path(other) == number)
        for other in around
        if comparison.is_adr(other)
    )
