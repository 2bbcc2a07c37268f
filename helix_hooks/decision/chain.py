"""The chain of decisions about a pull request: one JSON line each, with the hash of the line
before. Pure.

It stands on the check run of the head, in a hidden mark, and goes on at the next head. A line keeps
every character as it was written. With a key it is signed; without one, whoever may write checks
can write another chain. No decision is taken from it.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

LONGEST = 24_000
"""Characters of the lines of one pull request; of more, the oldest are dropped, and their number
and the last hash stay.
"""

_BLOCK = re.compile(
    r"^<!-- helix:decisions ([0-9]{1,10}) ([0-9]{1,6}):([0-9a-f]{64}|)\n((?:(?!-->)[^\n]*\n)+)-->$",
    re.MULTILINE,
)
_SIGNED = re.compile(r'(\{.*),"signature":"([0-9a-f]{64})"\}')
_ESCAPED = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&@#`\x7f"})
"""Signs that could end the comment, or be live where somebody pastes a line.

JSON reads them back.
"""

_DASH = re.compile("-(?=-)")

_TIP = re.compile(
    r"^<!-- helix:decided ([0-9]{1,6}) ([0-9a-f]{64}) ([0-9a-f]{40,64}) -->$", re.MULTILINE
)


class Chain(NamedTuple):
    """Lines from the oldest to the newest.

    `dropped` older ones are gone, and the last of these has the hash `before`. `others` are the
    chains of other pull requests at the same commit, as they stand there. `doubt` is the end that
    our comment names, if that is another one: two runs wrote at once, or somebody has cut the
    chain.
    """

    number: int = 0
    lines: tuple[str, ...] = ()
    dropped: int = 0
    before: str = ""
    others: str = ""
    doubt: str = ""

    @property
    def length(self) -> int:
        """The number of all decisions, also of those that were dropped."""
        return self.dropped + len(self.lines)

    @property
    def last(self) -> str:
        """The hash of the newest line, "" without one."""
        return hashed(self.lines[-1]) if self.lines else self.before

    @property
    def newest(self) -> dict[str, Any]:
        """The newest decision; nothing where it can't be read."""
        return fields_of(self.lines[-1]) if self.lines else {}


class Tip(NamedTuple):
    """The end of a chain, as our comment knows it: number of lines, hash of the last, and its
    commit.
    """

    length: int
    hash: str
    commit: str


VALID, WRONG, OTHER, UNCHECKED, UNSIGNED = "valid", "wrong", "other key", "not checked", "none"
"""States of a signature."""


class Link(NamedTuple):
    """A line with its number, its fields (none if unreadable), its signature, and what is wrong (""
    for nothing).
    """

    number: int
    fields: dict[str, Any]
    signature: str
    wrong: str = ""


def hashed(line: str) -> str:
    """Return the SHA-256 of a line as it is written, in hexadecimal digits."""
    return hashlib.sha256(line.encode()).hexdigest()


def key_id(key: bytes) -> str:
    """Return a name that identifies a key, and from which the key can't be computed."""
    return hmac.new(key, b"helix:record-key", hashlib.sha256).hexdigest()[:8] if key else ""


def _signature(body: str, key: bytes) -> str:
    return hmac.new(key, f"helix:decision\0{body}".encode(), hashlib.sha256).hexdigest()


def added(chain: Chain, fields: dict[str, Any], key: bytes = b"") -> Chain:
    """Return the chain with one more decision, signed if there is a key."""
    place = {
        "line": chain.length + 1,
        "previous": chain.last,
        "doubt": chain.doubt or None,
        "key": key_id(key) or None,
    }
    body = _DASH.sub(r"\\u002d", json.dumps({**fields, **place}, separators=(",", ":")))
    body = body.translate(_ESCAPED)
    signed = f'{body[:-1]},"signature":"{_signature(body, key)}"}}' if key else body
    return chain._replace(lines=(*chain.lines, signed), doubt="")


def is_signed(chain: Chain, key: bytes) -> bool:
    """Return whether the newest line was signed with this key."""
    return bool(chain.lines) and _signed(chain.lines[-1], key) == VALID


def _signed(line: str, key: bytes) -> str:
    found = _SIGNED.fullmatch(line)
    if not found:
        return UNSIGNED
    if not key:
        return UNCHECKED
    if hmac.compare_digest(found[2], _signature(f"{found[1]}}}", key)):
        return VALID
    named = fields_of(line).get("key")
    return OTHER if isinstance(named, str) and named != key_id(key) else WRONG


def links(
    chain: Chain, project: int, key: bytes, fits: Callable[[object], bool]
) -> tuple[Link, ...]:
    """Return the lines, each compared with the one before it.

    `project` is the repository's number, and `fits` checks a line against its schema.
    """
    found: list[Link] = []
    before = chain.before
    for number, line in enumerate(chain.lines, chain.dropped + 1):
        fields = fields_of(line)
        fields = fields if fits(fields) else {}
        wrong = _wrong(fields, number, before, (chain.number, project))
        found.append(Link(number, fields, _signed(line, key), wrong))
        before = hashed(line)
    return tuple(found)


def _wrong(fields: dict[str, Any], number: int, before: str, about: tuple[int, int]) -> str:
    if not fields:
        return f"decision {number} can't be read"
    if (fields["pull_request"], fields["project_id"]) != about:
        return (
            f"decision {number} is about {fields['repository']}, pull request "
            f"{fields['pull_request']}"
        )
    if fields["line"] != number:
        return f"decision {fields['line']} stands in the place of decision {number}"
    if fields["previous"] != before:
        return f"decision {number} does not carry the hash of the one before it"
    return ""


def fields_of(line: str) -> dict[str, Any]:
    """Return the fields of a line; none where it can't be read."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def read(text: str, number: int) -> Chain:
    """Return the chain of a pull request from the text of a check run; without lines if there is
    none.
    """
    blocks = [*_BLOCK.finditer(text)]
    others = "".join(f"\n{block[0]}" for block in blocks if int(block[1]) != number)
    own = next((block for block in blocks if int(block[1]) == number), None)
    if own is None:
        return Chain(number=number, others=others)
    return Chain(
        number=number,
        lines=tuple(own[4].removesuffix("\n").split("\n")),
        dropped=int(own[2]),
        before=own[3],
        others=others,
    )


def block(chain: Chain, room: int = LONGEST) -> str:
    """Return the chain for a check run: the newest line, and as many earlier ones as `room` has
    characters for.
    """
    if not chain.lines:
        return ""
    first, size = len(chain.lines) - 1, len(chain.lines[-1]) + 150
    while first and size + len(chain.lines[first - 1]) < min(room, LONGEST):
        first -= 1
        size += len(chain.lines[first]) + 1
    before = hashed(chain.lines[first - 1]) if first else chain.before
    lines = "".join(f"{line}\n" for line in chain.lines[first:])
    return f"\n<!-- helix:decisions {chain.number} {chain.dropped + first}:{before}\n{lines}-->"


def tip(chain: Chain, commit: str) -> str:
    """Return the mark in our comment of where a chain ends.

    By it the chain is found after a push, and a cut is noticed.
    """
    return f"<!-- helix:decided {chain.length} {chain.last} {commit} -->\n" if chain.lines else ""


def tips(body: str) -> str:
    """Return the marks in a comment of ours that say where a chain ends."""
    return "".join(f"{found[0]}\n" for found in _TIP.finditer(body))


def in_comment(body: str) -> Tip | None:
    """Return the end of a chain that a comment of ours names; None if it names none."""
    found = _TIP.findall(body)
    return Tip(int(found[-1][0]), found[-1][1], found[-1][2]) if found else None


def compared(chain: Chain, end: Tip | None) -> Chain:
    """Return a chain, checked against the end that our comment names.

    If no line is left, the next one continues from that end.
    """
    if end is None:
        return chain
    if not chain.lines:
        return chain._replace(dropped=end.length, before=end.hash)
    return chain._replace(doubt=f"{end.length} {end.hash}") if is_on(end, chain) is False else chain


def is_on(end: Tip, chain: Chain) -> bool | None:
    """Return whether a chain has the line that a comment names as its end; None if that line was
    dropped.
    """
    if end.length < chain.dropped:
        return None
    hashes = (chain.before, *(hashed(line) for line in chain.lines))
    place = end.length - chain.dropped
    return place < len(hashes) and hashes[place] == end.hash
