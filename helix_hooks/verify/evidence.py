"""Collect the evidence for a contract from two trees of a repository."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..adr.promises import PATH, TEST, Named, Promise
from ..adr.reference import relative
from ..check.trees import FILE, FOLDER, NOTHING, WRONG, Place, Tree
from ..paths import MAX_BYTES, matches
from ..verification import evidence
from ..verification.evidence import CommandFact, DefinitionFact, Evidence, PathFact
from ..verification.syntax import defined_in, is_empty, is_stub, syntax_error

_KINDS = {
    FILE: evidence.FILE,
    FOLDER: evidence.FOLDER,
    NOTHING: evidence.NOTHING,
    WRONG: evidence.ELSEWHERE,
}
_MOST_CHANGED = 2_000
"""Maximum changed files to search for a test that an ADR names without its file."""
_LARGE = "it is larger than 1 MB, so its content is not compared"
_STARS = ("*", "?", "{")
_TEXTS = (
    *(".md", ".markdown", ".rst", ".txt", ".adoc", ".json", ".jsonl", ".csv", ".tsv", ".log"),
    *(".lock", ".toml", ".ini", ".cfg", ".xml", ".html", ".svg", ".snap", "ignore", "attributes"),
)
"""Suffixes of files that may mention tests but never define one."""


class Trees(NamedTuple):
    """The trees of a verification: the work (`now`) and the state `before` the approval.

    `changed` returns the paths that differ. `known` returns the files that a commit can contain;
    None if no file is ignored. `unseen` are changed files that git skips (skip-worktree,
    assume-unchanged).
    """

    now: Tree
    before: Tree
    changed: Callable[[], list[str]]
    known: Callable[[], frozenset[str]] | None
    unseen: frozenset[str] = frozenset()


def evidence_for(
    promises: tuple[Promise, ...], adr: str, trees: Trees, commands: Mapping[str, CommandFact]
) -> Evidence:
    """Return the evidence for the promises of the ADR at the path `adr`."""
    names = [name for promise in promises for name in promise.names]
    paths = [promise.subject for promise in promises if promise.kind != "criterion"]
    paths += [name.path for name in names if name.kind == PATH]
    return Evidence(
        paths={path: path_fact(path, adr, trees) for path in dict.fromkeys(paths)},
        tests=_tests([name for name in names if name.kind == TEST], adr, trees),
        commands=commands,
    )


def path_fact(written: str, adr: str, trees: Trees) -> PathFact:
    """Return the fact about a path of an ADR: relative to the root, or to the folder of the ADR."""
    if any(star in written for star in _STARS):
        return _pattern_fact(written, trees)
    place = _place_of(written, adr, trees)
    if not place:
        return PathFact(now=evidence.ELSEWHERE)
    if trees.now.place(place).kind == FOLDER:
        return _folder_fact(place, trees)
    return _file_fact(place, trees)


def _place_of(written: str, adr: str, trees: Trees) -> str:
    """Return the path in the repository that an ADR means; "" for a path outside of it."""
    beside = relative(adr, written)
    if written.startswith("."):
        return beside
    place = relative("x", written)  # as in a file at the root
    if not place or _is_in_any(place, trees):
        return place
    if beside and trees.now.place(beside).kind != NOTHING:
        return beside
    return place


def _is_in_any(path: str, trees: Trees) -> bool:
    return trees.now.place(path).kind != NOTHING or trees.before.place(path).kind != NOTHING


def _file_fact(path: str, trees: Trees) -> PathFact:
    """Return the fact about a file, or about a path without one."""
    now, before = trees.now.place(path), trees.before.place(path)
    if now.links and now.kind == FILE:
        # A new link to an old file is no new content.
        before = trees.before.place(now.path)
    new = trees.now.content(path)
    old = b""
    if before.kind == FILE:
        old = trees.before.content(before.path)
    fact = PathFact(
        now=_KINDS[now.kind],
        before=_KINDS[before.kind],
        changed=now.kind != before.kind or _normal(new) != _normal(old),
        is_empty=is_empty(path, new),
        unseen=path in trees.unseen,
        astray=_astray(path, now, before, trees),
        unread=_unread(new, old),
    )
    if now.kind != FILE:
        return fact
    is_ignored = trees.known is not None and not {path, now.path} & trees.known()
    fact = fact._replace(ignored=is_ignored)
    if len(new) <= MAX_BYTES:
        fact = fact._replace(syntax=syntax_error(path, new), is_stub=is_stub(path, new))
    return fact


def _unread(new: bytes, old: bytes) -> str:
    """Return the reason why a content can't be compared; the trees read large files in part."""
    if len(new) > MAX_BYTES and len(old) > MAX_BYTES and new == old:
        return _LARGE
    return ""


def _astray(path: str, now: Place, before: Place, trees: Trees) -> str:
    """Return the reason why a path newly leads out of the repository; "" if it does not."""
    if now.kind != WRONG or before.kind == WRONG:
        return ""
    if now.path == path and path in trees.now.submodules():
        return ""  # the ADR may ask for the submodule
    return now.reason


def _normal(data: bytes) -> bytes:
    """Return a content without empty lines and without white space at the ends of lines."""
    return b"\n".join(row for line in data.split(b"\n") if (row := line.rstrip()))


def _folder_fact(path: str, trees: Trees) -> PathFact:
    """Return the fact about a folder, from the changed files below it."""
    folder = path.rstrip("/")
    paths = [item for item in trees.changed() if item.startswith(f"{folder}/")]
    return _group_fact(paths, trees)._replace(
        now=evidence.FOLDER,
        before=_KINDS[trees.before.place(folder).kind],
    )


def _pattern_fact(pattern: str, trees: Trees) -> PathFact:
    """Return the fact about a pattern such as `docs/*.md`, from the changed files it matches."""
    paths = [item for item in trees.changed() if matches(item, (pattern,))]
    fact = _group_fact(paths, trees)
    if fact.changed:
        return fact._replace(now=evidence.FILE)
    known = trees.known() if trees.known else frozenset(trees.now.folder(""))
    if any(matches(item, (pattern,)) for item in known):
        return fact._replace(now=evidence.FILE, before=evidence.FILE)
    was_there = any(trees.before.place(path).kind == FILE for path in paths)
    return fact._replace(before=evidence.FILE if was_there else evidence.NOTHING)


def _group_fact(paths: list[str], trees: Trees) -> PathFact:
    """Return one fact about several files: changed if one of them changed."""
    facts = [_file_fact(path, trees) for path in paths]
    there = [item for item in facts if item.now == evidence.FILE and not item.ignored]
    syntax = next((item.syntax for item in there if item.syntax), "")
    return PathFact(changed=any(item.changed for item in there), syntax=syntax)


def _tests(names: list[Named], adr: str, trees: Trees) -> dict[tuple[str, str], DefinitionFact]:
    """Return the facts about tests, by path and name. Without a path all changes are searched."""
    by_path: dict[str, set[str]] = {}
    for name in names:
        by_path.setdefault(name.path, set()).add(name.text)
    tests = {}
    for path, texts in by_path.items():
        facts = _in_file(path, texts, adr, trees) if path else _in_changes(texts, trees)
        for text, fact in facts.items():
            tests[path, text] = fact
    return tests


def _in_file(written: str, texts: set[str], adr: str, trees: Trees) -> dict[str, DefinitionFact]:
    """Return the facts about tests in a file that the ADR names."""
    fact = path_fact(written, adr, trees)
    path = place_of_test(written, adr)
    defined: frozenset[str] = frozenset()
    # A file that no commit can have defines no test.
    if fact.now == evidence.FILE and not fact.ignored and not fact.unseen:
        defined = defined_in(path, trees.now.content(path), texts)
    return {text: DefinitionFact(text in defined, fact.unread) for text in texts}


def place_of_test(written: str, adr: str) -> str:
    """Return the path in the repository of the file of a test, as an ADR names it."""
    return relative(adr if written.startswith(".") else "x", written)


def _in_changes(texts: set[str], trees: Trees) -> dict[str, DefinitionFact]:
    """Return the facts about tests in all changed files."""
    changed = [path for path in trees.changed() if not path.endswith(_TEXTS)]
    if len(changed) > _MOST_CHANGED:
        reason = f"too many changed files ({len(changed)}) to search"
        unread = DefinitionFact(unread=f"{reason}; name its file in the ADR")
        return dict.fromkeys(texts, unread)
    missing = set(texts)
    for path in changed:
        if not missing:
            break
        missing -= defined_in(path, trees.now.content(path), missing)
    return {text: DefinitionFact(text not in missing) for text in texts}
