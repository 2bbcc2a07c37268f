"""Which accepted ADRs govern a file, and what they say about it. Pure.

An ADR names files in its header (`files:`, `scope:`), in its text (a path, or a folder above the
file), or by the name of the file alone. Commits that claim to implement it name files too.
"""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..adr.examine import adr_id
from ..adr.model import Adr
from ..adr.parse.document import AdrDocument
from ..adr.parse.prose import blocks
from ..adr.promises import KINDS
from ..paths import is_pattern, matches

HEADER, SCOPE, TEXT, HISTORY, FOLDER, NAME = "files", "scope", "text", "commit", "folder", "name"
"""The ways in which an ADR governs a file."""

_SCORES = {HEADER: 32, SCOPE: 24, TEXT: 16, HISTORY: 12, FOLDER: 6, NAME: 4}
_SHORTEST_SENTENCE, _LONGEST_SENTENCE = 60, 300
_LONGEST_OPTION = 80
_MOST_OPTIONS = 5
_SHORTEST_NAME = 5
"""Characters of the name of a file without its suffix, below which it is a word like any other."""

_PATH = re.compile(
    r"(?<![\w./@:-])(?:\./)?"
    r"([\w@.-]+(?:/[\w@.*-]+)*/|[\w@.-]+(?:/[\w@.*-]+)+|[\w@-]+\.[a-z]\w{0,4})(?![\w/])"
)
"""A folder with `/` at its end, a path with a folder, or the name of a file."""
_NUMBER = re.compile(r"^(?:ADR[-_ ]?)?\d+\s*[.:\u2013\u2014-]\s*", re.IGNORECASE)
"""The number at the beginning of a title."""
_OPTION_START = re.compile(r"^(?:option )?(?:\d+|[A-Z])\s*[.:)]\s*", re.IGNORECASE)
_OPTION_END = re.compile(r"\s[-\u2013\u2014]\s|: |\. (?=[A-Z])")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])")
_PLAIN_NAMES = frozenset(("__init__", "index", "readme", "main", "utils", "config", "settings"))


class BindingDecision(NamedTuple):
    """An accepted ADR as it binds files.

    `sentence` is the first sentence of its decision, `rejected` the options that it lists and did
    not choose. `files` are the paths of its header, `scope` its globs, `paths` those in its text,
    and `words` the words of its text in code.
    """

    id: str
    path: str
    title: str
    sentence: str
    rejected: tuple[str, ...]
    files: tuple[str, ...]
    scope: tuple[str, ...]
    paths: frozenset[str]
    words: frozenset[str]

    @property
    def name(self) -> str:
        """Its name for people: ADR-7, else its id."""
        return f"ADR-{self.id}" if self.id[:1].isdigit() else self.id


class GovernedFile(NamedTuple):
    """A file that a decision governs, in which way, and the path or glob that says so."""

    file: str
    way: str
    by: str


class Governing(NamedTuple):
    """A decision with the files that it governs."""

    decision: BindingDecision
    files: tuple[GovernedFile, ...]

    @property
    def score(self) -> int:
        return max(_SCORES[item.way] for item in self.files)


def binding_decision(adr: Adr) -> BindingDecision:
    """Return what an ADR says about files."""
    doc = adr.doc
    markup = doc.markup[doc.body :].decode(errors="replace")
    code = re.findall(r"`([^`\n]{1,200})`", markup)
    links = re.findall(r"\]\(<?(?![a-z]+:)([^()<>\s#]+)", markup)
    targets = {
        posixpath.normpath(posixpath.join(posixpath.dirname(doc.path), link)) for link in links
    }
    texts = [
        path
        for text in (*code, doc.visible(doc.body, len(doc.data)))
        for path in _PATH.findall(text)
    ]
    header = adr.header
    sentence = _sentence(adr)
    return BindingDecision(
        id=adr_id(adr),
        path=doc.path,
        title=_title(adr),
        sentence=sentence,
        rejected=tuple(dict.fromkeys(_rejected(adr, sentence)))[:_MOST_OPTIONS],
        files=tuple(_clean(text) for kind in KINDS for text in header.items(f"files_{kind}")),
        scope=tuple(map(_clean, header.items("scope"))),
        paths=frozenset((*map(_clean, texts), *targets)) - {doc.path},
        words=frozenset(word for text in code for word in re.findall(r"[\w-]+", text)),
    )


def _clean(path: str) -> str:
    return path.strip("`'\" ").removeprefix("./").rstrip("/")


def _sentence(adr: Adr) -> str:
    """Return the first sentences of the decision, at least sixty characters; else the title."""
    for section in adr.h2.get("decision", ()):
        for paragraph in _paragraphs(adr.doc, section.start, section.stop):
            sentences = _SENTENCE_END.split(paragraph)
            text = sentences.pop(0)
            while sentences and len(text) < _SHORTEST_SENTENCE:
                text = f"{text} {sentences.pop(0)}"
            if len(text.split()) > 2:
                return _cut(text, _LONGEST_SENTENCE)
    return _title(adr)


def _title(adr: Adr) -> str:
    title = adr.doc.title_text or adr.header.text("title") or posixpath.basename(adr.doc.path)
    return _NUMBER.sub("", title)


def _paragraphs(doc: AdrDocument, start: int, stop: int) -> Iterator[str]:
    """Yield the paragraphs and list items between two offsets, without headings."""
    headings = {item.heading_start: item.start for item in doc.sections}
    for block in blocks(doc, start, stop):
        is_heading = any(begin <= block.start < end for begin, end in headings.items())
        if not is_heading:
            yield " ".join(doc.visible(block.start, block.stop).split())


def _rejected(adr: Adr, sentence: str) -> Iterator[str]:
    """Yield the options of the list of options that the decision does not name."""
    doc = adr.doc
    chosen = f"{sentence} {_title(adr)}".casefold()
    for section in adr.h2.get("options", ()):
        inner = [
            item for item in doc.sections if section.start <= item.heading_start < section.stop
        ]
        top = min((item.level for item in inner), default=0)
        names = [item.title for item in inner if item.level == top]
        for name in names or _paragraphs(doc, section.start, section.own_stop):
            option = _OPTION_END.split(_OPTION_START.sub("", name), maxsplit=1)[0].strip(" .*")
            if option and option.casefold() not in chosen and "chosen" not in name.casefold():
                yield _cut(option, _LONGEST_OPTION)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def governing(
    decisions: Iterable[BindingDecision],
    files: Collection[str],
    done: Mapping[str, Collection[str]],
) -> list[Governing]:
    """Return the decisions that govern some files, the strongest first, then the newest number.

    `files` are paths from the root of the repository. `done` has for the path of an ADR the files
    of the commits that claim to implement it.
    """
    found = []
    for decision in decisions:
        governed = [
            one
            for file in files
            if (one := _governed(decision, file, done.get(decision.path, ()))) is not None
        ]
        if governed:
            found.append(Governing(decision, tuple(governed)))
    newest_first = sorted(found, key=lambda item: item.decision.path, reverse=True)
    return sorted(newest_first, key=lambda item: (-item.score, -len(item.files)))


def _governed(decision: BindingDecision, file: str, done: Collection[str]) -> GovernedFile | None:
    """Return the strongest way in which a decision governs a file; None if it does not."""
    for path in decision.files:
        if _names(path, file):
            return GovernedFile(file, HEADER, path)
    for glob in decision.scope:
        if _names(glob, file):
            return GovernedFile(file, SCOPE, glob)
    named = [path for path in decision.paths if file == path or file.endswith(f"/{path}")]
    if any("/" in path for path in named):
        return GovernedFile(file, TEXT, max(named, key=len))
    if file in done:
        return GovernedFile(file, HISTORY, "Implements")
    near = [
        path for path in decision.paths if _is_around(path, file) or path.startswith(f"{file}/")
    ]
    if near:
        return GovernedFile(file, FOLDER, max(near, key=len))
    name = posixpath.basename(file)
    stem = name.partition(".")[0]
    if name in decision.paths:
        return GovernedFile(file, NAME, name)
    is_telling = len(stem) >= _SHORTEST_NAME and stem.casefold() not in _PLAIN_NAMES
    return GovernedFile(file, NAME, stem) if is_telling and stem in decision.words else None


def _is_around(path: str, file: str) -> bool:
    """Return whether a path is a folder that has a file, or the end of its path."""
    is_folder = not posixpath.splitext(path)[1]
    return is_folder and f"/{path}/" in f"/{file}/"


def _names(pattern: str, file: str) -> bool:
    """Return whether a path, a folder or a glob names a file, or names one in this folder."""
    if is_pattern(pattern):
        return matches(file, (pattern,))
    return file == pattern or file.startswith(f"{pattern}/") or pattern.startswith(f"{file}/")
