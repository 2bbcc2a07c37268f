"""Globs over repository-relative paths: `**` is any number of folders, `*` and `?` stop at a slash, `{a,b}` is a choice."""

import re
from functools import lru_cache

from .strict import Value

MOST_STARS = 8
"""Of one pattern, which is looked at from each of them."""


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Whether one of some globs matches a path; none match nothing."""
    return bool(globs) and bool(_compiled(globs).match(path))


def check_glob(value: Value, pattern: str) -> None:
    """Raises ConfigError for a pattern that can match nothing, or that takes too long."""
    if pattern.startswith(("./", "../", "/")) or "\\" in pattern or "[" in pattern:
        raise value.fail(f"{pattern!r} matches nothing: patterns start at the repository's root, with `/` between folders, "
                         "and know **, *, ? and {a,b}")  # fmt: skip
    if pattern.count("*") > MOST_STARS:
        raise value.fail(f"{pattern!r} has more than {MOST_STARS} stars; name the folders")
    if not _paired(pattern):
        raise value.fail(f"{pattern!r} has a brace without its partner")


def globs(value: Value | None) -> tuple[str, ...]:
    """The globs of a setting, none where it is not there."""
    for item in (value.sequence() if isinstance(value.data, list) else [value]) if value else []:
        check_glob(item, item.text())
    return value.texts() if value else ()


def _paired(pattern: str) -> bool:
    depth = 0
    for character in pattern:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return not depth


@lru_cache(maxsize=32)
def _compiled(globs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_regex, globs)), re.DOTALL)


def _regex(pattern: str) -> str:
    """A glob as a regular expression: `**` is any number of folders, `*` and `?` stop at a slash, `{a,b}` is a choice."""
    regex = ""
    depth = 0
    for token in re.findall(r"\*\*/|\*\*|[*?{},]|[^*?{},]+", pattern):
        depth += (token == "{") - (token == "}")
        plain = re.escape(token) if token != "," else ("|" if depth else ",")
        regex += {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")"}.get(token, plain)
    return f"{regex}\\Z"
