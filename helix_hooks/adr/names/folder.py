"""The status of ADRs by the name of their folder: `rejected/`, `3_in_review/`, `0_drafts/`."""

import re

from .status import Statuses

DRAFT = "Draft"
_DRAFTS = frozenset(("draft", "drafts", "wip", "work in progress", "entwurf", "entwürfe"))


def of_folder(path: str, statuses: Statuses) -> str:
    """Return the status that a folder of a file is named after, "" without one."""
    if is_among_drafts(path):
        return DRAFT
    return next(filter(None, map(statuses.names.get, _folders(path))), "")


def is_among_drafts(path: str) -> bool:
    """Return whether the folder of a file is named after drafts."""
    return not _DRAFTS.isdisjoint(_folders(path)[-1:])


def _folders(path: str) -> list[str]:
    """Return the names of the folders of a file, without their numbers."""
    names = (re.sub(r"^\d+[a-z]?[-_ ]+", "", name) for name in path.split("/")[:-1])
    return [re.sub(r"[-_ ]+", " ", name).casefold() for name in names]
