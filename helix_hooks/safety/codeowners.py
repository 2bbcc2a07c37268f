"""Whether a CODEOWNERS file gives an owner to all that the gate goes by.

Patterns are those of gitignore with the exceptions that GitHub names (docs.github.com, "About code owners"): the last one that matches counts,
one without an owner takes ownership away, `!`, `[ ]` and an escaped `#` are not understood, and a line that is not understood is passed over.
"""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from ..config.settings import decode
from ..errors import ConfigError
from ..paths import APPROVALS, APPROVALS_FILE, RULES_FILE, SETTINGS, WORKFLOW
from .line import MISSING, OK, UNKNOWN, Line

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where GitHub looks; the first that is there counts."""


def areas(folder: str = APPROVALS) -> dict[str, tuple[str, ...]]:
    """Return what must have an owner, each with files that the gate would read there, whether they exist yet or not; `folder` is that of rubrics."""
    return {
        f"{folder}/": (f"{folder}/adr/CLAUDE.md", f"{folder}/adr/checks/another.md", f"{folder}/another/CLAUDE.md"),
        "config/": (RULES_FILE, APPROVALS_FILE),
        ".github/": (WORKFLOW, ".github/workflows/another.yml", PLACES[0]),
        SETTINGS: (SETTINGS,),
    }


_LONGEST = 1000
"""Characters of a pattern; no path in git is much longer."""

_PATTERN = re.compile(r"(?:\\.|[^\s\\])+")
_OWNER = re.compile(r"@[\w-]+(?:/[\w.-]+)?|[^@\s]+@[^@\s]+")


class OwnerRule(NamedTuple):
    """A line of the file: the folders and the name of its pattern, from the root, whether that means folders only, and who owns what it matches."""

    parts: tuple[str, ...]
    folder: bool
    owners: tuple[str, ...]


def parse(text: str) -> list[OwnerRule]:
    """The lines that GitHub understands, in their order."""
    return [entry for line in text.splitlines() if (entry := _entry(line.strip()))]


def _entry(line: str) -> OwnerRule | None:
    found = _PATTERN.match(line)
    if not found or line.startswith(("#", "!", "\\#")) or "[" in found[0] or len(found[0]) > _LONGEST:
        return None
    owners = re.split(r"(?:^|\s)#", line[found.end() :])[0].split()
    if not all(_OWNER.fullmatch(owner) for owner in owners):
        return None
    pattern = re.sub(r"\\(.)", r"\1", found[0])
    anywhere = () if "/" in pattern.rstrip("/") else ("**",)
    return OwnerRule((*anywhere, *pattern.strip("/").split("/")), pattern.endswith("/"), tuple(owners))


def owners(entries: list[OwnerRule], path: str) -> tuple[str, ...]:
    """Who owns a file: whom the last entry names that matches it."""
    names = path.split("/")
    return next((entry.owners for entry in reversed(entries) if _matches(entry, names)), ())


def _matches(entry: OwnerRule, names: list[str]) -> bool:
    """Whether a pattern takes in a file, by its own path or by that of a folder above it; `docs/*` goes no deeper than `docs`."""
    ends = _ends(entry.parts, names)
    if entry.folder:
        return any(end < len(names) for end in ends)
    return len(names) in ends if entry.parts[-1] == "*" else bool(ends)


def _ends(parts: tuple[str, ...], names: list[str]) -> set[int]:
    """How many names of a path the parts of a pattern may take; found part by part, since a pattern may have any number of `**`."""
    ends = {0}
    for part in parts:
        if not ends:
            break
        ends = set(range(min(ends), len(names) + 1)) if part == "**" else {end + 1 for end in ends if end < len(names) and _alike(part, names[end])}
    return ends


def _alike(part: str, name: str) -> bool:
    return part == name or (("*" in part or "?" in part) and fnmatchcase(name, part))


def line(place: str, data: bytes | None, files: Iterable[str], folder: str = APPROVALS) -> Line:
    """Return what the file at `place` says of all that the gate goes by; `files` are those of the repository, `folder` is that of rubrics."""
    wanted = areas(folder)
    if data is None:
        return Line("codeowners", MISSING, "there is no CODEOWNERS file", f"write {PLACES[0]}: {_entries(wanted)}")
    try:
        entries = parse(decode(data, place))
    except ConfigError as error:
        return Line("codeowners", UNKNOWN, str(error), "GitHub reads up to 3 MB; fewer patterns with wider ones do the same")
    free = _free(entries, [*files], place, wanted)
    if not free:
        return Line("codeowners", OK, f"{place} has owners for {', '.join(wanted)}")
    return Line("codeowners", MISSING, f"{place} has no owner for {', '.join(free.values())}", f"add at the end of {place}: {_entries(free)}")


def _free(entries: list[OwnerRule], files: list[str], place: str, areas: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """The areas with a file that nobody owns, each with the first such file. Whoever may change CODEOWNERS decides about all others."""
    areas = areas if place.startswith(".github/") else {**areas, place: (place,)}
    found: dict[str, str] = {}
    for area, likely in areas.items():
        wanted = dict.fromkeys((*(path for path in files if path.startswith(area)), *likely))
        free = next((path for path in wanted if not owners(entries, path)), "")
        found |= {area: free} if free else {}
    return found


def _entries(areas: Iterable[str]) -> str:
    return ", ".join(f"`/{area} @OWNER`" for area in areas)
