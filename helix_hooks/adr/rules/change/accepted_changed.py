from collections.abc import Iterable, Iterator

from ...corpus import OPEN
from ...model import Adr, Found
from ...names.field import Field
from ...names.heading import normalise
from ...reference import key_in_path

MOST = 0.03
"""The part of the words that a typo-sized edit may change."""
_MAY_CHANGE = frozenset(
    "status date supersedes superseded_by related_to depends_on last_updated updated last_modified "
    "modified reviewed review_date last_reviewed "
    "tags links files files_create files_modify files_docs concept language parent nav_order "
    "implemented implementation_status amended "
    "amended_by amends".split()
)
"""Header fields that may change; of the others, only those that were empty."""


_DECIDING = frozenset(("context", "decision", "options", "consequences", "summary", "changelog"))
_RULED = frozenset(("component_type", "classification", "change_scope", "adr_id", "domain"))
"""Fields that an old ADR may be given, so that rules apply to it."""


class AcceptedChanged:
    """An accepted decision was rewritten.

    People have built on it as it stood, and the record of why would be lost. A decision that no
    longer holds is superseded by a new ADR. The visible text counts: any word that is added, taken
    out, hidden or shown anew, signs other than the punctuation of prose, pictures, notes, and the
    order of paragraphs, cells and nested lists. What may still change: the status with its date and
    successor, links, ticks of acceptance criteria, new paragraphs under Amendments or Changelog,
    short labels and header fields (at most six words: ids, names, dates, tags), and typos. A typo
    is one letter inside of a plain word (two in a word of eight letters or more), or two neighbours
    swapped; otherwise the first and the last two letters stay. The new spelling stands elsewhere in
    the ADRs of the older version, the old one nowhere else. At most 3 % of the words (one, in a
    short text) may be corrected at once, and no number, modal verb or negation, since "must" to
    "should" is another decision. Its number stays, and it is not deleted. The older version is that
    of the last commit; with `--since` or pre-commit's from-ref it is that of the merge base. This
    finding can't be suppressed.
    """

    id = "accepted-changed"
    layer = "corpus"
    severity = "error"

    def check(self, adr: Adr, base: Adr) -> Iterator[Found]:
        stated = base.header.text("status")
        status = base.statuses.read(stated) or (stated and "decided")
        if not status or status in OPEN:
            return
        help = (
            "restore the text and write a new ADR that supersedes this one, or add it under "
            "`## Amendments`"
        )
        says = f"this ADR was already {status.lower()}"
        old_key, new_key = key_in_path(base.doc.path), key_in_path(adr.doc.path)
        if old_key and old_key != new_key:
            yield Found(
                line=adr.title_line,
                message=f"{says}, and its number was changed from {old_key} to {new_key or 'none'}",
                help="give it its number back",
            )
        for name, line, message in _fields(adr, base):
            yield Found(line=line, message=f"{says}, and its {name} {message}", help=help)
        if adr.doc.data != base.doc.data:
            reason = _rewritten(adr, base)
            if reason:
                yield Found(
                    line=_first_change(adr, base), message=f"{says}, and {reason}", help=help
                )

    def deleted(self, status: str, status_raw: str) -> Iterator[Found]:
        """Yield the finding on a deleted ADR of this status, as its text says in `status_raw`."""
        if status_raw and status not in OPEN:
            yield Found(
                line=1,
                message=f"this ADR was {(status or 'decided').lower()}, and it was deleted",
                help="restore it; to change the decision, write a new ADR that supersedes it",
            )


ACCEPTED_CHANGED = AcceptedChanged()


def _title(adr: Adr) -> str:
    return adr.header.text("title") or (adr.doc.title.title if adr.doc.title else "")


def _stated(base: Adr, field: Field) -> bool:
    """Return whether a field stands in the YAML header; the text is compared as such."""
    return base.doc.front is not None and field.line < base.doc.line_at(base.doc.body)


def _fields(adr: Adr, base: Adr) -> Iterator[tuple[str, int, str]]:
    """The YAML fields that say something else, each with its line and what became of it."""
    for name, old in base.header.fields.items():
        if not _stated(base, old) or not old.text:
            continue
        field = adr.header.fields.get(name)
        if name == "title" and normalise(old.text) == normalise(_title(adr)):
            continue
        if _counting(name, old) != _counting(name, field):
            line = field.line if field else adr.title_line
            yield (
                name,
                line,
                f"was changed from {_short(old.text)} to {_short(field.text if field else '')}",
            )
    for name, field in adr.header.fields.items():
        known = base.header.fields.get(name)
        is_title = name == "title" and normalise(field.text) == normalise(_title(base))
        if (known and known.text) or is_title or name in _RULED or not _stated(adr, field):
            continue
        if _text_in(name, field) or _says(name, adr):
            yield name, field.line, f"is new and says {_short(field.text)}"


def _counting(name: str, field: Field | None) -> object:
    """The part of a field that may not change."""
    if not field:
        return () if name in _MAY_CHANGE else ""
    return _text_in(name, field) if name in _MAY_CHANGE else field.text.casefold()


def _text_in(name: str, field: Field) -> tuple[str, ...]:
    """Those values of a field that are text, and no ids, names, dates, links or tags."""
    from ...compare.words import beside_status_value, free

    if name == "status":
        beside = beside_status_value(field.text).casefold()
        return (beside,) if beside else ()
    return tuple(text.casefold() for text in field.texts if not free(text))


def _says(name: str, adr: Adr) -> bool:
    """Return whether the name of a new field is a text, or that of a section in which the decision
    is made.
    """
    from ...compare.words import free

    return not free(name.replace("_", " ")) or not _DECIDING.isdisjoint(
        adr.meanings.of(name.replace("_", " "))
    )


def _rewritten(adr: Adr, base: Adr) -> str:
    from ...compare.wording import changed

    change = changed(base.doc, adr.doc, adr.meanings)
    if change.words > max(1, MOST * change.of):
        return (
            f"{change.words} of its {change.of} words were changed; only typos are allowed, in at "
            "most 3 % of the words"
        )
    if change.telling:
        return f"a word that may change the meaning was changed: {_short(change.telling)}"
    if change.swapped:
        return _swapped(*change.swapped)
    unproven = _unproven(adr, base, change.typos)
    if not unproven:
        return ""
    return (
        f"{_short(unproven[0])} became {_short(unproven[1])}; it is a typo only if another ADR "
        "has the new spelling and none has the old one"
    )


def _swapped(old: str, new: str) -> str:
    if old == new:
        return f"{_short(old)} was moved, hidden, struck out or made visible"
    if old and new:
        return f"it now says {_short(new)} instead of {_short(old)}"
    return f"it now says {_short(new)}" if new else f"it no longer says {_short(old)}"


def _unproven(adr: Adr, base: Adr, typos: Iterable[tuple[str, str]]) -> tuple[str, str] | None:
    """Return the first typo that is none: the version before has not the new spelling elsewhere, or
    something has the old one.

    The texts are read once for all of them.
    """
    from ...compare.words import words_of

    pairs = {typo: (typo[0].casefold(), typo[1].casefold()) for typo in typos}
    spelt = {typo: pair for typo, pair in pairs.items() if pair[0] != pair[1]}
    if not spelt:
        return None
    here, now = (
        set(words_of(item.doc.visible(0, len(item.doc.data)).casefold())) for item in (base, adr)
    )
    kept = next((typo for typo, (old, _) in spelt.items() if old in now), None)
    if kept:
        return kept
    asked = frozenset(word for pair in spelt.values() for word in pair)
    others = base.others_say(asked) if base.others_say else frozenset()
    return next(
        (
            typo
            for typo, (old, new) in spelt.items()
            if old in others or (new not in here and new not in others)
        ),
        None,
    )


def _first_change(adr: Adr, base: Adr) -> int:
    """The first line below the title that the older version did not have, that of the status last;
    the title where lines were only taken out.
    """
    old = set(base.doc.data.split(b"\n"))
    title = adr.title_line
    lines = enumerate(adr.doc.data.split(b"\n"), 1)
    stated = {field.line for field in adr.header.statuses}
    changed_lines = [number for number, line in lines if number >= title and line not in old]
    beside_status = (number for number in changed_lines if number not in stated)
    return next(beside_status, changed_lines[0] if changed_lines else title)


def _short(text: str) -> str:
    if not text:
        return "nothing"
    return repr(text if len(text) <= 40 else text[:39] + "…")
