"""Templates of a repository's own: `templates` in its settings. Pure."""

from collections.abc import Collection

from ..adr.model import MADR_STATUSES, Required, Template, required
from ..adr.names import Meanings, Statuses, field_name, normalise
from ..finding import SEVERITIES
from ..yaml_reader import Value
from . import values
from .declaration import Type, key, section

BUILT_IN = ("auto", "helix", "madr", "nygard")


class _Section:
    name = key(values.TEXT, example="Risks", required=True)
    """The name of the section."""
    aliases = key(values.TEXTS, example=["Wagnisse"])
    """Other headings with the same meaning, in this template."""
    severity = key(Type(None, {"enum": SEVERITIES, "default": "error"}))
    """The severity of the finding if the section is missing."""


_SECTION = section(_Section, also="text")
_SECTIONS = Type(None, {"type": "array", "items": _SECTION})
_FIELDS = Type(lambda value: tuple(map(field_name, value.texts())), values.TEXTS.schema)
_STATUSES = Type(None, {"type": "array", "items": values.TEXT})


class _Template:
    sections = key(_SECTIONS, example=["Context", "Decision"], required=True)
    """Required sections, in any order. They are found by meaning: case, numbering, language and the
    usual variants do not matter.
    """
    optional = key(_SECTIONS)
    """Sections that may be missing, but not empty."""
    header = key(_FIELDS, field="fields", example=["status"])
    """Required header fields."""
    statuses = key(_STATUSES, example=["Proposed", "Accepted", "Superseded"])
    """The statuses that an ADR may have. A status of your own needs a meaning in
    `aliases.statuses`.
    """
    min_section_length = key(values.integer(0))
    """Characters of prose that each required section must have."""
    min_acceptance_criteria = key(values.integer(0))
    """Acceptance criteria that an ADR must have, if Acceptance Criteria is among the sections."""


TEMPLATE = section(_Template)._replace(default=Template("", ()))
TEMPLATES = Type(
    None,
    {
        "type": "object",
        "propertyNames": {"not": {"enum": BUILT_IN}},
        "additionalProperties": TEMPLATE,
    },
)


def parse_templates(
    value: Value, means: Meanings, words: Statuses, others: Collection[str]
) -> dict[str, Template]:
    """Return the templates of a section. `others` are the names of those that exist.

    Raises:
        ConfigError: A template is invalid, or has the name of another one.
    """
    own: dict[str, Template] = {}
    for name, item in value.mapping().items():
        if name == "auto" or name in others:
            raise item.fail(f"{name!r} is the name of a built-in template; choose another name")
        entries = TEMPLATE.entries(item)
        sections = _sections(entries["sections"], means, ())
        template: Template = TEMPLATE.read(item, Template(name=name, sections=sections))
        if "optional" in entries:
            template = template._replace(optional=_sections(entries["optional"], means, sections))
        if "statuses" in entries:
            statuses = [_status(status, words) for status in entries["statuses"].sequence()]
            template = template._replace(statuses=tuple(statuses))
        own[name] = template
    return own


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
    entries = _SECTION.entries(value)
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
