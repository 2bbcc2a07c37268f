"""The work of `helix-hooks queue list` and `show`, and the reading of the queue for other ones."""

import os
import time
from typing import NamedTuple

from .. import extras
from ..check import files
from ..console.output import columns, print_message, print_result
from ..errors import HelixError, UsageError
from ..queue import place as queue_place
from ..queue import requests
from ..queue.collect import Wanted, collect
from ..queue.place import QueuePlace
from ..queue.pull_detail import detail
from ..queue.viewer import viewer
from ..report import queue_json, queue_table
from ..waiting.beside import lines as not_shown
from ..waiting.entry import PULL_REQUEST, EntryDetail, Queue, QueueEntry, Viewer
from ..waiting.selection import Filters, named, repositories_of, selected, source_of
from ..waiting.stamp import unmarked
from .frame import console


class Seen(NamedTuple):
    """The queue, its viewer, and its place. `is_whole` is false if a source could not be read."""

    place: QueuePlace
    queue: Queue
    viewer: Viewer

    @property
    def is_whole(self) -> bool:
        return not self.queue.partial


def seen(wanted: Wanted) -> Seen:
    """Read the queue and its viewer."""
    place = queue_place.here(os.environ)
    queue = collect(place, wanted, os.environ, int(time.time()))
    who, unread = viewer(place, queue.entries, os.environ, queue.now)
    return Seen(place, queue._replace(partial=(*queue.partial, *unread)), who)


def list_entries(wanted: Wanted, filters: Filters, format: str) -> int:
    """Print the entries that match some filters."""
    view = seen(wanted)
    queue = selected(view.queue, filters, view.viewer)
    if format == "json":
        print_result(queue_json.as_json(queue, view.viewer))
    elif format == "html":
        # Only this format needs the packages of the dashboard.
        extras.require_packages("queue list --format html", "dashboard")
        from ..pages import static

        css = files.packaged("pages/style.css") or b""
        print_result(static.page(queue, css.decode()))
    else:
        print_result(queue_table.as_text(queue, view.viewer, console().colored, columns()))
    for line in view.queue.partial:
        print_message(line)
    if not view.is_whole:
        return HelixError.exit_code
    return 0


def show_entry(name: str, wanted: Wanted, format: str) -> int:
    """Print one entry."""
    sources = tuple(filter(None, (source_of(name),)))
    view = seen(wanted._replace(sources=sources, also=repositories_of([name])))
    entry = entry_named(view, name)
    now = view.queue.now
    if format == "json":
        detail = _detail(entry)
        print_result(queue_json.detail_json(detail, view.viewer, now))
        return 0
    print_result(queue_table.show(entry, view.viewer, now, console().colored))
    return 0


def _detail(entry: QueueEntry) -> EntryDetail:
    """Return an entry with its documents.

    Raises:
        HelixError: They can't be fetched.
    """
    if entry.source != PULL_REQUEST:
        return EntryDetail(entry)
    return detail(entry, os.environ)


def entry_named(view: Seen, name: str) -> QueueEntry:
    """Return an entry by its id. The mark of a content, which an id may have, is ignored.

    Raises:
        UsageError: No such entry waits.
        HelixError: No such entry was read, and not everything could be read.
    """
    id = unmarked(name)[0]
    try:
        return named(view.queue.entries, id, view.place.project)
    except UsageError as error:
        # A list has a maximum length, so the entry may wait without being listed.
        waiting = requests.pending(view.place, id)
        if waiting:
            return waiting
        reason = requests.ended(view.place, id)
        if reason:
            raise UsageError(reason) from None
        if view.is_whole:
            beside = "; ".join(not_shown(view.queue.not_shown._replace(sources=())))
            raise UsageError(f"{error}; {beside}" if beside else str(error)) from None
        problem = f"{error}, and not everything could be read: {view.queue.partial[0]}"
        raise HelixError(problem) from None
