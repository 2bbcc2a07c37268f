"""Collect the evidence for a contract from two trees of a repository."""

from collections.abc import Callable, Mapping
from posixpath import basename

from ..adr.reference import relative
from ..contract.contract import Promise
from ..contract.criteria import PATH, TEST, Named
from ..globs import matches
from ..paths import MAX_BYTES
from ..records import NamedTuple
from ..repository.files import Tree
from ..repository.links import FILE, FOLDER, NOTHING, WRONG, Place
from ..verification import evidence
from ..verification.evidence import CommandFact, DefinitionFact, Evidence, PathFact
from ..verification.syntax import defined_in, has_content, syntax_error

_MAY_BE_EMPTY = frozenset(("__init__.py", "py.typed", ".gitkeep", ".keep", ".nojekyll"))
_KINDS = {
    FILE: evidence.FILE,
    FOLDER: evidence.FOLDER,
    NOTHING: evidence.NOTHING,
    WRONG: evidence.ELSEWHERE,
}
_MOST_CHANGED = 2_000
"""Changed files in which a test is looked for that is named without its file."""
_LARGE = "it is larger than 1 MB, so its content is not compared"
_STARS = ("*", "?", "{")
_TEXTS = (
    *(".md", ".markdown", ".rst", ".txt", ".adoc", ".json", ".jsonl", ".csv", ".tsv", ".log"),
    *(".lock", ".toml", ".ini", ".cfg", ".xml", ".html", ".svg", ".snap", "ignore", "attributes"),
)
"""Ends of the names of files that speak of tests and define none."""


class Trees(NamedTuple):
    """The trees of a verification: the work as it is `now`, and the files `before` the approval.

    `changed` returns the paths that differ between them. `known` returns the files that the next
    commit can have; None where git leaves none out. `unseen` are those with changes on the disk
    that git was told not to look at.
    """

    now: Tree
    before: Tree
    changed: Callable[[], list[str]]
    known: Callable[[], frozenset[str]] | None
    unseen: frozenset[str] = frozenset()


def evidence_for(
    promises: tuple[Promise, ...], adr: str, trees: Trees, commands: Mapping[str, CommandFact]
) -> Evidence:
    """Return the evidence for the promises of an ADR, whose path is `adr`."""
    names = [name for promise in promises for name in promise.names]
    paths = [promise.subject for promise in promises if promise.kind != "criterion"]
    paths += [name.path for name in names if name.kind == PATH]
    return Evidence(
        paths={path: path_fact(path, adr, trees) for path in dict.fromkeys(paths)},
        tests=_tests([name for name in names if name.kind == TEST], adr, trees),
        commands=commands,
    )


def path_fact(written: str, adr: str, trees: Trees) -> PathFact:
    """Return the facts of a path as an ADR writes it: from the root, or else beside the ADR."""
    if any(star in written for star in _STARS):
        return _pattern_fact(written, trees)
    place = relative("x", written)
    if written.startswith("."):
        place = relative(adr, written)
    if not place:
        return PathFact(now=evidence.ELSEWHERE)
    now = trees.now.place(place)
    if now.kind == NOTHING and trees.before.place(place).kind == NOTHING:
        beside = relative(adr, written)
        if beside and beside != place and trees.now.place(beside).kind != NOTHING:
            place, now = beside, trees.now.place(beside)
    first = place.partition("/")[0]
    has_first = trees.now.place(first).kind != NOTHING or trees.before.place(first).kind != NOTHING
    if now.kind == FOLDER:
        return _folder_fact(place, trees)._replace(first_folder=has_first)
    return _file_fact(place, trees)._replace(first_folder=has_first)


def _file_fact(path: str, trees: Trees) -> PathFact:
    now, before = trees.now.place(path), trees.before.place(path)
    if now.links and now.kind == FILE:
        before = trees.before.place(now.path)
    new = trees.now.content(path)
    old = trees.before.content(before.path) if before.kind == FILE else b""
    is_large = len(new) > MAX_BYTES and len(old) > MAX_BYTES
    found = PathFact(
        now=_KINDS[now.kind],
        before=_KINDS[before.kind],
        changed=now.kind != before.kind or _normal(new) != _normal(old),
        is_empty=not has_content(new) and basename(path) not in _MAY_BE_EMPTY,
        unseen=path in trees.unseen,
        astray=_astray(path, now, before, trees),
        unread=_LARGE if is_large and new == old else "",
    )
    if now.kind != FILE:
        return found
    is_ignored = trees.known is not None and not {path, now.path} & trees.known()
    syntax = "" if len(new) > MAX_BYTES else syntax_error(path, new)
    return found._replace(ignored=is_ignored, syntax=syntax)


def _astray(path: str, now: Place, before: Place, trees: Trees) -> str:
    """Return why a path leads out of the repository that did not before; "" if none does.

    A submodule at the path itself may be what was asked for.
    """
    if now.kind != WRONG or before.kind == WRONG:
        return ""
    return "" if now.path == path and path in trees.now.submodules() else now.reason


def _normal(data: bytes) -> bytes:
    """Return a content without empty lines and white space at the ends of lines."""
    return b"\n".join(row for line in data.split(b"\n") if (row := line.rstrip()))


def _folder_fact(path: str, trees: Trees) -> PathFact:
    """Return the facts of a folder: those of the files below it."""
    folder = path.rstrip("/")
    paths = [item for item in trees.changed() if item.startswith(f"{folder}/")]
    return _group_fact(paths, trees)._replace(
        now=evidence.FOLDER,
        before=_KINDS[trees.before.place(folder).kind],
    )


def _pattern_fact(pattern: str, trees: Trees) -> PathFact:
    """Return the facts of a pattern, such as `docs/*.md`: those of the changed files it matches."""
    paths = [item for item in trees.changed() if matches(item, (pattern,))]
    found = _group_fact(paths, trees)
    if found.changed:
        return found._replace(now=evidence.FILE)
    known = trees.known() if trees.known else frozenset(trees.now.folder(""))
    is_there = any(matches(item, (pattern,)) for item in known)
    kind = evidence.FILE if is_there else evidence.NOTHING
    return found._replace(now=kind, before=kind)


def _group_fact(paths: list[str], trees: Trees) -> PathFact:
    """Return the facts of several files as of one: it is changed if one of them is."""
    facts = [_file_fact(path, trees) for path in paths]
    there = [item for item in facts if item.now == evidence.FILE and not item.ignored]
    syntax = next((item.syntax for item in there if item.syntax), "")
    return PathFact(changed=any(item.changed for item in there), syntax=syntax)


def _tests(names: list[Named], adr: str, trees: Trees) -> dict[tuple[str, str], DefinitionFact]:
    """Return whether tests are defined, each in its file or in one that changed."""
    wanted: dict[str, set[str]] = {}
    for name in names:
        wanted.setdefault(name.path, set()).add(name.text)
    found = {}
    for path, texts in wanted.items():
        facts = _in_file(path, texts, adr, trees) if path else _in_changes(texts, trees)
        found.update({(path, text): fact for text, fact in facts.items()})
    return found


def _in_file(written: str, texts: set[str], adr: str, trees: Trees) -> dict[str, DefinitionFact]:
    fact = path_fact(written, adr, trees)
    path = relative(adr if written.startswith(".") else "x", written)
    is_file = fact.now == evidence.FILE
    there = defined_in(path, trees.now.content(path), texts) if is_file else frozenset()
    is_touched = fact.changed and not fact.ignored and not fact.unseen
    return {text: DefinitionFact(text in there, is_touched, fact.unread) for text in texts}


def _in_changes(texts: set[str], trees: Trees) -> dict[str, DefinitionFact]:
    changed = [path for path in trees.changed() if not path.endswith(_TEXTS)]
    if len(changed) > _MOST_CHANGED:
        reason = f"{len(changed)} files changed, which are too many to look for it"
        unread = DefinitionFact(unread=f"{reason}; name its file in the ADR")
        return dict.fromkeys(texts, unread)
    left = set(texts)
    for path in changed:
        left -= defined_in(path, trees.now.content(path), left) if left else left
    return {text: DefinitionFact(text not in left, text not in left) for text in texts}
