"""The work of `helix-hooks queue figures`: time to a decision, expiries, and who decided."""

import os
import re

from ..console.output import print_message, print_result
from ..errors import UsageError
from ..flow.client import exists
from ..queue import place as queue_place
from ..queue import store
from ..queue.queue_figures import stored_figures
from ..report import queue_figures as report
from ..waiting.figures import QueueFigures

_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])", re.ASCII)


def print_figures(since: str, project: str, format: str) -> int:
    """Print the figures of a project since a month, "" for all.

    Raises:
        UsageError: `since` is not a month, as in 2026-11.
    """
    if since and not _MONTH.fullmatch(since):
        raise UsageError(f"invalid month {since!r} (expected e.g. 2026-11)")
    print_result(report.render(_figures(since, project), format))
    return 0


def _figures(since: str, project: str) -> QueueFigures:
    place = queue_place.here(os.environ)
    if not exists(place.flow):
        print_message("there is no database yet; `helix-hooks ask` or a flow creates it")
        return QueueFigures(since, 0, (), ())
    projects = None
    if project:
        projects = (project,)
    with store.opened(place.flow) as db:
        return stored_figures(db, projects, since)
