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
    """Return a title as part of a file name: lowercase letters and digits joined by hyphens."""
    # German and Danish letters have a spelling in ASCII; other marks are dropped.
    decomposed = unicodedata.normalize("NFKD", title.lower().translate(_UMLAUTS))
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return re.sub(r"[\W_]+", "-", plain).strip("-")[:_LONGEST_SLUG].rstrip("-")


def from_package(template: str, language: str, number: str, title: str, date: str) -> str:
    """Return the text of a packaged template, with its fields filled in.

    Raises:
        HelixError: The installation lacks the template.
    """
    data = files.packaged(f"templates/{template}/{language}.md")
    if data is None:
        missing = f"the template {template} in {language} is missing from the installation"
        raise HelixError(f"{missing}; install helix-hooks again")
    text = data.decode().replace("{date}", date).replace("{number}", number)
    header, heading, body = f"\n{text}".partition("\n# ")
    # The title is last, so that a title such as `{date}` stays as it is. In the YAML header it is
    # between double quotes.
    header = header.replace("{title}", _quoted(title)[1:-1])
    body = body.replace("{title}", title)
    return f"{header}{heading}{body}".lstrip("\n")


class Style(NamedTuple):
    """The style of the neighbours: the title of the newest, and the level of their sections."""

    title: str = ""
    level: int = 2


def from_settings(template: Template, number: str, title: str, date: str, style: Style) -> str:
    """Return the fields and sections of a template of the settings.

    The number in the title and the level of the sections follow the neighbours.
    """
    prefix = title_prefix(style.title, number)
    filled = {
        "adr_id": _quoted(number),
        "title": _quoted(title),
        "date": date,
        "status": _status(template),
    }
    header = ""
    if template.fields:
        fields = "".join(f"{name}: {filled.get(name, _BLANK)}\n" for name in template.fields)
        header = f"---\n{fields}---\n\n"
    sections = "".join(_section(template, section, style.level) for section in template.sections)
    return f"{header}# {prefix}{title}\n{sections}"


def _status(template: Template) -> str:
    """Return Proposed, if the template has it; a Draft may be left as it is."""
    return "Proposed" if "Proposed" in template.statuses else template.statuses[0]


def title_prefix(neighbour: str, number: str) -> str:
    """Return the start of a title with a number, in the form of a neighbour's title.

    It is "" if the neighbour's title has no number.
    """
    numbered = _NUMBERED.match(neighbour)
    if not numbered:
        return ""
    return f"{numbered[1]}{str(int(number)).zfill(len(numbered[2]))}{numbered[3]}"


def _quoted(text: str) -> str:
    """Return a text as a YAML scalar in double quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _section(template: Template, section: Required, level: int) -> str:
    return f"\n{'#' * level} {section.name}\n\n{_guidance(template, section)}\n"


def _guidance(template: Template, section: Required) -> str:
    """Return the text of a new section, whose blanks the gate reports until they are filled in."""
    if "status" in section.meanings:
        return _status(template)
    if "acceptance-criteria" in section.meanings:
        count = max(_FEWEST_CRITERIA, template.min_acceptance_criteria)
        return "\n".join(["- [ ] {Something that can be checked when the work is done}"] * count)
    return "{Say here what belongs in this section.}"
