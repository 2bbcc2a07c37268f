"""Which accepted ADRs govern a file, and what they say about it. Pure.

An ADR names files in its header (`files:`, `scope:`), in its text (a path, or a folder above the
file), or by the name of the file alone. Commits that claim to implement it name files too.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from ..adr.examine import adr_id
from ..adr.model import Adr
from ..adr.parse.document import AdrDocument, Section
from ..adr.parse.prose import blocks
from ..adr.promises import KINDS
from ..paths import glob_problem, is_pattern, matches, without_suffix

HEADER, SCOPE, TEXT, HISTORY = "files", "scope", "text", "commit"
NAME, FOLDER, CONTENT = "name", "folder", "content"
"""The ways in which an ADR governs a file."""

_SCORES = {HEADER: 32, SCOPE: 24, TEXT: 16, HISTORY: 12, NAME: 8, FOLDER: 6, CONTENT: 4}
_NAMED_IN_TEXT = (TEXT, NAME, FOLDER, CONTENT)
_ASIDE = ("context", "options", "drivers", "references")
"""Sections in which a folder is named, and not decided about."""
_SHORTEST_SENTENCE, _LONGEST_SENTENCE = 60, 300
_LONGEST_OPTION = 80
_MOST_OPTIONS = 5
_SHORTEST_WORD = 4
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
_MOST_OF_NAME = 3
"""Files of the base with a name, above which an ADR that says it does not mean one of them."""
MOST_WITH_WORD = 10
"""Files of the base with a word, above which the word says nothing about one of them."""
_CODE = r"`([^`\n]{1,200})`"
_TELLING = re.compile(r"(?=.{5,60}$)(?=.*(?:[a-z0-9][A-Z]|[_\d-]))[A-Za-z_][\w-]*[A-Za-z0-9]")
"""An identifier of several words, as `OrderPublished` or `order_id`; plain words are no name."""


class BindingDecision(NamedTuple):
    """An accepted ADR as it binds files.

    `files` are the paths of its header, `scope` its globs, `paths` those in its text, and `words`
    the words of its text in code. `aside` are the paths that stand only in its context and options,
    or in a list of references.
    """

    adr: Adr
    id: str
    title: str
    files: tuple[str, ...]
    scope: tuple[str, ...]
    paths: frozenset[str]
    aside: frozenset[str]
    words: frozenset[str]

    @property
    def path(self) -> str:
        return self.adr.doc.path

    @property
    def name(self) -> str:
        """Its name for people: ADR-7, else its id, else the name of its file."""
        if not self.id:
            return without_suffix(posixpath.basename(self.path))
        return f"ADR-{self.id}" if self.id[:1].isdigit() else self.id

    @property
    def sentence(self) -> str:
        """The first sentences of the decision."""
        return _sentence(self.adr)

    @property
    def rejected(self) -> tuple[str, ...]:
        """The options that it lists and did not choose."""
        return tuple(dict.fromkeys(_rejected(self.adr, self.sentence)))[:_MOST_OPTIONS]


class GovernedFile(NamedTuple):
    """A file that a decision governs, in which way, and the path, glob or word that says so."""

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

    @property
    def sentence(self) -> str:
        """The first sentences of the decision, and the one that names a file, if it is another."""
        first = self.decision.sentence
        names = [item.by for item in self.files if item.way in _NAMED_IN_TEXT]
        other = next(_sentences_with(self.decision.adr, names), "") if names else ""
        return first if not other or other in first else f"{first} … {other}"


class Codebase(NamedTuple):
    """Facts about the files of the base.

    `stems` counts files by their names without suffix, comparable ones. `words` has for a file the
    words in code of ADRs that stand in it, and in few other files.
    """

    stems: Mapping[str, int]
    words: Mapping[str, frozenset[str]]


def binding_decision(adr: Adr) -> BindingDecision:
    """Return what an ADR says about files."""
    doc, header = adr.doc, adr.header
    markup = doc.markup[doc.body :].decode(errors="replace")
    decided, aside, end = set[str](), set[str](), doc.body
    for section in sorted(_beside_the_decision(adr), key=lambda item: item.start):
        decided |= _paths_in(adr, end, max(end, section.start))
        aside |= _paths_in(adr, section.start, section.stop)
        end = max(end, section.stop)
    decided |= _paths_in(adr, end, len(doc.data))
    return BindingDecision(
        adr=adr,
        id=adr_id(adr),
        title=_title(adr),
        files=tuple(_clean(text) for kind in KINDS for text in header.items(f"files_{kind}")),
        scope=tuple(map(_clean, header.items("scope"))),
        paths=frozenset(decided | aside) - {doc.path},
        aside=frozenset(aside - decided),
        words=frozenset(
            word
            for code in re.findall(_CODE, markup)
            for word in (*re.findall(r"[\w-]+", code), code.strip())
        ),
    )


def _beside_the_decision(adr: Adr) -> list[Section]:
    return [section for name in _ASIDE for section in adr.h2.get(name, ())]


def _paths_in(adr: Adr, start: int, stop: int) -> set[str]:
    """Return the paths in a part of the text: in code, in prose, and the targets of links."""
    doc = adr.doc
    markup = doc.markup[start:stop].decode(errors="replace")
    folder = posixpath.dirname(doc.path)
    links = re.findall(r"\]\(<?(?![a-z]+:)([^()<>\s#]+)", markup)
    targets = {posixpath.normpath(posixpath.join(folder, link)) for link in links}
    texts = (*re.findall(_CODE, markup), *doc.visible(start, stop).split())
    # Most words have neither sign, and the pattern is slow.
    likely = {text for text in texts if "/" in text or "." in text[:-1]}
    return {*(_clean(path) for text in likely for path in _PATH.findall(text)), *targets}


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


def _sentences_with(adr: Adr, names: Iterable[str]) -> Iterator[str]:
    """Yield the sentences of the decision that have one of some names."""
    for section in adr.h2.get("decision", ()):
        for paragraph in _paragraphs(adr.doc, section.start, section.stop):
            for sentence in _SENTENCE_END.split(paragraph):
                if any(name in sentence for name in names):
                    yield _cut(sentence, _LONGEST_SENTENCE)


def comparable(name: str) -> str:
    """Return a name without case and separators: `ConsoleUI` is `console_ui`."""
    return re.sub(r"[\W_]", "", name).casefold()


def stem(path: str) -> str:
    """Return the comparable name of a file without its suffixes."""
    return comparable(posixpath.basename(path).lstrip(".").partition(".")[0])


def telling_words(decision: BindingDecision) -> set[str]:
    """Return the words in code that may name something in few files."""
    return {word for word in decision.words if _TELLING.fullmatch(word)}


def governing(
    decisions: Iterable[BindingDecision],
    files: Collection[str],
    done: Mapping[str, Collection[str]],
    base: Codebase,
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
            if (one := _governed(decision, file, done.get(decision.path, ()), base)) is not None
        ]
        if governed:
            found.append(Governing(decision, tuple(governed)))
    newest_first = sorted(found, key=lambda item: item.decision.path, reverse=True)
    return sorted(newest_first, key=lambda item: (-item.score, -len(item.files)))


def by_relation(
    decisions: Iterable[BindingDecision], words: Collection[str]
) -> list[BindingDecision]:
    """Return decisions by the words that they share with some files, the most related first.

    `words` are those of the files, from `words_of`. Words of few decisions count more. Those that
    share as much stay in the order of newest first.
    """
    newest = sorted(decisions, key=lambda item: item.path, reverse=True)
    own = {item.path: words_of(item.title) for item in newest}
    numbers = Counter(chain.from_iterable(own.values()))

    def weight(item: BindingDecision) -> float:
        return sum(1 / numbers[word] for word in own[item.path].intersection(words))

    return sorted(newest, key=lambda item: -weight(item))


def words_of(text: str) -> set[str]:
    """Return the words of a text, also those inside of names, without the shortest ones."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)
    return {part.casefold() for part in parts if len(part) >= _SHORTEST_WORD}


def _governed(
    decision: BindingDecision, file: str, done: Collection[str], base: Codebase
) -> GovernedFile | None:
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
    own = stem(file)
    if base.stems.get(own, 0) <= _MOST_OF_NAME:
        if named:
            return GovernedFile(file, NAME, named[0])
        words = (word for word in sorted(decision.words) if comparable(word) == own)
        word = next(words, "") if len(own) >= _SHORTEST_NAME else ""
        if word:
            return GovernedFile(file, NAME, word)
    near = [
        path
        for path in decision.paths - decision.aside
        if _is_around(path, file) or path.startswith(f"{file}/")
    ]
    if near:
        return GovernedFile(file, FOLDER, max(near, key=len))
    inside = base.words.get(file, frozenset()) & decision.words
    return GovernedFile(file, CONTENT, max(inside, key=len)) if inside else None


def _is_around(path: str, file: str) -> bool:
    """Return whether a path is a folder that has a file, or the end of its path."""
    is_folder = not posixpath.splitext(path)[1]
    return is_folder and f"/{path}/" in f"/{file}/"


def _names(pattern: str, file: str) -> bool:
    """Return whether a path, a folder or a glob names a file, or names one in this folder."""
    if is_pattern(pattern):
        return not glob_problem(pattern) and matches(file, (pattern,))
    return file == pattern or file.startswith(f"{pattern}/") or pattern.startswith(f"{file}/")
