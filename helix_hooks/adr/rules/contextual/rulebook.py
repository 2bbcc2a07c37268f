"""The rules file to rules: strict, so that a rule never falls silent because of a typing error.

The format is that of the original design. Added to it are `help`, `explanation`, `mentions`, lists
in `when`, `code` in a pattern, `name` beside a pattern (how messages call it), and `_meta.fields`
for header fields of a repository's own.
"""

import re
from collections.abc import Collection, Iterator

from ....records import NamedTuple
from ....yaml_values import Value
from ...names.aliases import FIELDS
from ...names.field import field_name
from ...names.heading import Meanings, display_name, normalise
from ...template import HELIX, Template, required
from .requirement import (
    LOCATIONS,
    ContentPattern,
    CriteriaKeywords,
    Element,
    Mentions,
    RequiredSection,
    Requirement,
    readable,
)
from .rule import (
    All,
    AnyOf,
    Condition,
    ContentContains,
    ContextualRule,
    FieldIs,
    FieldNotEmpty,
    fields_asked,
)

_RULE_KEYS = (
    "id",
    "name",
    "when",
    "require",
    "severity",
    "severity_elsewhere",
    "message",
    "help",
    "explanation",
)
_SEVERITIES = ("error", "warning", "info")
_PHRASES = ("content_contains", "content_asserts")
_SHOWN = 200
_MOST_STEPS = 12_000
"""Steps that all patterns of a file may take together from one place of a text; see `pattern`."""
_ALLOWED = (
    "give repeats an upper limit such as {1,40}, let what follows one begin with something "
    "else, and repeat nothing that is repeated"
)
_BASE_KEYS = ("required_sections", "min_acceptance_criteria", "min_section_length")


class Rulebook(NamedTuple):
    """The content of a rules file: the helix template and the contextual rules."""

    helix: Template
    contextual: tuple[ContextualRule, ...]

    def values(self) -> dict[str, tuple[str, ...]]:
        """The values that the rules ask for, by header field, in lower case."""
        found: dict[str, tuple[str, ...]] = {}
        for rule in self.contextual:
            for field in fields_asked(rule.when):
                if isinstance(field, FieldIs):
                    found[field.field] = tuple(
                        dict.fromkeys((*found.get(field.field, ()), *field.values))
                    )
        return found

    def fields(self) -> tuple[str, ...]:
        """The header fields that the rules ask for."""
        return tuple(
            dict.fromkeys(
                field.field for rule in self.contextual for field in fields_asked(rule.when)
            )
        )

    def error_fields(self) -> frozenset[str]:
        """The header fields on which an error depends."""
        return frozenset(
            field.field
            for rule in self.contextual
            if rule.severity == "error"
            for field in fields_asked(rule.when)
        )


class _Names(NamedTuple):
    fields: frozenset[str]
    conditions: tuple[str, ...]
    listed: str
    sections: frozenset[str]
    meanings: Meanings
    trusted: bool


def parse(
    root: Value, meanings: Meanings, taken: Collection[str] = (), trusted: bool = False
) -> Rulebook:
    """The rules in a file, or a ConfigError with line, key trail and what is allowed.

    `taken` are ids of built-in rules, which a contextual rule may not reuse. `trusted` takes the
    patterns as they are, for the packaged file, whose patterns the tests compile.
    """
    entries = root.mapping(("_meta", "base_rules", "contextual_rules"))
    if not entries.keys() & {"base_rules", "contextual_rules"}:
        raise root.fail("the rules file has neither base_rules nor contextual_rules")
    fields = frozenset(FIELDS) | _meta(entries.get("_meta"))
    helix = _base(entries["base_rules"], meanings) if "base_rules" in entries else HELIX
    items = entries["contextual_rules"].sequence() if "contextual_rules" in entries else []
    conditions, listed = _conditions(fields)
    names = _Names(
        fields=fields,
        conditions=conditions,
        listed=listed,
        sections=_section_names(items, helix),
        meanings=meanings,
        trusted=trusted,
    )
    rules: dict[str, ContextualRule] = {}
    steps = 0
    for item in items:
        rule = _rule(item, names)
        steps += 0 if trusted else _steps(rule)
        if steps > _MOST_STEPS:
            raise item.fail(
                "the patterns up to here could hold up a check; use fewer of them, or fewer "
                "repeats (+, *) in them"
            )
        if rule.id in taken or rule.id in rules:
            other = "a built-in rule" if rule.id in taken else "another rule of this file"
            raise item.mapping()["id"].fail(
                f"{rule.id!r} is already the id of {other}; choose another"
            )
        rules[rule.id] = rule
    return Rulebook(helix, tuple(rules.values()))


def _conditions(fields: frozenset[str]) -> tuple[tuple[str, ...], str]:
    """The keys that a `when` may have, and how a message lists them."""
    keys = ("any", "all", *_PHRASES, *fields, *(f"{name}_not_empty" for name in fields))
    shown = (
        f"any, all, {', '.join(_PHRASES)}, the fields {', '.join(sorted(fields))}, and each of "
        "them with _not_empty"
    )
    return keys, f"{shown}; declare a field of your own in _meta.fields"


def _meta(value: Value | None) -> frozenset[str]:
    entries = value.mapping(("version", "description", "fields")) if value else {}
    return (
        frozenset(field_name(name) for name in entries["fields"].texts())
        if "fields" in entries
        else frozenset()
    )


def _base(value: Value, meanings: Meanings) -> Template:
    entries = value.mapping(_BASE_KEYS)
    helix = HELIX
    if "required_sections" in entries:
        helix = helix._replace(
            sections=tuple(
                required(name, meanings) for name in entries["required_sections"].texts()
            )
        )
    if "min_acceptance_criteria" in entries:
        helix = helix._replace(
            min_acceptance_criteria=entries["min_acceptance_criteria"].integer(0)
        )
    if "min_section_length" in entries:
        helix = helix._replace(min_section_length=entries["min_section_length"].integer(0))
    return helix


def _section_names(items: list[Value], helix: Template) -> frozenset[str]:
    """Names a `location` may have besides the known ones: those that this file requires."""
    names = {normalise(section.name) for section in helix.sections}
    for item in items:
        require = item.mapping().get("require")
        sections = require.mapping().get("sections") if require else None
        for section in sections.sequence() if sections else []:
            name = section.mapping().get("name")
            if name:
                names.add(normalise(name.text()))
    return frozenset(names)


def _rule(value: Value, names: _Names) -> ContextualRule:
    entries = value.mapping(_RULE_KEYS, ("id", "when", "require", "message"))
    id = entries["id"].text()
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", id):
        raise entries["id"].fail(
            f"{id!r} is not a rule id; write small letters, digits and hyphens, as in "
            "major-needs-migration"
        )
    severity = entries["severity"].choice(_SEVERITIES) if "severity" in entries else "warning"
    elsewhere = (
        entries["severity_elsewhere"].choice((*_SEVERITIES, "off"))
        if "severity_elsewhere" in entries
        else ""
    )
    texts = {key: entries[key].text() if key in entries else "" for key in ("help", "explanation")}
    name = entries["name"].text() if "name" in entries else id
    when = _when(entries["when"], names)
    return ContextualRule(
        id=id,
        name=name,
        when=when,
        requirements=_require(entries["require"], names),
        severity=severity,
        message=entries["message"].text(),
        severity_elsewhere=elsewhere,
        is_packaged=names.trusted,
        **texts,
    )


def _when(value: Value, names: _Names) -> All:
    entries = value.mapping(names.conditions, listed=names.listed)
    return All(tuple(_condition(key, entry, names) for key, entry in entries.items()))


def _condition(key: str, value: Value, names: _Names) -> Condition:
    if key in ("any", "all"):
        conditions = tuple(_when(item, names) for item in value.sequence())
        if not conditions and key == "any":
            raise value.fail("the list is empty, so the rule could never fire; name a condition")
        return AnyOf(conditions) if key == "any" else All(conditions)
    if not value.data:
        raise value.fail("nothing is named here, so the rule could never fire")
    if key in _PHRASES:
        for item in value.one_or_more():
            if not re.search(r"\w", item.text()):
                raise item.fail(f"{item.text()!r} has no word, so the rule could never fire")
        phrases = tuple(phrase.lower() for phrase in value.texts())
        return ContentContains(phrases, stated=key == "content_asserts")
    if key.endswith("_not_empty"):
        return FieldNotEmpty(key.removesuffix("_not_empty"), value.boolean())
    return FieldIs(key, tuple(text.casefold() for text in value.texts()))


def _require(value: Value, names: _Names) -> tuple[Requirement, ...]:
    entries = value.mapping(
        ("sections", "content_patterns", "acceptance_criteria_keywords", "mentions")
    )
    found: list[Requirement] = []
    if "sections" in entries:
        found += [_section(item, names) for item in entries["sections"].sequence()]
    if "content_patterns" in entries:
        found += [_pattern(item, names) for item in entries["content_patterns"].sequence()]
    if "mentions" in entries:
        found.append(Mentions(entries["mentions"].choice(sorted(names.fields))))
    if "acceptance_criteria_keywords" in entries:
        words = entries["acceptance_criteria_keywords"].texts()
        if not words:
            raise entries["acceptance_criteria_keywords"].fail(
                "nothing is named here, so no criterion could ever do"
            )
        found.append(CriteriaKeywords(words))
    if not found:
        raise value.fail(
            "nothing is required; name sections, content_patterns, mentions or "
            "acceptance_criteria_keywords"
        )
    return tuple(found)


def _section(value: Value, names: _Names) -> RequiredSection:
    entries = value.mapping(("name", "min_length", "required_elements"), ("name",))
    name = entries["name"].text()
    least = entries["min_length"].integer(0) if "min_length" in entries else 0
    elements = entries["required_elements"].sequence() if "required_elements" in entries else []
    return RequiredSection(
        name,
        required(name, names.meanings).meanings,
        least,
        tuple(_element(item, names) for item in elements),
    )


def _pattern(value: Value, names: _Names) -> ContentPattern:
    entries = value.mapping(("pattern", "name", "location", "min_matches", "code"), ("pattern",))
    location = entries["location"].text() if "location" in entries else "any"
    if location not in LOCATIONS:
        _known_section(entries["location"], location, names)
    least = entries["min_matches"].integer(1) if "min_matches" in entries else 1
    code = entries["code"].boolean() if "code" in entries else True
    means = required(location, names.meanings).meanings
    return ContentPattern(_named(entries, names), location, means, least, code)


def _known_section(value: Value, location: str, names: _Names) -> None:
    if names.meanings.of(location) or normalise(location) in names.sections:
        return
    known = [
        display_name(section).lower() for section in dict.fromkeys(names.meanings.names.values())
    ]
    value._replace(data=location).choice([*LOCATIONS, *known])


def _element(value: Value, names: _Names) -> Element:
    if isinstance(value.data, dict):
        return _named(value.mapping(("pattern", "name"), ("pattern",)), names)
    pattern = _regex(value, names)
    return Element(pattern, readable(pattern), names.trusted)


def _named(entries: dict[str, Value], names: _Names) -> Element:
    pattern = _regex(entries["pattern"], names)
    return Element(
        pattern, entries["name"].text() if "name" in entries else readable(pattern), names.trusted
    )


def _regex(value: Value, names: _Names) -> str:
    pattern = value.text()
    if names.trusted:
        return pattern
    from .pattern import SlowError, bounded

    shown = pattern if len(pattern) <= _SHOWN else f"{pattern[:_SHOWN]}..."
    try:
        if bounded(pattern).regex.search(""):
            raise value.fail(
                f"{shown!r} is found in every text, even in an empty one; make it match at least "
                "one character"
            )
    except re.error as error:
        raise value.fail(f"{shown!r} is not a regular expression: {error}") from None
    except SlowError as error:
        raise value.fail(f"{shown!r} could hold up a check: {error}; {_ALLOWED}") from None
    return pattern


def _patterns(rule: ContextualRule) -> Iterator[str]:
    for requirement in rule.requirements:
        if isinstance(requirement, ContentPattern):
            yield requirement.element.pattern
        elif isinstance(requirement, RequiredSection):
            yield from (element.pattern for element in requirement.elements)


def _steps(rule: ContextualRule) -> int:
    """Return the highest cost of the patterns of a rule together."""
    from .pattern import bounded

    return sum(bounded(pattern).steps for pattern in _patterns(rule))
