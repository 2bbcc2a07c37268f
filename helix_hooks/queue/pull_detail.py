"""The current entry of a pull request and its documents: what a person reads before deciding."""

from collections.abc import Mapping

from ..decision.handover import Handover
from ..paths import MARKDOWN
from ..pull import fetch
from ..pull.access import Access, access
from ..pull.earlier_runs import recorded
from ..pull.pending import current
from ..pull.repository import text_at
from ..pull.write import reached_within_limits
from ..waiting.entry import PULL_REQUEST, ChangedDocument, EntryDetail, QueueEntry
from ..waiting.pull_entry import project_and_number
from .pulls import with_token

MOST_DOCUMENTS = 10
CHANGED = "it has changed since the list was read; read the list again"
_DOCUMENTS = (*MARKDOWN, ".yaml", ".yml", ".json")
"""Ends of the names of files that are read."""


def detail(entry: QueueEntry, environment: Mapping[str, str]) -> EntryDetail:
    """Fetch a pull request as of now, and its changed documents: two requests for each.

    Entries of other sources have no more than the list shows. Raises HelixError.
    """
    if entry.source != PULL_REQUEST:
        return EntryDetail(entry)
    project, number = project_and_number(entry.id)
    to = access(project, with_token(environment), longest_wait=0)
    with reached_within_limits():
        now = current(to, number)
        if now is None or now.head != entry.head:
            return EntryDetail(entry, left_out=(CHANGED,))
        entry = now
        status = fetch.status_about(to.repository, entry.head, to.app, number)
        record = recorded(number, status, entry.head)
        if record is None:
            return EntryDetail(entry, left_out=("there is no result of the gate at this commit",))
        return _detail(to, entry, record)


def _detail(to: Access, entry: QueueEntry, record: Handover) -> EntryDetail:
    adrs = [item.path for item in record.changed]
    others = [path for path, _ in record.files if path.lower().endswith(_DOCUMENTS)]
    paths = list(dict.fromkeys((*adrs, *others)))
    shown, lines = list[ChangedDocument](), list[str]()
    for path in paths[:MOST_DOCUMENTS]:
        before = text_at(to.repository, path, record.target.merge_base)
        after = text_at(to.repository, path, record.target.head)
        if before is None or after is None:
            lines.append(f"{path} is too long, or not a plain file, and is not shown")
        else:
            shown.append(ChangedDocument(path, before, after))
    left = len(paths) - MOST_DOCUMENTS + record.files_left_out
    if left > 0:
        lines.append(f"{left} more changed files are not shown")
    return EntryDetail(entry, tuple(shown), tuple(lines))
