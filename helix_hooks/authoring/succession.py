"""The links between a new ADR and those that it supersedes, in the form of each ADR's status.

Pure: texts to texts.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..adr.corpus import DECIDED, OPEN, entry
from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.names.aliases import STATUSES
from ..adr.names.field import Field, field_name
from ..adr.names.language import language
from ..adr.parse.document import AdrDocument, parse
from ..adr.reference import Reference, key_in_path
from ..adr.rules.registry import Ruleset
from ..errors import UsageError
from ..paths import relative, without_suffix

_BY = {
    "en": "Superseded by", "de": "Ersetzt durch", "fr": "Remplacée par", "es": "Reemplazada por",
    "pt": "Substituída por", "it": "Sostituita da", "nl": "Vervangen door",
}  # fmt: skip
_OF = {
    "en": "Supersedes", "de": "Ersetzt", "fr": "Remplace", "es": "Reemplaza", "pt": "Substitui",
    "it": "Sostituisce", "nl": "Vervangt",
}  # fmt: skip
_STATUS_WITH = {"superseded_by": "Superseded", "supersedes": "Accepted"}
_NOTHING = re.compile(r"\s*(?:\[\s*\]|null|~|\"\"|'')?\s*(?:#.*)?")
_TO_VALUES = 2
"""Number of lines from the head of a table to its first row; between them is the line of dashes."""
_PLAIN_ID = r"(?:[A-Za-z]+[-_ ]?)?\d+"
_OF_LABELS = r"[\[\]\\<>`*_]"
"""Characters that have a meaning in the label of a link."""
_KEYS = frozenset(("adr_id", "superseded_by", "supersedes", "depends_on"))
"""Fields by which the ADRs of a team name each other; other teams do so in the status (MADR)."""


def superseded(old: Adr, text: str, new: Adr, ruleset: Ruleset) -> str:
    """Return the text of an ADR with its status Superseded, and the link to its successor.

    `text` has the line endings of the file.

    Raises:
        UsageError: The ADR has no status that can change, or the change can't be written.
    """
    facts = entry(old, "")
    if facts.status not in (*DECIDED, *OPEN):
        problem = "it states no status"
        if facts.status_text:
            shown = facts.status_text if facts.status_text.isprintable() else "unknown"
            problem = f"its status is {shown[:80]!r}"
        raise UsageError(f"{old.doc.path} can't be superseded: {problem}; nothing was written")
    for code in dict.fromkeys((_language(old), "en")):
        changed = _with_successor(old, text, new, code)
        if changed and _says(changed, old.doc.path, "superseded_by", [new.doc.path], ruleset):
            return changed
    raise _by_hand(old, f"`Superseded by` and a link to {new.doc.path}")


def superseding(new: Adr, text: str, old: Sequence[Adr], ruleset: Ruleset) -> str:
    """Return the text of a new ADR that is accepted, and names those that it supersedes.

    The word for accepted is that of the first old ADR.

    Raises:
        UsageError: The text has no status, or one in a form that can't be written.
    """
    paths = [adr.doc.path for adr in old]
    for code in dict.fromkeys((_language(old[0]), "en")):
        changed = _with_predecessors(new, text, old, code)
        if changed and _says(changed, new.doc.path, "supersedes", paths, ruleset):
            return changed
    raise _by_hand(new, f"`Supersedes` and a link to {', '.join(paths)}")


def _by_hand(adr: Adr, words: str) -> UsageError:
    where = f"{adr.doc.path}: the status has an unsupported format"
    return UsageError(f"{where}; nothing was written, write {words} by hand")


def _says(text: str, path: str, kind: str, others: Sequence[str], ruleset: Ruleset) -> bool:
    """Return whether an ADR has the new status, and names each of the other ADRs."""
    facts = entry(_adr(text, path, ruleset), "")
    references = list(facts.of(kind))
    return facts.status == _STATUS_WITH[kind] and all(
        _is_named(other, references) for other in others
    )


def _is_named(path: str, references: Iterable[Reference]) -> bool:
    key = key_in_path(path)
    return any(item.path == path or (item.key and item.key == key) for item in references)


def adr_of(document: AdrDocument, ruleset: Ruleset) -> Adr:
    """Return a document as the rules see it."""
    return read(Source(document), ruleset)


def _adr(text: str, path: str, ruleset: Ruleset) -> Adr:
    return adr_of(parse(text.encode(errors="surrogateescape"), path), ruleset)


def _with_successor(old: Adr, text: str, new: Adr, code: str) -> str:
    """Return the old text with a new status; "" if it has no place for it."""
    is_section = old.header.style == "section"
    link = f"{_BY[code]} {_link(new, old.doc.path, by_title=is_section)}"
    # Many schemas of headers allow one word as status. Only teams that link ADRs there have more.
    in_header = _BY["en"].partition(" ")[0]
    has_keys = _has_keys(old) or not _id(new).isdigit()
    if not has_keys:
        in_header = f"{_BY['en']} ADR-{_id(new)}"

    def status_of(field: Field) -> str:
        if _is_front(old, field.line):
            return _as_written(field.text, in_header)
        if is_section:
            return link
        return _as_written(field.text, link)

    changed = _with_status(old, text, status_of)
    if changed and old.header.style == "yaml" and has_keys:
        changed = _with_key(old, changed, "superseded_by", [new])
    return changed


def _with_predecessors(new: Adr, text: str, old: Sequence[Adr], code: str) -> str:
    """Return the new text with the status accepted and links; "" if it has no place for them."""
    is_section = new.header.style == "section"
    links = [_link(adr, new.doc.path, by_title=is_section) for adr in old]

    def status_of(field: Field) -> str:
        word = _accepted(field.text, old[0])
        if _is_front(new, field.line):
            return word
        if is_section:
            lines = "\n\n".join(f"{_OF[code]} {link}" for link in links)
            return f"{word}\n\n{lines}"
        return f"{word}, {_OF[code].lower()} {', '.join(links)}"

    changed = _with_status(new, text, status_of)
    if changed and new.header.style == "yaml":
        changed = _with_key(new, changed, "supersedes", old)
    return changed


def _with_status(adr: Adr, text: str, status_of: Callable[[Field], str]) -> str:
    """Return a text with a new value instead of each status; "" if one has no place."""
    lines = text.split("\n")
    end = "\r\n" if lines[0].endswith("\r") else "\n"
    fields = _status_fields(adr)
    for field in fields:
        at = field.line - 1
        if at >= len(lines):  # the lines end with carriage returns alone
            return ""
        if lines[at].startswith("|") and field.text not in lines[at]:
            at += _TO_VALUES
        if at >= len(lines) or field.text not in lines[at]:
            return ""
        before, _, after = lines[at].rpartition(field.text)
        lines[at] = f"{before}{status_of(field)}{after}".replace("\n", end)
    if fields:
        return "\n".join(lines)
    return ""


def _status_fields(adr: Adr) -> list[Field]:
    """Return the fields with a known status, or else the first one, each of them once."""
    statuses = adr.header.statuses
    known = [field for field in statuses if adr.statuses.read(field.text)] or statuses[:1]
    return list({(field.line, field.text): field for field in known}.values())


def _with_key(adr: Adr, text: str, key: str, others: Sequence[Adr]) -> str:
    """Return a text with ids as the value of a key of its front matter; "" if the key has one."""
    ids = ", ".join(json.dumps(_id(other), ensure_ascii=False) for other in others)
    lines = text.split("\n")
    end = ""
    if lines[0].endswith("\r"):
        end = "\r"
    at = _line_of_key(adr, lines, key)
    if at is None:
        status = next(item.line for item in adr.header.statuses if _is_front(adr, item.line))
        lines.insert(status, f"{key}: [{ids}]{end}")
        return "\n".join(lines)
    name, _, value = lines[at].partition(":")
    field = adr.header.fields.get(key)
    # The value may be on the lines below, as a list with hyphens.
    if not _NOTHING.fullmatch(value) or (field and any(field.texts)):
        return ""
    lines[at] = f"{name}: [{ids}]{end}"
    return "\n".join(lines)


def _line_of_key(adr: Adr, lines: list[str], key: str) -> int | None:
    """Return the index of the line of the front matter that has a key; None without one."""
    stop = adr.doc.front_line + (adr.doc.front or "").count("\n")
    for at in range(adr.doc.front_line - 1, min(stop, len(lines))):
        name, colon, _ = lines[at].partition(":")
        if colon and field_name(name.strip()) == key:
            return at
    return None


def _is_front(adr: Adr, line: int) -> bool:
    """Return whether a line belongs to the front matter."""
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
    if not key.isdigit():
        return name
    digits = re.search(rf"0*{re.escape(key)}", adr.doc.path.casefold())
    if digits:
        return digits[0]
    return name


def _link(adr: Adr, origin: str, *, by_title: bool) -> str:
    """Return a Markdown link to an ADR: by its title as adr-tools, or by its id as MADR."""
    target = relative(adr.doc.path, origin.rpartition("/")[0])
    if re.search(r"[ ()]", target):
        target = f"<{target}>"
    return f"[{_label(adr, by_title=by_title)}]({target})"


def _label(adr: Adr, *, by_title: bool) -> str:
    if not by_title and _id(adr).isdigit():
        return f"ADR-{_id(adr)}"
    title = ""
    if adr.doc.title:
        title = adr.doc.title.title
    if title and title.isprintable() and not re.search(_OF_LABELS, title):
        return title
    return without_suffix(adr.doc.path.rpartition("/")[2])


def _accepted(before: str, old: Adr) -> str:
    """Return the word for accepted, as an old ADR has it, else the English one."""
    facts = entry(old, "")
    if facts.status == "Accepted" and facts.status_text.replace(" ", "").isalpha():
        return facts.status_text
    return _as_written(before, "Accepted")


def _as_written(before: str, after: str) -> str:
    """Return a status that begins with a lowercase letter if the former one did."""
    if before[:1].islower():
        return after[:1].lower() + after[1:]
    return after


def _language(adr: Adr) -> str:
    """Return the language of the status, since many teams translate only the other words."""
    word = entry(adr, "").status_text.casefold()
    if any(word in _folded(words.get("en", ())) for words in STATUSES.values()):
        return "en"
    code = language((section.title for section in adr.doc.sections), "en")
    if code in _BY:
        return code
    return "en"


def _folded(words: Sequence[str]) -> Iterator[str]:
    return (word.casefold() for word in words)
