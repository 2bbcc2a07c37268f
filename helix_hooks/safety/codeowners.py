"""Judge whether a CODEOWNERS file names an owner for every file that controls the gate.

Patterns are those of gitignore, with the exceptions that GitHub names (docs.github.com, "About
code owners"). The last pattern that matches counts, and one without an owner takes ownership away.
`!`, `[ ]` and an escaped `#` are not understood. GitHub ignores a line that it does not understand.
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
"""Places in which GitHub looks for the file; the first one counts."""

_LONGEST = 1000
"""Characters of a pattern; no path in git is much longer."""

_PATTERN = re.compile(r"(?:\\.|[^\s\\])+")
_OWNER = re.compile(r"@[\w-]+(?:/[\w.-]+)?|[^@\s]+@[^@\s]+")


class OwnerRule(NamedTuple):
    """A line of the file: the parts of its pattern from the root, and the owners.

    `folder` says that the pattern matches folders only.
    """

    parts: tuple[str, ...]
    folder: bool
    owners: tuple[str, ...]


def areas(folder: str = APPROVALS) -> dict[str, tuple[str, ...]]:
    """Return what must have an owner, each with examples of files that the gate reads there.

    The files need not exist. `folder` is that of rubrics and briefs.
    """
    rubrics = ("adr/CLAUDE.md", "adr/checks/another.md", "another/CLAUDE.md")
    return {
        f"{folder}/": tuple(f"{folder}/{path}" for path in rubrics),
        "config/": (RULES_FILE, APPROVALS_FILE),
        ".github/": (WORKFLOW, ".github/workflows/another.yml", PLACES[0]),
        SETTINGS: (SETTINGS,),
    }


def parse(text: str) -> list[OwnerRule]:
    """Return the lines that GitHub understands, in their order."""
    return [rule for line in text.splitlines() if (rule := _rule(line.strip()))]


def _rule(line: str) -> OwnerRule | None:
    match = _PATTERN.match(line)
    if not match or line.startswith(("#", "!", "\\#")):
        return None
    if "[" in match[0] or len(match[0]) > _LONGEST:
        return None
    owners = re.split(r"(?:^|\s)#", line[match.end() :])[0].split()
    if not all(_OWNER.fullmatch(owner) for owner in owners):
        return None
    pattern = re.sub(r"\\(.)", r"\1", match[0])
    anywhere = () if "/" in pattern.rstrip("/") else ("**",)
    parts = (*anywhere, *pattern.strip("/").split("/"))
    return OwnerRule(parts, folder=pattern.endswith("/"), owners=tuple(owners))


def owners(rules: list[OwnerRule], path: str) -> tuple[str, ...]:
    """Return the owners of a file: those of the last rule that matches it."""
    names = path.split("/")
    return next((rule.owners for rule in reversed(rules) if _matches(rule, names)), ())


def _matches(rule: OwnerRule, names: list[str]) -> bool:
    """Return whether a pattern matches a file, by its own path or by a folder above it.

    `docs/*` goes no deeper than `docs`.
    """
    ends = _ends(rule.parts, names)
    if rule.folder:
        return any(end < len(names) for end in ends)
    return len(names) in ends if rule.parts[-1] == "*" else bool(ends)


def _ends(parts: tuple[str, ...], names: list[str]) -> set[int]:
    """Return how many names of a path the parts of a pattern can match.

    It goes part by part, because a pattern may have any number of `**`.
    """
    ends = {0}
    for part in parts:
        ends = _next_ends(part, ends, names)
    return ends


def _next_ends(part: str, ends: set[int], names: list[str]) -> set[int]:
    if part == "**" and ends:
        return set(range(min(ends), len(names) + 1))
    return {end + 1 for end in ends if end < len(names) and _alike(part, names[end])}


def _alike(part: str, name: str) -> bool:
    return part == name or (("*" in part or "?" in part) and fnmatchcase(name, part))


def line(place: str, data: bytes | None, files: Iterable[str], folder: str = APPROVALS) -> Line:
    """Return the line on the file at `place`.

    `files` are those of the repository, `folder` is that of rubrics and briefs.
    """
    check, required = "codeowners", areas(folder)
    if data is None:
        help = f"write {PLACES[0]}: {_entries(required)}"
        return Line(check, MISSING, "there is no CODEOWNERS file", help)
    try:
        rules = parse(decode(data, place))
    except ConfigError as error:
        help = "GitHub reads up to 3 MB; fewer patterns with wider ones do the same"
        return Line(check, UNKNOWN, str(error), help)
    unowned = _unowned(rules, [*files], place, required)
    if not unowned:
        return Line(check, OK, f"{place} has owners for {', '.join(required)}")
    message = f"{place} has no owner for {', '.join(unowned.values())}"
    return Line(check, MISSING, message, f"add at the end of {place}: {_entries(unowned)}")


def _unowned(
    rules: list[OwnerRule],
    files: list[str],
    place: str,
    areas: dict[str, tuple[str, ...]],
) -> dict[str, str]:
    """Return the areas with a file without owner, each with the first such file.

    CODEOWNERS itself is an area, because a change of it changes all owners.
    """
    if not place.startswith(".github/"):
        areas = {**areas, place: (place,)}
    unowned: dict[str, str] = {}
    for area, examples in areas.items():
        paths = dict.fromkeys((*(path for path in files if path.startswith(area)), *examples))
        first = next((path for path in paths if not owners(rules, path)), "")
        if first:
            unowned[area] = first
    return unowned


def _entries(areas: Iterable[str]) -> str:
    return ", ".join(f"`/{area} @OWNER`" for area in areas)
