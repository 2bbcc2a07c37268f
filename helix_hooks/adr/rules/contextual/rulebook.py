"""Parse the rules file. Unknown keys are errors, so that a typo cannot disable a rule.

`docs/configuration.md` describes the format.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from ....yaml_reader import Value
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
_REQUIRED_KEYS = ("id", "when", "require", "message")
_OPTIONAL_TEXTS = ("name", "help", "explanation")
_REQUIREMENTS = ("sections", "content_patterns", "acceptance_criteria_keywords", "mentions")
_SEVERITIES = ("error", "warning", "info")
_PHRASES = ("content_contains", "content_asserts")
_ID = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_MAX_SHOWN = 200
_BASE_KEYS = ("required_sections", "min_acceptance_criteria", "min_section_length")


class Rulebook(NamedTuple):
    """The content of a rules file: the helix template and the contextual rules."""

    helix: Template
    contextual: tuple[ContextualRule, ...]

    def values(self) -> dict[str, tuple[str, ...]]:
        """Return the values that the rules use, by header field, in lower case."""
        values: dict[str, dict[str, None]] = {}
        for rule in self.contextual:
            for condition in fields_asked(rule.when):
                if isinstance(condition, FieldIs):
                    values.setdefault(condition.field, {}).update(dict.fromkeys(condition.values))
        return {field: tuple(used) for field, used in values.items()}

    def fields(self) -> tuple[str, ...]:
        """Return the header fields that the rules use."""
        return tuple(dict.fromkeys(_fields_of(self.contextual)))

    def error_fields(self) -> frozenset[str]:
        """Return the header fields that rules with severity error use."""
        return frozenset(_fields_of(rule for rule in self.contextual if rule.severity == "error"))


def _fields_of(rules: Iterable[ContextualRule]) -> Iterator[str]:
    for rule in rules:
        for condition in fields_asked(rule.when):
            yield condition.field


class _Context(NamedTuple):
    """The facts by which the values of a rules file are read.

    `conditions` are the keys that `when` may have, `listed` how a message lists them. `sections`
    are the normalised names that the file requires. `trusted` tells that patterns are not tested.
    """

    fields: frozenset[str]
    conditions: tuple[str, ...]
    listed: str
    sections: frozenset[str]
    meanings: Meanings
    trusted: bool


def parse(
    root: Value, meanings: Meanings, reserved: Collection[str] = (), *, trusted: bool = False
) -> Rulebook:
    """Parse a rules file.

    `reserved` are the ids of built-in rules, which a contextual rule may not reuse. `trusted` takes
    the patterns as they are: for the packaged file, whose patterns the tests compile.

    Raises:
        ConfigError: The file is invalid. The error has the line, the key and the allowed values.
    """
    entries = root.mapping(("_meta", "base_rules", "contextual_rules"))
    if not entries.keys() & {"base_rules", "contextual_rules"}:
        raise root.fail("the rules file has neither base_rules nor contextual_rules")
    fields = frozenset(FIELDS) | _declared_fields(entries.get("_meta"))
    helix = _base(entries["base_rules"], meanings) if "base_rules" in entries else HELIX
    items = entries["contextual_rules"].sequence() if "contextual_rules" in entries else []
    conditions, listed = _conditions(fields)
    context = _Context(
        fields=fields,
        conditions=conditions,
        listed=listed,
        sections=_section_names(items, helix),
        meanings=meanings,
        trusted=trusted,
    )
    return Rulebook(helix, _rules(items, context, reserved))


def _rules(
    items: list[Value], context: _Context, reserved: Collection[str]
) -> tuple[ContextualRule, ...]:
    rules: dict[str, ContextualRule] = {}
    for item in items:
        rule = _rule(item, context)
        if rule.id in reserved or rule.id in rules:
            owner = "a built-in rule" if rule.id in reserved else "another rule of this file"
            raise item.mapping()["id"].fail(
                f"{rule.id!r} is already used by {owner}; choose another"
            )
        rules[rule.id] = rule
    return tuple(rules.values())


def _conditions(fields: frozenset[str]) -> tuple[tuple[str, ...], str]:
    """Return the keys that a `when` may have, and how a message lists them."""
    keys = ("any", "all", *_PHRASES, *fields, *(f"{name}_not_empty" for name in fields))
    listed = (
        f"any, all, {', '.join(_PHRASES)}, the fields {', '.join(sorted(fields))}, and each of "
        "them with _not_empty"
    )
    return keys, f"{listed}; declare a field of your own in _meta.fields"


def _declared_fields(meta: Value | None) -> frozenset[str]:
    """Return the header fields that a repository declares for its own rules."""
    entries = meta.mapping(("version", "description", "fields")) if meta else {}
    if "fields" not in entries:
        return frozenset()
    return frozenset(field_name(name) for name in entries["fields"].texts())


def _base(value: Value, meanings: Meanings) -> Template:
    """Return the helix template with what `base_rules` changes in it."""
    entries = value.mapping(_BASE_KEYS)
    helix = HELIX
    if "required_sections" in entries:
        names = entries["required_sections"].texts()
        helix = helix._replace(sections=tuple(required(name, meanings) for name in names))
    if "min_acceptance_criteria" in entries:
        minimum = entries["min_acceptance_criteria"].integer(0)
        helix = helix._replace(min_acceptance_criteria=minimum)
    if "min_section_length" in entries:
        helix = helix._replace(min_section_length=entries["min_section_length"].integer(0))
    return helix


def _section_names(items: list[Value], helix: Template) -> frozenset[str]:
    """Return the names of sections that this file requires; a `location` may be one of them."""
    names = {normalise(section.name) for section in helix.sections}
    for item in items:
        require = item.mapping().get("require")
        sections = require.mapping().get("sections") if require else None
        for section in sections.sequence() if sections else []:
            name = section.mapping().get("name")
            if name:
                names.add(normalise(name.text()))
    return frozenset(names)


def _rule(value: Value, context: _Context) -> ContextualRule:
    entries = value.mapping(_RULE_KEYS, _REQUIRED_KEYS)
    id = entries["id"].text()
    if not re.fullmatch(_ID, id):
        raise entries["id"].fail(
            f"{id!r} is not a valid rule id; use lowercase letters, digits and hyphens, e.g. "
            "major-needs-migration"
        )
    severity, elsewhere = "warning", ""
    if "severity" in entries:
        severity = entries["severity"].choice(_SEVERITIES)
    if "severity_elsewhere" in entries:
        elsewhere = entries["severity_elsewhere"].choice((*_SEVERITIES, "off"))
    texts = {key: entries[key].text() for key in _OPTIONAL_TEXTS if key in entries}
    return ContextualRule(
        id=id,
        when=_when(entries["when"], context),
        requirements=_requirements(entries["require"], context),
        severity=severity,
        message=entries["message"].text(),
        severity_elsewhere=elsewhere,
        is_packaged=context.trusted,
        **{"name": id, **texts},
    )


def _when(value: Value, context: _Context) -> All:
    entries = value.mapping(context.conditions, listed=context.listed)
    return All(tuple(_condition(key, entry, context) for key, entry in entries.items()))


def _condition(key: str, value: Value, context: _Context) -> Condition:
    if key == "all":
        return All(_inner_conditions(value, context))
    if key == "any":
        conditions = _inner_conditions(value, context)
        if not conditions:
            raise value.fail("the list is empty, so the rule can never apply; add a condition")
        return AnyOf(conditions)
    return _simple_condition(key, value)


def _simple_condition(key: str, value: Value) -> Condition:
    if not value.data:
        raise value.fail("the value is empty, so the rule can never apply; add a value")
    if key in _PHRASES:
        return _phrases(value, must_assert=key == "content_asserts")
    if key.endswith("_not_empty"):
        return FieldNotEmpty(key.removesuffix("_not_empty"), value.boolean())
    return FieldIs(key, tuple(text.casefold() for text in value.texts()))


def _inner_conditions(value: Value, context: _Context) -> tuple[All, ...]:
    return tuple(_when(item, context) for item in value.sequence())


def _phrases(value: Value, *, must_assert: bool) -> ContentContains:
    for item in value.one_or_more():
        if not re.search(r"\w", item.text()):
            raise item.fail(f"{item.text()!r} has no word, so the rule can never apply")
    return ContentContains(tuple(phrase.lower() for phrase in value.texts()), must_assert)


def _requirements(value: Value, context: _Context) -> tuple[Requirement, ...]:
    entries = value.mapping(_REQUIREMENTS)
    requirements: list[Requirement] = []
    if "sections" in entries:
        requirements += [_section(item, context) for item in entries["sections"].sequence()]
    if "content_patterns" in entries:
        requirements += [_pattern(item, context) for item in entries["content_patterns"].sequence()]
    if "mentions" in entries:
        requirements.append(Mentions(entries["mentions"].choice(sorted(context.fields))))
    if "acceptance_criteria_keywords" in entries:
        requirements.append(_criteria_keywords(entries["acceptance_criteria_keywords"]))
    if not requirements:
        raise value.fail(
            "no requirement; add sections, content_patterns, mentions or "
            "acceptance_criteria_keywords"
        )
    return tuple(requirements)


def _criteria_keywords(value: Value) -> CriteriaKeywords:
    words = value.texts()
    if not words:
        raise value.fail("the list is empty, so no criterion can match; add a keyword")
    return CriteriaKeywords(words)


def _section(value: Value, context: _Context) -> RequiredSection:
    entries = value.mapping(("name", "min_length", "required_elements"), ("name",))
    name = entries["name"].text()
    elements: list[Value] = []
    if "required_elements" in entries:
        elements = entries["required_elements"].sequence()
    return RequiredSection(
        name=name,
        meanings=required(name, context.meanings).meanings,
        min_length=entries["min_length"].integer(0) if "min_length" in entries else 0,
        elements=tuple(_element(item, context) for item in elements),
    )


def _pattern(value: Value, context: _Context) -> ContentPattern:
    entries = value.mapping(("pattern", "name", "location", "min_matches", "code"), ("pattern",))
    location = entries["location"].text() if "location" in entries else "any"
    if location not in LOCATIONS:
        _require_known_section(entries["location"], location, context)
    return ContentPattern(
        element=_named(entries, context),
        location=location,
        meanings=required(location, context.meanings).meanings,
        min_matches=entries["min_matches"].integer(1) if "min_matches" in entries else 1,
        code=entries["code"].boolean() if "code" in entries else True,
    )


def _require_known_section(value: Value, location: str, context: _Context) -> None:
    if context.meanings.of(location) or normalise(location) in context.sections:
        return
    sections = dict.fromkeys(context.meanings.names.values())
    names = [display_name(section).lower() for section in sections]
    # `choice` raises the error that lists all names.
    value._replace(data=location).choice([*LOCATIONS, *names])


def _element(value: Value, context: _Context) -> Element:
    if isinstance(value.data, dict):
        return _named(value.mapping(("pattern", "name"), ("pattern",)), context)
    pattern = _regex(value, context)
    return Element(pattern, readable(pattern))


def _named(entries: dict[str, Value], context: _Context) -> Element:
    pattern = _regex(entries["pattern"], context)
    name = entries["name"].text() if "name" in entries else readable(pattern)
    return Element(pattern, name)


def _regex(value: Value, context: _Context) -> str:
    pattern = value.text()
    if context.trusted:
        return pattern
    shown = pattern
    if len(pattern) > _MAX_SHOWN:
        shown = f"{pattern[:_MAX_SHOWN]}..."
    try:
        matches_all = re.search(pattern, "", re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as error:
        raise value.fail(f"{shown!r} is not a regular expression: {error}") from None
    if matches_all:
        raise value.fail(
            f"{shown!r} matches the empty string; make it match at least one character"
        )
    return pattern
