"""`gate-relaxed`: what a change adds that hides nothing yet, and so could only hide what a later
change does.

Where the base can tell afterwards what something hid, the later change is measured by that
(`measure`); but a smaller scope, another template or a shorter concept leaves no trace of what it
took away, so that only the change that makes it can say so.
"""

from collections import Counter
from collections.abc import Collection, Iterator

from .concept import CARRIED, DROPPED, MERGED, RENAMED, SectionFate, compare, dropped
from .corpus import CLOSED, DECIDED
from .examine import Source, read
from .finish import idle_comments
from .model import Adr, Found
from .names.heading import normalise
from .parse.document import AdrDocument, parse
from .relaxation import AdrChange, field_change, template_change, with_fields, without_drops
from .rules.change.accepted_changed import ACCEPTED_CHANGED
from .rules.contextual.rule import fields_asked
from .rules.gate.gate_relaxed import Relaxation
from .rules.registry import Ruleset
from .suppress import Suppression, suppressions

_HELP = "undo it, or request an approval"
_SHOWN = 3
_TAKEN_OVER = (CARRIED, RENAMED, MERGED)


def idle(change: AdrChange) -> list[tuple[int, str, Found]]:
    """New suppressing comments that suppress nothing: line and rule of each, and what there is to
    say.
    """
    found = (
        [] if change.source.doc.defect else idle_comments(change.raw, change.ruleset, change.corpus)
    )
    if not found:
        return []
    old = suppressions(change.old.doc) if change.old else ()
    there = set(_places(change.old.doc, old).values()) if change.old else set()
    surplus = Counter(rule for comment in change.raw.comments for rule in comment.rules or ("",))
    surplus.subtract(rule for comment in old for rule in comment.rules or ("",))
    places = _places(change.source.doc, tuple(comment for comment, _, _ in found))
    known = {key: place in there for key, place in places.items()}
    new = []
    for comment, rule, item in sorted(found, key=lambda idle: known[id(idle[0])]):
        if surplus[rule] > 0:
            surplus[rule] -= 1
            new.append(
                (
                    comment.line,
                    rule,
                    item._replace(
                        message=f"this change adds a comment that hides nothing: {item.message}"
                    ),
                )
            )
    return new


def _places(doc: AdrDocument, comments: tuple[Suppression, ...]) -> dict[int, tuple[str, str]]:
    """The rules, and the line's text, that each of some comments is about; one may be given once
    for each of its many rules.
    """
    texts = doc.texts({comment.only for comment in comments if comment.only})
    apart = {id(comment): comment for comment in comments}
    return {
        key: (" ".join(comment.rules), texts.get(comment.only, ""))
        for key, comment in apart.items()
    }


def planted(
    change: AdrChange, hiding: Collection[Relaxation], concept: AdrDocument | None
) -> Iterator[Found]:
    """Yield what the change adds that hides nothing yet.

    `hiding` is what hides something already, `concept` the one by the change's settings.
    """
    if change.source.doc.defect:
        return
    yield from _drops(change)
    if not change.old or not change.base.report:
        return
    yield from _template(change.adr, change.old, {item.by for item in hiding})
    yield from _rules(change, change.old, {item.finding.check for item in hiding})
    yield from _concept(change, concept)


def _is_kept(change: AdrChange, titles: Collection[str]) -> bool:
    """Return whether the ADR is decided, so that no change could remove one of some sections.

    This is tried with the shortest section.
    """
    severities, doc = change.ruleset.severities, change.source.doc
    firm = all(
        severities.get(rule, "error") == "error"
        for rule in ("accepted-changed", "status-transition")
    )
    if not firm or change.raw.status not in (*DECIDED, *CLOSED):
        return False
    places = [
        (section.stop - section.heading_start, section.heading_start, section.stop)
        for section in doc.sections
        if section.title in titles
    ]
    _, start, stop = min(places, default=(0, 0, 0))
    without = read(Source(parse(doc.data[:start] + doc.data[stop:], doc.path)), change.ruleset)
    return any(True for _ in ACCEPTED_CHANGED.check(without, change.adr))


def _drops(change: AdrChange) -> Iterator[Found]:
    """New `helix-dropped` comments that drop nothing."""
    fates = change.adr.concept.fates if change.adr.concept else ()
    used = {fate.by for fate in fates if fate.fate == DROPPED}
    now = [drop for _, drop in dropped(change.source.doc)]
    surplus = Counter(normalise(drop.name) for drop in now)
    surplus.subtract(
        normalise(drop.name) for _, drop in (dropped(change.old.doc) if change.old else ())
    )
    for drop in now:
        name = normalise(drop.name)
        if drop.line not in used and surplus[name] > 0:
            surplus[name] -= 1
            message = (
                "this change adds a comment that hides nothing: the concept loses no "
                f"section '{drop.name}' that it could drop"
            )
            yield Found(line=drop.line, message=message, help="delete the comment")


def _template(adr: Adr, old: Adr, reported: Collection[str]) -> Iterator[Found]:
    by = template_change(adr, old)
    lost = (
        adr.template.lacks(old.template)
        if adr.template.name != old.template.name and by not in reported
        else []
    )
    if lost:
        more = f" and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
        yield Found(
            line=adr.title_line,
            message=f"{by} no longer asks for {', '.join(lost[:_SHOWN])}{more}, so that a later "
            "change could leave it out",
            help=_HELP,
        )


def _rules(change: AdrChange, old: Adr, reported: Collection[str]) -> Iterator[Found]:
    """Yield contextual rules that no longer apply, but for the `reported` ones."""
    rules, adr = change.base.ruleset, change.adr
    asking = [
        rule
        for rule in rules.contextual
        if rules.severities.get(rule.id, rule.severity) == "error" and rule.id not in reported
    ]
    for rule in asking:
        if rule.triggered(old) is None or rule.triggered(adr) is not None:
            continue
        names = sorted(
            {
                field.field
                for field in fields_asked(rule.when)
                if old.header.text(field.field) != adr.header.text(field.field)
            }
        )
        fields = names if rule.triggered(with_fields(adr, old, names)) is not None else []
        if fields or not any(True for _ in rule.unmet(adr, adr.title_line)):
            by = " and ".join(field_change(adr, old, name) for name in fields) or "the changed text"
            field = adr.header.fields.get(fields[0]) if fields else None
            message = (
                f"because of {by}, the rule {rule.id} no longer applies, so that a later "
                "change could leave out what it asks for"
            )
            yield Found(line=field.line if field else adr.title_line, message=message, help=_HELP)


def _concept(change: AdrChange, now: AdrDocument | None) -> Iterator[Found]:
    """Sections of the concept whose loss would have been an error, and would be none by the concept
    as it is now.
    """
    before = change.source.bases[0].concept
    if not before or before.defect or (now and now.data == before.data):
        return
    ruleset, (doc, _) = change.ruleset, without_drops(change.source.doc)
    held = compare(before, doc, ruleset.meanings, ruleset.concept_ignored)
    carried = {
        name: fate.into
        for fate in held.fates
        if fate.fate in _TAKEN_OVER and (name := _grave(fate, change.base.ruleset))
    }
    bare = _without(doc, set(carried.values()))
    noticed = _noticed(before, bare, change.base.ruleset)
    still = _noticed(now, bare, change.base.ruleset) if now else {}
    names = [name for name in noticed if name in carried and name not in still]
    if names and not _is_kept(change, {carried[name] for name in names}):
        lost = [noticed[name] for name in names]
        field = change.adr.header.fields.get("concept")
        more = f" and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
        what = f"the changed concept no longer asks for {', '.join(lost[:_SHOWN])}{more}"
        yield Found(
            line=field.line if field else change.adr.title_line,
            message=f"{what}, so that a later change could leave it out",
            help=_HELP,
        )


def _noticed(concept: AdrDocument, doc: AdrDocument, ruleset: Ruleset) -> dict[str, str]:
    """The sections of a concept whose loss in an ADR is an error: their titles, by what they
    mean.
    """
    diff = compare(concept, doc, ruleset.meanings, ruleset.concept_ignored)
    return {
        _grave(fate, ruleset): fate.title
        for fate in reversed(diff.fates)
        if fate.lost and _grave(fate, ruleset)
    }


def _grave(fate: SectionFate, ruleset: Ruleset) -> str:
    """By what name the loss of a section is an error, "" where it is none."""
    configured = ruleset.severities.get("concept-section-missing", "")
    if configured not in ("", "error"):
        return ""
    names = (*fate.meanings, normalise(fate.title))
    errors = {name for rule in ruleset.rules for name in getattr(rule, "errors", ())}
    return next((name for name in names if name in errors), names[0] if configured else "")


def _without(doc: AdrDocument, titles: Collection[str]) -> AdrDocument:
    """A document without the sections of some titles, those within them and those around them."""
    gone = [
        (section.heading_start, section.stop) for section in doc.sections if section.title in titles
    ]
    apart = (
        section
        for section in doc.sections
        if all(section.stop <= start or section.heading_start >= stop for start, stop in gone)
    )
    return doc._replace(sections=tuple(apart))
