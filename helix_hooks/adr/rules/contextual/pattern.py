"""Regular expressions of a repository's own rules: refused where a text could hold up the search,
and bounded in how far a repeat reaches.

A change under review may bring its own rules, so their patterns are hostile input. The steps that a
search can take from one place of a text are counted on the parsed pattern, upwards where in doubt;
more than `MOST_STEPS` is refused. An unbounded repeat reads `REACH` characters.
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

A pattern is something to be found, so that what lies behind hides nothing.
"""

_LEAST_STEPS = 5

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

Signs = frozenset[str]


class SlowError(Exception):
    """The reason for refusing a pattern."""


class _Cost(NamedTuple):
    """The cost of a part of a pattern.

    The steps it takes, the number of ways to match at one place, its first characters, and whether
    it may be empty.
    """

    steps: float
    ways: float
    first: Signs
    empty: bool


class _Rest(NamedTuple):
    """The rest behind a part: its first characters, and whether it may be empty.

    None stands for a rest that can't fail.
    """

    first: Signs
    empty: bool


class Bounded(NamedTuple):
    """A pattern, and the steps it takes at most from one place of a text."""

    regex: re.Pattern[str]
    steps: int


_OVERHEAD = 10
"""Steps for each try of a part that is more than one character."""

_LONGEST_RUN = 60

_NOTHING = _Cost(0, 1, frozenset(), True)


@lru_cache(maxsize=1024)
def bounded(pattern: str) -> Bounded:
    """Compile a pattern that ignores case.

    Raises: SlowError; re.error for an invalid pattern.
    """
    # The standard library has no public parser.
    from re import _compiler, _parser  # type: ignore[attr-defined]

    if len(pattern) > LONGEST:
        raise SlowError(f"it has more than {LONGEST} characters")
    try:
        tree = _parser.parse(pattern, re.IGNORECASE)
        cost = _sequence(tree, None, bool(tree.state.flags & re.DOTALL))
    except (RecursionError, OverflowError):
        raise SlowError("its groups stand too deep in each other") from None
    if cost.steps > MOST_STEPS:
        raise SlowError(
            "its repeats meet the same text or stand in each other, which takes too long on some "
            "texts"
        )
    _bound(tree)
    return Bounded(_compiler.compile(tree, re.IGNORECASE), max(int(cost.steps), _LEAST_STEPS))


def _bound(nodes: Any) -> None:
    """Set an upper limit on every unlimited repeat; nested repeats follow on the way down."""
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
    """Return the cost of a sequence of nodes.

    Computed from the last node to the first, since the rest decides how often a node is retried.
    """
    costs: list[_Cost] = []
    texts: list[str] = []
    follows = rest
    for number in reversed(range(len(nodes))):
        name, value = str(nodes[number][0]), nodes[number][1]
        cost = _node(name, value, follows, dots)
        if name == "MAX_REPEAT" and cost.ways == 1 and follows is not None:
            nodes[number] = (_possessive(), value)
        costs.append(cost)
        texts.append(chr(value) if name == "LITERAL" else "")
        follows = _before(cost, follows, name)
    steps, ways, run = 0.0, 1.0, ""
    for cost, text in zip(reversed(costs), reversed(texts), strict=True):
        run = (run + text)[-_LONGEST_RUN:] if text else ""
        overhead = _OVERHEAD if ways > 1 else 0
        steps += ways * (1 / _period(run) if text else cost.steps + overhead)
        ways = min(ways * cost.ways, _TOO_MANY)
    first: Signs = frozenset()
    empty = True
    for cost in reversed(costs):
        first, empty = (first | cost.first, cost.empty) if empty else (first, empty)
    return _Cost(min(steps, _TOO_MANY), ways, first, empty)


def _possessive() -> Any:
    """Return a repeat without backtracking.

    It finds the same if the rest can't match inside of it, and avoids useless tries.
    """
    from re import _constants  # type: ignore[attr-defined]

    return _constants.POSSESSIVE_REPEAT


def _before(cost: _Cost, follows: _Rest | None, name: str) -> _Rest | None:
    """Return the rest behind the node before one of this cost."""
    if follows is None and cost.empty and name in (*_REPEATS, "SUBPATTERN"):
        return None
    after = follows or _Rest(frozenset(), empty=True)
    return (
        _Rest(cost.first | after.first, after.empty)
        if cost.empty
        else _Rest(cost.first, empty=False)
    )


def _period(run: str) -> int:
    """Return the least distance at which a text can overlap itself: it limits its occurrences."""
    folded = run.casefold()
    return next(size for size in range(1, len(folded) + 1) if folded.startswith(folded[size:]))


def _node(name: str, value: Any, rest: _Rest | None, dots: bool) -> _Cost:
    signs = _signs(name, value, dots)
    if signs is not None:
        return _Cost(1, 1, signs, empty=False)
    if name in _REPEATS:
        cost = _repeat(value, rest, dots, name == "MIN_REPEAT")
        return cost._replace(ways=1) if name == "POSSESSIVE_REPEAT" else cost
    if name == "SUBPATTERN":
        _, more, less, inner = value
        return _sequence(inner, rest, (dots or bool(more & re.DOTALL)) and not less & re.DOTALL)
    if name == "ATOMIC_GROUP":
        return _sequence(value, _Rest(_ALL, empty=True), dots)._replace(ways=1)
    if name == "BRANCH":
        return _branch([_sequence(choice, rest, dots) for choice in value[1]])
    if name in ("ASSERT", "ASSERT_NOT"):
        return _NOTHING._replace(steps=1 + _sequence(value[1], None, dots).steps)
    if name in ("AT", "FAILURE"):
        return _NOTHING._replace(steps=1)
    raise SlowError("a reference back to a group is not searched for in bounded time")


def _branch(choices: list[_Cost]) -> _Cost:
    first: Signs = frozenset().union(*(choice.first for choice in choices))
    empty = any(choice.empty for choice in choices)
    apart = not empty and not any(
        one.first & other.first for one, other in combinations(choices, 2)
    )
    steps, ways = [choice.steps for choice in choices], [choice.ways for choice in choices]
    if apart:
        return _Cost(
            max(steps) + len(steps) / 10, max(ways), first, empty
        )  # all but one fail at their first sign
    return _Cost(sum(steps), sum(ways), first, empty)


def _repeat(value: tuple[int, Any, Any], rest: _Rest | None, dots: bool, lazy: bool) -> _Cost:
    least, most, body = value[0], _most(value), value[2]
    if most == 0:
        return _NOTHING
    again, _ = _first(body, dots)
    after = rest or _Rest(frozenset(), empty=True)
    if rest is None and least <= 1:
        inner = _sequence(body, None, dots)
        return inner._replace(
            steps=inner.steps if least else 1, ways=1, empty=not least or inner.empty
        )
    inner = _sequence(body, _Rest(again | after.first, after.empty), dots)
    if inner.empty and most > 1:
        raise SlowError("it repeats what may be empty, which takes too long on some texts")
    several = most > least and (lazy or after.empty or bool(again & after.first))
    ways = min(inner.ways ** min(most, 64) * (most - least + 1 if several else 1), _TOO_MANY)
    rounds = most if inner.ways == 1 else sum(inner.ways**number for number in range(min(most, 64)))
    alone = len(body) == 1 and _signs(str(body[0][0]), body[0][1], dots) is not None
    steps = rounds * (inner.steps + (0 if alone else _OVERHEAD))
    return _Cost(min(steps, _TOO_MANY), ways, inner.first, not least)


def _first(nodes: Any, dots: bool) -> tuple[Signs, bool]:
    """The signs that a part begins with, and whether it may be empty."""
    first: Signs = frozenset()
    for operation, value in nodes:
        begins, empty = _begins(str(operation), value, dots)
        first |= begins
        if not empty:
            return first, False
    return first, True


def _begins(name: str, value: Any, dots: bool) -> tuple[Signs, bool]:
    signs = _signs(name, value, dots)
    if signs is not None:
        return signs, False
    if name in _REPEATS:
        first, empty = _first(value[2], dots)
        return first, empty or not value[0]
    if name in ("SUBPATTERN", "ATOMIC_GROUP"):
        inner = value if name == "ATOMIC_GROUP" else value[-1]
        return _first(inner, dots or (name == "SUBPATTERN" and bool(value[1] & re.DOTALL)))
    if name == "BRANCH":
        found = [_first(choice, dots) for choice in value[1]]
        return frozenset().union(*(first for first, _ in found)), any(empty for _, empty in found)
    return frozenset(), True


def _signs(name: str, value: Any, dots: bool) -> Signs | None:
    """The characters that a node of one character takes, rather too many than too few; None for a
    node of another kind.
    """
    if name == "ANY":
        return _ALL if dots else _ALL - {"\n"}
    if name == "LITERAL":
        return _cased(chr(value))
    if name == "NOT_LITERAL":
        return _ALL - _taken_out("LITERAL", value)
    if name == "IN":
        denied = str(value[0][0]) == "NEGATE"
        items = [(str(kind), item) for kind, item in value if str(kind) != "NEGATE"]
        if denied:
            return _ALL.difference(*(_taken_out(kind, item) for kind, item in items))
        return frozenset().union(*(_item(kind, item) for kind, item in items))
    return None


def _item(kind: str, item: Any) -> Signs:
    if kind == "LITERAL":
        return _cased(chr(item))
    if kind == "RANGE":
        inside = frozenset().union(
            *(_cased(chr(code)) for code in range(item[0], min(item[1], 127) + 1))
        )
        return inside | _OTHERS | _FOLDED if item[1] > 127 else inside
    return _category(str(item))


def _category(name: str) -> Signs:
    """`CATEGORY_NOT_WORD` and the like."""
    kind = name.removeprefix("CATEGORY_").removeprefix("UNI_")
    signs = _CLASSES[kind.removeprefix("NOT_")]
    return _ALL - signs if kind.startswith("NOT_") else signs


def _taken_out(kind: str, item: Any) -> Signs:
    """Return what a denied item surely takes out of a set: nothing of what stands for many
    characters beyond ASCII, but by a class.
    """
    if kind == "CATEGORY":
        return _category(str(item))
    first, last = (item, item) if kind == "LITERAL" else item
    return frozenset().union(
        *({chr(code), *_others_of(chr(code))} for code in range(first, min(last, 127) + 1))
    )


def _others_of(character: str) -> set[str]:
    return {form for form in (character.lower(), character.upper()) if form.isascii()}


def _cased(character: str) -> Signs:
    """A character in both cases."""
    if character.isascii():
        return frozenset(
            {character, *_others_of(character)} | ({"word"} if character in _FOLDED else set())
        )
    if character.isspace():
        return frozenset(("space",))
    if character.isdecimal():
        return frozenset(("digit", "word"))
    return frozenset(("word", "sign")) | _FOLDED | _others_of(character)
