"""The chain of decisions about a pull request: JSON lines, each with the hash of the previous one.

Pure. The chain is stored in a hidden mark on the check run of the head, and copied to the next
head. The characters of a line never change. With a key each line is signed; without one, anyone who
can write checks can write another chain. No approval is based on it; it may refuse a short SHA.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

LONGEST = 24_000
"""Maximum characters of the lines of one pull request.

Beyond that the oldest are dropped; their number and the last hash remain.
"""

_BLOCK = re.compile(
    r"^<!-- helix:decisions ([0-9]{1,10}) ([0-9]{1,6}):([0-9a-f]{64}|)\n((?:(?!-->)[^\n]*\n)+)-->$",
    re.MULTILINE,
)
_SIGNED = re.compile(r'(\{.*),"signature":"([0-9a-f]{64})"\}')
_ESCAPED = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&@#`\x7f"})
"""Characters that could end the comment, or mention and link something where a line is pasted.

JSON reads them back.
"""

_DASH = re.compile("-(?=-)")

_TIP = re.compile(
    r"^<!-- helix:decided ([0-9]{1,6}) ([0-9a-f]{64}) ([0-9a-f]{40,64}) -->$", re.MULTILINE
)


class Chain(NamedTuple):
    """Lines from the oldest to the newest.

    `dropped` is the number of older lines that were removed, and `before` the hash of the last of
    them. `others` are the chains of other pull requests at the same commit, unchanged. `doubt` is
    the end that our comment names, if it differs: two runs wrote at the same time, or the chain was
    cut.
    """

    number: int = 0
    lines: tuple[str, ...] = ()
    dropped: int = 0
    before: str = ""
    others: str = ""
    doubt: str = ""

    @property
    def length(self) -> int:
        """The number of all decisions, including the dropped ones."""
        return self.dropped + len(self.lines)

    @property
    def last(self) -> str:
        """The hash of the newest line, "" without one."""
        if not self.lines:
            return self.before
        return hashed(self.lines[-1])

    @property
    def newest(self) -> dict[str, Any]:
        """The newest decision; empty if it can't be read."""
        if not self.lines:
            return {}
        return fields_of(self.lines[-1])


class Tip(NamedTuple):
    """The end of a chain in our comment: number of lines, hash of the last, and its commit."""

    length: int
    hash: str
    commit: str


VALID, WRONG, OTHER, UNCHECKED, UNSIGNED = "valid", "wrong", "other key", "not checked", "none"
"""States of a signature."""


class Link(NamedTuple):
    """A line with its number, its fields (empty if unreadable), the state of its signature, and
    the error in it ("" for none).
    """

    number: int
    fields: dict[str, Any]
    signature: str
    wrong: str = ""


def hashed(line: str) -> str:
    """Return the SHA-256 of a line as written, in hexadecimal digits."""
    return hashlib.sha256(line.encode()).hexdigest()


def key_id(key: bytes) -> str:
    """Return a name that identifies a key, from which the key can't be computed; "" without one."""
    if not key:
        return ""
    return hmac.new(key, b"helix:record-key", hashlib.sha256).hexdigest()[:8]


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
    # Two dashes could end the HTML comment around the line.
    body = _DASH.sub(r"\\u002d", json.dumps({**fields, **place}, separators=(",", ":")))
    line = body.translate(_ESCAPED)
    if key:
        line = f'{line[:-1]},"signature":"{_signature(line, key)}"}}'
    return chain._replace(lines=(*chain.lines, line), doubt="")


def is_signed(chain: Chain, key: bytes) -> bool:
    """Return whether the newest line was signed with this key."""
    return bool(chain.lines) and _signature_state(chain.lines[-1], key) == VALID


def _signature_state(line: str, key: bytes) -> str:
    match = _SIGNED.fullmatch(line)
    if not match:
        return UNSIGNED
    if not key:
        return UNCHECKED
    if hmac.compare_digest(match[2], _signature(f"{match[1]}}}", key)):
        return VALID
    named = fields_of(line).get("key")
    if isinstance(named, str) and named != key_id(key):
        return OTHER
    return WRONG


def links(
    chain: Chain, project: int, key: bytes, fits: Callable[[object], bool]
) -> tuple[Link, ...]:
    """Return the lines, each compared with the previous one.

    `project` is the repository's number, and `fits` checks a line against its schema.
    """
    links: list[Link] = []
    previous = chain.before
    for number, line in enumerate(chain.lines, chain.dropped + 1):
        fields = fields_of(line)
        if not fits(fields):
            fields = {}
        error = _error(fields, number, previous, (chain.number, project))
        links.append(Link(number, fields, _signature_state(line, key), error))
        previous = hashed(line)
    return tuple(links)


def _error(fields: dict[str, Any], number: int, previous: str, subject: tuple[int, int]) -> str:
    if not fields:
        return f"decision {number} can't be read"
    if (fields["pull_request"], fields["project_id"]) != subject:
        return (
            f"decision {number} is about {fields['repository']}, pull request "
            f"{fields['pull_request']}"
        )
    if fields["line"] != number:
        return f"expected decision {number}, got decision {fields['line']}"
    if fields["previous"] != previous:
        return f"decision {number} has a wrong hash of the previous one"
    return ""


def _refused(constant: str) -> None:
    """Raise ValueError for NaN and Infinity, which are no JSON and which databases refuse."""
    raise ValueError(constant)


def fields_of(line: str) -> dict[str, Any]:
    """Return the fields of a line; empty if it can't be read."""
    try:
        data = json.loads(line, parse_constant=_refused)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def read(text: str, number: int) -> Chain:
    """Return the chain of a pull request in the text of a check run; it may have no lines."""
    own = None
    others = ""
    for block in _BLOCK.finditer(text):
        if int(block[1]) != number:
            others += f"\n{block[0]}"
        elif own is None:
            own = block
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
    """Return the newest line for a check run, and earlier ones up to `room` characters."""
    if not chain.lines:
        return ""
    # 150 characters are enough for the mark around the lines: numbers and a hash.
    first, size = len(chain.lines) - 1, len(chain.lines[-1]) + 150
    while first and size + len(chain.lines[first - 1]) < min(room, LONGEST):
        first -= 1
        size += len(chain.lines[first]) + 1
    before = hashed(chain.lines[first - 1]) if first else chain.before
    lines = "".join(f"{line}\n" for line in chain.lines[first:])
    return f"\n<!-- helix:decisions {chain.number} {chain.dropped + first}:{before}\n{lines}-->"


def tip(chain: Chain, commit: str) -> str:
    """Return the mark for our comment that names the end of a chain; "" for an empty one.

    With it the chain is found after a push, and a cut is noticed.
    """
    if not chain.lines:
        return ""
    return f"<!-- helix:decided {chain.length} {chain.last} {commit} -->\n"


def tips(body: str) -> str:
    """Return the marks in a comment of ours that name the end of a chain."""
    return "".join(f"{match[0]}\n" for match in _TIP.finditer(body))


def in_comment(body: str) -> Tip | None:
    """Return the end of a chain that a comment of ours names; None if it names none."""
    ends = _TIP.findall(body)
    if not ends:
        return None
    length, last, commit = ends[-1]
    return Tip(int(length), last, commit)


def compared(chain: Chain, end: Tip | None) -> Chain:
    """Return a chain, checked against the end that our comment names.

    If no line is left, the next one continues from that end.
    """
    if end is None:
        return chain
    if not chain.lines:
        return chain._replace(dropped=end.length, before=end.hash)
    # None, where that line was dropped, proves nothing.
    if is_on(end, chain) is False:
        return chain._replace(doubt=f"{end.length} {end.hash}")
    return chain


def is_on(end: Tip, chain: Chain) -> bool | None:
    """Return whether a chain has the end that a comment names; None if that line was dropped."""
    if end.length < chain.dropped:
        return None
    hashes = (chain.before, *(hashed(line) for line in chain.lines))
    place = end.length - chain.dropped
    return place < len(hashes) and hashes[place] == end.hash
