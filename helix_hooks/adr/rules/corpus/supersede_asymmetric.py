import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from ....finding import Finding
from ....paths import MARKDOWN_SUFFIX, relative, without_suffix
from ...corpus import CLOSED, DECIDED, OPEN, REFUSED, Corpus, Entry
from ...corpus import entry as entry_of
from ...model import Adr, Edit, Files, Fix, RuleResult, TextLine, fix_of, fixed_by, lines_of, rule
from ...names import STATUSES, Field, field_name, language
from ...reference import Reference, key_in_path

_UNNAMED = "unnamed "
"""The subject of a finding on another ADR that does not name this one begins so."""

_MIN_WORDS = 3
"""Minimum words of a status that mentions a successor without a known id."""
_REPLACED = (
    r"(?i)\bsuper[sc]eded\b|\b(?:replaced|obsoleted)\s+by\b|ersetzt\s+durch|abgelöst"
    r"|remplacée?\s+par|substituíd[oa]\s+por"
)
_WORD = r"[^\W\d_]+"
_FEWEST = 4
"""Minimum words of a sentence; a shorter line is a status."""
_ANOTHER = rf"(?i)\]\([^()\s]*{MARKDOWN_SUFFIX}\b|\badrs?[-_ #]*\d"

_NAMED = {
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


def _named_there(finding: Finding, files: Files, entry: Entry, corpus: Corpus) -> Fix | None:
    """Return the fix that adds the missing half of a succession to the other ADR.

    The reference has the form of that ADR's status. Both statuses must be right already.
    """
    # With two ADRs of one id, the reference would be ambiguous.
    if not entry.key.isdigit() or len(corpus.same_id(entry)) > 1:
        return None
    for reference in entry.references:
        for other in corpus.find(reference, entry.path)[:1]:
            if reference.line != finding.line or finding.subject != f"{_UNNAMED}{other.path}":
                continue
            kind = "superseded_by" if reference.kind == "supersedes" else "supersedes"
            old, new = (other, entry) if kind == "superseded_by" else (entry, other)
            adr, text, target = files.adr(other.path), files.text(other.path), files.adr(entry.path)
            is_right = old.status in CLOSED and new.status in DECIDED and not any(other.of(kind))
            edits = (
                naming(adr, text, kind, [target]) if is_right and adr and text and target else ()
            )
            if edits:
                words = kind.capitalize().replace("_", " ")
                return fix_of(finding, f"`{words} {_name(entry)}` added to {other.path}", *edits)
    return None


@fixed_by(_named_there)
@rule("supersede-asymmetric", "corpus", "warning")
def supersede_asymmetric(entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
    """One ADR supersedes another, but the other does not say so.

    Readers find a decision through a search or an old link. They follow it unless it says that it
    is no longer in force. If an accepted ADR supersedes another, the status of the other must be
    Superseded, and it must name its successor. While the new ADR is proposed, the old one is in
    force and must not be changed yet.

    A superseded ADR that neither names nor mentions a successor is reported too. A successor must
    name what it supersedes, at least in its text; otherwise it is information. "Superseded in part"
    needs no successor. Add the missing reference.
    """
    for reference in entry.references:
        for other in corpus.find(reference, entry.path)[:1]:
            if other.path == entry.path or reference.partly:
                continue
            held = {"supersedes": DECIDED, "superseded_by": CLOSED}.get(reference.kind, ())
            if entry.status in held:
                yield from _check(entry, other, reference, corpus)
    is_short = len(entry.status_text.split()) < _MIN_WORDS
    if (
        entry.status == "Superseded"
        and is_short
        and not any(entry.of("superseded_by"))
        and not _is_explained(corpus.text(entry.path), entry.status_line)
    ):
        yield RuleResult(
            line=entry.status_line,
            message="this ADR is superseded, but does not say by which",
            help="add `superseded_by:` or write `Superseded by ADR-NNN`",
            words=entry.status_text,
            subject="superseded_by",
        )


def _is_explained(text: str, status_line: int) -> bool:
    """Return whether the text says what replaced the ADR.

    A link in the status is enough. So is the name of an ADR below a status in its own section, and
    a sentence that the ADR was replaced.
    """
    lines = text.split("\n")
    above, below = lines[: status_line - 1], lines[status_line:]
    status = "".join(lines[status_line - 1 : status_line])
    if "](" in status:
        return True
    section = "\n".join(takewhile(lambda line: not line.startswith("#"), below))
    if ":" not in status and re.search(_ANOTHER, section):
        return True
    return any(
        len(re.findall(_WORD, line)) >= _FEWEST and re.search(_REPLACED, line)
        for line in above + below
    )


def _check(
    entry: Entry, other: Entry, reference: Reference, corpus: Corpus
) -> Iterator[RuleResult]:
    """Yield what is wrong with the other ADR of a succession."""
    by = reference.kind == "superseded_by"
    relation = f"this ADR {'is superseded by' if by else 'supersedes'} {other.path}"
    help = "set the status to Superseded only when the new ADR is accepted"
    is_wrong = other.status in REFUSED or (other.status in OPEN and entry.status in CLOSED)
    still = ""
    if not by:
        help = f"set its status to `Superseded by {_name(entry)}`"
        is_wrong, still = other.status in (*DECIDED, *OPEN), "still "
        if entry.path in corpus.succession(other, "superseded_by"):
            return
    finding = RuleResult(
        line=reference.line,
        message=f"{relation}, whose status is {still}{other.status}",
        help=help,
        words=reference.text,
        subject=f"{other.status} {other.path}",
    )
    if is_wrong:
        yield finding
    elif not names(other, "supersedes" if by else "superseded_by", entry, corpus):
        missing = f"`Supersedes {_name(entry)}`" if by else f"`Superseded by {_name(entry)}`"
        yield finding._replace(
            message=f"{relation}, which does not name this ADR",
            help=f"{'add' if by else 'write'} {missing} there",
            severity="info" if by else "",
            subject=f"{_UNNAMED}{other.path}",
        )


def names(entry: Entry, kind: str, other: Entry, corpus: Corpus) -> bool:
    """Return whether an ADR names another in a relation, or anywhere in its text."""
    if other.path in corpus.succession(entry, kind) or other.key in corpus.mentioned(entry.path):
        return True
    return other.path.rpartition("/")[2] in corpus.text(entry.path)


def _name(entry: Entry) -> str:
    return f"ADR-{int(entry.key):03}" if entry.key.isdigit() else entry.path


# The fix: both sides of a succession, each written in the form of its own status.


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
    named, id = _NAMED[_language(adr)][kind], _id(others[0])
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
    word = entry_of(adr, "").status_text.casefold()
    english = {name.casefold() for words in STATUSES.values() for name in words.get("en", ())}
    code = language((section.title for section in adr.doc.sections), "en")
    return code if code in _NAMED and word not in english else "en"
