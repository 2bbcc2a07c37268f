"""The files of a change that each approval type reviews, and those that no judge can review."""

from typing import NamedTuple

from ..config.approvals import ApprovalType
from ..config.settings import Settings
from ..errors import UsageError
from ..globs import matches
from ..repository import files
from ..verdict.injection.signs import is_instruction
from .change import Change

Types = dict[str, ApprovalType]


class IsAdr(NamedTuple):
    """The test for an ADR of a change; a deleted one may be one by the settings `before`."""

    change: Change
    settings: Settings
    before: Settings | None

    def __call__(self, path: str) -> bool:
        tree = self.change.tree
        if path in tree.names():
            return files.is_adr(tree, self.settings, path)
        return any(settings.is_adr(path) for settings in self._both)

    def is_beside(self, path: str) -> bool:
        """Return whether a file lies where ADRs lie, whatever it is called."""
        return any(settings.is_beside_adrs(path) for settings in self._both)

    @property
    def _both(self) -> tuple[Settings, ...]:
        return (self.settings, self.before) if self.before else (self.settings,)


class Assignment(NamedTuple):
    """The files that each approval type reviews, and those withheld from judges.

    Withheld are instructions to agents, and deleted files, of which nothing can be quoted. A
    deleted ADR is left to the rules, which know whether it was decided.
    """

    files: dict[str, list[str]]
    withheld: list[str]

    @property
    def reviewed(self) -> list[str]:
        return [path for paths in self.files.values() for path in paths]

    def adrs(self, types: Types, is_adr: IsAdr) -> list[str]:
        """Return the ADRs among all files, which the rules check."""
        taken = ((types[name], path) for name, paths in self.files.items() for path in paths)
        own = [path for type, path in taken if type.reviews_adrs or is_adr(path)]
        others = [path for path in self.withheld if path.endswith(".md") and is_adr(path)]
        return list(dict.fromkeys((*own, *others)))


def named_files(
    change: Change,
    types: Types,
    settings: Settings,
    is_adr: IsAdr,
    paths: list[str],
) -> list[str]:
    """Return the files at some paths; of a folder, those that a type reviews. Raises UsageError."""
    found: list[str] = []
    for path in paths:
        folder = "" if path == "." else path
        is_file = change.index.kind(path)
        below = [] if is_file else change.tree.folder(folder)
        reviewed = _reviewed_below(change, types, is_adr, below)
        if below and not reviewed and change.base:
            continue  # nothing in there was changed
        if not reviewed and not is_file:
            reason = "nothing in there is reviewed by" if below else "there is no such file for"
            raise UsageError(f"{path}: {reason} {', '.join(types)}")
        found += reviewed or [files.own_path(change.tree, settings, path)]
    return list(dict.fromkeys(found))


def _reviewed_below(change: Change, types: Types, is_adr: IsAdr, below: list[str]) -> list[str]:
    reviewed = {path for paths in _share(types, below, is_adr).values() for path in paths}
    there = (path for path in below if path in reviewed)
    return [path for path in there if not change.base or path in change.changed]


def assigned(
    change: Change,
    types: Types,
    is_adr: IsAdr,
    paths: list[str],
    named: list[str],
) -> Assignment:
    """Return the files under review: all that changed, or the files `named` by some `paths`.

    Raises UsageError for a named file that no type reviews.
    """
    others = (path for path in _withheld(change, types, is_adr) if path not in named)
    withheld = [path for path in others if _is_at(path, paths)]
    if paths:
        return Assignment(_named_share(types, named, is_adr), withheld)
    reviewed = [path for path in change.changed if path not in withheld]
    return Assignment(_share(types, reviewed, is_adr), withheld)


def _is_at(path: str, paths: list[str]) -> bool:
    """Return whether a path is at or below one of some paths; without any, it is."""
    inside = (one in (".", path) or path.startswith(f"{one}/") for one in paths)
    return not paths or any(inside)


def _share(types: Types, paths: list[str], is_adr: IsAdr) -> dict[str, list[str]]:
    share: dict[str, list[str]] = {}
    for name, type in types.items():
        share[name] = [path for path in paths if _reviews(type, path, is_adr)]
    return share


def _named_share(types: Types, paths: list[str], is_adr: IsAdr) -> dict[str, list[str]]:
    """Share out files that were named. Raises UsageError for others.

    A single type takes all, and so does each that reviews only what is named.
    """
    if len(types) == 1:
        return dict.fromkeys(types, paths)
    whole = {name: paths for name, type in types.items() if type.named_only}
    share = {**_share(types, paths, is_adr), **whole}
    left = [path for path in paths if not any(path in taken for taken in share.values())]
    if left:
        names = ", ".join(types)
        message = f"{left[0]}: none of the approval types {names} reviews it; name one with --type"
        raise UsageError(message)
    return share


def _reviews(type: ApprovalType, path: str, is_adr: IsAdr) -> bool:
    return is_adr(path) if type.reviews_adrs else matches(path, type.paths)


def _withheld(change: Change, types: Types, is_adr: IsAdr) -> list[str]:
    def is_near(path: str) -> bool:
        return any(_is_near(type, path, is_adr) for type in types.values())

    changed = (path for path in change.changed if is_instruction(path))
    instructions = [path for path in changed if is_near(path)]
    patterns = [type.paths for type in types.values()]
    deleted = [path for path in change.gone if any(matches(path, paths) for paths in patterns)]
    return [*instructions, *deleted]


def _is_near(type: ApprovalType, path: str, is_adr: IsAdr) -> bool:
    """Return whether a type reviews a file, or would if it were no instructions to agents."""
    return _reviews(type, path, is_adr) or (type.reviews_adrs and is_adr.is_beside(path))
