"""Parse the rules file. Unknown keys are errors, so that a typo cannot disable a rule.

`docs/configuration.md` describes the format.
"""

import re
from collections.abc import Collection
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
    """The content of a rules file: the helix template and the contextual rules.

    `fields` are the header fields that the rules use, `error_fields` those of rules with severity
    error. `values` are the values that the rules compare, by header field, in lower case.
    """

    helix: Template
    contextual: tuple[ContextualRule, ...]
    fields: tuple[str, ...]
    error_fields: frozenset[str]
    values: dict[str, tuple[str, ...]]


class _Context(NamedTuple):
    """The facts by which the values of a rules file are read.

    `conditions` are the keys that `when` may have, `listed` how a message lists them. `items` are
    all rules. `trusted` tells that patterns are not tested.
    """

    fields: frozenset[str]
    conditions: tuple[str, ...]
    listed: str
    helix: Template
    items: list[Value]
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
    fields = set(FIELDS)
    if "_meta" in entries:
        meta = entries["_meta"].mapping(("version", "description", "fields"))
        if "fields" in meta:
            # Header fields that a repository declares for its own rules.
            fields.update(map(field_name, meta["fields"].texts()))
    listed = (
        f"any, all, {', '.join(_PHRASES)}, the fields {', '.join(sorted(fields))}, and each of "
        "them with _not_empty; declare a field of your own in _meta.fields"
    )
    context = _Context(
        fields=frozenset(fields),
        conditions=("any", "all", *_PHRASES, *fields, *(f"{name}_not_empty" for name in fields)),
        listed=listed,
        helix=_helix(entries["base_rules"], meanings) if "base_rules" in entries else HELIX,
        items=entries["contextual_rules"].sequence() if "contextual_rules" in entries else [],
        meanings=meanings,
        trusted=trusted,
    )
    rules: dict[str, ContextualRule] = {}
    for item in context.items:
        rule = _rule(item, context)
        if rule.id in reserved or rule.id in rules:
            owner = "a built-in rule" if rule.id in reserved else "another rule of this file"
            raise item.mapping()["id"].fail(
                f"{rule.id!r} is already used by {owner}; choose another"
            )
        rules[rule.id] = rule
    return _book(context.helix, tuple(rules.values()))


def _book(helix: Template, rules: tuple[ContextualRule, ...]) -> Rulebook:
    fields: dict[str, None] = {}
    error_fields: set[str] = set()
    values: dict[str, tuple[str, ...]] = {}
    for rule in rules:
        for condition in fields_asked(rule.when):
            fields[condition.field] = None
            if rule.severity == "error":
                error_fields.add(condition.field)
            if isinstance(condition, FieldIs):
                known = values.get(condition.field, ())
                values[condition.field] = tuple(dict.fromkeys((*known, *condition.values)))
    return Rulebook(helix, rules, tuple(fields), frozenset(error_fields), values)


def _helix(value: Value, meanings: Meanings) -> Template:
    """Return the helix template with what `base_rules` changes in it."""
    entries = value.mapping(_BASE_KEYS)
    helix = HELIX
    if "required_sections" in entries:
        names = entries["required_sections"].texts()
        helix = helix._replace(sections=tuple([required(name, meanings) for name in names]))
    if "min_acceptance_criteria" in entries:
        minimum = entries["min_acceptance_criteria"].integer(0)
        helix = helix._replace(min_acceptance_criteria=minimum)
    if "min_section_length" in entries:
        helix = helix._replace(min_section_length=entries["min_section_length"].integer(0))
    return helix


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
    texts = {"name": id}
    for key in _OPTIONAL_TEXTS:
        if key in entries:
            texts[key] = entries[key].text()
    return ContextualRule(
        id=id,
        when=_when(entries["when"], context),
        requirements=_requirements(entries["require"], context),
        severity=severity,
        message=entries["message"].text(),
        severity_elsewhere=elsewhere,
        is_packaged=context.trusted,
        **texts,
    )


def _when(value: Value, context: _Context) -> All:
    conditions: list[Condition] = []
    for key, entry in value.mapping(context.conditions, listed=context.listed).items():
        conditions.append(_condition(key, entry, context))
    return All(tuple(conditions))


def _condition(key: str, value: Value, context: _Context) -> Condition:
    if key in ("all", "any"):
        inner = tuple([_when(item, context) for item in value.sequence()])
        if key == "all":
            return All(inner)
        if not inner:
            raise value.fail("the list is empty, so the rule can never apply; add a condition")
        return AnyOf(inner)
    if not value.data:
        raise value.fail("the value is empty, so the rule can never apply; add a value")
    if key in _PHRASES:
        for item in value.one_or_more():
            if not re.search(r"\w", item.text()):
                raise item.fail(f"{item.text()!r} has no word, so the rule can never apply")
        phrases = tuple(map(str.lower, value.texts()))
        return ContentContains(phrases, must_assert=key == "content_asserts")
    if key.endswith("_not_empty"):
        return FieldNotEmpty(key.removesuffix("_not_empty"), value.boolean())
    return FieldIs(key, tuple(map(str.casefold, value.texts())))


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
        keywords = entries["acceptance_criteria_keywords"]
        if not keywords.texts():
            raise keywords.fail("the list is empty, so no criterion can match; add a keyword")
        requirements.append(CriteriaKeywords(keywords.texts()))
    if not requirements:
        raise value.fail(
            "no requirement; add sections, content_patterns, mentions or "
            "acceptance_criteria_keywords"
        )
    return tuple(requirements)


def _section(value: Value, context: _Context) -> RequiredSection:
    entries = value.mapping(("name", "min_length", "required_elements"), ("name",))
    name = entries["name"].text()
    elements: list[Element] = []
    if "required_elements" in entries:
        for item in entries["required_elements"].sequence():
            named = {"pattern": item}
            if isinstance(item.data, dict):
                named = item.mapping(("pattern", "name"), ("pattern",))
            elements.append(_element(named, context))
    return RequiredSection(
        name=name,
        meanings=required(name, context.meanings).meanings,
        min_length=entries["min_length"].integer(0) if "min_length" in entries else 0,
        elements=tuple(elements),
    )


def _pattern(value: Value, context: _Context) -> ContentPattern:
    entries = value.mapping(("pattern", "name", "location", "min_matches", "code"), ("pattern",))
    location = entries["location"].text() if "location" in entries else "any"
    if not (location in LOCATIONS or context.meanings.of(location)):
        _require_section(entries["location"], location, context)
    return ContentPattern(
        element=_element(entries, context),
        location=location,
        meanings=required(location, context.meanings).meanings,
        min_matches=entries["min_matches"].integer(1) if "min_matches" in entries else 1,
        code=entries["code"].boolean() if "code" in entries else True,
    )


def _require_section(value: Value, location: str, context: _Context) -> None:
    """Refuse a location that is no section that this file requires."""
    required_names = [section.name for section in context.helix.sections]
    for item in context.items:
        require = item.mapping().get("require")
        sections = require.mapping().get("sections") if require else None
        for section in sections.sequence() if sections else []:
            name = section.mapping().get("name")
            if name:
                required_names.append(name.text())
    if normalise(location) in map(normalise, required_names):
        return
    sections_known = dict.fromkeys(context.meanings.names.values())
    names = [display_name(section).lower() for section in sections_known]
    # `choice` raises the error that lists all names.
    value._replace(data=location).choice([*LOCATIONS, *names])


def _element(entries: dict[str, Value], context: _Context) -> Element:
    """Return the element of a `pattern` and its optional `name`."""
    pattern = entries["pattern"].text()
    if not context.trusted:
        _require_pattern(entries["pattern"], pattern)
    return Element(pattern, entries["name"].text() if "name" in entries else "")


def _require_pattern(value: Value, pattern: str) -> None:
    """Refuse a text that is no regular expression, or one that matches the empty text."""
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
