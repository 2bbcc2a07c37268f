"""*Decided*: which parts of an accepted ADR a change rewrites, by the rendered words. Pure."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..adr.check_report import FileReport, finding_of
from ..adr.corpus import OPEN
from ..adr.enforcement import FIELD as ENFORCEMENT
from ..adr.examine import Source, read
from ..adr.examine import examine as examine_alone
from ..adr.model import Adr, Rule, RuleResult
from ..adr.names import Field, normalise
from ..adr.reference import Present, key_in_path
from ..adr.rules.gate.accepted_changed import UNREAD, Edit, accepted_changed
from ..adr.rules.gate.status_transition import retired_from, status_transition
from ..adr.rules.registry import BLOCKING, Ruleset, switched_on
from .words import beside_status_value, free

if TYPE_CHECKING:
    from .wording import Difference

_MAX_SHOWN = 40
_MAY_CHANGE = frozenset(
    "status date supersedes superseded_by related_to depends_on last_updated updated last_modified "
    "modified reviewed review_by review_date last_reviewed tags links files files_create "
    "files_modify files_docs concept language parent nav_order implemented implementation_status "
    "amended amended_by amends".split()
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
_STATING = r"(?m)^[^\w\n]*\w{1,20}[ \t]*[:=][ \t]*[\"'*_`]*(\S[^\n]*)"
"""A line with a word, a colon or an equals sign, and a text, which may be a status."""
_RULED = frozenset(
    "component_type classification change_scope adr_id domain scope review_by revisit_when".split()
)
"""Fields that may be added to an old ADR, so that rules apply to it."""
_COMPARED_ELSEWHERE = frozenset((ENFORCEMENT,))
"""Fields whose change is a question of its own, `gate-relaxed`, if it weakens them."""


def examine(
    source: Source,
    ruleset: Ruleset,
    present: Present | None = None,
    *,
    adr: Adr | None = None,
    alone: bool = False,
) -> FileReport:
    """Return the findings of the rules in one ADR, as `adr.examine` does, and on its change."""
    adr = adr or read(source, ruleset)
    report = examine_alone(source, ruleset, present, adr=adr, alone=alone)
    is_blocked = any(rule.id == item.check for item in report.findings for rule in BLOCKING)
    if not source.bases or is_blocked:
        return report
    readable = [base for base in source.bases if not base.doc.defect]
    bases = [read(Source(base.doc, base.concept), ruleset) for base in readable or source.bases]
    entry = report.entry and report.entry._replace(was=retired_from(adr, bases))
    # In a merge, those on the smaller change.
    results = min((_on_change(adr, base, ruleset) for base in bases), key=len)
    doc, last = source.doc, source.doc.last_line
    lines = doc.texts({min(item.line, last) for _, item in results})
    findings = tuple(
        finding_of(rule, item, doc.path, last, ruleset.severities, lines[min(item.line, last)])
        for rule, item in results
    )
    return report._replace(
        findings=(*report.findings, *findings), lines={**report.lines, **lines}, entry=entry
    )


def _on_change(adr: Adr, base: Adr, ruleset: Ruleset) -> list[tuple[Rule[...], RuleResult]]:
    """Return the findings on the change of an ADR, each with its rule."""
    results: list[tuple[Rule[...], RuleResult]] = []
    if switched_on([status_transition], ruleset):
        results += [(status_transition, item) for item in status_transition.check(adr, base)]
    if switched_on([accepted_changed], ruleset):
        results += [(accepted_changed, item) for item in decided(adr, base)]
    return results


def decided(adr: Adr, base: Adr) -> Iterator[RuleResult]:
    """Yield what of an accepted ADR the change rewrites: number, header fields and text.

    `base` is the version before. Nothing of a proposal is decided.
    """
    status = decided_status(base)
    if status:
        yield from accepted_changed.check(status, _edits(adr, base, status))


def decided_status(adr: Adr) -> str:
    """Return the status of a decided ADR, "" for a proposal and without a status.

    A status in words of the team's own is "decided". It is UNREAD if the file can't be read, or if
    only a line that is no header field has one, as in a broken YAML header.
    """
    if adr.doc.defect:
        return UNREAD
    text = adr.header.text("status")
    status = adr.statuses.read(text) or (text and "decided")
    if status and status not in OPEN:
        return status
    if status and not adr.header.defects:
        return ""
    return UNREAD if _is_stated_elsewhere(adr) else ""


def _is_stated_elsewhere(adr: Adr) -> bool:
    """Return whether a line above the sections, or a status section, has a decided status."""
    doc = adr.doc
    above = doc.data[: doc.sections_start].decode(errors="replace")
    texts = re.findall(_STATING, above)
    texts += [
        doc.visible(section.start, section.own_stop).strip()
        for section in doc.sections
        if "status" in adr.meanings.of(section.title)
    ]
    statuses = map(adr.statuses.read, texts)
    return any(status is not None and status not in OPEN for status in statuses)


def _edits(adr: Adr, base: Adr, status: str) -> Iterator[Edit]:
    if base.doc.defect:
        reason = base.doc.defect.message.partition(";")[0]
        change = f"the file before could not be read ({reason})"
        yield Edit("text", adr.title_line, change, ways_on(base))
        return
    if status == UNREAD and not decided_status(adr):
        now = adr.status or "unknown"
        line = adr.header.line_of("status", adr.title_line)
        yield Edit("status", line, f"its status is now {now}", ways_on(base))
    old_key, new_key = key_in_path(base.doc.path), key_in_path(adr.doc.path)
    if old_key and old_key != new_key:
        change = f"its number was changed from {old_key} to {new_key or 'none'}"
        yield Edit("number", adr.title_line, change, "restore its number")
    help = ways_on(base)
    for name, line, change in (*_changed_fields(adr, base), *_new_fields(adr, base)):
        yield Edit(name, line, f"its {name} {change}", help)
    yield from _text_change(adr, base, help)


def ways_on(base: Adr) -> str:
    """Return how to change a decided ADR."""
    key = key_in_path(base.doc.path) or base.header.text("adr_id")
    new = f"`helix-hooks new --supersedes {key}`" if key else "a new ADR"
    return f"restore it, supersede it with {new}, or add it under `## Amendments`"


def _title(adr: Adr) -> str:
    return adr.header.text("title") or adr.doc.title_text


def _is_in_yaml(adr: Adr, field: Field) -> bool:
    """Return whether a field is in the YAML header; fields in the text are compared as text."""
    return adr.doc.front is not None and field.line < adr.doc.line_at(adr.doc.body)


def _changed_fields(adr: Adr, base: Adr) -> Iterator[tuple[str, int, str]]:
    """Yield name, line and change of the YAML fields that were changed or removed."""
    title = normalise(_title(adr))
    for name, old in base.header.fields.items():
        if not old.text or not _is_in_yaml(base, old):
            continue
        if name in _COMPARED_ELSEWHERE:
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
        is_free = name in _RULED | _COMPARED_ELSEWHERE
        if is_free or _was_there(base, name, field) or not _is_in_yaml(adr, field):
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
    if name == "status":
        beside = beside_status_value(field.text).casefold()
        return (beside,) if beside else ()
    return tuple(text.casefold() for text in field.texts if not free(text))


def _text_change(adr: Adr, base: Adr, help: str) -> Iterator[Edit]:
    """Yield the change of the text, if it is one that a reader sees."""
    if adr.doc.data == base.doc.data:
        return
    from .wording import changed  # most changes leave the text as it is

    change = changed(base.doc, adr.doc, adr.meanings)
    if change.words or change.target:
        # A section that is gone is no small change, however few words it had.
        is_small = change.is_small and len(adr.doc.sections) >= len(base.doc.sections)
        yield Edit("text", _first_changed_line(adr, base), _reason(change), help, is_small)


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
    old_lines = set(base.doc.data.split(b"\n"))
    changed = [
        number
        for number, line in enumerate(adr.doc.data.split(b"\n"), 1)
        if number >= adr.title_line and line not in old_lines
    ]
    statuses = {field.line for field in adr.header.statuses}
    others = [number for number in changed if number not in statuses]
    return next(iter(others or changed), adr.title_line)


def _shown(text: str) -> str:
    if len(text) > _MAX_SHOWN:
        return repr(text[: _MAX_SHOWN - 1] + "…")
    return repr(text) if text else "nothing"
