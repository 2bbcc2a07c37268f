"""Globs over repository-relative paths.

`**` matches any number of folders. `*` and `?` stop at a slash. `{a,b}` matches one of its parts.
"""

import re
from functools import lru_cache

from .paths import is_markdown
from .yaml_reader import Value

MOST_STARS = 8
"""Maximum stars of one pattern; real patterns have two or three."""

MOST_CHARACTERS = 500
"""Maximum characters of one pattern; few paths in git are longer."""

MOST_TOGETHER = 20_000
"""Maximum characters of all patterns of a setting. Each may cost time at each character of a
path.
"""

_NO_NAME = re.compile(r"/$|//|(?:^|/)\.{1,2}(?:/|$)")
"""Parts of a pattern that match no file in git: an empty name, `.`, `..`, or a folder (`src/`
instead of `src/**`).
"""

_PARTS = {"**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")"}
_SIGNS = frozenset("*?{}")
_SPECIAL = re.compile(r"\*\*/|[*?{},]")


def is_pattern(text: str) -> bool:
    """Return whether a text may match more than the path of its name."""
    return not _SIGNS.isdisjoint(text)


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Return whether any of the globs matches a path. No globs match no path."""
    return bool(globs) and _compiled(globs).fullmatch(path) is not None


def overlap(first: str, second: str) -> bool:
    """Return whether a path may match both globs. In doubt they overlap."""
    if not _SPECIAL.search(first):
        return matches(first, (second,))
    if not _SPECIAL.search(second):
        return matches(second, (first,))
    starts = [_SPECIAL.split(pattern, maxsplit=1)[0] for pattern in (first, second)]
    ends = [_SPECIAL.split(pattern)[-1] for pattern in (first, second)]
    return _agree(starts) and _agree([end[::-1] for end in ends])


def _agree(texts: list[str]) -> bool:
    """Return whether the shorter of two texts is the beginning of the other."""
    shorter, longer = sorted(texts, key=len)
    return longer.startswith(shorter)


def check_glob(value: Value, pattern: str) -> None:
    """Check a pattern.

    Raises:
        ConfigError: The pattern can match nothing, or takes too long.
    """
    if pattern.startswith("/") or _NO_NAME.search(pattern) or "\\" in pattern or "[" in pattern:
        raise value.fail(f"invalid pattern {pattern[:80]!r}: patterns are relative to the "
                         "repository root, use `/`, end in a file name or /**, "
                         "and support **, *, ? and {a,b}")  # fmt: skip
    if len(pattern) > MOST_CHARACTERS:
        raise value.fail(
            f"the pattern {pattern[:80]!r}... is too long (maximum {MOST_CHARACTERS} "
            "characters); use several patterns"
        )
    if pattern.count("*") > MOST_STARS:
        raise value.fail(f"the pattern {pattern!r} has too many stars (maximum {MOST_STARS})")
    if not _are_braces_paired(pattern):
        raise value.fail(f"unbalanced brace in {pattern!r}")
    try:
        _compiled((pattern,))
    except RecursionError:
        raise value.fail(f"the braces of {pattern[:80]!r}... are nested too deeply") from None


def check_globs(value: Value, patterns: tuple[str, ...]) -> None:
    """Check the patterns of a setting together.

    Raises:
        ConfigError: The patterns take too long together.
    """
    if sum(map(len, patterns)) > MOST_TOGETHER:
        raise value.fail(
            f"the patterns are too long together (maximum {MOST_TOGETHER} characters); use folders "
            "instead of files"
        )


def globs(value: Value | None) -> tuple[str, ...]:
    """Return the globs of a setting; none if it is missing."""
    if value is None:
        return ()
    for item in value.one_or_more():
        check_glob(item, item.text())
    patterns = value.texts()
    check_globs(value, patterns)
    return patterns


def path_globs(value: Value) -> tuple[str, ...]:
    """Return the globs of `paths`.

    Raises:
        ConfigError: There is none, or one that can match no Markdown file.
    """
    patterns = value.texts()
    if not patterns:
        raise value.fail(
            "`paths` is empty, so no ADR would be checked; add a pattern such as "
            "docs/adr/**/*.md, or delete the key"
        )
    for pattern in patterns:
        check_glob(value, pattern)
        if not (is_markdown(pattern) or pattern.endswith(("*", "}"))):
            raise value.fail(
                f"{pattern!r} matches no Markdown file; for all files of a folder use "
                f"{pattern.rstrip('/')}/**/*.md"
            )
    check_globs(value, patterns)
    return patterns


def exclude_globs(value: Value) -> tuple[str, ...]:
    """Return the globs of `exclude`.

    Raises:
        ConfigError: One is invalid, or excludes every file.
    """
    patterns = value.texts()
    for pattern in patterns:
        if not pattern.strip("*/."):
            raise value.fail(
                f"{pattern!r} excludes every ADR; list only the folders or files to exclude"
            )
        check_glob(value, pattern)
    check_globs(value, patterns)
    return patterns


def _are_braces_paired(pattern: str) -> bool:
    depth = 0
    for character in pattern:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return not depth


@lru_cache(maxsize=64)
def _compiled(globs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(f"(?s:{'|'.join(map(_regex, globs))})")


def _regex(pattern: str) -> str:
    """Return a glob as a regular expression."""
    regex, depth = "", 0
    for token in re.findall(r"(?s)(?:\*\*/)+|\*\*|.", pattern):
        depth += (token == "{") - (token == "}")
        if token.startswith("**/"):
            regex += "(?:.*/)?"
        elif token == "," and depth:
            regex += "|"
        else:
            regex += _PARTS.get(token) or re.escape(token)
    return regex
