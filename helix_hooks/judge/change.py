"""The change under review: its commits, its trees, and the paths that it touches."""

import os
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from ..check.branch import BranchDiff, branch_diff, named_commit, required_base
from ..check.settings import readable_settings
from ..check.trees import FILE, FOLDER, Entries, GitTree, Revision, above
from ..decision.authors import agents_in
from ..decision.pull_request import NOBODY
from ..git import commits, history, snapshot
from ..git.history import Changed
from ..git.snapshot import Item
from ..paths import APPROVALS, MAX_BYTES, READ_FIRST
from ..text import without_invisible
from ..verdict.injection.signs import is_instruction, ours
from .options import Range

MOST_BYTES = 500_000_000
"""Maximum total size of a copied tree."""
_POINTER = b"version https://git-lfs.github.com/spec/"
_LARGEST_POINTER = 1024


class Change:
    """The change under review.

    `base` is the commit that it is merged into, `head` its last commit, `merge_base` their merge
    base. Without a base, `merge_base` is the last commit of the working tree's branch. Each is ""
    if it does not exist. `rules` is the tree whose settings apply. `touched` are all paths of the
    change, old and new ones; `changed` those that exist now, `gone` those that do not. `names` maps
    new to old paths.
    """

    def __init__(self, root: str, folder: str, range: Range) -> None:
        self.root = root
        self.base = named_commit(root, "--base", range.base) if range.base else ""
        self.head, self.last = _ends_in(range, root, folder)
        self.merge_base = self._merge_base(range)
        self.tree = Revision(root, self.head)
        self._revisions: dict[str, Revision] = {}
        self.entries = self._entries()
        self.merge_base_tree = self._at(self.merge_base) if self.merge_base else None
        self.rules = self._rules()
        self.rubric_from = self._rubric_from(range)
        self._list_changes()
        self._rows: dict[str, list[str]] = {}

    def _list_changes(self) -> None:
        changes = self._changes()
        self.diff = self._diff(changes)
        self.names = {item.path: item.old for item in changes}
        touched: list[str] = []
        for item in changes:
            touched += dict.fromkeys((item.path, item.old))
        self.touched = touched
        # Without a merge base, every file counts as changed.
        if self.merge_base:
            self.changed = [item.path for item in changes if item.status != "D"]
        else:
            self.changed = self.tree.folder("")
        old_paths = [item.old for item in changes if item.status in "DR"]
        self.gone = [path for path in old_paths if not self.tree.has(path)]

    def _changes(self) -> list[Changed]:
        if not self.merge_base or not self.merge_base_tree:
            return []
        changes = history.changes(self.root, self.merge_base, staged=True, other=self.head)
        changed = {path for item in changes for path in (item.path, item.old)}
        behind: dict[str, None] = {}
        for tree in (self.merge_base_tree, self.tree):
            behind |= dict.fromkeys(_behind_links(tree, self.approvals, changed))
        return [*changes, *(Changed("M", path, path) for path in behind if path not in changed)]

    def _diff(self, changes: list[Changed]) -> BranchDiff | None:
        """Return the diff from the merge base; None without a base."""
        if not self.base or not self.merge_base_tree:
            return None
        start, tip = (self.merge_base, self.merge_base_tree), (self.base, self.rules)
        return branch_diff(self.root, start, tip, changes)

    def _merge_base(self, range: Range) -> str:
        if not self.base:
            return self.last
        base = range.merge_base or commits.merge_base(self.root, self.base, self.head)
        return required_base(self.root, range.base, base)

    def _rules(self) -> GitTree:
        """Return the tree whose settings, rubrics and briefs apply."""
        if not self.base:
            return self.tree
        if self.base == self.merge_base and self.merge_base_tree:
            return self.merge_base_tree
        return self._at(self.base)

    def _rubric_from(self, range: Range) -> str:
        if self.base:
            return f"{range.base} ({self.base[:12]})"
        return f"{range.head or 'the work tree'}, which the change itself may edit"

    def _entries(self) -> list[snapshot.Item]:
        """Return the entries of the tree, with files in place of the links that lead to them."""
        entries: list[snapshot.Item] = []
        for path, entry in self.tree.entries.items():
            behind = self.tree.blob(path) if path in self.tree.links else None
            entries.append(snapshot.Item(*(behind or entry), path))
        return entries

    def with_links(self, paths: Iterable[str]) -> list[str]:
        """Return some paths with the links that lead to them, at the base and at the head."""
        trees = [tree for tree in (self.merge_base_tree, self.tree) if tree]
        linked = dict.fromkeys(paths)
        for path in [*linked]:
            for name in (path, self.names.get(path, path)):
                for tree in trees:
                    linked.update(dict.fromkeys(sorted(tree.place(name).passed)))
        return list(linked)

    def _at(self, commit: str) -> GitTree:
        revision = self._revisions[commit] = Revision(self.root, commit, self.tree)
        return revision

    @cached_property
    def approvals(self) -> str:
        """The folder of rubrics and briefs in the settings that apply."""
        settings = readable_settings(self.rules)
        if not settings:
            return APPROVALS
        return settings.approvals

    @property
    def ours(self) -> tuple[str, ...]:
        """The paths of the files that control the gate."""
        return ours(self.approvals)

    def merged(self) -> GitTree:
        """Return the tree after a merge into the base, by whole files.

        A file that both sides changed is that of the change.
        """
        if self.base == self.merge_base:
            return self.tree
        base, fork = self._revisions[self.base], self._revisions[self.merge_base]
        return Merged(self.root, base, fork, self.tree)

    def on_both_sides(self, path: str) -> bool:
        """Return whether the base also changed a path since the merge base."""
        before = self.merge_base_tree
        return before is not None and not before.same(path, self.rules, path)

    def line(self, path: str, number: int) -> str:
        """Return a line of a file; "" if it does not exist."""
        if path not in self._rows:
            text = self.text(path) if self.tree.has(path) else ""
            # Not splitlines(), which also splits at form feeds and other characters.
            self._rows[path] = [row.rstrip("\r") for row in text.split("\n")]
        rows = self._rows[path]
        if number > len(rows):
            return ""
        return rows[number - 1]

    def text(self, path: str) -> str:
        return self.tree.content(path).decode(errors="replace")

    def readable(self, path: str) -> str | None:
        """Return the text of a file as a judge gets it; None if it does not get the file."""
        blob = self.tree.blob(path)
        if not blob or not is_copied(snapshot.Item(blob[0], blob[1], path)):
            return None
        data = self.tree.content(path)
        if len(data) > MAX_BYTES or is_pointer(data):
            return None
        return data.decode(errors="replace")

    def writers(self) -> tuple[str, ...]:
        """Return the authors and co-authors of the commits; none without a base."""
        if not self.base:
            return ()
        return commits.writers(self.root, self.merge_base, self.last or self.head)

    def agents(self, more: tuple[str, ...]) -> tuple[str, ...]:
        """Return the coding agents that the commits name. `more` are names from the settings."""
        if not self.base:
            return ()
        written = commits.written(self.root, self.merge_base, self.last or self.head)
        return agents_in(NOBODY, written, more)

    def close(self) -> None:
        self.tree.close()


def _ends_in(range: Range, root: str, folder: str) -> snapshot.WorkTreeCommit:
    """Return the commit under review; for a working tree also the last commit of its branch."""
    if range.head:
        return snapshot.WorkTreeCommit(named_commit(root, "--head", range.head), "")
    return snapshot.work_tree(root, folder, MOST_BYTES, range.ignored)


class Merged(Revision):
    """The result of a merge: the entries of the base, with the changes of another branch."""

    def __init__(self, root: str, base: GitTree, parted: GitTree, head: GitTree) -> None:
        """Apply the changes from `parted`, the merge base, to `head`."""
        super().__init__(root, "", head)
        self._sides = base, parted, head

    @cached_property
    def entries(self) -> Entries:
        base, parted, head = (side.entries for side in self._sides)
        changed = [path for path in {**parted, **head} if parted.get(path) != head.get(path)]
        written = {path: head[path] for path in changed if path in head}
        # If a file and a folder have the same path, the one of the change stays.
        replaced = set(changed)
        for path in written:
            replaced.update(above(path))
        remaining = {
            path: entry
            for path, entry in base.items()
            if path not in replaced and written.keys().isdisjoint(above(path))
        }
        return {**remaining, **written}


def _behind_links(tree: GitTree, approvals: str, changed: Collection[str]) -> Iterator[str]:
    """Yield the paths that lead to changed files through a link.

    Settings, rubrics and skills may be behind links: of them, all such paths are returned. Of other
    files, those are returned that lead through one link.
    """
    paths = dict.fromkeys((*READ_FIRST, *tree.folder(approvals), *sorted(tree.links)))
    for path in paths:
        place = tree.place(path)
        if not place.links:
            continue
        if not place.passed.isdisjoint(changed):
            yield path
        start = f"{place.path}/" if place.path else ""
        if place.kind == FOLDER:
            yield from (
                f"{path}/{name.removeprefix(start)}" for name in changed if name.startswith(start)
            )


def is_copied(item: Item) -> bool:
    """Return whether an entry of a tree is copied for a judge.

    It must be a regular file at a safe path, and not an instruction to an agent.
    """
    if item.kind != FILE or is_instruction(item.path) or _hides(item.path):
        return False
    return all(map(_is_harmless, item.path.split("/")))


def _hides(path: str) -> bool:
    """Return whether a file could hide others from a search."""
    return path.rpartition("/")[2].casefold() in (".gitignore", ".ignore", ".rgignore", ".fdignore")


def _is_harmless(name: str) -> bool:
    """Return whether a name is safe on any system: it is not git's folder, nor leads elsewhere."""
    # Windows and macOS ignore case, dots and spaces at the end, and some invisible characters.
    plain = without_invisible(name).casefold().rstrip(". ")
    if plain in ("", ".git", "git~1"):
        return False
    return os.name != "nt" or not re.search(r'[\\:*?"<>|]', name)


def is_pointer(data: bytes) -> bool:
    """Return whether a file is a pointer of Git LFS."""
    return len(data) < _LARGEST_POINTER and data.startswith(_POINTER)
