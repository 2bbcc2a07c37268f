import re
from collections.abc import Iterator
from itertools import takewhile

from ....finding import Finding
from ....paths import MARKDOWN_SUFFIX
from ...corpus import CLOSED, DECIDED, OPEN, REFUSED, Corpus, Entry
from ...fix import Fix, fix_of
from ...model import Files, RuleResult, fixed_by, rule
from ...reference import Reference
from ...succession import naming

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
            if reference.kind == "supersedes" and entry.status in DECIDED:
                yield from _check_predecessor(entry, other, reference, corpus)
            elif reference.kind == "superseded_by" and entry.status in CLOSED:
                yield from _check_successor(entry, other, reference, corpus)
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


def _check_predecessor(
    entry: Entry, other: Entry, reference: Reference, corpus: Corpus
) -> Iterator[RuleResult]:
    if entry.path in corpus.succession(other, "superseded_by"):
        return
    if other.status in DECIDED or other.status in OPEN:
        yield RuleResult(
            line=reference.line,
            words=reference.text,
            subject=f"{other.status} {other.path}",
            message=f"this ADR supersedes {other.path}, whose status is still {other.status}",
            help=f"set its status to `Superseded by {_name(entry)}`",
        )
    elif not names(other, "superseded_by", entry, corpus):
        yield RuleResult(
            line=reference.line,
            words=reference.text,
            subject=f"{_UNNAMED}{other.path}",
            message=f"this ADR supersedes {other.path}, which does not name this ADR",
            help=f"write `Superseded by {_name(entry)}` there",
        )


def _check_successor(
    entry: Entry, other: Entry, reference: Reference, corpus: Corpus
) -> Iterator[RuleResult]:
    if other.status in REFUSED or (other.status in OPEN and entry.status in CLOSED):
        yield RuleResult(
            line=reference.line,
            words=reference.text,
            subject=f"{other.status} {other.path}",
            message=f"this ADR is superseded by {other.path}, whose status is {other.status}",
            help="set the status to Superseded only when the new ADR is accepted",
        )
    elif not names(other, "supersedes", entry, corpus):
        yield RuleResult(
            line=reference.line,
            words=reference.text,
            subject=f"{_UNNAMED}{other.path}",
            message=f"this ADR is superseded by {other.path}, which does not name this ADR",
            help=f"add `Supersedes {_name(entry)}` there",
            severity="info",
        )


def names(entry: Entry, kind: str, other: Entry, corpus: Corpus) -> bool:
    """Return whether an ADR names another in a relation, or anywhere in its text."""
    if other.path in corpus.succession(entry, kind) or other.key in corpus.mentioned(entry.path):
        return True
    return other.path.rpartition("/")[2] in corpus.text(entry.path)


def _name(entry: Entry) -> str:
    return f"ADR-{int(entry.key):03}" if entry.key.isdigit() else entry.path
