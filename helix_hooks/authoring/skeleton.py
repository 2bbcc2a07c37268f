"""The text of a new ADR. The gate reports its blanks until they are filled in."""

import re
import unicodedata

from ..adr.template import Required, Template
from ..check import files
from ..errors import HelixError

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o"})
_LONGEST_SLUG = 80
_FEWEST_CRITERIA = 3
_BLANK = "TODO"


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


def from_settings(template: Template, number: str, title: str, date: str) -> str:
    """Return the fields and sections of a template of the settings."""
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
    sections = "".join(_section(template, section) for section in template.sections)
    return f"{header}# {title}\n{sections}"


def _status(template: Template) -> str:
    """Return Proposed, if the template has it; a Draft may be left as it is."""
    return "Proposed" if "Proposed" in template.statuses else template.statuses[0]


def _quoted(text: str) -> str:
    """Return a text as a YAML scalar in double quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _section(template: Template, section: Required) -> str:
    return f"\n## {section.name}\n\n{_guidance(template, section)}\n"


def _guidance(template: Template, section: Required) -> str:
    """Return the text of a new section, whose blanks the gate reports until they are filled in."""
    if "status" in section.meanings:
        return _status(template)
    if "acceptance-criteria" in section.meanings:
        count = max(_FEWEST_CRITERIA, template.min_acceptance_criteria)
        return "\n".join(["- [ ] {Something that can be checked when the work is done}"] * count)
    return "{Say here what belongs in this section.}"
