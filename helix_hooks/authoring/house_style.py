"""A packaged template in the style of the neighbours: its title, its levels, its status."""

import re
from typing import NamedTuple

from .skeleton import title_prefix

_USUAL = 2
_FRONT = re.compile(r"---\nstatus: (?P<status>\S+)\ndate: (?P<date>\S+)\n(?:\w.*\n)*---\n\n")
"""The front matter of the packaged MADR template."""
_SECTION = re.compile(
    r"(?P<label>\w+): (?P<date>\d{4}-\d\d-\d\d)\n\n## [^\n]+\n\n(?P<status>[^\n]+)\n\n"
)
"""The date and the section of the status of the packaged Nygard template."""
_LINES = {
    "bullet": "* Status: {status}\n* Date: {date}\n\n",
    "bold": "**Status:** {status}\n\n**Date:** {date}\n\n",
    "line": "Status: {status}\n\nDate: {date}\n\n",
    "section": "## Status\n\n{status}\n\n",
}


class House(NamedTuple):
    """The title of the newest neighbour, the level of the sections, and the style of the status
    as `Header.style` has it.
    """

    title: str
    level: int
    style: str


def house_style(text: str, house: House, number: str, title: str) -> str:
    """Return the text of a packaged template in a style; ids in a header stay as they are."""
    front, heading, body = f"\n{text}".partition("\n# ")
    _, gap, below = body.partition("\n\n")
    top = front.removeprefix("\n") + ("\n" if front else "")
    if "{" not in top and (found := _FRONT.fullmatch(top)) and house.style in _LINES:
        top, below = "", _LINES[house.style].format(**found.groupdict()) + below
    elif (found := _SECTION.match(below)) and house.style in ("yaml", "bullet", "bold", "line"):
        fields = found.groupdict()
        below = below[found.end() :]
        if house.style == "yaml":
            top = "---\nstatus: {status}\ndate: {date}\n---\n\n".format(**fields)
        else:
            below = _LINES[house.style].format(**fields) + below
    prefix = title_prefix(house.title, number)
    if house.level != _USUAL:
        below = re.sub(r"(?m)^##(?=#* )", "#" * house.level, below)
    return f"{top}{heading.lstrip()}{prefix}{title}{gap}{below}"
