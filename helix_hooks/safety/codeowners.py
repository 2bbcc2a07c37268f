"""Judge whether CODEOWNERS has an owner for every file that controls the gate.

Patterns are those of gitignore, with the exceptions that GitHub documents (docs.github.com, "About
code owners"). The last matching pattern decides; one without an owner removes ownership. `!`, `[ ]`
and an escaped `#` are not supported. GitHub ignores invalid lines.
"""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from ..config.settings import decode
from ..errors import ConfigError
from ..paths import APPROVALS, APPROVALS_FILE, CODEOWNERS, RULES_FILE, SETTINGS, WORKFLOW
from .line import MISSING, OK, UNKNOWN, Line

_MAX_PATTERN = 1000
"""Maximum characters of a pattern; longer paths are rare in git."""

_PATTERN = re.compile(r"(?:\\.|[^\s\\])+")
_OWNER = re.compile(r"@[\w-]+(?:/[\w.-]+)?|[^@\s]+@[^@\s]+")


class OwnerRule(NamedTuple):
    """A line of the file: the parts of its pattern from the root, and the owners.

    With `folder`, the pattern matches only folders.
    """

    parts: tuple[str, ...]
    folder: bool
    owners: tuple[str, ...]


def areas(folder: str = APPROVALS) -> dict[str, tuple[str, ...]]:
    """Return the areas that must have an owner, each with examples of files that the gate reads
    there.

    The files need not exist. `folder` is the folder of rubrics and briefs.
    """
    rubrics = ("adr/CLAUDE.md", "adr/checks/another.md", "another/CLAUDE.md")
    return {
        f"{folder}/": tuple(f"{folder}/{path}" for path in rubrics),
        "config/": (RULES_FILE, APPROVALS_FILE),
        ".github/": (WORKFLOW, ".github/workflows/another.yml", CODEOWNERS[0]),
        SETTINGS: (SETTINGS,),
    }


def parse(text: str) -> list[OwnerRule]:
    """Return the valid lines, in their order."""
    rules = [_rule(line.strip()) for line in text.splitlines()]
    return [rule for rule in rules if rule]


def _rule(line: str) -> OwnerRule | None:
    match = _PATTERN.match(line)
    if not match or line.startswith(("#", "!", "\\#")):
        return None
    if "[" in match[0] or len(match[0]) > _MAX_PATTERN:
        return None
    owners = re.split(r"(?:^|\s)#", line[match.end() :])[0].split()
    if not all(map(_OWNER.fullmatch, owners)):
        return None
    pattern = re.sub(r"\\(.)", r"\1", match[0])
    parts = pattern.strip("/").split("/")
    # A name without a slash matches in any folder.
    if "/" not in pattern.rstrip("/"):
        parts.insert(0, "**")
    return OwnerRule(tuple(parts), folder=pattern.endswith("/"), owners=tuple(owners))


def owners(rules: list[OwnerRule], path: str) -> tuple[str, ...]:
    """Return the owners of a file: those of the last rule that matches it."""
    names = path.split("/")
    for rule in reversed(rules):
        if _matches(rule, names):
            return rule.owners
    return ()


def _matches(rule: OwnerRule, names: list[str]) -> bool:
    """Return whether a pattern matches a file, or a folder above it."""
    ends = _ends(rule.parts, names)
    if rule.folder:
        return any(end < len(names) for end in ends)
    # `docs/*` does not match files in folders of `docs`.
    if rule.parts[-1] == "*":
        return len(names) in ends
    return bool(ends)


def _ends(parts: tuple[str, ...], names: list[str]) -> set[int]:
    """Return the numbers of names that the parts of a pattern can match.

    All numbers are tracked together: trying each `**` in turn would take exponential time.
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
    if part == name:
        return True
    return ("*" in part or "?" in part) and fnmatchcase(name, part)


def line(place: str, data: bytes | None, files: Iterable[str], folder: str = APPROVALS) -> Line:
    """Return the line on the file at `place`.

    `files` are all files of the repository, `folder` is the folder of rubrics and briefs.
    """
    check, required = "codeowners", areas(folder)
    if data is None:
        help = f"write {CODEOWNERS[0]}: {_entries(required)}"
        return Line(check, MISSING, "there is no CODEOWNERS file", help)
    try:
        rules = parse(decode(data, place))
    except ConfigError as error:
        help = "GitHub reads up to 3 MB; use fewer, broader patterns"
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
    """Return the areas with a file without an owner, each with the first such file.

    CODEOWNERS itself is an area: a change of it changes all owners.
    """
    if not place.startswith(".github/"):
        areas = {**areas, place: (place,)}
    unowned: dict[str, str] = {}
    for area, examples in areas.items():
        existing = [path for path in files if path.startswith(area)]
        for path in (*existing, *examples):
            if not owners(rules, path):
                unowned[area] = path
                break
    return unowned


def _entries(areas: Iterable[str]) -> str:
    return ", ".join(f"`/{area} @OWNER`" for area in areas)
