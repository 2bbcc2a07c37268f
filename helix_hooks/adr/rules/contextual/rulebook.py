"""Parse the rules file. Unknown keys are errors, so that a typo cannot disable a rule.

`docs/configuration.md` describes the format.
"""

import re
from collections.abc import Collection
from itertools import repeat
from typing import NamedTuple

from ....yaml_reader import Value
from ...model import HELIX, Template, required
from ...names import FIELDS, Meanings, display_name, field_name, normalise
from . import rule as contextual

_REQUIRED_KEYS = ("id", "when", "require", "message")
_OPTIONAL_TEXTS = ("name", "help", "explanation")
_RULE_KEYS = (*_REQUIRED_KEYS, *_OPTIONAL_TEXTS, "severity", "severity_elsewhere")
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
    contextual: tuple[contextual.ContextualRule, ...]
    fields: tuple[str, ...]
    error_fields: frozenset[str]
    values: dict[str, tuple[str, ...]]


def parse(
    root: Value, meanings: Meanings, reserved: Collection[str] = (), *, trusted: bool = False
) -> Rulebook:
    """Parse a rules file.

    `reserved` are the ids of built-in rules, which a contextual rule may not reuse. `trusted` takes
    the patterns as they are: for the packaged file, whose patterns the tests compile.

    Raises:
        ConfigError: The file is invalid. The error has the line, the key and the allowed values.
    """
    return _Parser(root, meanings, trusted).book(reserved)


class _Parser:
    """Parses one rules file; its methods raise ConfigError."""

    def __init__(self, root: Value, meanings: Meanings, trusted: bool) -> None:
        self._meanings, self._trusted = meanings, trusted
        entries = root.mapping(("_meta", "base_rules", "contextual_rules"))
        if not entries.keys() & {"base_rules", "contextual_rules"}:
            raise root.fail("the rules file has neither base_rules nor contextual_rules")
        self._fields = set(FIELDS)
        if "_meta" in entries:
            meta = entries["_meta"].mapping(("version", "description", "fields"))
            if "fields" in meta:
                # Header fields that a repository declares for its own rules.
                self._fields.update(map(field_name, meta["fields"].texts()))
        fields = sorted(self._fields)
        self._keys = ["any", "all", *_PHRASES, *fields, *map("{}_not_empty".format, fields)]
        self._listed = (
            f"any, all, {', '.join(_PHRASES)}, the fields {', '.join(fields)}, and each of "
            "them with _not_empty; declare a field of your own in _meta.fields"
        )
        self._helix = HELIX
        if "base_rules" in entries:
            base = entries["base_rules"].mapping(_BASE_KEYS)
            if "required_sections" in base:
                names = base["required_sections"].texts()
                sections = tuple(map(required, names, repeat(meanings)))
                self._helix = self._helix._replace(sections=sections)
            if "min_acceptance_criteria" in base:
                minimum = base["min_acceptance_criteria"].integer(0)
                self._helix = self._helix._replace(min_acceptance_criteria=minimum)
            if "min_section_length" in base:
                minimum = base["min_section_length"].integer(0)
                self._helix = self._helix._replace(min_section_length=minimum)
        self._required = {normalise(section.name) for section in self._helix.sections}
        self._items: list[Value] = []
        if "contextual_rules" in entries:
            self._items = entries["contextual_rules"].sequence()

    def book(self, reserved: Collection[str]) -> Rulebook:
        """Return the content of the file. Raises ConfigError for an id that is used twice."""
        rules: dict[str, contextual.ContextualRule] = {}
        fields: dict[str, None] = {}
        error_fields: set[str] = set()
        values: dict[str, tuple[str, ...]] = {}
        for item in self._items:
            rule = self._rule(item)
            if rule.id in reserved or rule.id in rules:
                owner = "a built-in rule" if rule.id in reserved else "another rule of this file"
                raise item.mapping()["id"].fail(
                    f"{rule.id!r} is already used by {owner}; choose another"
                )
            rules[rule.id] = rule
            for condition in contextual.fields_asked(rule.when):
                fields[condition.field] = None
                if rule.severity == "error":
                    error_fields.add(condition.field)
                if isinstance(condition, contextual.FieldIs):
                    known = values.get(condition.field, ())
                    values[condition.field] = tuple(dict.fromkeys((*known, *condition.values)))
        return Rulebook(
            self._helix, tuple(rules.values()), tuple(fields), frozenset(error_fields), values
        )

    def _rule(self, value: Value) -> contextual.ContextualRule:
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
        return contextual.ContextualRule(
            id=id,
            when=self._when(entries["when"]),
            requirements=self._requirements(entries["require"]),
            severity=severity,
            message=entries["message"].text(),
            severity_elsewhere=elsewhere,
            is_packaged=self._trusted,
            **texts,
        )

    def _when(self, value: Value) -> contextual.All:
        conditions: list[contextual.Condition] = []
        for key, entry in value.mapping(self._keys, listed=self._listed).items():
            if key in ("all", "any"):
                inner = tuple(map(self._when, entry.sequence()))
                if key == "any" and not inner:
                    raise entry.fail(
                        "the list is empty, so the rule can never apply; add a condition"
                    )
                conditions.append(
                    contextual.All(inner) if key == "all" else contextual.AnyOf(inner)
                )
            elif not entry.data:
                raise entry.fail("the value is empty, so the rule can never apply; add a value")
            elif key in _PHRASES:
                for item in entry.one_or_more():
                    if not re.search(r"\w", item.text()):
                        raise item.fail(f"{item.text()!r} has no word, so the rule can never apply")
                phrases = tuple(map(str.lower, entry.texts()))
                conditions.append(
                    contextual.ContentContains(phrases, must_assert=key == "content_asserts")
                )
            elif key.endswith("_not_empty"):
                conditions.append(
                    contextual.FieldNotEmpty(key.removesuffix("_not_empty"), entry.boolean())
                )
            else:
                conditions.append(contextual.FieldIs(key, tuple(map(str.casefold, entry.texts()))))
        return contextual.All(tuple(conditions))

    def _requirements(self, value: Value) -> tuple[contextual.Requirement, ...]:
        entries = value.mapping(_REQUIREMENTS)
        requirements: list[contextual.Requirement] = []
        if "sections" in entries:
            requirements += map(self._section, entries["sections"].sequence())
        if "content_patterns" in entries:
            requirements += map(self._pattern, entries["content_patterns"].sequence())
        if "mentions" in entries:
            requirements.append(
                contextual.Mentions(entries["mentions"].choice(sorted(self._fields)))
            )
        if "acceptance_criteria_keywords" in entries:
            keywords = entries["acceptance_criteria_keywords"]
            if not keywords.texts():
                raise keywords.fail("the list is empty, so no criterion can match; add a keyword")
            requirements.append(contextual.CriteriaKeywords(keywords.texts()))
        if not requirements:
            raise value.fail(
                "no requirement; add sections, content_patterns, mentions or "
                "acceptance_criteria_keywords"
            )
        return tuple(requirements)

    def _section(self, value: Value) -> contextual.RequiredSection:
        entries = value.mapping(("name", "min_length", "required_elements"), ("name",))
        name = entries["name"].text()
        self._required.add(normalise(name))
        elements: list[contextual.Element] = []
        if "required_elements" in entries:
            for item in entries["required_elements"].sequence():
                is_named = isinstance(item.data, dict)
                named = item.mapping(("pattern", "name"), ("pattern",)) if is_named else {}
                elements.append(self._element(named or {"pattern": item}))
        return contextual.RequiredSection(
            name=name,
            meanings=required(name, self._meanings).meanings,
            min_length=entries["min_length"].integer(0) if "min_length" in entries else 0,
            elements=tuple(elements),
        )

    def _pattern(self, value: Value) -> contextual.ContentPattern:
        keys = ("pattern", "name", "location", "min_matches", "code")
        entries = value.mapping(keys, ("pattern",))
        location = entries["location"].text() if "location" in entries else "any"
        is_section = self._meanings.of(location) or normalise(location) in self._required
        if location not in contextual.LOCATIONS and not is_section:
            names = dict.fromkeys(map(str.lower, map(display_name, self._meanings.names.values())))
            # `choice` raises the error that lists all names.
            entries["location"].choice([*contextual.LOCATIONS, *names])
        return contextual.ContentPattern(
            element=self._element(entries),
            location=location,
            meanings=required(location, self._meanings).meanings,
            min_matches=entries["min_matches"].integer(1) if "min_matches" in entries else 1,
            code=entries["code"].boolean() if "code" in entries else True,
        )

    def _element(self, entries: dict[str, Value]) -> contextual.Element:
        """Return the element of a `pattern` and its optional `name`.

        Refuse a text that is no regular expression, or one that matches the empty text.
        """
        pattern = entries["pattern"].text()
        if not self._trusted:
            shown = f"{pattern[:_MAX_SHOWN]}..." if len(pattern) > _MAX_SHOWN else pattern
            try:
                matches_all = re.search(pattern, "", re.IGNORECASE)
            except (re.error, RecursionError, OverflowError) as error:
                raise entries["pattern"].fail(
                    f"{shown!r} is not a regular expression: {error}"
                ) from None
            if matches_all:
                raise entries["pattern"].fail(
                    f"{shown!r} matches the empty string; make it match at least one character"
                )
        return contextual.Element(pattern, entries["name"].text() if "name" in entries else "")
