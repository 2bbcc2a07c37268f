"""Globs over repository-relative paths: `**` is any number of folders, `*` and `?` stop at a slash,
`{a,b}` is a choice.

A path is read once, whatever the globs: as a regular expression eight stars would try every way to
divide it, which no commit survives.
"""

import re
from functools import lru_cache
from itertools import product

from .yaml_values import Value

MOST_STARS = 8
"""Maximum stars of one pattern; no reader could follow more."""

MOST_CHARACTERS = 500
"""Maximum characters of one pattern; few paths in git are longer."""

MOST_TOGETHER = 20_000
"""Maximum characters of all patterns of a setting; each may cost time at each character of a
path.
"""

_ANY, _IN_NAME = "**", "*"
_NO_NAME = re.compile(r"/$|//|(?:^|/)\.{1,2}(?:/|$)")
"""Parts of a pattern that no file of git matches: an empty name, or a folder (`src/` is written
`src/**`).
"""

_TOKEN = r"(?s)\*\*/|\*\*|."
_REMEMBERED = 5_000


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Return whether one of some globs matches a path; none match nothing."""
    return bool(globs) and _compiled(globs).matches(path)


def overlap(first: str, second: str) -> bool:
    """Return whether some path matches both of two globs. Exact: each is a regular language."""
    beginnings = [re.split("[*?{,}]", pattern, maxsplit=1)[0] for pattern in (first, second)]
    shorter, longer = sorted(beginnings, key=len)
    return longer.startswith(shorter) and _Automaton((first, second)).meet()


def check_glob(value: Value, pattern: str) -> None:
    """Raises ConfigError for a pattern that can match nothing, or that takes too long."""
    if pattern.startswith("/") or _NO_NAME.search(pattern) or "\\" in pattern or "[" in pattern:
        raise value.fail(f"{pattern[:80]!r} matches nothing: patterns start at the repository's "
                         "root, with `/` between folders, "
                         "end in a file's name or in /**, and know **, *, ? and {a,b}")  # fmt: skip
    if len(pattern) > MOST_CHARACTERS:
        raise value.fail(
            f"{pattern[:80]!r}... has more than {MOST_CHARACTERS} characters; write several "
            "patterns"
        )
    if pattern.count("*") > MOST_STARS:
        raise value.fail(f"{pattern!r} has more than {MOST_STARS} stars; name the folders")
    if not _paired(pattern):
        raise value.fail(f"{pattern!r} has a brace without its partner")


def check_globs(value: Value, patterns: tuple[str, ...]) -> None:
    """Raises ConfigError for patterns that take too long together."""
    if sum(map(len, patterns)) > MOST_TOGETHER:
        raise value.fail(
            f"the patterns have more than {MOST_TOGETHER} characters together; name folders "
            "instead of files"
        )


def globs(value: Value | None) -> tuple[str, ...]:
    """Return the globs of a setting, none where it is missing."""
    for item in value.one_or_more() if value else []:
        check_glob(item, item.text())
    found = value.texts() if value else ()
    if value:
        check_globs(value, found)
    return found


def path_globs(value: Value) -> tuple[str, ...]:
    """Return the globs of `paths`."""
    found = value.texts()
    if not found:
        raise value.fail(
            "no ADR would ever be checked; name at least one pattern, such as docs/adr/**/*.md, or "
            "delete the key"
        )
    for pattern in found:
        check_glob(value, pattern)
        if not pattern.endswith((".md", "*", "}")):
            raise value.fail(
                f"{pattern!r} matches no Markdown file; for all of a folder write "
                f"{pattern.rstrip('/')}/**/*.md"
            )
    check_globs(value, found)
    return found


def exclude_globs(value: Value) -> tuple[str, ...]:
    """Return the globs of `exclude`."""
    found = value.texts()
    for pattern in found:
        if not pattern.strip("*/."):
            raise value.fail(
                f"{pattern!r} leaves no ADR to check; name the folders or files to leave out"
            )
        check_glob(value, pattern)
    check_globs(value, found)
    return found


def _paired(pattern: str) -> bool:
    depth = 0
    for character in pattern:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return not depth


@lru_cache(maxsize=32)
def _compiled(globs: tuple[str, ...]) -> "_Automaton":
    return _Automaton(globs)


def _same_character(one: str, two: str) -> bool:
    """Return whether two places that wait can read the same character."""
    if "" in (one, two):
        return False
    if _ANY in (one, two) or one == two:
        return True
    names = ("?", _IN_NAME)
    return (one in names and two != "/") or (two in names and one != "/")


class _Node:
    """A set of places in the globs that a beginning of a path leads to; `next` remembers where
    characters lead from here.
    """

    __slots__ = ("accepts", "next", "places")

    def __init__(self, places: frozenset[int], accepts: bool) -> None:
        self.places, self.accepts = places, accepts
        self.next: dict[str, _Node] = {}


class _Automaton:
    """Globs as one machine: each place waits for a character, `?` or a star, and some lead on
    without any.
    """

    def __init__(self, globs: tuple[str, ...]) -> None:
        self._waits: list[str] = []
        self._on: list[list[int]] = []
        self._known: dict[frozenset[int], _Node] = {}
        self._end = self._place()
        starts = [self._place() for _ in globs]
        for start, pattern in zip(starts, globs, strict=True):
            self._lead(self._built(start, pattern), self._end)
        self._starts = starts
        self._start = self._node(starts)

    def matches(self, path: str) -> bool:
        node = self._start
        for character in path:
            if not node.places:
                return False
            node = node.next.get(character) or self._step(node, character)
        return node.accepts

    def meet(self) -> bool:
        """Return whether some path is matched by both of two globs."""
        first, second = (self._closed([start]) for start in self._starts)
        waiting = [*product(first, second)]
        seen = set(waiting)
        while waiting:
            one, two = waiting.pop()
            if one == two == self._end:
                return True
            if _same_character(self._waits[one], self._waits[two]):
                pairs = product(self._behind(one), self._behind(two))
                new = [pair for pair in pairs if pair not in seen]
                seen.update(new)
                waiting += new
        return False

    def _behind(self, place: int) -> set[int]:
        stays = self._waits[place] in (_ANY, _IN_NAME)
        return self._closed([place] if stays else self._on[place])

    def _place(self, waits: str = "") -> int:
        self._waits.append(waits)
        self._on.append([])
        return len(self._on) - 1

    def _lead(self, place: int, other: int) -> None:
        self._on[place].append(other)

    def _built(self, place: int, pattern: str) -> int:
        """Lay a glob out from a place on; returns where it ends."""
        choices: list[tuple[int, int]] = []
        for token in re.findall(_TOKEN, pattern):
            if token == "{":
                choices.append((place, self._place()))
                place = self._begun(place)
            elif token == "," and choices:
                self._lead(place, choices[-1][1])
                place = self._begun(choices[-1][0])
            elif token == "}" and choices:
                self._lead(place, choices[-1][1])
                place = choices.pop()[1]
            else:
                place = self._read(place, token)
        return place

    def _begun(self, place: int) -> int:
        choice = self._place()
        self._lead(place, choice)
        return choice

    def _read(self, place: int, token: str) -> int:
        """Let a place read a token; returns the one behind it."""
        behind = self._place()
        if token == "**/":
            star, slash = self._place(_ANY), self._place("/")
            self._lead(place, star)
            self._lead(place, behind)
            self._lead(star, slash)
            self._on[slash] = [behind]
        elif token in (_ANY, _IN_NAME):
            star = self._place(token)
            self._lead(place, star)
            self._lead(star, behind)
        else:
            reader = self._place(token)
            self._lead(place, reader)
            self._on[reader] = [behind]
        return behind

    def _step(self, node: _Node, character: str) -> _Node:
        reached = []
        for place in node.places:
            waits = self._waits[place]
            if waits in (_ANY, _IN_NAME):
                reached += [place] if waits == _ANY or character != "/" else []
            elif waits == character or (waits == "?" and character != "/"):
                reached += self._on[place]
        following = node.next[character] = self._node(reached)
        return following

    def _node(self, reached: list[int]) -> _Node:
        """The node of some places and of those they lead on to without a character."""
        places = frozenset(self._closed(reached))
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        if places not in self._known:
            self._known[places] = _Node(
                frozenset(place for place in places if self._waits[place]), self._end in places
            )
        return self._known[places]

    def _closed(self, reached: list[int]) -> set[int]:
        found = set(reached)
        waiting = list(found)
        while waiting:
            place = waiting.pop()
            if self._waits[place] in ("", _ANY, _IN_NAME):
                new = [other for other in self._on[place] if other not in found]
                found.update(new)
                waiting += new
        return found
