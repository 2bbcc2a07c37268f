"""Regular expressions of a repository's own rules, with bounded cost.

A change under review may have its own rules, so their patterns are hostile input. The cost of a
pattern is the number of steps that a search can take from one place of a text. It is computed on
the parsed pattern, and rounded up. A pattern that costs more than `MOST_STEPS` is refused. A repeat
without an upper limit reads `REACH` characters.
"""

import re
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

REACH = 200
"""Repeats that replace a missing upper limit."""

LONGEST = 2_000
"""Maximum characters of a pattern."""

MOST_STEPS = 6_000
"""Maximum steps from one place of a text, each some nanoseconds."""

MOST_READ = 30_000
"""Characters of a text that are searched.

A pattern must occur, so that text behind the limit cannot satisfy a rule.
"""

_MIN_STEPS = 5

_TOO_MANY = 1e9
_OTHERS = frozenset(("digit", "space", "word", "sign"))
"""Kinds of the characters beyond ASCII."""
_ALL = _OTHERS | frozenset(map(chr, range(128)))
_CLASSES = {
    "DIGIT": frozenset("0123456789") | {"digit"},
    "SPACE": frozenset(" \t\n\r\f\v\x1c\x1d\x1e\x1f") | {"space"},
    "WORD": frozenset(
        character for character in map(chr, range(128)) if character.isalnum() or character == "_"
    )
    | {"digit", "word"},
    "LINEBREAK": frozenset("\n"),
}
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_FOLDED = frozenset("kKsSiI")
"""Letters that are the same as one beyond ASCII, if case does not count."""
_CODE_POINTS = 127
"""The last character of ASCII."""
_MAX_POWER = 64
"""Rounds of a repeat that are computed; more would only give numbers beyond `_TOO_MANY`."""

Signs = frozenset[str]
"""Characters of ASCII, and the kinds of all others."""


class SlowError(Exception):
    """The reason why a pattern is refused."""


class _Cost(NamedTuple):
    """The cost of a part of a pattern.

    `steps` are those for one try, `ways` the different matches from one place, `first` the
    characters with which a match begins, and `empty` tells that a match may be empty.
    """

    steps: float
    ways: float
    first: Signs
    empty: bool


class _Rest(NamedTuple):
    """The rest of a pattern behind a part: its first characters, and whether it may be empty.

    None is used for a rest that always matches.
    """

    first: Signs
    empty: bool


class Bounded(NamedTuple):
    """A pattern, and the steps it takes at most from one place of a text."""

    regex: re.Pattern[str]
    steps: int


_OVERHEAD = 10
"""Steps for each try of a part that is more than one character."""

_MAX_RUN = 60
"""Characters of a literal text in which a period is searched."""

_NOTHING = _Cost(0, 1, frozenset(), True)


@lru_cache(maxsize=1024)
def bounded(pattern: str) -> Bounded:
    """Compile a pattern that ignores case.

    Raises:
        SlowError: A search could take too long.
        re.error: The pattern is invalid.
    """
    # The standard library has no public parser.
    from re import _compiler, _parser  # type: ignore[attr-defined]

    if len(pattern) > LONGEST:
        raise SlowError(f"it has more than {LONGEST} characters")
    try:
        tree = _parser.parse(pattern, re.IGNORECASE)
        cost = _sequence(tree, None, bool(tree.state.flags & re.DOTALL))
    except (RecursionError, OverflowError):
        raise SlowError("its groups are nested too deeply") from None
    if cost.steps > MOST_STEPS:
        raise SlowError("nested or overlapping quantifiers take too long on some texts")
    _bound(tree)
    return Bounded(_compiler.compile(tree, re.IGNORECASE), max(int(cost.steps), _MIN_STEPS))


def _bound(nodes: Any) -> None:
    """Set an upper limit on every unlimited repeat, also in groups and repeats."""
    for number, (operation, value) in enumerate(nodes):
        name = str(operation)
        if name in _REPEATS:
            nodes[number] = (operation, (value[0], _most(value), value[2]))
            _bound(value[2])
        elif name == "BRANCH":
            for choice in value[1]:
                _bound(choice)
        elif name in ("SUBPATTERN", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"):
            _bound(value if name == "ATOMIC_GROUP" else value[-1])


def _most(repeat: tuple[int, Any, Any]) -> int:
    return max(repeat[0], REACH) if str(repeat[1]) == "MAXREPEAT" else int(repeat[1])


def _sequence(nodes: Any, rest: _Rest | None, dots: bool) -> _Cost:
    """Return the cost of a sequence of nodes; repeats that need no backtracking get none.

    `dots`: a dot also matches a line break.
    """
    costs: list[_Cost] = []
    follows = rest
    # From the last node to the first, since the rest decides how often a node is tried again.
    for number in reversed(range(len(nodes))):
        name, value = str(nodes[number][0]), nodes[number][1]
        cost = _node(name, value, follows, dots)
        if name == "MAX_REPEAT" and cost.ways == 1 and follows is not None:
            nodes[number] = (_possessive(), value)
        costs.append(cost)
        follows = _before(cost, follows, name)
    costs.reverse()
    steps, ways = _steps(nodes, costs)
    first: Signs = frozenset()
    for cost in costs:
        first |= cost.first
        if not cost.empty:
            return _Cost(steps, ways, first, empty=False)
    return _Cost(steps, ways, first, empty=True)


def _steps(nodes: Any, costs: list[_Cost]) -> tuple[float, float]:
    """Return the steps and the ways of a sequence, from the costs of its nodes."""
    steps, ways, run = 0.0, 1.0, ""
    for (operation, value), cost in zip(nodes, costs, strict=True):
        if str(operation) == "LITERAL":
            run = (run + chr(value))[-_MAX_RUN:]
            steps += ways / _period(run)
        else:
            run = ""
            overhead = _OVERHEAD if ways > 1 else 0
            steps += ways * (cost.steps + overhead)
        ways = min(ways * cost.ways, _TOO_MANY)
    return min(steps, _TOO_MANY), ways


def _possessive() -> Any:
    """Return the operation of a repeat without backtracking.

    It finds the same if the rest cannot match inside the repeat, and avoids useless tries.
    """
    from re import _constants  # type: ignore[attr-defined]

    return _constants.POSSESSIVE_REPEAT


def _before(cost: _Cost, follows: _Rest | None, name: str) -> _Rest | None:
    """Return the rest as the node before sees it: a node of this cost, and what follows it."""
    if follows is None and cost.empty and name in (*_REPEATS, "SUBPATTERN"):
        return None
    if not cost.empty:
        return _Rest(cost.first, empty=False)
    after = follows or _Rest(frozenset(), empty=True)
    return _Rest(cost.first | after.first, after.empty)


def _period(run: str) -> int:
    """Return the smallest distance at which a text can overlap itself; it limits how often the text
    occurs.
    """
    folded = run.casefold()
    return next(size for size in range(1, len(folded) + 1) if folded.startswith(folded[size:]))


def _node(name: str, value: Any, rest: _Rest | None, dots: bool) -> _Cost:
    signs = _signs(name, value, dots)
    if signs is not None:
        return _Cost(1, 1, signs, empty=False)
    if name in _REPEATS:
        cost = _repeat(value, rest, dots, name == "MIN_REPEAT")
        return cost._replace(ways=1) if name == "POSSESSIVE_REPEAT" else cost
    if name == "BRANCH":
        return _branch([_sequence(choice, rest, dots) for choice in value[1]])
    if name in ("AT", "FAILURE"):
        return _NOTHING._replace(steps=1)
    return _group(name, value, rest, dots)


def _group(name: str, value: Any, rest: _Rest | None, dots: bool) -> _Cost:
    """Return the cost of a group.

    Raises:
        SlowError: The node is no group, but a reference back to one.
    """
    if name == "SUBPATTERN":
        _, added, removed, inner = value
        is_dotall = (dots or bool(added & re.DOTALL)) and not removed & re.DOTALL
        return _sequence(inner, rest, is_dotall)
    if name == "ATOMIC_GROUP":
        # Nothing is known about the rest: the group does not backtrack into it.
        return _sequence(value, _Rest(_ALL, empty=True), dots)._replace(ways=1)
    if name in ("ASSERT", "ASSERT_NOT"):
        return _NOTHING._replace(steps=1 + _sequence(value[1], None, dots).steps)
    raise SlowError("backreferences are not supported")


def _branch(choices: list[_Cost]) -> _Cost:
    first: Signs = frozenset().union(*(choice.first for choice in choices))
    empty = any(choice.empty for choice in choices)
    steps = [choice.steps for choice in choices]
    ways = [choice.ways for choice in choices]
    pairs = combinations(choices, 2)
    if empty or any(one.first & other.first for one, other in pairs):
        return _Cost(sum(steps), sum(ways), first, empty)
    # No two choices begin alike: all but one fail at their first sign.
    return _Cost(max(steps) + len(steps) / 10, max(ways), first, empty)


def _repeat(value: tuple[int, Any, Any], rest: _Rest | None, dots: bool, lazy: bool) -> _Cost:
    """Return the cost of a repeat.

    Raises:
        SlowError: What is repeated may be empty.
    """
    minimum, maximum, body = value[0], _most(value), value[2]
    if maximum == 0:
        return _NOTHING
    if rest is None and minimum <= 1:
        return _repeat_at_end(body, minimum, dots)
    after = rest or _Rest(frozenset(), empty=True)
    again, _ = _first(body, dots)
    inner = _sequence(body, _Rest(again | after.first, after.empty), dots)
    if inner.empty and maximum > 1:
        raise SlowError("a quantifier on a group that can be empty takes too long on some texts")
    ways = inner.ways ** min(maximum, _MAX_POWER)
    # Several lengths are tried only if the rest may begin inside the repeat.
    if lazy or after.empty or again & after.first:
        ways *= maximum - minimum + 1
    steps = _rounds(inner, maximum) * (inner.steps + _overhead_of(body, dots))
    return _Cost(min(steps, _TOO_MANY), min(ways, _TOO_MANY), inner.first, not minimum)


def _repeat_at_end(body: Any, minimum: int, dots: bool) -> _Cost:
    """Return the cost of a repeat before a rest that always matches: one round decides."""
    inner = _sequence(body, None, dots)._replace(ways=1)
    return inner if minimum else inner._replace(steps=1, empty=True)


def _rounds(inner: _Cost, maximum: int) -> float:
    """Return how often the body of a repeat is tried."""
    if inner.ways == 1:
        return maximum
    return sum(inner.ways**number for number in range(min(maximum, _MAX_POWER)))


def _overhead_of(body: Any, dots: bool) -> int:
    """Return the extra steps for a round; none for a single character."""
    if len(body) == 1 and _signs(str(body[0][0]), body[0][1], dots) is not None:
        return 0
    return _OVERHEAD


def _first(nodes: Any, dots: bool) -> tuple[Signs, bool]:
    """Return the signs that a part begins with, and whether it may be empty."""
    first: Signs = frozenset()
    for operation, value in nodes:
        signs, empty = _first_of_node(str(operation), value, dots)
        first |= signs
        if not empty:
            return first, False
    return first, True


def _first_of_node(name: str, value: Any, dots: bool) -> tuple[Signs, bool]:
    signs = _signs(name, value, dots)
    if signs is not None:
        return signs, False
    if name in _REPEATS:
        first, empty = _first(value[2], dots)
        return first, empty or not value[0]
    if name == "ATOMIC_GROUP":
        return _first(value, dots)
    if name == "SUBPATTERN":
        return _first(value[-1], dots or bool(value[1] & re.DOTALL))
    if name == "BRANCH":
        return _first_of_branch(value[1], dots)
    return frozenset(), True


def _first_of_branch(choices: Any, dots: bool) -> tuple[Signs, bool]:
    firsts = [_first(choice, dots) for choice in choices]
    signs = frozenset().union(*(first for first, _ in firsts))
    return signs, any(empty for _, empty in firsts)


def _signs(name: str, value: Any, dots: bool) -> Signs | None:
    """Return the characters that a node of one character matches, rather too many than too few.

    None for a node of another kind.
    """
    if name == "ANY":
        return _ALL if dots else _ALL - {"\n"}
    if name == "LITERAL":
        return _cased(chr(value))
    if name == "NOT_LITERAL":
        return _ALL - _excluded("LITERAL", value)
    if name == "IN":
        return _signs_of_set([(str(kind), item) for kind, item in value])
    return None


def _signs_of_set(items: list[tuple[str, Any]]) -> Signs:
    """Return the characters that a set in brackets matches."""
    if items[0][0] == "NEGATE":
        return _ALL.difference(*(_excluded(kind, item) for kind, item in items[1:]))
    return frozenset().union(*(_item(kind, item) for kind, item in items))


def _item(kind: str, item: Any) -> Signs:
    if kind == "LITERAL":
        return _cased(chr(item))
    if kind != "RANGE":
        return _category(str(item))
    first, last = item
    codes = range(first, min(last, _CODE_POINTS) + 1)
    inside = frozenset().union(*(_cased(chr(code)) for code in codes))
    return inside | _OTHERS | _FOLDED if last > _CODE_POINTS else inside


def _category(name: str) -> Signs:
    """Return the characters of a class such as `CATEGORY_NOT_WORD`."""
    kind = name.removeprefix("CATEGORY_").removeprefix("UNI_")
    signs = _CLASSES[kind.removeprefix("NOT_")]
    return _ALL - signs if kind.startswith("NOT_") else signs


def _excluded(kind: str, item: Any) -> Signs:
    """Return the characters that an item of a negated set surely excludes.

    A kind of characters beyond ASCII is excluded only by a class, not by one of its characters.
    """
    if kind == "CATEGORY":
        return _category(str(item))
    first, last = (item, item) if kind == "LITERAL" else item
    characters = map(chr, range(first, min(last, _CODE_POINTS) + 1))
    return frozenset().union(*({character, *_ascii_cases(character)} for character in characters))


def _ascii_cases(character: str) -> set[str]:
    """Return the lower and upper case of a character, if they are ASCII."""
    return {form for form in (character.lower(), character.upper()) if form.isascii()}


def _cased(character: str) -> Signs:
    """Return a character in both cases."""
    if character.isascii():
        signs = frozenset({character, *_ascii_cases(character)})
        return signs | {"word"} if character in _FOLDED else signs
    if character.isspace():
        return frozenset(("space",))
    if character.isdecimal():
        return frozenset(("digit", "word"))
    return frozenset(("word", "sign")) | _FOLDED | _ascii_cases(character)
