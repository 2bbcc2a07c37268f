"""The templates that a repository writes in its settings."""

from ..adr.names.field import field_name
from ..adr.names.heading import Meanings, normalise
from ..adr.names.status import Statuses
from ..adr.template import MADR_STATUSES, Required, Template, required
from ..finding import SEVERITIES
from ..yaml_values import Value


def template(name: str, value: Value, means: Meanings, words: Statuses) -> Template:
    """Return a template that the settings write out. Raises ConfigError."""
    entries = value.mapping(
        (
            "sections",
            "optional",
            "header",
            "statuses",
            "min_section_length",
            "min_acceptance_criteria",
        ),
        ("sections",),
    )
    sections = _sections(entries["sections"], means, ())
    found = Template(name=name, sections=sections)
    if "optional" in entries:
        found = found._replace(optional=_sections(entries["optional"], means, sections))
    if "header" in entries:
        found = found._replace(fields=tuple(map(field_name, entries["header"].texts())))
    if "statuses" in entries:
        found = found._replace(
            statuses=tuple(_status(item, words) for item in entries["statuses"].sequence())
        )
    if "min_section_length" in entries:
        found = found._replace(min_section_length=entries["min_section_length"].integer(0))
    if "min_acceptance_criteria" in entries:
        found = found._replace(
            min_acceptance_criteria=entries["min_acceptance_criteria"].integer(0)
        )
    return found


def _sections(value: Value, means: Meanings, above: tuple[Required, ...]) -> tuple[Required, ...]:
    """Return a list of sections. Raises ConfigError for one that occurs twice, also `above`."""
    found: list[Required] = []
    for item in value.sequence():
        section = _section(item, means)
        if any(set(section.meanings) & {*other.meanings} for other in (*above, *found)):
            raise item.fail(f"{section.name!r} means the same as a section above; keep one")
        found.append(section)
    return tuple(found)


def _section(value: Value, means: Meanings) -> Required:
    if isinstance(value.data, str):
        return required(value.text(), means)
    entries = value.mapping(("name", "aliases", "severity"), ("name",))
    section = required(entries["name"].text(), means)
    names = entries["aliases"].texts() if "aliases" in entries else ()
    if "severity" in entries:
        section = section._replace(severity=entries["severity"].choice(SEVERITIES))
    return section._replace(
        meanings=tuple(dict.fromkeys((*section.meanings, *(normalise(name) for name in names))))
    )


def _status(value: Value, words: Statuses) -> str:
    status = words.read(value.text())
    if status is None:
        raise value.fail(
            f"{value.data!r} has no known meaning; give it one with aliases.statuses, of "
            f"{', '.join(MADR_STATUSES)}"
        )
    return status
