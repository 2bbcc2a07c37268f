"""The change under review: its commits, its trees, and the paths that it touches."""

from collections.abc import Iterable
from functools import cached_property

from ..check.settings import readable_settings
from ..decision.agent_authors import agents_in
from ..decision.pull_request import NOBODY
from ..paths import APPROVALS, MAX_BYTES
from ..repository import commits, files, git, history, runner, snapshot
from ..repository.branch import BranchDiff, branch_diff, named_commit, required_base, through_links
from ..repository.history import Changed
from ..repository.links import FILE, LINK
from ..repository.revisions import Merged, Revision
from ..verdict.injection.signs import ours
from .range import Range
from .readable import MOST_BYTES, is_copied, is_pointer


class Change:
    """The change under review.

    `base` is the commit it goes to, `head` the one it ends in, `merge_base` their merge base.
    Without a base, that is the last commit of the work tree's branch. "" stands for none of each.
    `rules` is the tree whose settings count. `touched` are the paths of the change, old and new
    ones, `changed` those that are there, `gone` those that are not; `names` maps new to old ones.
    """

    def __init__(self, root: str, folder: str, range: Range) -> None:
        self.root = root
        self.base = named_commit(root, "--base", range.base) if range.base else ""
        self.head, self.last = _ends_in(range, root, folder)
        self.merge_base = self._merge_base(range)
        self.index = Revision(root, self.head)
        self._revisions: dict[str, Revision] = {}
        self.tree = files.StagedTree(self.index, root)
        self._begin()
        self.entries = self._entries()
        self.merge_base_tree = self._at(self.merge_base) if self.merge_base else None
        self.rules = self._rules()
        self.rubric_from = self._rubric_from(range)
        self._list_changes()
        self._rows: dict[str, list[str]] = {}

    def _list_changes(self) -> None:
        found = self._changes()
        self.diff = self._diff(found)
        self.names = {item.path: item.old for item in found}
        self.touched = [path for item in found for path in dict.fromkeys((item.path, item.old))]
        changed = [item.path for item in found if item.status != "D"]
        self.changed = changed if self.merge_base else self.tree.folder("")
        gone = (item.old for item in found if item.status in "DR")
        self.gone = [path for path in gone if not self.tree.has(path)]

    def _changes(self) -> list[Changed]:
        if not self.merge_base or not self.merge_base_tree:
            return []
        found = history.changes(self.root, self.merge_base, staged=True, other=self.head)
        return through_links(self.merge_base_tree, self.tree, found)

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

    def _rules(self) -> files.StagedTree:
        """Return the tree whose settings, rubrics and briefs count."""
        if not self.base:
            return self.tree
        if self.base == self.merge_base and self.merge_base_tree:
            return self.merge_base_tree
        return self._at(self.base)

    def _rubric_from(self, range: Range) -> str:
        if self.base:
            return f"{range.base} ({self.base[:12]})"
        return f"{range.head or 'the work tree'}, which the change itself may edit"

    def _begin(self) -> None:
        """Prefetch from git what is needed next."""
        self.index.expect(["."], read=True)
        if self.merge_base:
            runner.prefetch(
                self.root, git.since_commit(self.merge_base, staged=True, other=self.head)
            )

    def _entries(self) -> list[snapshot.Item]:
        """Return the entries of the tree, with linked files in the place of the links to them."""
        everything = self.index.everything().items()
        entries = [snapshot.Item(kind, object, path) for path, (kind, object) in everything]
        links = self.tree.names()
        linked = ((name, self.tree.blob(name)) for name, at in links.items() if at.kind == FILE)
        targets = [snapshot.Item(*blob, name) for name, blob in linked if blob]
        if not targets:
            return entries
        plain = (item for item in entries if item.kind != LINK or item.path not in links)
        return [*plain, *targets]

    def with_links(self, paths: Iterable[str]) -> list[str]:
        """Return some paths with the links on the way to them, at the base and at the head."""
        trees = [tree for tree in (self.merge_base_tree, self.tree) if tree]
        names = [name for path in paths for name in (path, self.names.get(path, path))]
        places = (tree.place(path) for path in names for tree in trees)
        return list(dict.fromkeys((*paths, *(link for at in places for link in sorted(at.passed)))))

    def _at(self, commit: str) -> files.StagedTree:
        revision = self._revisions[commit] = Revision(self.root, commit, self.index)
        revision.everything()
        return files.StagedTree(revision, self.root)

    @cached_property
    def approvals(self) -> str:
        """The folder of rubrics and briefs, by the settings that count."""
        settings = readable_settings(self.rules)
        return settings.approvals if settings else APPROVALS

    @property
    def ours(self) -> tuple[str, ...]:
        """The places of what this program goes by."""
        return ours(self.approvals)

    def merged(self) -> files.StagedTree:
        """Return the tree that a merge leaves at the base, merged by whole files.

        A file that both sides changed is that of the change.
        """
        if self.base == self.merge_base:
            return self.tree
        base, parted = (self._revisions[commit] for commit in (self.base, self.merge_base))
        return files.StagedTree(Merged(self.root, base, parted, self.index), self.root)

    def on_both_sides(self, path: str) -> bool:
        """Return whether the base has changed a path too since the merge base."""
        before = self.merge_base_tree
        return before is not None and not before.same(path, self.rules, path)

    def line(self, path: str, number: int) -> str:
        if path not in self._rows:
            self._rows[path] = self.text(path).splitlines() if self.tree.has(path) else []
        rows = self._rows[path]
        return rows[number - 1] if number <= len(rows) else ""

    def text(self, path: str) -> str:
        return self.tree.content(path).decode(errors="replace")

    def readable(self, path: str) -> str | None:
        """Return the text of a file as a judge is given it; None for one that it is not given."""
        blob = self.tree.blob(path)
        if not blob or not is_copied(snapshot.Item(blob[0], blob[1], path)):
            return None
        data = self.tree.content(path)
        return None if len(data) > MAX_BYTES or is_pointer(data) else data.decode(errors="replace")

    def writers(self) -> tuple[str, ...]:
        """Return who wrote the commits of the change, co-authors too; nobody without a base."""
        if not self.base:
            return ()
        return commits.writers(self.root, self.merge_base, self.last or self.head)

    def agents(self, more: tuple[str, ...]) -> tuple[str, ...]:
        """Return the coding agents that its commits name; `more` are those of the settings."""
        if not self.base:
            return ()
        written = commits.written(self.root, self.merge_base, self.last or self.head)
        return agents_in(NOBODY, written, more)

    def close(self) -> None:
        self.index.close()


def _ends_in(range: Range, root: str, folder: str) -> snapshot.WorkTreeCommit:
    """Return the commit under review, and for a work tree the last one of its branch."""
    if range.head:
        return snapshot.WorkTreeCommit(named_commit(root, "--head", range.head), "")
    return snapshot.work_tree(root, folder, MOST_BYTES, range.ignored)
