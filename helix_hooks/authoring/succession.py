"""The relation of a new ADR to those that it supersedes, in the form in which each ADR states its
status. Pure: texts to texts.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence

from ..adr.corpus import DECIDED, OPEN, entry
from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.names.aliases import STATUSES
from ..adr.names.field import Field, field_name
from ..adr.names.language import language
from ..adr.parse.document import AdrDocument, parse
from ..adr.reference import key_in_path
from ..adr.rules.registry import Ruleset
from ..errors import UsageError
from ..paths import relative

_BY = {
    "en": "Superseded by", "de": "Ersetzt durch", "fr": "Remplacée par", "es": "Reemplazada por",
    "pt": "Substituída por", "it": "Sostituita da", "nl": "Vervangen door",
}  # fmt: skip
_OF = {
    "en": "Supersedes", "de": "Ersetzt", "fr": "Remplace", "es": "Reemplaza", "pt": "Substitui",
    "it": "Sostituisce", "nl": "Vervangt",
}  # fmt: skip
_NOTHING = re.compile(r"\s*(?:\[\s*\]|null|~|\"\"|'')?\s*(?:#.*)?")
_TO_VALUES = 2
"""Number of lines from the head of a table to its first row."""
_PLAIN_ID = r"(?:[A-Za-z]+[-_ ]?)?\d+"
_OF_LABELS = r"[\[\]\\<>`*_]"
_KEYS = frozenset(("adr_id", "superseded_by", "supersedes", "depends_on"))
"""Fields of a header whose ADRs name each other by keys; others do in the status (MADR)."""


def superseded(old: Adr, text: str, new: Adr, ruleset: Ruleset) -> str:
    """Return the text of an ADR with its status Superseded, and the link to its successor.

    `text` has the file's own line ends. Raises: UsageError if it can't be written in this form.
    """
    facts = entry(old, "")
    if facts.status not in (*DECIDED, *OPEN):
        stated = facts.status_text if facts.status_text.isprintable() else "unknown"
        problem = f"its status is {stated[:80]!r}" if stated else "it states no status"
        raise UsageError(f"{old.doc.path} can't be superseded: {problem}; nothing was written")
    for code in dict.fromkeys((_language(old), "en")):
        changed = _with_successor(old, text, new, code)
        if changed and _says(changed, old.doc.path, "superseded_by", [new.doc.path], ruleset):
            return changed
    raise _by_hand(old, f"`Superseded by` and a link to {new.doc.path}")


def superseding(new: Adr, text: str, old: Sequence[Adr], ruleset: Ruleset) -> str:
    """Return the text of a new ADR that is accepted, and names those that it supersedes.

    The word for accepted is that of the first old one. Raises: UsageError if the text states no
    status.
    """
    paths = [adr.doc.path for adr in old]
    for code in dict.fromkeys((_language(old[0]), "en")):
        changed = _with_predecessors(new, text, old, code)
        if changed and _says(changed, new.doc.path, "supersedes", paths, ruleset):
            return changed
    raise _by_hand(new, f"`Supersedes` and a link to {', '.join(paths)}")


def _by_hand(adr: Adr, words: str) -> UsageError:
    where = f"{adr.doc.path}: the status can't be changed in its form"
    return UsageError(f"{where}; nothing was written, write {words} by hand")


def _says(text: str, path: str, kind: str, others: Sequence[str], ruleset: Ruleset) -> bool:
    """Return whether an ADR is read as meant: its status, and each ADR that it names."""
    facts = entry(_adr(text, path, ruleset), "")
    named = list(facts.of(kind))
    is_named = all(
        any(item.path == other or (item.key and item.key == key_in_path(other)) for item in named)
        for other in others
    )
    return is_named and facts.status == ("Superseded" if kind == "superseded_by" else "Accepted")


def adr_of(document: AdrDocument, ruleset: Ruleset) -> Adr:
    """Return a document as the rules see it."""
    return read(Source(document), ruleset)


def _adr(text: str, path: str, ruleset: Ruleset) -> Adr:
    return adr_of(parse(text.encode(errors="surrogateescape"), path), ruleset)


def _with_successor(old: Adr, text: str, new: Adr, code: str) -> str:
    """Return the old text with a new status; "" if the place of it is not found."""
    is_section = old.header.style == "section"
    inline = f"{_BY[code]} {_link(new, old.doc.path, is_section)}"
    plain = _BY["en"].partition(" ")[0]

    def stated(field: Field) -> str:
        if not _is_front(old, field.line):
            return inline if is_section else _as_written(field.text, inline)
        name = _id(new)
        by_name = f"{_BY['en']} ADR-{name}" if name.isdigit() else ""
        return _as_written(field.text, plain if _has_keys(old) or not by_name else by_name)

    changed = _restated(old, text, stated)
    if changed and old.header.style == "yaml" and (_has_keys(old) or not _id(new).isdigit()):
        changed = _with_key(old, changed, "superseded_by", [new])
    return changed


def _with_predecessors(new: Adr, text: str, old: Sequence[Adr], code: str) -> str:
    links = [_link(adr, new.doc.path, new.header.style == "section") for adr in old]

    def stated(field: Field) -> str:
        word = _accepted(field.text, old[0])
        if _is_front(new, field.line):
            return word
        if new.header.style == "section":
            lines = "\n\n".join(f"{_OF[code]} {link}" for link in links)
            return f"{word}\n\n{lines}"
        return f"{word}, {_OF[code].lower()} {', '.join(links)}"

    changed = _restated(new, text, stated)
    if changed and new.header.style == "yaml":
        changed = _with_key(new, changed, "supersedes", old)
    return changed


def _restated(adr: Adr, text: str, stated: Callable[[Field], str]) -> str:
    """Return a text with another value in the place of each status."""
    lines = text.split("\n")
    end = "\r\n" if lines[0].endswith("\r") else "\n"
    stating = adr.header.statuses
    known = [field for field in stating if adr.statuses.read(field.text)] or stating[:1]
    fields = {(field.line, field.text): field for field in known}
    for field in fields.values():
        at = field.line - 1
        if at >= len(lines):  # the lines end with carriage returns alone
            return ""
        if lines[at].startswith("|") and field.text not in lines[at]:
            at += _TO_VALUES
        before, found, after = "".join(lines[at : at + 1]).rpartition(field.text)
        if not found:
            return ""
        lines[at] = f"{before}{stated(field)}{after}".replace("\n", end)
    return "\n".join(lines) if fields else ""


def _with_key(adr: Adr, text: str, key: str, others: Sequence[Adr]) -> str:
    """Return a text with ids below a key of its front matter; "" if the key has a value."""
    ids = ", ".join(json.dumps(_id(other), ensure_ascii=False) for other in others)
    lines = text.split("\n")
    end = "\r" if lines[0].endswith("\r") else ""
    field = adr.header.fields.get(key)
    stop = adr.doc.front_line + (adr.doc.front or "").count("\n")
    for at in range(adr.doc.front_line - 1, min(stop, len(lines))):
        name, colon, value = lines[at].partition(":")
        if colon and field_name(name.strip()) == key:
            if not _NOTHING.fullmatch(value) or (field and any(field.texts)):
                return ""
            lines[at] = f"{name}: [{ids}]{end}"
            return "\n".join(lines)
    status = next(item.line for item in adr.header.statuses if _is_front(adr, item.line))
    lines.insert(status, f"{key}: [{ids}]{end}")
    return "\n".join(lines)


def _is_front(adr: Adr, line: int) -> bool:
    """Return whether a line is one of the front matter."""
    front = adr.doc.front
    return front is not None and line <= adr.doc.front_line + front.count("\n")


def _has_keys(adr: Adr) -> bool:
    return not _KEYS.isdisjoint(adr.header.fields)


def _id(adr: Adr) -> str:
    """Return the id by which others name an ADR, with its zeros; the file's name without one."""
    declared = adr.header.text("adr_id")
    if re.fullmatch(_PLAIN_ID, declared):
        return declared
    key, name = key_in_path(adr.doc.path), adr.doc.path.rpartition("/")[2]
    digits = re.search(rf"0*{re.escape(key)}", adr.doc.path.casefold()) if key.isdigit() else None
    return digits[0] if digits else name


def _link(adr: Adr, origin: str, by_title: bool) -> str:
    """Return a Markdown link to an ADR: by its title as adr-tools, or by its id as MADR."""
    path = adr.doc.path
    title = adr.doc.title.title if adr.doc.title else ""
    is_plain = title and title.isprintable() and not re.search(_OF_LABELS, title)
    label = title if is_plain else path.rpartition("/")[2].removesuffix(".md")
    if not by_title and _id(adr).isdigit():
        label = f"ADR-{_id(adr)}"
    target = relative(path, origin.rpartition("/")[0])
    return f"[{label}]({f'<{target}>' if re.search(r'[ ()]', target) else target})"


def _accepted(before: str, old: Adr) -> str:
    """Return the word for accepted, as an old ADR has it, else as in English."""
    word = entry(old, "").status_text
    is_word = word.replace(" ", "").isalpha() and entry(old, "").status == "Accepted"
    return word if is_word else _as_written(before, "Accepted")


def _as_written(before: str, after: str) -> str:
    """Return a status that begins with a small letter where the former one did."""
    return after[:1].lower() + after[1:] if before[:1].islower() else after


def _language(adr: Adr) -> str:
    """Return the language of the status, since many teams translate only the other words."""
    word = entry(adr, "").status_text.casefold()
    if any(word in _folded(words.get("en", ())) for words in STATUSES.values()):
        return "en"
    code = language((section.title for section in adr.doc.sections), "en")
    return code if code in _BY else "en"


def _folded(words: Sequence[str]) -> Iterator[str]:
    return (word.casefold() for word in words)
