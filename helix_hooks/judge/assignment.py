"""Which files of a change each approval type reviews, and why some need no judge."""

from collections.abc import Callable
from typing import NamedTuple

from ..adr.reference import collection
from ..adr.rules.registry import Ruleset
from ..check import files
from ..check.trees import GitTree
from ..config.agents import MANUAL, SKIP
from ..config.approvals import ApprovalType
from ..config.settings import Settings
from ..errors import HelixError, UsageError
from ..git import snapshot
from ..paths import OWN_FILES, is_markdown, matches
from ..verdict.injection.signs import is_instruction
from ..verdict.skip import NOTHING, NOTHING_CHANGED, is_decided, unneeded
from .change import Change
from .options import Range

Types = dict[str, ApprovalType]


NO_JUDGE = "agent: skip runs no judge; only the rules decide"
"""The reason for an approval type without an approver."""


class IsAdr(NamedTuple):
    """The test for an ADR of a change.

    A deleted file is one if either the settings or those `before` call it one.
    """

    change: Change
    settings: Settings
    before: Settings | None

    def __call__(self, path: str) -> bool:
        tree = self.change.tree
        if path in tree.links:
            return files.is_adr(tree, self.settings, path)
        return any(settings.is_adr(path) for settings in self._both)

    def is_beside(self, path: str) -> bool:
        """Return whether a file is in a folder of ADRs, whatever its name."""
        return any(settings.is_beside_adrs(path) for settings in self._both)

    @property
    def _both(self) -> tuple[Settings, ...]:
        if self.before:
            return (self.settings, self.before)
        return (self.settings,)


class Assignment(NamedTuple):
    """The files that each approval type reviews, and those withheld from judges.

    Withheld are instructions to agents, and deleted files, since they have no text to quote. A
    deleted ADR is not withheld: rules report it if it was decided.
    """

    files: dict[str, list[str]]
    withheld: list[str]

    @property
    def reviewed(self) -> list[str]:
        return [path for paths in self.files.values() for path in paths]

    def adrs(self, types: Types, is_adr: IsAdr) -> list[str]:
        """Return the ADRs among all files. Rules check them."""
        adrs: dict[str, None] = {}
        for name, paths in self.files.items():
            for path in paths:
                if types[name].reviews_adrs or is_adr(path):
                    adrs[path] = None
        for path in self.withheld:
            if is_markdown(path) and is_adr(path):
                adrs[path] = None
        return list(adrs)


def named_files(
    change: Change,
    types: Types,
    settings: Settings,
    is_adr: IsAdr,
    paths: list[str],
) -> list[str]:
    """Return the files at some paths; for a folder, its files that a type reviews.

    Raises:
        UsageError: A path does not exist, or no type reviews a file in it.
    """
    named: list[str] = []
    for path in paths:
        if change.tree.entry(path)[0]:
            named.append(files.own_path(change.tree, settings, path))
            continue
        below = change.tree.folder("" if path == "." else path)
        reviewed = _reviewed_below(change, types, is_adr, below)
        if below and not reviewed and change.base:
            continue  # no file in the folder was changed
        if not reviewed:
            reason = "nothing in there is reviewed by" if below else "no such file is reviewed by"
            raise UsageError(f"{path}: {reason} {', '.join(types)}")
        named += reviewed
    return list(dict.fromkeys(named))


def _reviewed_below(change: Change, types: Types, is_adr: IsAdr, below: list[str]) -> list[str]:
    reviewed: set[str] = set()
    for paths in _share(types, below, is_adr).values():
        reviewed.update(paths)
    if change.base:
        reviewed.intersection_update(change.changed)
    return [path for path in below if path in reviewed]


def assigned(
    change: Change,
    types: Types,
    is_adr: IsAdr,
    paths: list[str],
    named: list[str],
) -> Assignment:
    """Return the files under review: all changed files, or the files `named` by some `paths`.

    Raises UsageError if no type reviews a named file.
    """
    withheld = [
        path
        for path in _withheld(change, types, is_adr)
        if path not in named and _is_at(path, paths)
    ]
    if paths:
        return Assignment(_named_share(types, named, is_adr), withheld)
    reviewed = [path for path in change.changed if path not in withheld]
    return Assignment(_share(types, reviewed, is_adr), withheld)


def _is_at(path: str, paths: list[str]) -> bool:
    """Return whether a path is at or below one of some paths; True if there are none."""
    if not paths:
        return True
    return any(parent in (".", path) or path.startswith(f"{parent}/") for parent in paths)


def _share(types: Types, paths: list[str], is_adr: IsAdr) -> dict[str, list[str]]:
    share: dict[str, list[str]] = {}
    for name, type in types.items():
        share[name] = [path for path in paths if _reviews(type, path, is_adr)]
    return share


def _named_share(types: Types, paths: list[str], is_adr: IsAdr) -> dict[str, list[str]]:
    """Return the types of named files. Raise UsageError if a file has none.

    A single type reviews all of them. So does each type with `named_only`.
    """
    if len(types) == 1:
        return dict.fromkeys(types, paths)
    share = _share(types, paths, is_adr)
    for name, type in types.items():
        if type.named_only:
            share[name] = paths
    for path in paths:
        if not any(path in reviewed for reviewed in share.values()):
            names = ", ".join(types)
            raise UsageError(
                f"{path}: none of the approval types {names} reviews it; name one with --type"
            )
    return share


def _reviews(type: ApprovalType, path: str, is_adr: IsAdr) -> bool:
    if type.reviews_adrs:
        return is_adr(path)
    return matches(path, type.paths)


def _withheld(change: Change, types: Types, is_adr: IsAdr) -> list[str]:
    def is_reviewed(path: str) -> bool:
        return any(_is_near(type, path, is_adr) for type in types.values())

    def has_pattern(path: str) -> bool:
        return any(matches(path, type.paths) for type in types.values())

    instructions = filter(is_instruction, change.changed)
    return [*filter(is_reviewed, instructions), *filter(has_pattern, change.gone)]


def _is_near(type: ApprovalType, path: str, is_adr: IsAdr) -> bool:
    """Return whether a type reviews a file, or would if it were not an instruction to agents."""
    return _reviews(type, path, is_adr) or (type.reviews_adrs and is_adr.is_beside(path))


def refuse_ignored_adrs(change: Change, range: Range, settings: Settings, is_adr: IsAdr) -> None:
    """Refuse to review a work tree with an ADR that git ignores: no commit would have it.

    An ignored folder without a tracked ADR, such as that of a build, is left alone.

    Raises:
        HelixError: There is such an ADR.
    """
    if range.head:
        return
    folders = {collection(path) for path in change.tree.folder("") if is_adr(path)}
    for path in snapshot.ignored_markdown(change.root):
        is_expected = collection(path) in folders or not folders
        # Runs of a flow keep their prompts and answers in this folder.
        is_own = path.startswith(OWN_FILES)
        if is_expected and settings.is_adr(path) and path not in range.ignored and not is_own:
            raise HelixError(
                f"{path} is on the disk, but git ignores it, so it would not be reviewed; "
                f"`git add --force {path}`, or add it to `exclude` in the settings"
            )


def reason_to_skip(
    change: Change,
    type: ApprovalType,
    paths: list[str],
    ruleset: Ruleset,
    is_named: bool,
    by_person: Callable[[str], bool],
) -> str:
    """Return why the files of a type need no judge; "" if they need one.

    `is_named`: a person named the files. Without a base they are always judged, since there is no
    other version to compare them with. `by_person` returns whether a person must decide about a
    file anyway.
    """
    if type.run.agent == SKIP and paths:
        return NO_JUDGE
    semantic = _semantic(type)
    if semantic == "false":
        return "semantic is false in the settings"
    if not paths:
        return NOTHING_CHANGED
    if semantic != "auto" or (is_named and not change.base):
        return ""
    reasons = dict.fromkeys(_unchanged(change, path, ruleset, by_person(path)) for path in paths)
    if not all(reasons):
        return ""
    return "; ".join(reasons)


def _semantic(type: ApprovalType) -> str:
    if type.always:
        return "true"
    # `semantic: false` turns a judge off, not a person.
    if type.run.semantic == "false" and type.run.agent == MANUAL:
        return "auto"
    return type.run.semantic


def _unchanged(change: Change, path: str, ruleset: Ruleset, by_person: bool) -> str:
    """Return why a change of an ADR needs no judge; "" if it needs one."""
    before, old = change.merge_base_tree, change.names.get(path, path)
    if before is None or not is_markdown(path) or not _is_in_both(change, before, path):
        return ""
    old_doc, doc = before.document(old), change.tree.document(path)
    was_decided = is_decided(old_doc, ruleset.meanings, ruleset.statuses)
    if not was_decided and is_decided(doc, ruleset.meanings, ruleset.statuses):
        return ""  # it is judged like a new ADR
    reason = unneeded(old_doc, doc, ruleset.meanings, by_person)
    if old == path or reason != NOTHING:
        return reason
    # A decided ADR has a new name: `accepted-changed` asks a person about it.
    return "the file was only renamed" if by_person or not was_decided else ""


def _is_in_both(change: Change, before: GitTree, path: str) -> bool:
    is_file = change.tree.has(path) and not change.tree.is_link(path)
    return is_file and before.has(change.names.get(path, path))
