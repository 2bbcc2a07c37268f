"""Frozen facts beyond one file: what the repository's other ADRs state, and which files there are.

An `Entry` is what the others need to know of an ADR. The whole set is read once; for one changed
ADR the others are read only as far as it names them or shares its number, so that a hook costs the
same in a repository of 10 and of 2,000.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from ..records import TYPE_CHECKING, NamedTuple, Protocol
from .mention import Mention
from .model import Adr, Described, Found
from .names.number import linked, named, number_in_title
from .parse.document import AdrDocument
from .parse.prose import is_code_alone
from .reference import Reference, collection, id_key, key_in_path, references, stem
from .template import HELIX

if TYPE_CHECKING:
    from ..finding import Finding

DECIDED = ("Accepted", "Implemented")
CLOSED = ("Superseded", "Deprecated")
REFUSED = ("Rejected", "Withdrawn")
OPEN = ("Draft", "Proposed")

_DIGITS = "0123456789"
_NO_NUMBERS = ("999", "9999", "99999", "999999")
_FEW = 16
"""Ids for which the names of all ADRs are searched; for more, all names are read once."""


class Entry(NamedTuple):
    """The facts of an ADR that the others need.

    `key` is its id (see `id_key`): that of the header (`declared`), else of the file name
    (`named`), else of the title. `status_text` is the status as written, `lost` are mentions of
    files that the tree does not have. `is_code` tells that the file is a sample beside an ADR.
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
    is_code: bool = False

    def of(self, kind: str) -> Iterator[Reference]:
        return (reference for reference in self.references if reference.kind == kind)


class PathHistory(NamedTuple):
    """The history of a path that the tree lacks: `kind` is never, gone or moved; `where` the commit
    or the new path. `recent` means that the change under review moves or deletes it.
    """

    kind: str
    where: str = ""
    recent: bool = False


def entry(adr: Adr, id: str, lost: tuple[Mention, ...] = (), refers: bool = True) -> Entry:
    """The facts of a parsed ADR; `id` is how it is shown.

    Without `refers`, what it says of others is left out.
    """
    doc, header = adr.doc, adr.header
    field, status = header.fields.get("adr_id"), header.fields.get("status")
    titled = number_in_title(doc.title.title) if doc.title else None
    declared = id_key(field.text) if field and field.text else ""
    named = key_in_path(doc.path)
    title_key = "" if titled is None else str(titled)
    all_references = references(doc, header, adr.meanings) if refers else ()
    found = tuple(
        {(item.kind, item.key, item.path, item.line): item for item in all_references}.values()
    )
    title_line = adr.title_line
    return Entry(
        path=doc.path,
        id=id,
        key=declared or named or title_key,
        declared=declared,
        titled=title_key,
        title=_title(doc, header.text("title")),
        title_line=title_line,
        id_line=field.line if field else title_line,
        status=(adr.statuses.read(status.text) or "") if status else "",
        status_line=status.line if status else title_line,
        references=found,
        lost=lost,
        named=named,
        status_text=status.text if status else "",
        is_helix=adr.template.name == HELIX.name,
        is_code=is_code_alone(doc),
    )


def _title(doc: AdrDocument, default: str) -> str:
    return doc.title.title if doc.title else default


class Corpus:
    """The ADRs of a repository, found by id or path.

    `read` gives the entry of a path (None when it can't be read). Paths that are added are only
    looked at when an id is looked up: `belongs` tells which of them are ADRs. `widen` gives
    all paths there are, asked only when something is not found among those that were added.
    `exists` tells whether the tree has a file or folder. `fates` answers for paths that it lacks;
    one that is not in it could not be looked up. `taken` are paths that another branch has added,
    by id. `alone` says that the other ADRs are unknown. `text` gives the text of an
    ADR. `said` is what the rules found in an ADR among the others, with the entry and severities by
    which they did; it is forgotten with each ADR that becomes known.
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
        text: Callable[[str], str] = str,
    ) -> None:
        self._read, self._exists, self._belongs, self._widen = read, exists, belongs, widen
        self._entries: dict[str, Entry | None] = {}
        self._keyed: dict[str, dict[str, None]] = {}
        self._placed: dict[tuple[str, str], dict[str, None]] = {}
        self._letters: frozenset[str] | None = None
        self._named: dict[str, list[str]] = {}
        self._twins: dict[tuple[str, str], dict[str, str]] = {}
        self._successions: dict[tuple[str, str], frozenset[str]] = {}
        self._mentioned: dict[str, frozenset[str]] = {}
        self._unread: dict[str, None] = {}
        self._asked: set[str] = set()
        self._highest: dict[str, int] = {}
        self._wide = False
        self._order: dict[str, _Circles] = {}
        self.across: dict[str, tuple[Entry, tuple[str, ...], tuple[Finding, ...]]] = {}
        self.fates = fates or {}
        self.taken = taken or {}
        self.alone = alone
        self.text = text

    def know(self, entries: Iterable[Entry]) -> None:
        """Add entries that are read. Each is found by its id, and by the id in its file name."""
        self.across.clear()
        for item in entries:
            self._entries[item.path] = item
            for key in {item.key, item.named} - {""}:
                self._keep(key, item.path)

    def _keep(self, key: str, path: str) -> None:
        """Let a path be found by an id, in its collection and beyond; what was concluded without it
        is forgotten.
        """
        self._keyed.setdefault(key, {})[path] = None
        self._placed.setdefault((collection(path), key), {})[path] = None
        self._letters = None
        self._twins.clear()
        self._successions.clear()

    def add(self, paths: Iterable[str]) -> None:
        """Add paths, some of which are ADRs. Those whose name has no id are read at once."""
        self.across.clear()
        new = [path for path in paths if path not in self._entries and path not in self._unread]
        self._unread.update(dict.fromkeys(new))
        self._asked.clear()
        self._named.clear()
        self._letters = None
        nameless = [path for path in new if path.endswith(".md") and not key_in_path(path)]
        self.know(found for path in nameless if self._belongs(path) and (found := self.entry(path)))

    def _with_key(self, key: str, folder: str | None = None) -> Iterable[str]:
        """The paths of ADRs with an id, in one collection or in all; among those not yet read, by
        their names.
        """
        if self._unread and key not in self._asked:
            self._asked.add(key)
            number = re.search(r"(\d*)[a-z]?$", key)
            digits = number[1] if number else ""
            for path in self._near(key, digits) if digits else ():
                if path not in self._entries and path.endswith(".md") and self._belongs(path):
                    self._keep(key, path)
        return tuple(
            self._keyed.get(key, ()) if folder is None else self._placed.get((folder, key), ())
        )

    def _near(self, key: str, digits: str) -> list[str]:
        """The unread paths whose name tells an id; where many ids are asked for, all names are
        looked at once.
        """
        if len(self._asked) <= _FEW:
            return [path for path in self._unread if digits in path and key_in_path(path) == key]
        if not self._named:
            for path in self._unread:
                self._named.setdefault(key_in_path(path), []).append(path)
        return self._named.get(key, [])

    def entry(self, path: str) -> Entry | None:
        if path not in self._entries:
            self._entries[path] = self._read(path)
        return self._entries[path]

    def exists(self, path: str) -> bool:
        return self._exists(path)

    def same_id(self, mine: Entry) -> dict[str, str]:
        """The ADRs of the collection that go by the same id, this one included: of each stem the
        first path.
        """
        place = (collection(mine.path), mine.key)
        paths = self._with_key(mine.key, place[0]) if mine.key else ()
        if paths == (mine.path,):
            return {}
        if place not in self._twins:
            twins: dict[str, str] = {}
            for other in self._entries_of(paths):
                if other.key == mine.key:
                    twins.setdefault(stem(other.path), other.path)
            self._twins[place] = twins
        return self._twins[place]

    def free_number(self, folder: str, others: Iterable[str] = ()) -> int:
        """The number behind the highest one of a collection, but for 999 and 9999, which stand for
        no number. `others` are further paths, whose numbers are taken too.
        """
        if folder not in self._highest:
            named = ((collection(path), key_in_path(path)) for path in self._unread)
            for place, key in (*named, *self._placed):
                if key.isdigit() and key not in _NO_NUMBERS:
                    self._highest[place] = max(self._highest.get(place, 0), int(key))
        keys = (key_in_path(path) for path in others if collection(path) == folder)
        taken = (int(key) for key in keys if key.isdigit() and key not in _NO_NUMBERS)
        return max((self._highest.setdefault(folder, 0), *taken)) + 1

    def find(self, reference: Reference, origin: str) -> list[Entry]:
        """The ADRs that a reference may mean: those of the same collection first, all others only
        when it has none. ADR-27a may be a part of ADR-27.
        """
        if reference.path:
            there = [
                path for path in (reference.path, reference.root) if path and self._exists(path)
            ]
            return self._entries_of(there[:1])
        if not reference.key:
            return []
        near = self._with_key(reference.key, collection(origin))
        found = self._entries_of(near) or self._entries_of(self._anywhere(reference.key))
        whole = reference.key[:-1]
        if found or not whole.isdigit() or reference.key.isdigit():
            return found
        return self.find(reference._replace(key=whole), origin)

    def _entries_of(self, paths: Iterable[str]) -> list[Entry]:
        return [found for path in paths if (found := self.entry(path))]

    def _anywhere(self, key: str) -> Iterable[str]:
        self._look_further()
        return self._with_key(key)

    def _look_further(self) -> None:
        if not self._wide:
            self._wide = True
            self.add(self._widen())

    def uses_prefix(self, key: str) -> bool:
        """Return whether any ADR has an id with the letters of this one: `JIRA-7` is no ADR where
        none is called so.
        """
        self._look_further()
        if self._letters is None:
            named = (key_in_path(path) for path in self._unread if path.endswith(".md"))
            self._letters = frozenset(
                other.rstrip(_DIGITS) for other in (*named, *self._keyed) if other
            )
        return key.rstrip(_DIGITS) in self._letters

    def succession(self, entry: Entry, kind: str) -> frozenset[str]:
        """The paths of the ADRs that an ADR names by a relation; kept, since thousands may be asked
        whether they are among them.
        """
        if (entry.path, kind) not in self._successions:
            found = frozenset(
                other.path for item in entry.of(kind) for other in self.find(item, entry.path)
            )
            self._successions[entry.path, kind] = (
                found  # behind the search, which may read more ADRs and forget what was kept
            )
        return self._successions[entry.path, kind]

    def mentioned(self, path: str) -> frozenset[str]:
        """The numbers of ADRs that the text of an ADR names or links to."""
        if path not in self._mentioned:
            text = self.text(path)
            self._mentioned[path] = frozenset(str(number) for number in named(text) | linked(text))
        return self._mentioned[path]

    def circle(self, path: str, kind: str) -> frozenset[str]:
        """The paths of the ADRs that lead to each other by a relation and to which this one
        belongs; empty without a circle.
        """
        return self._order.setdefault(kind, _Circles(self._targets, kind)).of(path)

    def targets(self, path: str, kind: str) -> list[str]:
        return list(self._targets(path, kind))

    def _targets(self, path: str, kind: str) -> Iterator[str]:
        origin = self.entry(path)
        for reference in origin.of(kind) if origin else ():
            for found in self.find(reference, path)[:1]:
                yield found.path


class _Circles:
    """Strongly connected ADRs (Tarjan, without recursion, since a chain may have 10,000 links);
    each ADR is visited once.
    """

    def __init__(self, targets: Callable[[str, str], Iterator[str]], kind: str) -> None:
        self._targets, self._kind = targets, kind
        self._index: dict[str, int] = {}
        self._low: dict[str, int] = {}
        self._open: list[str] = []
        self._is_open: set[str] = set()
        self._found: dict[str, frozenset[str]] = {}

    def of(self, path: str) -> frozenset[str]:
        if path not in self._index:
            self._visit(path)
        return self._found.get(path, frozenset())

    def _visit(self, root: str) -> None:
        stack = [self._enter(root)]
        while stack:
            path, targets = stack[-1]
            for target in targets:
                if target not in self._index:
                    stack.append(self._enter(target))
                    break
                if target in self._is_open:
                    self._low[path] = min(self._low[path], self._index[target])
                    if target == path:
                        self._found[path] = frozenset((path,))
            else:
                stack.pop()
                self._leave(path)
                if stack:
                    above = stack[-1][0]
                    self._low[above] = min(self._low[above], self._low[path])

    def _enter(self, path: str) -> tuple[str, Iterator[str]]:
        self._index[path] = self._low[path] = len(self._index)
        self._open.append(path)
        self._is_open.add(path)
        return path, self._targets(path, self._kind)

    def _leave(self, path: str) -> None:
        if self._low[path] != self._index[path]:
            return
        members = [self._open.pop()]
        while members[-1] != path:
            members.append(self._open.pop())
        self._is_open.difference_update(members)
        if len(members) > 1:
            self._found.update(dict.fromkeys(members, frozenset(members)))


class CorpusRule(Described, Protocol):
    """A rule on an ADR among others: it sees what each of them states, not their texts."""

    def check(self, entry: Entry, corpus: Corpus, /) -> Iterator[Found]: ...
