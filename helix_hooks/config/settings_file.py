"""The declaration of `.helix-hooks.yaml`, and of the same table in pyproject.toml. Pure.

Templates are read here, whose sections depend on each other.
"""

import re

from ..adr.names.field import field_name
from ..adr.names.heading import Meanings, normalise
from ..adr.names.status import Statuses
from ..adr.reference import id_key
from ..adr.rules.registry import OFF, Ruleset
from ..adr.template import MADR_STATUSES, Required, Template, required
from ..finding import SEVERITIES
from ..globs import exclude_globs, path_globs
from ..yaml_reader import Value
from .declaration import (
    TEXT,
    TEXTS,
    Key,
    Type,
    changed,
    higher,
    integer,
    section,
)


def _strict_from(value: Value) -> int:
    """Return the number of the first ADR that all rules apply to: `ADR-042`, `042` or 42."""
    key = id_key(value.text())
    if not key.isdigit():
        raise value.fail(f"invalid ADR number {value.data!r} (expected e.g. ADR-042)")
    return int(key)


def _file(value: Value) -> str:
    path = value.text()
    if "\0" in path or path.startswith(("/", "../", "./")) or "\\" in path or "/../" in path:
        raise value.fail(
            f"invalid path {path!r} (expected relative to the repository root, e.g. "
            ".helix-baseline.json)"
        )
    return path


def _folder(value: Value) -> str:
    path = value.text().rstrip("/")
    is_outside = not {".", "..", ".git"}.isdisjoint(path.split("/"))
    # Only characters that mean the same in patterns and in CODEOWNERS.
    if is_outside or not re.fullmatch(r"[\w.-]+(?:/[\w.-]+)*", path):
        raise value.fail(
            f"invalid folder {value.data!r} (expected relative to the repository root, e.g. "
            "governance/approvals)"
        )
    return path


def _ignores_more(old: Ruleset, new: Ruleset) -> str:
    """Return whether the loss of more concept sections is ignored, or is not an error."""
    is_as_strict = set(new.concept_ignored) <= set(old.concept_ignored)
    if is_as_strict and set(old.vocabulary.critical) <= set(new.vocabulary.critical):
        return ""
    return "ignores more sections"


def _other_words(old: Ruleset, new: Ruleset) -> str:
    is_same = (old.meanings.names, old.statuses.names) == (new.meanings.names, new.statuses.names)
    return "" if is_same else "changed"


def _another_file(old: str, new: str) -> str:
    return changed(old, new) if new else ""


def severities_of(rule: str) -> tuple[str, ...]:
    """Return the severities that a rule may have.

    That of gate-relaxed is fixed: otherwise a change could switch it off for itself.
    """
    return ("error",) if rule == "gate-relaxed" else (*SEVERITIES, OFF)


_BUILT_IN = ("auto", "helix", "madr", "nygard")


class _TemplateSection:
    name = Key(TEXT, example="Risks", required=True)
    """The name of the section."""
    aliases = Key(TEXTS, example=["Wagnisse"])
    """Other headings with the same meaning, in this template."""
    severity = Key(Type(None, {"enum": SEVERITIES, "default": "error"}))
    """The severity of the finding if the section is missing."""


TEMPLATE_SECTION = section(_TemplateSection, also="text")
_SECTIONS = Type(None, {"type": "array", "items": TEMPLATE_SECTION})


class _Template:
    sections = Key(_SECTIONS, example=["Context", "Decision"], required=True)
    """Required sections, in any order. They are found by meaning: case, numbering, language and the
    usual variants do not matter.
    """
    optional = Key(_SECTIONS)
    """Sections that may be missing, but not empty."""
    header = Key(
        Type(lambda value: tuple(map(field_name, value.texts())), TEXTS.schema),
        field="fields",
        example=["status"],
    )
    """Required header fields."""
    statuses = Key(
        Type(None, {"type": "array", "items": TEXT}),
        example=["Proposed", "Accepted", "Superseded"],
    )
    """The statuses that an ADR may have. A status of your own needs a meaning in
    `aliases.statuses`.
    """
    min_section_length = Key(integer(0))
    """Characters of prose that each required section must have."""
    min_acceptance_criteria = Key(integer(0))
    """Acceptance criteria that an ADR must have, if Acceptance Criteria is among the sections."""


TEMPLATE = section(_Template, Template("", ()))
_TEMPLATES = {
    "type": "object",
    "propertyNames": {"not": {"enum": _BUILT_IN}},
    "additionalProperties": TEMPLATE,
}


class _Concept:
    errors = Key(TEXTS, example=["Migration", "Rollback"])
    """Sections whose loss is an error. The loss of another section is a warning."""
    ignore = Key(TEXTS, example=["Timeline"])
    """Sections of the concept that the ADR need not cover."""


class _Aliases:
    sections = Key(
        Type(None, {"type": "object", "additionalProperties": TEXTS}),
        example={"Context": ["Vorgeschichte"]},
    )
    """More headings, by the known section with the same meaning."""
    statuses = Key(
        Type(None, {"type": "object", "additionalProperties": False}),
        example={"Accepted": ["Abgenickt"]},
    )
    """More status words, by the known status with the same meaning."""


CONCEPT, ALIASES = section(_Concept), section(_Aliases)


class _Settings:
    paths = Key(
        Type(path_globs, {"one or more": "path of ADRs", "minItems": 1}),
        None,
        example=["docs/adr/**/*.md"],
    )
    """Which files are ADRs: patterns from the root of the repository. Without it, ADRs are found by
    name.
    """
    exclude = Key(
        Type(exclude_globs, {"one or more": "excluded path"}), None, example=["docs/adr/drafts/**"]
    )
    """Files that are not ADRs, added to the default: READMEs, indexes, templates, concepts and
    packages.
    """
    template = Key(Type(None, "template"), changed, field="ruleset.template", example="madr")
    """The template of the ADRs: auto (recognised for each ADR), helix, madr, nygard, or the name of
    one in `templates`.
    """
    templates = Key(Type(None, _TEMPLATES), None)
    """Templates of your own, by name. `template` selects one."""
    severities = Key(Type(None, "severities"), None, example={"section-too-short": "off"})
    """The severity of a rule: error, warning, info or off."""
    approvals = Key(Type(_folder, "folder"), changed, example="governance/approvals")
    """The folder of rubrics and briefs. It needs an owner in CODEOWNERS."""
    strict_from = Key(
        Type(_strict_from, "ADR"), higher, field="ruleset.strict_from", example="ADR-042"
    )
    """The number of the first ADR to which all rules apply. In older ADRs, findings about
    completeness are only informative.
    """
    concept = Key(Type(None, CONCEPT), _ignores_more, field="ruleset")
    """The comparison of an ADR with its concept."""
    aliases = Key(Type(None, ALIASES), _other_words, field="ruleset")
    """More words for known sections and statuses."""
    baseline = Key(Type(_file, "file"), _another_file, example=".helix-baseline.json")
    """A file with the number of old findings to ignore. `helix-hooks check --write-baseline` writes
    it.
    """


SETTINGS_FILE = section(_Settings, conditions="own templates")


def template(name: str, value: Value, means: Meanings, words: Statuses) -> Template:
    """Return a template of the settings."""
    entries = TEMPLATE.entries(value)
    sections = _sections(entries["sections"], means, ())
    template: Template = TEMPLATE.read(value, Template(name=name, sections=sections))
    if "optional" in entries:
        template = template._replace(optional=_sections(entries["optional"], means, sections))
    if "statuses" in entries:
        statuses = [_status(item, words) for item in entries["statuses"].sequence()]
        template = template._replace(statuses=tuple(statuses))
    return template


def _sections(value: Value, means: Meanings, above: tuple[Required, ...]) -> tuple[Required, ...]:
    """Return a list of sections. Raise ConfigError for one that occurs twice, or is in `above`."""
    sections: list[Required] = []
    for item in value.sequence():
        section = _section(item, means)
        meanings = set(section.meanings)
        if not all(meanings.isdisjoint(other.meanings) for other in (*above, *sections)):
            raise item.fail(
                f"{section.name!r} has the same meaning as a section above; remove one of the two"
            )
        sections.append(section)
    return tuple(sections)


def _section(value: Value, means: Meanings) -> Required:
    if isinstance(value.data, str):
        return required(value.text(), means)
    entries = TEMPLATE_SECTION.entries(value)
    section = required(entries["name"].text(), means)
    aliases = entries["aliases"].texts() if "aliases" in entries else ()
    if "severity" in entries:
        section = section._replace(severity=entries["severity"].choice(SEVERITIES))
    meanings = dict.fromkeys((*section.meanings, *map(normalise, aliases)))
    return section._replace(meanings=tuple(meanings))


def _status(value: Value, words: Statuses) -> str:
    status = words.read(value.text())
    if status is None:
        raise value.fail(
            f"unknown status {value.data!r}; map it in aliases.statuses to one of "
            f"{', '.join(MADR_STATUSES)}"
        )
    return status
