"""A duplicate number: the ADR that the last commit lacks gets the next free number.

The fix renames its file and changes its id and title, the links to the file, and the ids in other
new ADRs that do not link to the older ADR of that number.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..adr.corpus import Corpus, Entry
from ..adr.model import Adr
from ..adr.names.number import number_in_title
from ..adr.names.place import has_own_folder
from ..adr.reference import RELATIONS, collection, id_key, key_in_path, stem
from ..finding import Finding
from ..paths import is_markdown
from .around import Around
from .edit import Edit, Fix, Rename
from .lines import LONGEST, TextLine, lines_of

_ADR = r"(?i)(?<![\w-])(?:\[?ADRs?[-_ #]*)"


class _Number:
    """An old and a new number; `pattern` matches the old one."""

    def __init__(self, old: str, new: int) -> None:
        self.old, self.new = old, str(new)
        self.pattern = rf"(?<!\d)0*{old}(?![\d]|\.\d)"

    def in_place_of(self, digits: str) -> str:
        """Return the new number with as many digits as the old one has at a place."""
        return self.new.zfill(len(digits))


class _Renaming(NamedTuple):
    """A renumbering of a file. `twins` are the other ADRs with the old number."""

    path: str
    new_path: str
    number: _Number
    twins: list[str]


def fixes(finding: Finding, around: Around) -> Iterator[Fix]:
    """Yield the renumbering of an ADR if it is the only new one with its number."""
    corpus, below = around.corpus, around.below
    if not corpus or not below:
        return
    entry = corpus.entry(finding.path)
    if not entry or not _is_movable(entry):
        return
    siblings = list(below(collection(entry.path)))
    renaming = _renaming(entry, siblings, around, corpus)
    edits = _edits(entry.path, renaming, siblings, around, corpus) if renaming else None
    if not renaming or edits is None:
        return
    yield Fix(
        check=finding.check,
        path=entry.path,
        line=finding.line,
        title=f"renamed to {renaming.new_path}, the next free number",
        edits=tuple(edits),
        renames=(Rename(entry.path, renaming.new_path),),
    )


def _edits(
    path: str, renaming: _Renaming, siblings: list[str], around: Around, corpus: Corpus
) -> list[Edit] | None:
    """Return the edits in the ADR and in the others; None if the ADR can't be read."""
    adr, text = around.adr(path), around.text(path)
    if not adr or text is None:
        return None
    edits = list(_own_edits(renaming, adr, lines_of(text)))
    for other in siblings:
        if other not in (path, *renaming.twins):
            edits += _edits_elsewhere(other, renaming, around, corpus)
    return edits


def _renaming(
    entry: Entry, siblings: list[str], around: Around, corpus: Corpus
) -> _Renaming | None:
    """Return the new number and name of an ADR; None unless it is certainly the newer one."""
    twins = [path for path in corpus.same_id(entry).values() if path != entry.path]
    if not _is_only_new(entry.path, twins, around) or _goes_with_others(entry.path, siblings):
        return None
    folder = collection(entry.path)
    taken = around.taken(folder) if around.taken else None
    if taken is None:
        return None
    number = _Number(entry.key, corpus.free_number(folder, taken))
    path = _renamed(entry.path, number)
    if not path or path in siblings:
        return None
    return _Renaming(entry.path, path, number, twins)


def _is_only_new(path: str, twins: list[str], around: Around) -> bool:
    """Return whether the last commit has the twins of an ADR, but not the ADR."""
    if not around.is_new or not twins or not around.is_new(path):
        return False
    return not any(map(around.is_new, twins))


def _is_movable(entry: Entry) -> bool:
    """Return whether all places that state the number agree, and the file may be renamed."""
    keys = {entry.declared, entry.titled} - {""}
    if not keys <= {entry.key}:
        return False
    return entry.key.isdigit() and entry.named == entry.key and not has_own_folder(entry.path)


def _goes_with_others(path: str, siblings: list[str]) -> bool:
    """Return whether a translation, a concept or a picture has the name of the file."""
    beginning = stem(path)
    return any(other != path and other.startswith(beginning) for other in siblings)


def _renamed(path: str, number: _Number) -> str:
    """Return the path with the new number, "" unless exactly one number in it is the id."""
    folder, slash, name = path.rpartition("/")
    paths = []
    for match in re.finditer(number.pattern, name):
        digits = number.in_place_of(match[0])
        new_path = f"{folder}{slash}{name[: match.start()]}{digits}{name[match.end() :]}"
        if key_in_path(new_path) == number.new:
            paths.append(new_path)
    return paths[0] if len(paths) == 1 else ""


def _own_edits(renaming: _Renaming, adr: Adr, lines: tuple[TextLine, ...]) -> Iterator[Edit]:
    """Yield the edits of the number in the header and the title of the renamed ADR."""
    number = renaming.number
    for row, before in _own_places(adr, number).items():
        line = lines[row - 1]
        match = re.match(rf"({before})({number.pattern})", line.text[:LONGEST])
        if match:
            start, stop = (line.start + offset for offset in match.span(2))
            yield Edit(renaming.path, start, stop, number.in_place_of(match[2]))


def _own_places(adr: Adr, number: _Number) -> dict[int, str]:
    """Return the lines that state the number, each with a pattern of the text before it."""
    places: dict[int, str] = {}
    field = adr.header.fields.get("adr_id")
    if field and id_key(field.text) == number.old:
        places[field.line] = r"[^:|]*[:|].*?"
    title = adr.header.fields.get("title")
    if title and number_in_title(title.text) == int(number.old):
        places[title.line] = r"[^:|]*[:|]\s*[\"']?(?i:ADR[-_ #]*)?"
    heading = adr.doc.title
    if heading and number_in_title(heading.title) == int(number.old):
        places[adr.doc.line_at(heading.heading_start)] = r"\W*(?i:ADR[-_ #]*)?"
    return places


def _edits_elsewhere(path: str, renaming: _Renaming, around: Around, corpus: Corpus) -> list[Edit]:
    """Return the edits of another ADR that refers to the renamed one."""
    if not is_markdown(path) or not corpus.entry(path):
        return []
    text, adr = around.text(path), around.adr(path)
    if not text or not adr:
        return []
    spans = _links(text, renaming)
    # In an old ADR, or in one that links to the older twin, an id may mean that twin.
    names_twin = any(twin.rpartition("/")[2] in text for twin in renaming.twins)
    if around.is_new and around.is_new(path) and not names_twin:
        spans |= _ids(text, adr, renaming.number, list(spans))
    return [Edit(path, start, stop, word) for (start, stop), word in spans.items()]


def _links(text: str, renaming: _Renaming) -> dict[tuple[int, int], str]:
    """Return the spans of the file's name, and of its number in the text of links to it."""
    number = renaming.number
    old_name = re.escape(renaming.path.rpartition("/")[2])
    new_name = renaming.new_path.rpartition("/")[2]
    links = re.finditer(rf"(?<![\w.-]){old_name}(?![\w-])", text)
    spans = {link.span(): new_name for link in links}
    for label in re.finditer(rf"\[([^\[\]\n]*)\]\([^()\s]*{old_name}", text):
        for digits in re.finditer(number.pattern, label[1]):
            start = label.start(1) + digits.start()
            if not any(one <= start < other for one, other in spans):
                spans[start, start + len(digits[0])] = number.in_place_of(digits[0])
    return spans


def _ids(
    text: str, adr: Adr, number: _Number, edited: list[tuple[int, int]]
) -> dict[tuple[int, int], str]:
    """Return the spans of ids in a new ADR: `ADR-012`, and 012 in a relation of its header.

    Spans that overlap an edited one are not among them.
    """
    spans: dict[tuple[int, int], str] = {}
    for match in re.finditer(rf"{_ADR}({number.pattern})", text):
        spans[match.span(1)] = number.in_place_of(match[1])
    for line in _relation_lines(text, adr):
        for match in re.finditer(number.pattern, line.text):
            start = line.start + match.start()
            spans[start, start + len(match[0])] = number.in_place_of(match[0])
    return {span: word for span, word in spans.items() if not _overlaps(span, edited)}


def _overlaps(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < stop for start, stop in others)


def _relation_lines(text: str, adr: Adr) -> list[TextLine]:
    """Return the lines of the relations in a YAML header."""
    if adr.doc.front is None:
        return []
    lines = lines_of(text)
    fields = map(adr.header.fields.get, RELATIONS)
    return [lines[field.line - 1] for field in fields if field]
