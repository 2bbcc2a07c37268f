from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...corpus import OPEN
from ...model import Adr, RuleResult, rule
from ...names.field import Field
from ...names.heading import normalise
from ...reference import key_in_path

if TYPE_CHECKING:
    from ...compare.wording import Difference

_MAX_SHOWN = 40
_MAY_CHANGE = frozenset(
    "status date supersedes superseded_by related_to depends_on last_updated updated last_modified "
    "modified reviewed review_date last_reviewed tags links files files_create files_modify "
    "files_docs concept language parent nav_order implemented implementation_status amended "
    "amended_by amends".split()
)
"""Header fields that may change; other fields may only be filled in if they were empty."""
_LABELS = frozenset(
    "author authors owner owners team teams group decider deciders decision_maker decision_makers "
    "consulted informed reviewer reviewers approver approvers approved_by contributor contributors "
    "stakeholder stakeholders contact slack channel ticket tickets issue issues story jira epic "
    "technical_story pr pull_request discussion url link source category categories label labels "
    "keyword keywords topic area layout permalink slug order weight sidebar_position "
    "sidebar_label description image created creation_date decision_date translations "
    "timezone version schema template type".split()
)
"""Fields that may be added with a short value. Another new field may say that the decision no
longer holds (`valid: false`, `expires:`), so it is a change of the decision.
"""
_RULED = frozenset(("component_type", "classification", "change_scope", "adr_id", "domain"))
"""Fields that may be added to an old ADR, so that rules apply to it."""


_MOST_NAMED = 3
_ASK = "or a person approves it on the pull request"


@rule("accepted-changed", "corpus", "error")
def accepted_changed(adr: Adr, base: Adr) -> Iterator[RuleResult]:
    """An accepted ADR was rewritten.

    Other work depends on the decision as it was written, and its reasons would be lost. To change a
    decision, restore the text and write a new ADR that supersedes it, or add what is new under
    Amendments. The rule compares the visible text: words that are added, removed, hidden or made
    visible, signs that end a sentence and others apart from punctuation, numbers of lists, targets
    of links and pictures, visible addresses, folding, notes, and the order of paragraphs, cells and
    nested lists. The number must not change either, and the file must not be deleted. A new header
    field that is no known label, such as `valid: false` or `expires:`, is a change too.

    These may still change: white space, the status with its date and successor, ticks of
    acceptance criteria, new paragraphs under Amendments or Changelog, known header fields, and
    short labels (at most six words: ids, names, dates, tags).

    A small change is a warning at the commit, and a question to a person on the pull request: at
    most three words of the text, and no number, negation, modal verb, status or code among them.
    So is a changed target or address, a changed tag of raw HTML that is not simple, and a file that
    was renamed or moved. With `--since`, the exit code is 4 if only such questions remain.

    The version before is that of the last commit; with `--since` or pre-commit's from-ref it is
    that of the merge base. This finding cannot be suppressed.
    """
    text = base.header.text("status")
    # A status in words of the team's own is not a proposal.
    status = base.statuses.read(text) or (text and "decided")
    if not status or status in OPEN:
        return
    already = f"this ADR was already {status.lower()} and must not be changed"
    help = ways_on(base)
    old_key, new_key = key_in_path(base.doc.path), key_in_path(adr.doc.path)
    if old_key and old_key != new_key:
        yield RuleResult(
            line=adr.title_line,
            message=f"{already}: its number was changed from {old_key} to {new_key or 'none'}",
            help="restore its number",
            subject="number",
        )
    for name, line, message in (*_changed_fields(adr, base), *_new_fields(adr, base)):
        yield RuleResult(
            line=line, message=f"{already}: its {name} {message}", help=help, subject=name
        )
    yield from _text_change(adr, base, status, help)


def finding_on_deletion(status: str, status_raw: str) -> Iterator[RuleResult]:
    """Yield the finding on a deleted ADR; `status_raw` is its status as written."""
    if status_raw and status not in OPEN:
        yield RuleResult(
            line=1,
            message=f"this ADR was {(status or 'decided').lower()} and must not be deleted",
            help="restore it; to change the decision, write a new ADR that supersedes it",
            subject="file",
        )


def question_on_move(folder: str, names: list[str]) -> RuleResult:
    """Return the question about decided ADRs that were renamed, or moved into a folder."""
    listed = ", ".join(names[:_MOST_NAMED])
    if len(names) > _MOST_NAMED:
        listed += f" and {len(names) - _MOST_NAMED} more"
    return RuleResult(
        line=1,
        message=f"decided ADRs have a new path in {folder or 'the root'}: {listed}",
        help=f"move them back, {_ASK}",
        severity="warning",
        question=True,
        subject="\n".join(names),
    )


def ways_on(base: Adr) -> str:
    """Return how to change a decided ADR."""
    key = key_in_path(base.doc.path) or base.header.text("adr_id")
    new = f"`helix-hooks new --supersedes {key}`" if key else "a new ADR"
    return f"restore it, supersede it with {new}, or add it under `## Amendments`"


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
        if _was_there(base, name, field) or name in _RULED or not _is_in_yaml(adr, field):
            continue
        if name == "title" and normalise(field.text) == title:
            continue
        if _texts(name, field) or name not in _MAY_CHANGE | _LABELS:
            yield name, field.line, f"is new and says {_shown(field.text)}"


def _was_there(base: Adr, name: str, field: Field) -> bool:
    """Return whether a field had a text before, or is still empty, as `status: { accepted }`."""
    old = base.header.fields.get(name)
    return old is not None and bool(old.text or not field.text)


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


def _text_change(adr: Adr, base: Adr, status: str, help: str) -> Iterator[RuleResult]:
    """Yield the finding on a changed text: an error, or a question if the change is small."""
    if adr.doc.data == base.doc.data:
        return
    from ...compare.wording import changed

    change = changed(base.doc, adr.doc, adr.meanings)
    if not (change.words or change.target):
        return
    finding = RuleResult(
        line=_first_changed_line(adr, base),
        message=f"this ADR was already {status.lower()} and must not be changed: {_reason(change)}",
        help=help,
        subject="text",
    )
    # A section that is gone is no small change, however few words it had.
    if change.is_small and len(adr.doc.sections) >= len(base.doc.sections):
        finding = finding._replace(
            message=f"this ADR was already {status.lower()}: {_reason(change)}",
            help=f"{help}; {_ASK}",
            severity="warning",
            question=True,
        )
    yield finding


def _reason(change: "Difference") -> str:
    if change.telling:
        return f"a word that affects the meaning was changed: {_shown(change.telling)}"
    if change.phrases is None:
        return f"{change.words} of its {change.of} words were changed"
    old, new = change.phrases
    if not change.words:
        place = "raw HTML" if (old or new).startswith("<") else "a target"
        return f"{place} was changed from {_shown(old)} to {_shown(new)}"
    return _replacement(old, new)


def _replacement(old: str, new: str) -> str:
    if old == new:
        return f"{_shown(old)} was moved, hidden, struck out or made visible"
    if not new:
        return f"it no longer says {_shown(old)}"
    instead = f" instead of {_shown(old)}" if old else ""
    return f"it now says {_shown(new)}{instead}"


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
