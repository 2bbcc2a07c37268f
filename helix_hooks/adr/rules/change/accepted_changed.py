from collections.abc import Iterable, Iterator

from ...corpus import OPEN
from ...model import Adr, RuleResult
from ...names.field import Field
from ...names.heading import normalise
from ...reference import key_in_path

_MAX_CHANGED = 0.03
"""Maximum share of the words that typo fixes may change at once."""
_MAX_SHOWN = 40
_MAY_CHANGE = frozenset(
    "status date supersedes superseded_by related_to depends_on last_updated updated last_modified "
    "modified reviewed review_date last_reviewed "
    "tags links files files_create files_modify files_docs concept language parent nav_order "
    "implemented implementation_status amended "
    "amended_by amends".split()
)
"""Header fields that may change; other fields may only be filled in if they were empty."""


_DECIDING = frozenset(("context", "decision", "options", "consequences", "summary", "changelog"))
_RULED = frozenset(("component_type", "classification", "change_scope", "adr_id", "domain"))
"""Fields that may be added to an old ADR, so that rules apply to it."""


class AcceptedChanged:
    """An accepted ADR was rewritten.

    Other work depends on the decision as it was written, and its reasons would be lost. To change a
    decision, restore the text and write a new ADR that supersedes it. The rule compares the visible
    text: words that are added, removed, hidden or made visible, signs other than punctuation,
    pictures, notes, and the order of paragraphs, cells and nested lists. The number must not change
    either, and the file must not be deleted.

    These may still change: the status with its date and successor, links, ticks of acceptance
    criteria, new paragraphs under Amendments or Changelog, short labels and header fields (at most
    six words: ids, names, dates, tags), and typos.

    A typo is one letter inside a plain word (two in a word of eight letters or more), or two
    neighbouring letters that are swapped. Otherwise the first and the last two letters must stay.
    Another ADR of the version before must have the new spelling, and none may have the old one. At
    most 3 % of the words (one, in a short text) may be corrected at once. A number, a modal verb or
    a negation is never a typo, since "must" to "should" is another decision.

    The version before is that of the last commit; with `--since` or pre-commit's from-ref it is
    that of the merge base. This finding cannot be suppressed.
    """

    id = "accepted-changed"
    layer = "corpus"
    severity = "error"

    def check(self, adr: Adr, base: Adr) -> Iterator[RuleResult]:
        text = base.header.text("status")
        # A status in words of the team's own is not a proposal.
        status = base.statuses.read(text) or (text and "decided")
        if not status or status in OPEN:
            return
        already = f"this ADR was already {status.lower()} and must not be changed"
        help = (
            "restore the text and write a new ADR that supersedes this one, or add it under "
            "`## Amendments`"
        )
        old_key, new_key = key_in_path(base.doc.path), key_in_path(adr.doc.path)
        if old_key and old_key != new_key:
            yield RuleResult(
                line=adr.title_line,
                message=f"{already}: its number was changed from {old_key} to {new_key or 'none'}",
                help="restore its number",
            )
        for name, line, message in (*_changed_fields(adr, base), *_new_fields(adr, base)):
            yield RuleResult(line=line, message=f"{already}: its {name} {message}", help=help)
        reason = _text_change(adr, base)
        if reason:
            line = _first_changed_line(adr, base)
            yield RuleResult(line=line, message=f"{already}: {reason}", help=help)

    def deleted(self, status: str, status_raw: str) -> Iterator[RuleResult]:
        """Yield the finding on a deleted ADR; `status_raw` is its status as written."""
        if status_raw and status not in OPEN:
            yield RuleResult(
                line=1,
                message=f"this ADR was {(status or 'decided').lower()} and must not be deleted",
                help="restore it; to change the decision, write a new ADR that supersedes it",
            )


ACCEPTED_CHANGED = AcceptedChanged()


def _title(adr: Adr) -> str:
    title = adr.header.text("title")
    if not title and adr.doc.title:
        return adr.doc.title.title
    return title


def _is_in_yaml(adr: Adr, field: Field) -> bool:
    """Return whether a field is in the YAML header; fields in the text are compared as text."""
    return adr.doc.front is not None and field.line < adr.doc.line_at(adr.doc.body)


def _changed_fields(adr: Adr, base: Adr) -> Iterator[tuple[str, int, str]]:
    """Yield name, line and change of the YAML fields that were changed or removed."""
    title = normalise(_title(adr))
    for name, old in base.header.fields.items():
        if not old.text or not _is_in_yaml(base, old):
            continue
        # The title may move between the header and the text.
        if name == "title" and normalise(old.text) == title:
            continue
        field = adr.header.fields.get(name)
        if _fixed_value(name, old) != _fixed_value(name, field):
            line = field.line if field else adr.title_line
            new_text = field.text if field else ""
            yield name, line, f"was changed from {_shown(old.text)} to {_shown(new_text)}"


def _new_fields(adr: Adr, base: Adr) -> Iterator[tuple[str, int, str]]:
    """Yield name, line and change of the YAML fields that are new and have a text."""
    title = normalise(_title(base))
    for name, field in adr.header.fields.items():
        if base.header.text(name) or name in _RULED or not _is_in_yaml(adr, field):
            continue
        if name == "title" and normalise(field.text) == title:
            continue
        if _texts(name, field) or _has_deciding_name(name, adr):
            yield name, field.line, f"is new and says {_shown(field.text)}"


def _fixed_value(name: str, field: Field | None) -> object:
    """Return the part of a field that must not change."""
    if name in _MAY_CHANGE:
        return _texts(name, field) if field else ()
    return field.text.casefold() if field else ""


def _texts(name: str, field: Field) -> tuple[str, ...]:
    """Return the values of a field that are text: not ids, names, dates, links or tags."""
    from ...compare.words import beside_status_value, free

    if name == "status":
        beside = beside_status_value(field.text).casefold()
        return (beside,) if beside else ()
    return tuple(text.casefold() for text in field.texts if not free(text))


def _has_deciding_name(name: str, adr: Adr) -> bool:
    """Return whether the name of a field is a text, or that of a section of the decision."""
    from ...compare.words import free

    name = name.replace("_", " ")
    return not free(name) or not _DECIDING.isdisjoint(adr.meanings.of(name))


def _text_change(adr: Adr, base: Adr) -> str:
    """Return the change of the text that is not allowed, "" without one."""
    if adr.doc.data == base.doc.data:
        return ""
    from ...compare.wording import changed

    change = changed(base.doc, adr.doc, adr.meanings)
    if change.words > max(1, _MAX_CHANGED * change.of):
        return (
            f"{change.words} of its {change.of} words were changed; only typo fixes are allowed, "
            "in at most 3 % of the words"
        )
    if change.telling:
        return f"a word that affects the meaning was changed: {_shown(change.telling)}"
    if change.swapped:
        return _replacement(*change.swapped)
    unproven = _unproven_typo(adr, base, change.typos)
    if not unproven:
        return ""
    return (
        f"{_shown(unproven[0])} became {_shown(unproven[1])}, which is not recognised as a typo "
        "fix: another ADR must use the new spelling, and none the old one"
    )


def _replacement(old: str, new: str) -> str:
    if old == new:
        return f"{_shown(old)} was moved, hidden, struck out or made visible"
    if not new:
        return f"it no longer says {_shown(old)}"
    instead = f" instead of {_shown(old)}" if old else ""
    return f"it now says {_shown(new)}{instead}"


def _unproven_typo(adr: Adr, base: Adr, typos: Iterable[tuple[str, str]]) -> tuple[str, str] | None:
    """Return the first pair of spellings that is not a typo.

    The old spelling is used elsewhere, or the version before does not have the new one elsewhere.
    """
    spellings = {typo: (typo[0].casefold(), typo[1].casefold()) for typo in typos}
    changed = {typo: pair for typo, pair in spellings.items() if pair[0] != pair[1]}
    if not changed:
        return None
    head_words = _words(adr)
    for typo, (old, _) in changed.items():
        if old in head_words:
            return typo
    return _unproven_elsewhere(base, changed)


def _unproven_elsewhere(
    base: Adr, changed: dict[tuple[str, str], tuple[str, str]]
) -> tuple[str, str] | None:
    """Return the first pair whose old spelling another ADR has, or whose new one no ADR has."""
    other_words = _words_of_others(base, frozenset().union(*changed.values()))
    correct = _words(base) | other_words
    for typo, (old, new) in changed.items():
        if old in other_words or new not in correct:
            return typo
    return None


def _words_of_others(base: Adr, words: frozenset[str]) -> frozenset[str]:
    """Return the words that other ADRs use. One call for all words, since it reads all texts."""
    return base.others_say(words) if base.others_say else frozenset()


def _words(adr: Adr) -> set[str]:
    """Return the visible words of an ADR in lower case."""
    from ...compare.words import words_of

    return set(words_of(adr.doc.visible(0, len(adr.doc.data)).casefold()))


def _first_changed_line(adr: Adr, base: Adr) -> int:
    """Return the first line below the title that is new or changed, the status last.

    The line of the title if lines were only removed.
    """
    title = adr.title_line
    changed = _changed_lines(adr, base)
    status_lines = {field.line for field in adr.header.statuses}
    for number in changed:
        if number not in status_lines:
            return number
    return changed[0] if changed else title


def _changed_lines(adr: Adr, base: Adr) -> list[int]:
    old_lines = set(base.doc.data.split(b"\n"))
    return [
        number
        for number, line in enumerate(adr.doc.data.split(b"\n"), 1)
        if number >= adr.title_line and line not in old_lines
    ]


def _shown(text: str) -> str:
    if len(text) > _MAX_SHOWN:
        return repr(text[: _MAX_SHOWN - 1] + "…")
    return repr(text) if text else "nothing"
