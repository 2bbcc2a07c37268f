"""Both sides of a succession, each written in the form of its own status. Pure."""

import re
from collections.abc import Sequence

from ..paths import relative, without_suffix
from .corpus import entry
from .fix import Edit, TextLine, lines_of
from .model import Adr
from .names import STATUSES, Field, field_name, language
from .reference import key_in_path

_WORDS = {
    "en": {"superseded_by": "Superseded by", "supersedes": "Supersedes"},
    "de": {"superseded_by": "Ersetzt durch", "supersedes": "Ersetzt"},
}
_NOTHING = re.compile(r"\s*(?:\[\s*\]|null|~|\"\"|'')?\s*(?:#.*)?")
_TO_VALUES = 2
"""Number of lines from the head of a table to its first row; between them is the line of dashes."""
_PLAIN_ID = r"(?:[A-Za-z]+[-_ ]?)?\d+"
_OF_LABELS = r"[\[\]\\<>`*_]"
"""Characters that have a meaning in the label of a link."""
_KEYS = frozenset(("adr_id", "superseded_by", "supersedes", "depends_on"))
"""Fields by which the ADRs of a team name each other; other teams do so in the status (MADR)."""


def naming(
    adr: Adr, text: str, kind: str, others: Sequence[Adr], word: str = ""
) -> tuple[Edit, ...]:
    """Return the edits by which an ADR names its successor, or those that it supersedes.

    `kind` is "superseded_by" or "supersedes". `word` is the new status; without one the present
    status stays. There are no edits if the status, or the key for the others, can't be written.
    """
    lines, statuses = lines_of(text), adr.header.statuses
    by_title = adr.header.style == "section"
    links = [_link(other, adr.doc.path, by_title=by_title) for other in others]
    named, id = _WORDS[_language(adr)][kind], _id(others[0])
    # Many schemas of headers allow one word as status. Only teams that link ADRs there have more.
    has_keys = kind == "supersedes" or not id.isdigit() or not _KEYS.isdisjoint(adr.header.fields)

    def status_of(field: Field) -> str:
        status = _as_written(field.text, word or field.text)
        is_alone = kind == "superseded_by" and status.casefold() == "superseded"
        if _is_front(adr, field.line):
            return (
                _as_written(status, f"Superseded by ADR-{id}")
                if is_alone and not has_keys
                else status
            )
        if is_alone:
            return f"{named if by_title else _as_written(status, named)} {', '.join(links)}"
        if by_title:
            return "\n\n".join((status, *(f"{named} {link}" for link in links)))
        return f"{status}, {named.lower()} {', '.join(links)}"

    edits: list[Edit] = []
    known = [field for field in statuses if adr.statuses.read(field.text)] or statuses[:1]
    for field in {(field.line, field.text): field for field in known}.values():
        at = field.line - 1
        if at < len(lines) and lines[at].text.startswith("|") and field.text not in lines[at].text:
            at += _TO_VALUES
        start = lines[at].text.rfind(field.text) if at < len(lines) else -1
        if start < 0:
            return ()
        start += lines[at].start
        new = status_of(field).replace("\n", lines[at].ending or "\n")
        edits.append(Edit(adr.doc.path, start, start + len(field.text), new))
    if edits and adr.header.style == "yaml" and has_keys:
        key = _key(adr, lines, kind, others)
        edits = [*edits, key] if key else []
    return tuple(edit for edit in edits if edit.new != text[edit.start : edit.end])


def _key(adr: Adr, lines: list[TextLine], kind: str, others: Sequence[Adr]) -> Edit | None:
    """Return the edit that writes ids as the value of a key of the front matter.

    None if the key has a value already.
    """
    import json  # a hook needs no fix

    ids = ", ".join(json.dumps(_id(other), ensure_ascii=False) for other in others)
    names: list[str] = []
    for number, line in enumerate(lines[adr.doc.front_line - 1 :], adr.doc.front_line):
        name, colon, value = line.text.partition(":")
        if not _is_front(adr, number):
            break
        names.append(name)
        if colon and field_name(name.strip()) == kind:
            field = adr.header.fields.get(kind)
            # The value may be on the lines below, as a list with hyphens.
            if not _NOTHING.fullmatch(value) or (field and any(field.texts)):
                return None
            return Edit(adr.doc.path, line.start + len(name), line.stop, f": [{ids}]")
    keys = "".join(names)
    key = kind.replace("_", "-") if "-" in keys and "_" not in keys else kind
    status = next(item.line for item in adr.header.statuses if _is_front(adr, item.line))
    end = lines[status - 1]
    return Edit(adr.doc.path, end.end, end.end, f"{key}: [{ids}]{end.ending}")


def _is_front(adr: Adr, line: int) -> bool:
    """Return whether a line belongs to the front matter."""
    front = adr.doc.front
    return front is not None and line <= adr.doc.front_line + front.count("\n")


def _id(adr: Adr) -> str:
    """Return the id by which others name an ADR, with its zeros; the file's name without one."""
    declared = adr.header.text("adr_id")
    if re.fullmatch(_PLAIN_ID, declared):
        return declared
    key, name = key_in_path(adr.doc.path), adr.doc.path.rpartition("/")[2]
    digits = re.search(rf"0*{key}", adr.doc.path) if key.isdigit() else None
    return digits[0] if digits else name


def _link(adr: Adr, origin: str, *, by_title: bool) -> str:
    """Return a Markdown link to an ADR: by its title as adr-tools, or by its id as MADR."""
    target = relative(adr.doc.path, origin.rpartition("/")[0])
    if re.search(r"[ ()]", target):
        target = f"<{target}>"
    label = adr.doc.title_text
    if not by_title and _id(adr).isdigit():
        label = f"ADR-{_id(adr)}"
    elif not label.isprintable() or not label or re.search(_OF_LABELS, label):
        label = without_suffix(adr.doc.path.rpartition("/")[2])
    return f"[{label}]({target})"


def _as_written(before: str, after: str) -> str:
    """Return a status that begins with a lowercase letter if the former one did."""
    return after[:1].lower() + after[1:] if before[:1].islower() else after


def _language(adr: Adr) -> str:
    """Return the language of the status, since many teams translate only the other words."""
    word = entry(adr, "").status_text.casefold()
    english = {name.casefold() for words in STATUSES.values() for name in words.get("en", ())}
    code = language((section.title for section in adr.doc.sections), "en")
    return code if code in _WORDS and word not in english else "en"
