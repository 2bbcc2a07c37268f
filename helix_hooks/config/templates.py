"""The templates that a repository defines in its settings."""

from ..adr.names.heading import Meanings, normalise
from ..adr.names.status import Statuses
from ..adr.template import MADR_STATUSES, Required, Template, required
from ..finding import SEVERITIES
from ..yaml_reader import Value
from .settings_file import TEMPLATE, TEMPLATE_SECTION


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
