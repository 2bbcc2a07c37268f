"""Promises that an ADR could make, in its own words, and the ADR with them. Pure.

Few and right: a path is suggested only where a sentence orders to write or to remove it, and a
criterion only where the author says how the work is confirmed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..adr.blank import is_blank
from ..adr.model import Adr, Edit, applied, lines_of
from ..adr.names import SECTIONS, language, normalise
from ..adr.parse.document import AdrDocument, Section
from ..adr.promises import PATH, names_in, promises_of

_CRITERIA = "acceptance-criteria"
_CONFIRMED = frozenset(
    "confirmation; validation; verification; acceptance conditions; conditions of acceptance; "
    "bestätigung; validierung; verifikation; überprüfung; abnahmebedingungen".split("; ")
)
"""Headings below which an ADR says how it is confirmed, as in MADR."""
_ASIDE = frozenset(
    "status context drivers options consequences rollback references questions changelog meta "
    "out-of-scope summary".split()
)
"""Meanings of sections that order no work."""
_LONGEST, _FEWEST_WORDS = 300, 3
"""Maximum characters of a criterion, and minimum words beside code, unless it names a test or a
command: it says one thing, and more than a name.
"""
_LONGEST_SENTENCE = 1_000
_MOST = 20
"""Maximum suggestions of paths, and of criteria."""

_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+()(\[[ xX]\][ \t]+)?(.*)")
_NO_PROSE = ("|", "#", "![", "[^", "---", "===", "***")
"""Beginnings of lines that are a table, a heading, a picture, a note or a rule."""

_VERBS = {
    "create": "add create write introduce document erstelle ergänze lege füge schreibe",
    "modify": "update change modify extend edit adapt adjust rewrite note record aktualisiere "
    "ändere erweitere passe",
    "delete": "remove delete drop entferne lösche",
}
"""Verbs at the beginning of a sentence, by what they order to do with the path behind them."""
_PARTICIPLES = {
    "create": "created added introduced angelegt erstellt ergänzt anlegen erstellen ergänzen",
    "modify": "updated changed modified extended adapted aktualisiert geändert erweitert angepasst "
    "aktualisieren ändern erweitern anpassen",
    "delete": "removed deleted entfernt gelöscht entfernen löschen",
}
"""Verbs behind a path, by what is done with it."""
_KINDS = {
    verb: kind
    for table in (_VERBS, _PARTICIPLES)
    for kind, verbs in table.items()
    for verb in verbs.split()
}
_FILE = r"(?<![\w/.:@~+<*{$-])(?:[\w.@+-]+/)*[\w.@+-]*\w\.[A-Za-z]\w{0,9}(?![\w/<*{:(#])"
_ORDER = re.compile(
    r"\W*(?:(?:we|wir|also|then|and|first|finally|next|to|will|should|must) ){0,3}"
    rf"({'|'.join(' '.join(_VERBS.values()).split())})\b(?P<rest>.*)",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    rf"(?P<path>{_FILE})[`*]* (?:(?:is|are|(?:will|must|should) be|wird|werden|zu) )?"
    rf"(?:also |auch )?({'|'.join(' '.join(_PARTICIPLES.values()).split())})\b",
    re.IGNORECASE,
)
_NEW = re.compile(rf"\b(?:new|neue[mnrs]?) (?:[\w-]+ ){{1,2}}[`*]*(?P<path>{_FILE})", re.IGNORECASE)
"""A new file, as in "a new module `src/a.py`"."""
_WHOLE = re.compile(
    rf"\W*(?:(?:the|old|file|module|script|die|das|den|datei|alte|alten) ){{0,3}}`?(?={_FILE})",
    re.IGNORECASE,
)
"""The words between a verb and the path of a whole file, not of something in it."""
_UNSURE = re.compile(
    r"\b(?:not|never|without|if|unless|could|may|might|would|was|were|already|nicht|nie|ohne"
    r"|kein\w*|falls|wenn|könnte\w*|würde\w*|wurde\w*|bereits)\b|n't\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\b(?:like|similar|as|see|from|using|with|via|per|by|wie|siehe|aus|mit)\b", re.IGNORECASE
)
"""Words after which a path is an example or a source."""


class Suggestion(NamedTuple):
    """A promise that an ADR could make: create, modify, delete or criterion.

    `subject` is a path, or the Markdown of a criterion; `line` is where the ADR says it. With
    `lacks_box`, the line is an item of the acceptance criteria.
    """

    kind: str
    subject: str
    line: int
    lacks_box: bool = False


class _Block(NamedTuple):
    """A paragraph or an item of a list as one line of Markdown, and where it begins."""

    text: str
    line: int
    is_item: bool
    has_box: bool


def suggestions(adr: Adr, exists: Callable[[str], bool]) -> tuple[Suggestion, ...]:
    """Return promises that an ADR could make. `exists` tells which files the repository has."""
    promises = promises_of(adr)
    promised = {_plain(item.subject) for item in promises if item.kind == "criterion"}
    named = {item.subject for item in promises if item.kind != "criterion"}
    paths: dict[str, Suggestion] = {}
    criteria: dict[str, Suggestion] = {}
    own_stop = aside_stop = 0
    own = {section.start for section in adr.h2.get(_CRITERIA, ())}
    for section in adr.doc.sections:
        meanings = adr.meanings.of(section.title)
        if section.start in own:
            own_stop = section.stop
        if not _ASIDE.isdisjoint(meanings):
            aside_stop = max(aside_stop, section.stop)
        is_own, is_aside = section.start < own_stop, section.start < aside_stop
        is_confirming = not is_aside and normalise(section.title) in _CONFIRMED
        blocks = [*_blocks(adr.doc, section)]
        items = [block for block in blocks if block.is_item]
        if is_own:
            chosen = [item for item in items if not item.has_box]
        elif _CRITERIA in meanings:
            chosen = items
        elif is_confirming:
            # The text above a list only introduces it.
            chosen = items or blocks
        else:
            chosen = [] if is_aside else [block for block in blocks if block.has_box]
        for block in chosen:
            if _says_one_thing(block.text):
                item = Suggestion("criterion", block.text, block.line, is_own)
                criteria.setdefault(_plain(block.text), item)
        if not is_aside:
            for block in blocks:
                for kind, path in _ordered(block.text, exists):
                    paths.setdefault(path, Suggestion(kind, path, block.line))
    # A list of files with entries is the author's choice.
    listed = {name for name, field in adr.header.fields.items() if field.texts}
    files = [item for path, item in paths.items() if path not in named]
    files = [item for item in files if f"files_{item.kind}" not in listed]
    new = [item for key, item in criteria.items() if key not in promised]
    return (*files[:_MOST], *new[:_MOST])


def _plain(text: str) -> str:
    return " ".join(re.sub(r"\]\([^()]{0,300}\)|[][*`_]", "", text).casefold().split())


def _says_one_thing(text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", re.sub(r"`[^`]*`", " ", text[: _LONGEST + 1]))
    is_named = any(name.kind != PATH for name in names_in(text[:_LONGEST]))
    is_short = len(text) <= _LONGEST and (is_named or len(words) >= _FEWEST_WORDS)
    is_asserted = not text.endswith((":", "?")) and "~~" not in text
    return is_short and is_asserted and not is_blank(text)


def _blocks(doc: AdrDocument, section: Section) -> Iterator[_Block]:
    """Yield the paragraphs and the outermost items of a section without its subsections."""
    data = doc.prose_markup[section.start : section.own_stop].decode(errors="replace")
    rows: list[str] = []
    item: re.Match[str] | None = None
    top, start = -1, 0
    for line, row in enumerate([*data.split("\n"), ""], doc.line_at(section.start)):
        text = row.strip()
        depth = len(row) - len(row.lstrip())
        begins = _ITEM.match(row)
        if rows and (begins or not text):
            is_task = bool(item and item[2])
            yield _Block(" ".join(" ".join(rows).split()), start, bool(item), is_task)
            rows = []
        if not text or (not rows and -1 < top < depth):
            continue  # a nested item, or another paragraph of an item
        if begins:
            item, top, start, rows = begins, depth, line, [begins[3]]
        elif rows:
            rows.append(text)
        elif not text.startswith(_NO_PROSE):
            item, top, start, rows = None, -1, line, [text]


# Files.


def _ordered(text: str, exists: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Yield the paths that sentences order to create, modify or delete, with these words."""
    if "." not in text:
        return
    for sentence in re.split(r"(?<=[.!?;:])\s+", text):
        if len(sentence) > _LONGEST_SENTENCE or _UNSURE.search(sentence):
            continue
        clauses = re.split(r",? (?:and|und) (?=\w)", sentence)
        for effect, path in (item for clause in clauses for item in _effects(clause)):
            parts = path.split("/")
            if ".git" in parts or not all(part.strip(".") for part in parts):
                continue  # it is git's, leads out of the repository, or is abbreviated
            is_there = exists(path)
            if "/" not in path and not is_there:
                continue  # it may be an attribute of an object
            if effect == "create":
                yield ("modify" if is_there else "create"), path
            elif is_there:
                yield effect, path


def _effects(clause: str) -> Iterator[tuple[str, str]]:
    for passive in _PASSIVE.finditer(clause):
        yield _KINDS[passive[2].casefold()], passive["path"]
    for new in _NEW.finditer(clause):
        yield "create", new["path"]
    order = _ORDER.match(clause)
    if not order:
        return
    kind, rest = _KINDS[order[1].casefold()], _EXAMPLE.split(order["rest"], maxsplit=1)[0]
    # "Remove the key in config.yml" does not remove the file.
    if kind != "delete" or _WHOLE.match(rest):
        yield from ((kind, path) for path in re.findall(_FILE, rest))


# The ADR with its suggestions.


def with_suggestions(adr: Adr, text: str, items: Sequence[Suggestion]) -> str:
    """Return the text of an ADR with more promises: in its YAML header, and as task list items.

    `text` is the file as it is, with its line ends. The result may lack some promises, for example
    if the header has a form of its own.
    """
    lines = lines_of(text)
    ending = lines[0].ending or "\n"
    edits: list[Edit] = []

    def replace(start: int, end: int, new: str) -> None:
        edits.append(Edit(adr.doc.path, start, end, new.replace("\n", ending)))

    files = {
        kind: [item.subject for item in items if item.kind == kind]
        # Each is written above the one before.
        for kind in ("delete", "modify", "create")
    }
    if any(files.values()):
        if adr.doc.front is None:
            replace(lines[0].start, lines[0].start, f"---\n{_with_files('', files)}---\n\n")
        else:
            first = lines[adr.doc.front_line - 1].start
            closing = lines[adr.doc.front_line - 1 + adr.doc.front.count("\n")].start
            replace(first, closing, _with_files(adr.doc.front, files))
    new = []
    for item in items:
        line = lines[item.line - 1]
        begins = _ITEM.match(line.text) if item.lacks_box else None
        if begins:
            box = line.start + begins.start(1)
            replace(box, box, "[ ] ")
        elif item.kind == "criterion":
            new.append(item)
    if new:
        above, heading = _place_of_criteria(adr, new[-1].line)
        rows = "".join(f"- [ ] {item.subject}\n" for item in new)
        gap = "" if not heading and _ITEM.match(lines[above - 1].text) else "\n"
        before = "" if lines[above - 1].ending else "\n"
        replace(lines[above - 1].end, lines[above - 1].end, f"{before}{gap}{heading}{rows}")
    return applied(text, edits)


def _with_files(front: str, files: Mapping[str, Sequence[str]]) -> str:
    """Return a YAML header with more paths below `files:`."""
    for kind, paths in files.items():
        if not paths:
            continue
        # YAML reserves @ at the beginning.
        quoted = [f'"{path}"' if path.startswith("@") else path for path in paths]
        rows = "".join(f"\n    - {path}" for path in quoted)
        empty = rf"(?m)^(files:[ \t]*\n(?:[ \t].*\n|\n)*?)  {kind}:[ \t]*(?:\[[ \t]*\])?[ \t]*$"
        for place in (empty, r"(?m)^(files:)[ \t]*$"):
            match = re.search(place, front)
            if match:
                gap = "\n" if match[1] == "files:" else ""
                added = f"{match[1]}{gap}  {kind}:{rows}"
                front = f"{front[: match.start()]}{added}{front[match.end() :]}"
                break
        else:
            front += f"files:\n  {kind}:{rows}\n"
    return front


def _place_of_criteria(adr: Adr, line: int) -> tuple[int, str]:
    """Return the line below which criteria belong, and the heading that they lack there.

    Without acceptance criteria, they follow the section with a `line`.
    """
    doc, heading, stop = adr.doc, "", len(adr.doc.data)
    if own := adr.h2.get(_CRITERIA):
        stop = own[-1].stop
    else:
        code = language((section.title for section in doc.sections), "en")
        heading = f"{'#' * adr.level} {SECTIONS[_CRITERIA][code][0]}\n\n"
        for section in doc.sections:
            if section.level <= adr.level and doc.line_at(section.heading_start) > line:
                stop = section.heading_start
                break
    last = len(doc.data[:stop].rstrip()) - 1
    return doc.line_at(max(0, last)), heading
