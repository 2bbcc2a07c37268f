"""The work of `helix-hooks queue list` and `show`, and what all subcommands begin with."""

import os
import shutil
import sys
import time
from typing import NamedTuple

from .. import extras
from ..console.output import print_message, print_result
from ..errors import HelixError, UsageError
from ..queue import place as queue_place
from ..queue import requests
from ..queue.collect import Wanted, collect
from ..queue.place import QueuePlace
from ..queue.viewer import viewer
from ..report import queue_json, queue_table
from ..repository import files
from ..text.plural import counted
from ..waiting.entry import PULL_REQUEST, EntryDetail, Queue, QueueEntry, Viewer
from ..waiting.selection import Filters, named, repositories_of, selected, source_of
from ..waiting.stamp import unmarked
from .frame import console


class Seen(NamedTuple):
    """The queue of a viewer. `is_whole` says that everything could be read."""

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
    """Print the entries that pass some filters."""
    view = seen(wanted)
    queue = selected(view.queue, filters, view.viewer)
    if format == "json":
        print_result(queue_json.as_json(queue, view.viewer))
    elif format == "html":
        extras.require_packages("queue list --format html", "dashboard")
        from ..pages import static

        css = files.packaged("pages/style.css") or b""
        print_result(static.page(queue, css.decode()))
    elif view.queue.entries and not queue.entries:
        number = counted(len(view.queue.entries), "decision")
        print_result(f"nothing that waits fits these options ({number} without them)\n")
    else:
        print_result(queue_table.as_text(queue, view.viewer, console().colored, columns()))
    return _told(view)


def columns() -> int:
    """Return the columns of the terminal, 0 where the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def _told(view: Seen) -> int:
    """Say what could not be read, and return the exit code."""
    for line in view.queue.partial:
        print_message(line)
    return 0 if view.is_whole else HelixError.exit_code


def show_entry(name: str, wanted: Wanted, format: str) -> int:
    """Print one entry."""
    source = source_of(name)
    sources = (source,) if source else ()
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
    """Return an entry with its documents. Raises HelixError."""
    if entry.source != PULL_REQUEST:
        return EntryDetail(entry)
    from ..queue.pull_detail import detail

    return detail(entry, os.environ)


def entry_named(view: Seen, name: str) -> QueueEntry:
    """Return the entry that a person means; a mark of what was shown is left out.

    Raises UsageError where it does not wait, HelixError where it may be in what was not read.
    """
    try:
        return named(view.queue.entries, unmarked(name)[0], view.place.project)
    except UsageError as error:
        if waiting := requests.pending(view.place, unmarked(name)[0]):
            return waiting  # more wait than are listed
        if why := requests.ended(view.place, unmarked(name)[0]):
            raise UsageError(why) from None
        if view.is_whole:
            raise
        problem = f"{error}, and not everything could be read: {view.queue.partial[0]}"
        raise HelixError(problem) from None
