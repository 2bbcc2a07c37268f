"""Globs over repository-relative paths.

`**` matches any number of folders. `*` and `?` stop at a slash. `{a,b}` matches one of its parts.

Each path is read once, whatever the globs. As a regular expression, eight stars would try every
way to divide the path: a change could then stop the check.
"""

import re
from functools import lru_cache
from itertools import product

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

_ANY, _IN_NAME = "**", "*"
_NO_NAME = re.compile(r"/$|//|(?:^|/)\.{1,2}(?:/|$)")
"""Parts of a pattern that match no file in git: an empty name, `.`, `..`, or a folder (`src/`
instead of `src/**`).
"""

_TOKEN = r"(?s)\*\*/|\*\*|."
_MAX_NODES = 5_000
"""Maximum nodes of an automaton that are cached."""


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Return whether any of the globs matches a path. No globs match no path."""
    return bool(globs) and _compiled(globs).matches(path)


def overlap(first: str, second: str) -> bool:
    """Return whether any path matches both globs. Exact: each is a regular language."""
    # Most pairs begin differently, so no automaton is built for them.
    prefixes = [re.split("[*?{,}]", pattern, maxsplit=1)[0] for pattern in (first, second)]
    shorter, longer = sorted(prefixes, key=len)
    return longer.startswith(shorter) and _Automaton((first, second)).meet()


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
            "characters); use "
            "several patterns"
        )
    if pattern.count("*") > MOST_STARS:
        raise value.fail(f"the pattern {pattern!r} has too many stars (maximum {MOST_STARS})")
    if not _are_braces_paired(pattern):
        raise value.fail(f"unbalanced brace in {pattern!r}")


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
            "docs/adr/**/*.md, or "
            "delete the key"
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


@lru_cache(maxsize=32)
def _compiled(globs: tuple[str, ...]) -> "_Automaton":
    return _Automaton(globs)


def _can_read_same(first: str, second: str) -> bool:
    """Return whether one character fits both of two tokens."""
    if "" in (first, second):
        return False
    if _ANY in (first, second) or first == second:
        return True
    within_name = ("?", _IN_NAME)
    return (first in within_name and second != "/") or (second in within_name and first != "/")


class _Node:
    """The states that the beginning of a path leads to.

    `next` caches where characters lead from here.
    """

    __slots__ = ("accepts", "next", "states")

    def __init__(self, states: frozenset[int], accepts: bool) -> None:
        self.states, self.accepts = states, accepts
        self.next: dict[str, _Node] = {}


class _Automaton:
    """A nondeterministic automaton for some globs.

    Each state reads a token: a character, `?` or a star. One with "" reads nothing and leads on
    at once; so does a star, which may match nothing.
    """

    def __init__(self, globs: tuple[str, ...]) -> None:
        self._reads: list[str] = []
        self._next: list[list[int]] = []
        self._nodes: dict[frozenset[int], _Node] = {}
        self._end = self._new_state()
        self._starts = [self._new_state() for _ in globs]
        for start, pattern in zip(self._starts, globs, strict=True):
            self._connect(self._add_glob(start, pattern), self._end)
        self._start = self._node(self._starts)

    def matches(self, path: str) -> bool:
        node = self._start
        for character in path:
            if not node.states:
                return False
            node = node.next.get(character) or self._step(node, character)
        return node.accepts

    def meet(self) -> bool:
        """Return whether any path matches both of two globs."""
        first, second = (self._closure([start]) for start in self._starts)
        waiting = [*product(first, second)]
        seen = set(waiting)
        while waiting:
            one, two = waiting.pop()
            if one == two == self._end:
                return True
            if _can_read_same(self._reads[one], self._reads[two]):
                pairs = product(self._after(one), self._after(two))
                new = [pair for pair in pairs if pair not in seen]
                seen.update(new)
                waiting += new
        return False

    def _after(self, state: int) -> set[int]:
        """Return the states after a state has read a character."""
        if self._reads[state] in (_ANY, _IN_NAME):
            return self._closure([state])
        return self._closure(self._next[state])

    def _new_state(self, token: str = "") -> int:
        self._reads.append(token)
        self._next.append([])
        return len(self._next) - 1

    def _connect(self, state: int, following: int) -> None:
        self._next[state].append(following)

    def _add_glob(self, state: int, pattern: str) -> int:
        """Add the states of a glob after a state; return the last one."""
        # The state before each open brace, and the one after it.
        choices: list[tuple[int, int]] = []
        for token in re.findall(_TOKEN, pattern):
            if token == "{":
                choices.append((state, self._new_state()))
                state = self._add_part(state)
            elif token == "," and choices:
                self._connect(state, choices[-1][1])
                state = self._add_part(choices[-1][0])
            elif token == "}" and choices:
                self._connect(state, choices[-1][1])
                state = choices.pop()[1]
            else:
                state = self._add_token(state, token)
        return state

    def _add_part(self, state: int) -> int:
        """Begin a part of a choice; return its first state."""
        start = self._new_state()
        self._connect(state, start)
        return start

    def _add_token(self, state: int, token: str) -> int:
        """Let a token follow a state; return the state after the token."""
        end = self._new_state()
        if token == "**/":
            star, slash = self._new_state(_ANY), self._new_state("/")
            self._connect(state, star)
            # Without any folder, neither the star nor its slash is read.
            self._connect(state, end)
            self._connect(star, slash)
            self._next[slash] = [end]
        elif token in (_ANY, _IN_NAME):
            star = self._new_state(token)
            self._connect(state, star)
            self._connect(star, end)
        else:
            reader = self._new_state(token)
            self._connect(state, reader)
            self._next[reader] = [end]
        return end

    def _step(self, node: _Node, character: str) -> _Node:
        reached: list[int] = []
        for state in node.states:
            token = self._reads[state]
            if token in (_ANY, _IN_NAME):
                # A star may read more characters, so its own state follows.
                if token == _ANY or character != "/":
                    reached.append(state)
            elif token == character or (token == "?" and character != "/"):
                reached += self._next[state]
        following = node.next[character] = self._node(reached)
        return following

    def _node(self, reached: list[int]) -> _Node:
        """Return the node of some states and of those that follow without a character."""
        states = frozenset(self._closure(reached))
        if len(self._nodes) > _MAX_NODES:
            self._nodes.clear()
        if states not in self._nodes:
            readers = frozenset(state for state in states if self._reads[state])
            self._nodes[states] = _Node(readers, self._end in states)
        return self._nodes[states]

    def _closure(self, reached: list[int]) -> set[int]:
        """Return some states and those that follow without a character."""
        states = set(reached)
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            if self._reads[state] in ("", _ANY, _IN_NAME):
                new = [following for following in self._next[state] if following not in states]
                states.update(new)
                waiting += new
        return states
