"""The change under review: where it ends, where it goes to, and what it touches."""

from argparse import Namespace
from collections.abc import Iterable
from functools import cached_property

from ..check.settings import readable_settings
from ..paths import APPROVALS, MAX_BYTES
from ..repository import commits, files, git, history, snapshot
from ..repository.branch import BranchDiff, branch_diff, named_commit, required_base, through_links
from ..repository.links import FILE, LINK
from ..repository.revisions import Merged, Revision
from ..verdict.injection.readings import decoded
from ..verdict.injection.signs import Text, ours
from .readable import MOST_BYTES, is_copied, is_pointer


class Change:
    """The change under review: the commit it ends in, the one it goes to (None without a base), and what it touches."""

    def __init__(self, options: Namespace, root: str, folder: str) -> None:
        self.root = root
        self.base = named_commit(root, "--base", options.base) if options.base else ""
        self.head, self.last = _ends_in(options, root, folder)
        self.parted = self._parted(options)
        self.index = Revision(root, self.head)
        self._revisions: dict[str, Revision] = {}
        self.tree = files.StagedTree(self.index, root)
        self._begin()
        self.entries = self._entries()
        self.before = self._at(self.parted) if self.parted else None
        self.rules = (self.before if self.base == self.parted and self.before else self._at(self.base)) if self.base else self.tree
        self.rubric_from = (
            f"{options.base} ({self.base[:12]})" if self.base else (options.head or "the work tree") + ", which the change itself may edit"
        )
        found = history.changes(root, self.parted, staged=True, other=self.head) if self.parted else []
        found = through_links(self.before, self.tree, found) if self.before else found
        self.diff = self._diff(found)
        self.names = {change.path: change.old for change in found}
        self.touched = [path for change in found for path in dict.fromkeys((change.path, change.old))]
        self.changed = [change.path for change in found if change.status != "D"] if self.parted else self.tree.folder("")
        self.gone = [change.old for change in found if change.status in "DR" and not self.tree.has(change.old)]
        self._rows: dict[str, list[str]] = {}

    def _parted(self, options: Namespace) -> str:
        """Where the change left its base: as GitHub says it, whose history may be missing here, else as git does."""
        if not self.base:
            return self.last
        base = options.merge_base or commits.merge_base(self.root, self.base, self.head)
        return required_base(self.root, options.base, base)

    def _diff(self, changes: list[history.Changed]) -> BranchDiff | None:
        """Return the diff from the merge base, None without a base."""
        if not self.base or not self.before:
            return None
        return branch_diff(self.root, (self.parted, self.before), (self.base, self.rules), changes)

    def _begin(self) -> None:
        """Let git begin with what is asked for next, at once."""
        self.index.expect(["."], read=True)
        if self.parted:
            git.begin(self.root, git.since_commit(self.parted, staged=True, other=self.head))

    def _entries(self) -> list[snapshot.Item]:
        """The tree, with the files that links lead to in the place of the links."""
        found = [snapshot.Item(kind, object, path) for path, (kind, object) in self.index.everything().items()]
        linked = ((name, self.tree.blob(name)) for name, place in self.tree.names().items() if place.kind == FILE)
        files = [snapshot.Item(*blob, name) for name, blob in linked if blob]
        return [*(item for item in found if item.kind != LINK or item.path not in self.tree.names()), *files] if files else found

    def behind(self, paths: Iterable[str]) -> list[str]:
        """Some paths with those that decide what stands there, at the base and at the head."""
        trees = [tree for tree in (self.before, self.tree) if tree]
        names = [name for path in paths for name in (path, self.names.get(path, path))]
        return list(dict.fromkeys((*paths, *(one for path in names for tree in trees for one in sorted(tree.place(path).passed)))))

    def _at(self, commit: str) -> files.StagedTree:
        revision = self._revisions[commit] = Revision(self.root, commit, self.index)
        revision.everything()
        return files.StagedTree(revision, self.root)

    @cached_property
    def approvals(self) -> str:
        """The folder of rubrics and briefs, as the settings that count name it."""
        settings = readable_settings(self.rules)
        return settings.approvals if settings else APPROVALS

    @property
    def ours(self) -> tuple[str, ...]:
        """Where lies what this program goes by."""
        return ours(self.approvals)

    def merged(self) -> files.StagedTree:
        """The tree that a merge leaves at the base, as far as files tell; text that both sides changed is the change's."""
        if self.base == self.parted:
            return self.tree
        base, parted = (self._revisions[commit] for commit in (self.base, self.parted))
        return files.StagedTree(Merged(self.root, base, parted, self.index), self.root)

    def on_both_sides(self, path: str) -> bool:
        """Return whether a path of the change is another one at the base than where the change left it."""
        return self.before is not None and not self.before.same(path, self.rules, path)

    def line(self, path: str, number: int) -> str:
        if path not in self._rows:
            self._rows[path] = self.text(path).splitlines() if self.tree.has(path) else []
        rows = self._rows[path]
        return rows[number - 1] if number <= len(rows) else ""

    def text(self, path: str) -> str:
        return self.tree.content(path).decode(errors="replace")

    def searched(self, path: str, is_judged: bool) -> Text:
        """Return what a judge could read at a path that the change touches: the first megabyte of a file, with the target of a link to it."""
        data = self.tree.content(path)
        link = (self.index.read(path) or b"").decode(errors="replace") if self.tree.is_link(path) else ""
        reason = "it is larger than 1 MB, so only its beginning was searched" if len(data) > MAX_BYTES else ""
        reason = reason or ("it is no text that can be searched" if b"\0" in data and "\0" in decoded(data) else "")
        return Text(path, f"{decoded(data)}\n{link}" if link else decoded(data), reason if is_judged else "")

    def readable(self, path: str) -> str | None:
        """The text of a file as a judge was given it; None for one that it was not given."""
        blob = self.tree.blob(path)
        if not blob or not is_copied(snapshot.Item(blob[0], blob[1], path)):
            return None
        data = self.tree.content(path)
        return None if len(data) > MAX_BYTES or is_pointer(data) else data.decode(errors="replace")

    def close(self) -> None:
        self.index.close()


def _ends_in(options: Namespace, root: str, folder: str) -> snapshot.WorkTree:
    """The commit under review, and for a work tree the last one of its branch."""
    if options.head:
        return snapshot.WorkTree(named_commit(root, "--head", options.head), "")
    return snapshot.work_tree(root, folder, MOST_BYTES)
