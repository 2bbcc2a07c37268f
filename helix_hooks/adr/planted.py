"""`gate-relaxed`: additions of a change that hide no error yet, but could hide later ones.

A comment or baseline entry is compared with the base when it hides something (see `relaxation`). A
smaller scope, another template or a shorter concept leaves no trace of what it no longer requires,
so it is reported in the change that makes it.
"""

from collections import Counter
from collections.abc import Collection, Iterator

from .concept import CARRIED, DROPPED, MERGED, RENAMED, Dropped, SectionFate, compare, dropped
from .corpus import CLOSED, DECIDED
from .examine import Source, read
from .finish import idle_comments
from .model import Adr, RuleResult
from .names.heading import normalise
from .parse.document import AdrDocument, Section, parse
from .relaxation import AdrChange, field_change, template_change, with_fields, without_drops
from .rules.change.accepted_changed import accepted_changed
from .rules.contextual.rule import ContextualRule, fields_asked
from .rules.gate.gate_relaxed import Relaxation
from .rules.registry import Ruleset
from .suppress import Suppression, suppressions

_HELP = "undo it, or request an approval"
_SHOWN = 3
"""Maximum names in a message."""
_TAKEN_OVER = (CARRIED, RENAMED, MERGED)


def idle(change: AdrChange) -> list[tuple[int, str, RuleResult]]:
    """Return new suppressing comments that suppress nothing: line, rule and result of each."""
    if change.source.doc.defect:
        return []
    unused = idle_comments(change.raw, change.ruleset, change.corpus)
    if not unused:
        return []
    old = suppressions(change.old.doc) if change.old else ()
    surplus = _counts_by_rule(change.raw.comments)
    surplus.subtract(_counts_by_rule(old))
    old_places = set(_places(change.old.doc, old).values()) if change.old else set()
    places = _places(change.source.doc, tuple(comment for comment, _, _ in unused))
    # Comments at a new place come first: of several for one rule, those are the new ones.
    unused.sort(key=lambda item: places[id(item[0])] in old_places)
    new: list[tuple[int, str, RuleResult]] = []
    for comment, rule, item in unused:
        if surplus[rule] > 0:
            surplus[rule] -= 1
            message = f"unused suppression comment: {item.message}"
            new.append((comment.line, rule, item._replace(message=message)))
    return new


def _counts_by_rule(comments: tuple[Suppression, ...]) -> Counter[str]:
    """Count comments by rule; "" is a comment without a rule."""
    counts: Counter[str] = Counter()
    for comment in comments:
        counts.update(comment.rules or ("",))
    return counts


def _places(doc: AdrDocument, comments: tuple[Suppression, ...]) -> dict[int, tuple[str, str]]:
    """Return the rules and the text of the line of each comment, by its identity.

    A comment may occur several times, once for each of its many rules.
    """
    texts = doc.texts({comment.only for comment in comments if comment.only})
    distinct = {id(comment): comment for comment in comments}
    return {
        key: (" ".join(comment.rules), texts.get(comment.only, ""))
        for key, comment in distinct.items()
    }


def planted(
    change: AdrChange, hiding: Collection[Relaxation], concept: AdrDocument | None
) -> Iterator[RuleResult]:
    """Yield the additions of the change that hide nothing yet.

    `hiding` are the relaxations that hide an error already; they are not reported again. `concept`
    is the concept under the settings of the change.
    """
    if change.source.doc.defect:
        return
    yield from _drops(change)
    if not change.old or not change.base.report:
        return
    yield from _template(change.adr, change.old, {item.by for item in hiding})
    yield from _rules(change, change.old, {item.finding.check for item in hiding})
    yield from _concept(change, concept)


def _is_protected(change: AdrChange, titles: Collection[str]) -> bool:
    """Return whether no later change could remove one of some sections, since the ADR is decided.

    The check is run without the shortest of them.
    """
    severities, doc = change.ruleset.severities, change.source.doc
    for rule in ("accepted-changed", "status-transition"):
        if severities.get(rule, "error") != "error":
            return False
    if change.raw.status not in (*DECIDED, *CLOSED):
        return False
    sections = [section for section in doc.sections if section.title in titles]
    start = stop = 0
    if sections:
        shortest = min(sections, key=lambda item: item.stop - item.heading_start)
        start, stop = shortest.heading_start, shortest.stop
    without = read(Source(parse(doc.data[:start] + doc.data[stop:], doc.path)), change.ruleset)
    return any(True for _ in accepted_changed.check(without, change.adr))


def _drops(change: AdrChange) -> Iterator[RuleResult]:
    """Yield new `helix-dropped` comments that drop nothing."""
    used = {fate.by for fate in change.adr.fates if fate.fate == DROPPED}
    drops = _dropped(change.source.doc)
    surplus = Counter(normalise(drop.name) for drop in drops)
    if change.old:
        surplus.subtract(normalise(drop.name) for drop in _dropped(change.old.doc))
    for drop in drops:
        name = normalise(drop.name)
        if drop.line in used or surplus[name] <= 0:
            continue
        surplus[name] -= 1
        message = f"unused helix-dropped comment: section '{drop.name}' is not missing"
        yield RuleResult(
            line=drop.line,
            message=message,
            help="delete the comment",
            subject=f"helix-dropped {drop.name}",
        )


def _dropped(doc: AdrDocument) -> list[Dropped]:
    return [drop for _, drop in dropped(doc)]


def _template(adr: Adr, old: Adr, reported: Collection[str]) -> Iterator[RuleResult]:
    """Yield the requirements that the new template of an ADR lacks."""
    by = template_change(adr, old)
    if adr.template.name == old.template.name or by in reported:
        return
    lost = adr.template.lacks(old.template)
    if lost:
        message = f"{by} no longer requires {_some(lost)}, so a later change could remove it"
        yield RuleResult(line=adr.title_line, message=message, help=_HELP, subject="\n".join(lost))


def _some(names: list[str]) -> str:
    """Return the first names of a list, and the number of the others."""
    others = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{others}"


def _rules(change: AdrChange, old: Adr, reported: Collection[str]) -> Iterator[RuleResult]:
    """Yield the contextual rules that no longer apply, except the `reported` ones."""
    rules, adr = change.base.ruleset, change.adr
    for rule in rules.contextual:
        is_error = rules.severities.get(rule.id, rule.severity) == "error"
        if not is_error or rule.id in reported or not _is_off(rule, adr, old):
            continue
        fields = _fields_that_switch_off(rule, adr, old)
        is_met = not any(True for _ in rule.unmet(adr, adr.title_line))
        if not fields and not is_met:
            continue  # the change of the text already hides an error
        by = " and ".join(field_change(adr, old, name) for name in fields) or "the changed text"
        message = (
            f"the rule {rule.id} no longer applies because of {by}, so a later change could "
            "violate it"
        )
        yield RuleResult(
            line=adr.header.line_of("".join(fields[:1]), adr.title_line),
            message=message,
            help=_HELP,
            subject=rule.id,
        )


def _is_off(rule: ContextualRule, adr: Adr, old: Adr) -> bool:
    """Return whether a rule applied to the old version and no longer applies."""
    return rule.when.line(old) is not None and rule.when.line(adr) is None


def _fields_that_switch_off(rule: ContextualRule, adr: Adr, old: Adr) -> list[str]:
    """Return the changed header fields with whose old values a rule applies again."""
    names = {item.field for item in fields_asked(rule.when)}
    changed = [name for name in sorted(names) if old.header.text(name) != adr.header.text(name)]
    if rule.when.line(with_fields(adr, old, changed)) is None:
        return []
    return changed


def _concept(change: AdrChange, concept: AdrDocument | None) -> Iterator[RuleResult]:
    """Yield the sections of the concept that the changed concept no longer requires.

    They are sections whose loss in the ADR would have been an error.
    """
    before = change.source.bases[0].concept
    if not before or before.defect or (concept and concept.data == before.data):
        return
    pairs = _no_longer_required(change, before, concept)
    if not pairs or _is_protected(change, {in_adr for in_adr, _ in pairs}):
        return
    titles = [in_concept for _, in_concept in pairs]
    message = (
        f"the changed concept no longer requires {_some(titles)}, so a later change could remove it"
    )
    yield RuleResult(
        line=change.adr.header.line_of("concept", change.adr.title_line),
        message=message,
        help=_HELP,
        subject="\n".join(titles),
    )


def _no_longer_required(
    change: AdrChange, before: AdrDocument, concept: AdrDocument | None
) -> list[tuple[str, str]]:
    """Return the titles of such sections in the ADR and in the concept."""
    doc, _ = without_drops(change.source.doc)
    carried = _carried(change, before, doc)
    bare = _without(doc, set(carried.values()))
    required = _required(concept, bare, change.base.ruleset) if concept else {}
    pairs: list[tuple[str, str]] = []
    for name, title in _required(before, bare, change.base.ruleset).items():
        if name in carried and name not in required:
            pairs.append((carried[name], title))
    return pairs


def _carried(change: AdrChange, concept: AdrDocument, doc: AdrDocument) -> dict[str, str]:
    """Return the titles of the ADR sections that have a section of a concept, by its name."""
    ruleset = change.ruleset
    carried: dict[str, str] = {}
    for fate in compare(concept, doc, ruleset.meanings, ruleset.concept_ignored).fates:
        name = _required_name(fate, change.base.ruleset)
        if name and fate.fate in _TAKEN_OVER:
            carried[name] = fate.into
    return carried


def _required(concept: AdrDocument, doc: AdrDocument, ruleset: Ruleset) -> dict[str, str]:
    """Return the titles of the concept sections whose loss in an ADR is an error, by name."""
    titles: dict[str, str] = {}
    for fate in compare(concept, doc, ruleset.meanings, ruleset.concept_ignored).fates:
        name = _required_name(fate, ruleset)
        if name and fate.lost:
            titles.setdefault(name, fate.title)
    return titles


def _required_name(fate: SectionFate, ruleset: Ruleset) -> str:
    """Return the name by which the loss of a section is an error, "" if it is not one."""
    configured = ruleset.severities.get("concept-section-missing", "")
    if configured not in ("", "error"):
        return ""
    names = (*fate.meanings, normalise(fate.title))
    for name in names:
        if name in ruleset.vocabulary.critical:
            return name
    return names[0] if configured else ""


def _without(doc: AdrDocument, titles: Collection[str]) -> AdrDocument:
    """Return a document without the sections of some titles, and without the sections in or around
    them.
    """
    removed = [section for section in doc.sections if section.title in titles]
    sections = tuple(section for section in doc.sections if not _overlaps(section, removed))
    return doc._replace(sections=sections)


def _overlaps(section: Section, others: list[Section]) -> bool:
    return any(
        section.stop > other.heading_start and section.heading_start < other.stop
        for other in others
    )
