"""Judge whether CODEOWNERS has an owner for every file that controls the gate. Pure.

Patterns are those of gitignore, with the exceptions that GitHub documents (docs.github.com, "About
code owners"). The last matching pattern decides; one without an owner removes ownership. `!`, `[ ]`
and an escaped `#` are not supported. GitHub ignores invalid lines.
"""

import re
from collections.abc import Iterable, Sequence

from ..config.settings import decode
from ..errors import ConfigError
from ..paths import APPROVALS_FILE, CODEOWNERS, RULES_FILE, SETTINGS, WORKFLOW
from . import MISSING, OK, UNKNOWN, Line

_PATTERN = re.compile(r"(?:\\.|[^\s\\])+")
_MAX_PATTERN = 1000
"""Maximum characters of a pattern; longer paths are rare in git."""

_OWNER = re.compile(r"@[\w-]+(?:/[\w.-]+)?|[^@\s]+@[^@\s]+")
_PARTS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}

Rule = tuple[re.Pattern[str], tuple[str, ...]]
"""A line of the file: its pattern, and its owners."""


def line(place: str, data: bytes | None, files: Sequence[str], folder: str) -> Line:
    """Return the line on the file at `place`.

    `files` are all files of the repository, `folder` is the folder of rubrics and briefs.
    """
    rubrics = ("adr/CLAUDE.md", "adr/checks/another.md", "another/CLAUDE.md")
    # The examples count too, since a change can add these files.
    areas = {
        f"{folder}/": [f"{folder}/{path}" for path in rubrics],
        "config/": [RULES_FILE, APPROVALS_FILE],
        ".github/": [WORKFLOW, ".github/workflows/another.yml", CODEOWNERS[0]],
        SETTINGS: [SETTINGS],
    }
    check, required = "codeowners", ", ".join(areas)
    if data is None:
        help = f"write {CODEOWNERS[0]}: {_entries(areas)}"
        return Line(check, MISSING, "there is no CODEOWNERS file", help)
    try:
        rules = parse(decode(data, place))
    except ConfigError as error:
        help = "GitHub reads up to 3 MB; use fewer, broader patterns"
        return Line(check, UNKNOWN, str(error), help)
    if not place.startswith(".github/"):
        areas[place] = [place]  # a change of it changes all owners
    unowned: dict[str, str] = {}
    for area, examples in areas.items():
        existing = [path for path in files if path.startswith(area)]
        path = next((path for path in (*existing, *examples) if not owners(rules, path)), "")
        if path:
            unowned[area] = path
    if not unowned:
        return Line(check, OK, f"{place} has owners for {required}")
    message = f"{place} has no owner for {', '.join(unowned.values())}"
    return Line(check, MISSING, message, f"add at the end of {place}: {_entries(unowned)}")


def _entries(areas: Iterable[str]) -> str:
    return ", ".join(f"`/{area} @OWNER`" for area in areas)


def parse(text: str) -> list[Rule]:
    """Return the valid lines, in their order."""
    rules: list[Rule] = []
    for row in map(str.strip, text.splitlines()):
        match = _PATTERN.match(row)
        if not match or row.startswith(("#", "!", "\\#")) or "[" in match[0]:
            continue
        names = re.split(r"(?:^|\s)#", row[match.end() :])[0].split()
        if len(match[0]) <= _MAX_PATTERN and all(map(_OWNER.fullmatch, names)):
            rules.append((re.compile(_regex(match[0])), tuple(names)))
    return rules


def _regex(pattern: str) -> str:
    """Return a pattern of CODEOWNERS as a regular expression for whole paths."""
    # A name without a slash matches in any folder.
    regex = "" if "/" in pattern.rstrip("/") else "(?:.*/)?"
    for token in re.findall(r"(?:\*\*/)+|\*\*|\\.|.", pattern.strip("/")):
        regex += _PARTS.get(token[-3:]) or re.escape(token[-1])
    if pattern.endswith("/"):
        return f"{regex}/.*"
    # `docs/*` does not match files in folders of `docs`.
    if pattern == "*" or pattern.endswith("/*"):
        return regex
    return f"{regex}(?:/.*)?"


def owners(rules: Sequence[Rule], path: str) -> tuple[str, ...]:
    """Return the owners of a file: those of the last rule that matches it."""
    return next((names for rule, names in reversed(rules) if rule.fullmatch(path)), ())
