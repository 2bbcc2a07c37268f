"""The text of a new ADR. The gate reports its blanks until they are filled in."""

import re
import unicodedata
from typing import NamedTuple

from ..adr.template import Required, Template
from ..errors import HelixError
from ..repository import files

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o"})
_LONGEST_SLUG = 80
_FEWEST_CRITERIA = 3
_BLANK = "TODO"
_NUMBERED = re.compile(r"(\W*(?:[A-Za-z]+[-_ #]*)?)(\d{1,6})(\s*[-–—:.)]+\s*)")
"""The start of a title with a number, as in `ADR-007: ` or `7. `."""


def slug(title: str) -> str:
    """Return a title as part of a file name: small letters and digits joined by hyphens."""
    decomposed = unicodedata.normalize("NFKD", title.lower().translate(_UMLAUTS))
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return re.sub(r"[\W_]+", "-", plain).strip("-")[:_LONGEST_SLUG].rstrip("-")


def from_package(template: str, language: str, number: str, title: str, date: str) -> str:
    """Return the text of a packaged template, with its fields filled in."""
    data = files.packaged(f"templates/{template}/{language}.md")
    if data is None:
        missing = f"the template {template} in {language} is missing from the installation"
        raise HelixError(f"{missing}; install helix-hooks again")
    text = data.decode().replace("{date}", date).replace("{number}", number)
    header, heading, body = f"\n{text}".partition("\n# ")
    stated = header.replace("{title}", _quoted(title)[1:-1])
    filled = f"{stated}{heading}{body.replace('{title}', title)}"
    return filled.lstrip("\n")


class Style(NamedTuple):
    """The style of the neighbours: the title of the newest, and the level of their sections."""

    title: str = ""
    level: int = 2


def from_settings(template: Template, number: str, title: str, date: str, style: Style) -> str:
    """Return the fields and sections of a template of the settings.

    The title is numbered, and sections stand at the level, as the neighbours have them.
    """
    prefix = title_prefix(style.title, number)
    known = {
        "adr_id": _quoted(number),
        "title": _quoted(title),
        "date": date,
        "status": template.statuses[0],
    }
    fields = "".join(f"{name}: {known.get(name, _BLANK)}\n" for name in template.fields)
    header = f"---\n{fields}---\n\n" if fields else ""
    sections = "".join(_section(template, section, style.level) for section in template.sections)
    return f"{header}# {prefix}{title}\n{sections}"


def title_prefix(neighbour: str, number: str) -> str:
    """Return the start of a title with a number, in the form of a neighbour's title; "" if it has
    none.
    """
    numbered = _NUMBERED.match(neighbour)
    if not numbered:
        return ""
    return f"{numbered[1]}{str(int(number)).zfill(len(numbered[2]))}{numbered[3]}"


def _quoted(text: str) -> str:
    """Return a text as a YAML string in double quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _section(template: Template, section: Required, level: int) -> str:
    return f"\n{'#' * level} {section.name}\n\n{_guidance(template, section)}\n"


def _guidance(template: Template, section: Required) -> str:
    """Return the blanks of a new section, which the gate reports until they are filled in."""
    if "status" in section.meanings:
        return template.statuses[0]
    if "acceptance-criteria" in section.meanings:
        count = max(_FEWEST_CRITERIA, template.min_acceptance_criteria)
        return "\n".join(["- [ ] {Something that can be checked when the work is done}"] * count)
    return "{Say here what belongs in this section.}"
