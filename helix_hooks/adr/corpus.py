"""Facts about the other ADRs of a repository, and about the files in it.

An `Entry` has the facts of an ADR that other ADRs need. For a full check, all ADRs are read once.
For one changed ADR, only those are read that it names or that share its number, so that a hook
costs the same in a repository of 10 and of 2,000 ADRs.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..paths import is_markdown
from .model import HELIX, Adr
from .names import linked, named, number_in_title
from .reference import Mention, Reference, collection, id_key, key_in_path, references, stem

if TYPE_CHECKING:
    from ..finding import Finding

DECIDED = ("Accepted", "Implemented")
CLOSED = ("Superseded", "Deprecated")
REFUSED = ("Rejected", "Withdrawn")
OPEN = ("Draft", "Proposed")

_NO_NUMBERS = ("999", "9999", "99999", "999999")
"""Numbers that leave no next one; an ADR that has one must not stop the others."""


class Entry(NamedTuple):
    """The facts of an ADR that other ADRs need.

    `key` is its id (see `id_key`), from the header (`declared`), else from the file name (`named`),
    else from the title (`titled`). `status_text` is the status as written. `lost` are mentions of
    files that the tree lacks. `is_new` is true for an ADR that is held to what its siblings have.
    `was` is the status before the change if the ADR was decided then, and the change retires it.
    """

    path: str
    id: str
    key: str
    declared: str
    titled: str
    title: str
    title_line: int
    id_line: int
    status: str
    status_line: int
    references: tuple[Reference, ...]
    lost: tuple[Mention, ...]
    named: str
    status_text: str = ""
    is_helix: bool = False
    is_new: bool = False
    was: str = ""

    def of(self, kind: str) -> Iterator[Reference]:
        for reference in self.references:
            if reference.kind == kind:
                yield reference


class PathHistory(NamedTuple):
    """The history of a path that the tree lacks.

    `kind` is never, gone or moved; `where` is the commit or the new path. `recent` is true if the
    change under review moves or deletes it.
    """

    kind: str
    where: str = ""
    recent: bool = False


def entry(adr: Adr, id: str, lost: tuple[Mention, ...] = (), refers: bool = True) -> Entry:
    """Return the facts of a parsed ADR. `id` is for display.

    Without `refers`, its references to other ADRs are left out.
    """
    doc, header = adr.doc, adr.header
    title_line = adr.title_line
    named = key_in_path(doc.path)
    number = number_in_title(doc.title_text)
    titled = "" if number is None else str(number)
    id_text = header.text("adr_id")
    declared = id_key(id_text) if id_text else ""
    status_text = header.text("status")
    # Of two equal references in a line, the last one counts.
    distinct: dict[object, Reference] = {}
    if refers:
        for item in references(doc, header, adr.meanings):
            distinct[item.kind, item.key, item.path, item.line] = item
    return Entry(
        path=doc.path,
        id=id,
        key=declared or named or titled,
        declared=declared,
        titled=titled,
        title=doc.title_text if doc.title else header.text("title"),
        title_line=title_line,
        id_line=header.line_of("adr_id", title_line),
        status=adr.status,
        status_line=header.line_of("status", title_line),
        references=tuple(distinct.values()),
        lost=lost,
        named=named,
        status_text=status_text,
        is_helix=adr.template.name == HELIX.name,
        is_new=adr.is_new,
    )


class Corpus:
    """The ADRs of a repository, by id or path.

    `read` returns the entry of a path, None if it cannot be read. Added paths are examined only
    when an id is looked up; `belongs` returns which of them are ADRs. `widen` returns all paths,
    and is called only if a look-up finds nothing among the added ones. `exists` returns whether the
    tree has a file or folder. `fates` has the history of paths that the tree lacks, as far as
    known. `taken` are paths that another branch has added, by id. `alone` is true if the other ADRs
    are unknown. `text` returns the text of an ADR. `across` caches the findings of the corpus rules
    with the entry and severities they depend on, until further ADRs become known.
    """

    def __init__(
        self,
        read: Callable[[str], Entry | None],
        exists: Callable[[str], bool],
        belongs: Callable[[str], bool] = bool,
        widen: Callable[[], Iterable[str]] = tuple,
        fates: dict[str, PathHistory] | None = None,
        taken: dict[str, list[str]] | None = None,
        alone: bool = False,
        text: Callable[[str], str] = lambda _: "",
    ) -> None:
        self._read, self.exists, self._belongs, self._widen = read, exists, belongs, widen
        self._entries: dict[str, Entry | None] = {}
        self._keyed: dict[str, dict[str, None]] = {}
        self._placed: dict[tuple[str, str], dict[str, None]] = {}
        self._named: dict[str, list[str]] = {}
        self._twins: dict[tuple[str, str], dict[str, str]] = {}
        self._successions: dict[tuple[str, str], frozenset[str]] = {}
        self._mentioned: dict[str, frozenset[str]] = {}
        self._unread: dict[str, None] = {}
        self._highest: dict[str, int] = {}
        self._wide = False
        self._circles: dict[str, dict[str, frozenset[str]]] = {}
        self.across: dict[str, tuple[Entry, dict[str, str], tuple[Finding, ...]]] = {}
        self.fates = fates or {}
        self.taken = taken or {}
        self.alone = alone
        self.text = text

    def know(self, entries: Iterable[Entry]) -> None:
        """Add entries. Each is found by its id, and by the id in its file name."""
        self.across.clear()
        for item in entries:
            self._entries[item.path] = item
            for key in {item.key, item.named} - {""}:
                self._keep(key, item.path)

    def _keep(self, key: str, path: str) -> None:
        """Index a path by an id, in its collection and in all, and clear the results without it."""
        self._keyed.setdefault(key, {})[path] = None
        self._placed.setdefault((collection(path), key), {})[path] = None
        self._twins.clear()
        self._successions.clear()

    def add(self, paths: Iterable[str]) -> None:
        """Add paths, some of which are ADRs. Those without an id in the name are read at once."""
        self.across.clear()
        nameless: list[str] = []
        for path in paths:
            if path in self._unread:
                continue
            self._unread[path] = None
            if not is_markdown(path):
                continue
            key = key_in_path(path)
            if key:
                self._named.setdefault(key, []).append(path)
            # Only the text of such a file has its id, so no look-up could find it by name.
            elif self._belongs(path):
                nameless.append(path)
        self.know(self._entries_of(nameless))

    def _with_key(self, key: str, folder: str | None = None) -> list[str]:
        """Return the paths of ADRs with an id, in one collection or in all, in their order.

        ADRs that are not read yet are found by their names.
        """
        for path in self._named.get(key, ()):
            if self._belongs(path):
                self._keep(key, path)
        if key in self._named:
            self._named[key] = []  # each path is asked for once
        if folder is None:
            return sorted(self._keyed.get(key, ()))
        return sorted(self._placed.get((folder, key), ()))

    def entry(self, path: str) -> Entry | None:
        if path not in self._entries:
            self._entries[path] = self._read(path)
        return self._entries[path]

    def same_id(self, mine: Entry) -> dict[str, str]:
        """Return the ADRs of the collection with the same id, including this one.

        Each stem has its first path, since translations and versions share an id.
        """
        place = (collection(mine.path), mine.key)
        paths = self._with_key(mine.key, place[0]) if mine.key else []
        if paths == [mine.path]:
            return {}
        if place not in self._twins:
            twins: dict[str, str] = {}
            for other in self._entries_of(paths):
                if other.key == mine.key:
                    twins.setdefault(stem(other.path), other.path)
            self._twins[place] = twins
        return self._twins[place]

    def free_number(self, folder: str, others: Iterable[str] = ()) -> int:
        """Return the number after the highest one of a collection.

        The numbers of the paths in `others` are taken too.
        """
        if folder not in self._highest:
            unread = [(collection(path), key_in_path(path)) for path in self._unread]
            for place, key in ((folder, ""), *unread, *self._placed):
                self._highest[place] = max(_number(key), self._highest.get(place, 0))
        taken = [_number(key_in_path(path)) for path in others if collection(path) == folder]
        return max(self._highest[folder], *taken, 0) + 1

    def find(self, reference: Reference, origin: str) -> list[Entry]:
        """Return the ADRs that a reference may mean.

        ADRs of the same collection take precedence.
        """
        if reference.path:
            for path in filter(None, (reference.path, reference.root)):
                if self.exists(path):
                    return self._entries_of((path,))
            return []
        if not reference.key:
            return []
        near = self._entries_of(self._with_key(reference.key, collection(origin)))
        if near:
            return near
        if not self._wide:
            self._wide = True
            self.add(self._widen())
        return self._entries_of(self._with_key(reference.key))

    def _entries_of(self, paths: Iterable[str]) -> list[Entry]:
        return [*filter(None, map(self.entry, paths))]

    def succession(self, entry: Entry, kind: str) -> frozenset[str]:
        """Return the paths of the ADRs to which an ADR has a relation.

        Cached, since thousands of ADRs may ask whether they are among them.
        """
        if (entry.path, kind) not in self._successions:
            paths: set[str] = set()
            for item in entry.of(kind):
                paths.update(other.path for other in self.find(item, entry.path))
            # Store the result only now: the search may read more ADRs, and then clears the cache.
            self._successions[entry.path, kind] = frozenset(paths)
        return self._successions[entry.path, kind]

    def line(self, path: str, number: int) -> str:
        """Return a line of an ADR, "" beyond the last one."""
        return "".join(self.text(path).split("\n")[number - 1 : number])

    def mentioned(self, path: str) -> frozenset[str]:
        """Return the numbers of ADRs that the text of an ADR names or links to."""
        if path not in self._mentioned:
            text = self.text(path)
            self._mentioned[path] = frozenset(map(str, named(text) | linked(text)))
        return self._mentioned[path]

    def circle(self, path: str, kind: str) -> frozenset[str]:
        """Return the paths of the circle of relations with an ADR; empty without one."""
        known = self._circles.setdefault(kind, {})
        if path not in known:
            graph: dict[str, list[str]] = {}
            todo = [path]
            while todo:
                origin = todo.pop()
                if origin not in graph:
                    # The circles of an ADR that was visited before are known.
                    targets = self.targets(origin, kind)
                    graph[origin] = [target for target in targets if target not in known]
                    todo += graph[origin]
            known.update(_circles(graph))
        return known[path]

    def targets(self, path: str, kind: str) -> Iterator[str]:
        """Yield the paths of the ADRs to which an ADR has a relation."""
        origin = self.entry(path)
        if not origin:
            return
        for reference in origin.of(kind):
            for target in self.find(reference, path)[:1]:
                yield target.path


def _number(key: str) -> int:
    """Return the number of an id, 0 without one."""
    return int(key) if key.isdigit() and key not in _NO_NUMBERS else 0


def _circles(graph: dict[str, list[str]]) -> dict[str, frozenset[str]]:
    """Return the circle of each ADR by the targets of all; empty for an ADR that is in none.

    Kosaraju's algorithm, without recursion, since a chain may have 10,000 links.
    """
    ended: list[str] = []
    seen: set[str] = set()
    for root, first in graph.items():
        stack = [(root, iter(first))] if root not in seen else []
        seen.add(root)
        while stack:
            path, targets = stack[-1]
            target = next((target for target in targets if target not in seen), None)
            if target is None:
                ended.append(path)
                stack.pop()
            else:
                seen.add(target)
                stack.append((target, iter(graph[target])))
    origins: dict[str, list[str]] = {path: [] for path in graph}
    for path, paths in graph.items():
        for target in paths:
            origins[target].append(path)
    circles: dict[str, frozenset[str]] = {}
    for root in reversed(ended):
        members: list[str] = []
        todo = [root]
        while todo:
            path = todo.pop()
            if path not in circles:
                circles[path] = frozenset()
                members.append(path)
                todo += origins[path]
        if len(members) > 1 or root in graph[root]:
            circles.update(dict.fromkeys(members, frozenset(members)))
    return circles
