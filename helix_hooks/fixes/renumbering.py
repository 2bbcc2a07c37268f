"""A number taken twice: the ADR that the last commit lacks gets the next free number.

Its file is renamed. Its own id and title follow, links to the file follow, and so do the ids in
other new ADRs that do not link to the older ADR of that number.
"""

import re
from collections.abc import Iterator

from ..adr.corpus import Corpus, Entry
from ..adr.model import Adr
from ..adr.names.number import number_in_title
from ..adr.names.place import has_own_folder
from ..adr.reference import RELATIONS, collection, id_key, key_in_path, stem
from ..finding import Finding
from .around import Around
from .edit import Edit, Fix, Rename
from .lines import LONGEST, TextLine, lines_of

_ADR = r"(?i)(?<![\w-])(?:\[?ADRs?[-_ #]*)"


class _Number:
    """An old number and its successor, written with as many digits as the old one has."""

    def __init__(self, old: str, new: int) -> None:
        self.old, self._new = old, str(new)
        self.pattern = rf"(?<!\d)0*{old}(?![\d]|\.\d)"

    def after(self, digits: str) -> str:
        return self._new.zfill(len(digits))


def fixes(finding: Finding, around: Around) -> Iterator[Fix]:
    """Yield the renumbering of an ADR if it alone is new among those of its number."""
    corpus, is_new, below = around.corpus, around.is_new, around.below
    entry = corpus.entry(finding.path) if corpus else None
    if not corpus or not entry or not is_new or not below or not _is_movable(entry):
        return
    twins = [path for path in corpus.same_id(entry).values() if path != entry.path]
    siblings = list(below(collection(entry.path)))
    if not twins or not is_new(entry.path) or any(map(is_new, twins)):
        return
    if _goes_with_others(entry.path, siblings):
        return
    taken = around.taken(collection(entry.path)) if around.taken else None
    if taken is None:
        return
    number = _Number(entry.key, corpus.free_number(collection(entry.path), taken))
    path = _renamed(entry.path, number)
    adr, text = around.adr(entry.path), around.text(entry.path)
    if not path or path in siblings or not adr or text is None:
        return
    edits = list(_own(entry.path, adr, lines_of(text), number))
    for other in siblings:
        if other != entry.path and other not in twins:
            edits += _elsewhere(other, entry.path, path, twins, number, around, corpus)
    yield Fix(
        check=finding.check,
        path=entry.path,
        line=finding.line,
        title=f"renamed to {path}, the next free number",
        edits=tuple(edits),
        renames=(Rename(entry.path, path),),
    )


def _is_movable(entry: Entry) -> bool:
    """Return whether all places that state the number agree."""
    is_same = all(key in ("", entry.key) for key in (entry.declared, entry.titled))
    return (
        entry.key.isdigit()
        and entry.named == entry.key
        and is_same
        and not has_own_folder(entry.path)
    )


def _goes_with_others(path: str, siblings: list[str]) -> bool:
    """Return whether a translation, a concept or a picture is named as the file is."""
    beginning = stem(path)
    return any(other != path and other.startswith(beginning) for other in siblings)


def _renamed(path: str, number: _Number) -> str:
    """Return the path with the new number, "" unless exactly one number in it is the id."""
    folder, slash, name = path.rpartition("/")
    found = [
        f"{folder}{slash}{name[: match.start()]}{number.after(match[0])}{name[match.end() :]}"
        for match in re.finditer(number.pattern, name)
    ]
    wanted = number.after("")
    right = [new for new in found if key_in_path(new) == wanted]
    return right[0] if len(right) == 1 else ""


def _own(path: str, adr: Adr, lines: tuple[TextLine, ...], number: _Number) -> Iterator[Edit]:
    """Yield the edits of the number in the header and the title of the renamed ADR."""
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
    for row, before in places.items():
        line = lines[row - 1]
        match = re.match(rf"({before})({number.pattern})", line.text[:LONGEST])
        if match:
            start, stop = (line.start + offset for offset in match.span(2))
            yield Edit(path, start, stop, number.after(match[2]))


def _elsewhere(
    path: str,
    old: str,
    new: str,
    twins: list[str],
    number: _Number,
    around: Around,
    corpus: Corpus,
) -> list[Edit]:
    """Return the edits of another ADR that refers to the renamed one."""
    if not path.endswith(".md") or not corpus.entry(path):
        return []
    text, adr = around.text(path), around.adr(path)
    if not text or not adr:
        return []
    old_name, new_name = (name.rpartition("/")[2] for name in (old, new))
    spans: dict[tuple[int, int], str] = {}
    for link in re.finditer(rf"(?<![\w.-]){re.escape(old_name)}(?![\w-])", text):
        spans[link.span()] = new_name
    for label in re.finditer(rf"\[([^\[\]\n]*)\]\([^()\s]*{re.escape(old_name)}", text):
        for digits in re.finditer(number.pattern, label[1]):
            start = label.start(1) + digits.start()
            if not any(one <= start < other for one, other in spans):
                spans[start, start + len(digits[0])] = number.after(digits[0])
    names_twin = any(twin.rpartition("/")[2] in text for twin in twins)
    if around.is_new and around.is_new(path) and not names_twin:
        spans |= _ids(text, adr, number, spans)
    return [Edit(path, start, stop, word) for (start, stop), word in spans.items()]


def _ids(
    text: str, adr: Adr, number: _Number, known: dict[tuple[int, int], str]
) -> dict[tuple[int, int], str]:
    """Return the places of ids in a new ADR: `ADR-012`, and 012 in a relation of its header."""
    found: dict[tuple[int, int], str] = {}
    for match in re.finditer(rf"{_ADR}({number.pattern})", text):
        found[match.span(1)] = number.after(match[1])
    lines = lines_of(text)
    for kind in RELATIONS:
        field = adr.header.fields.get(kind)
        line = lines[field.line - 1] if field and adr.doc.front is not None else None
        for match in re.finditer(number.pattern, line.text) if line else ():
            start = (line.start if line else 0) + match.start()
            found[start, start + len(match[0])] = number.after(match[0])
    taken = list(known)
    return {
        span: word
        for span, word in found.items()
        if not any(start < span[1] and span[0] < stop for start, stop in taken)
    }
