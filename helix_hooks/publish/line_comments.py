"""Comments at lines of the diff: new ones as one review, and what becomes of earlier ones. Pure."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..decision.fingerprints import mark, marked
from ..decision.handover import Handover, PlacedFinding
from ..decision.placement import DiffPlace, Hunks, within
from ..decision.pull_request import LineComment
from ..text.plural import counted
from ..text.sanitize import capped, code
from ..verdict.earlier import ANSWERED
from .links import Links
from .page import MORE, comment

MOST_COMMENTS = 30
"""Maximum open inline comments; GitHub may treat more as abuse."""

_FIXED = "✅ Fixed in "
_ANSWERED = "💬 Answered, as the judge says at "
_OVER = (_FIXED, _ANSWERED)


class ReviewPayload(NamedTuple):
    """One review with all its new comments, bound to a commit."""

    commit: str
    body: str
    comments: tuple[dict[str, Any], ...]


def is_sayable(item: PlacedFinding) -> bool:
    """Return whether GitHub accepts the name of the file: it refuses names that are not UTF-8."""
    return not any("\ud800" <= character <= "\udfff" for character in item.finding.path)


def review(handover: Handover, mine: list[LineComment], to: Links) -> ReviewPayload | None:
    """Return a review of the findings without a comment yet that the diff shows; None without any.

    Information is no reason to write to people. `mine` are our earlier comments.
    """
    known = {marked(item.body)[0] for item in mine if not item.body.startswith(_OVER)}
    there = {item.fingerprint for item in handover.findings}
    room = max(0, MOST_COMMENTS - len(known & there))
    new = [item for item in handover.findings if _is_new(item, known)]
    comments = tuple(_inline(item, item.place) for item in new[:room] if item.place)
    if not comments:
        return None
    left = len(new) - len(comments)
    more = f", and {left} more in all" if left else ""
    page = to.page("the comment of this gate")
    body = (
        f"{counted(len(comments), 'finding')} at the lines of this change{more}. What to do is "
        f"in {page}."
    )
    return ReviewPayload(handover.target.head, body, comments)


def _is_new(item: PlacedFinding, told: set[str]) -> bool:
    is_for_people = item.finding.severity != "info" and item.place is not None and is_sayable(item)
    return is_for_people and item.fingerprint not in told


def _inline(item: PlacedFinding, place: DiffPlace) -> dict[str, Any]:
    lines: dict[str, Any] = {"line": place.last, "side": "RIGHT"}
    if place.first < place.last:
        lines |= {"start_line": place.first, "start_side": "RIGHT"}
    return {
        "path": place.path,
        **lines,
        "body": f"{comment(item)}\n{mark(item.fingerprint, item.by)}",
    }


def fixed(
    handover: Handover, everything: Iterable[LineComment], mine: list[LineComment]
) -> tuple[tuple[int, str], ...]:
    """Return new bodies, by id, of our comments whose finding is gone.

    A comment that somebody has answered stays as it is, and so does one whose source has not looked
    at the change this time.
    """
    there = {item.fingerprint for item in handover.findings}
    answered = {item.answers for item in everything}
    bodies = []
    for item in mine:
        fingerprint, by = marked(item.body)
        is_open = item.id not in answered and not item.body.startswith(_OVER)
        if is_open and by in handover.sources and fingerprint not in there:
            bodies.append((item.id, _over_body(item, handover, fingerprint)))
    return tuple(bodies)


def _over_body(item: LineComment, handover: Handover, fingerprint: str) -> str:
    """Return a comment that says that its finding is fixed, or that the reply to it answers it."""
    answers = {old.id: old.answer for round in handover.earlier for old in round.findings}
    head = handover.target.head[:7]
    said = _ANSWERED if answers.get(fingerprint) == ANSWERED else _FIXED
    own_mark = mark(*marked(item.body))
    finding = item.body.rstrip().removesuffix(own_mark).strip()
    folded = (
        f"<details><summary>The finding</summary>\n\n{finding}\n\n</details>" if finding else ""
    )
    return f"{said}{head}.\n\n{folded}\n\n{own_mark}"


def doubles(
    handover: Handover, everything: Iterable[LineComment], mine: list[LineComment]
) -> tuple[int, ...]:
    """Return our comments about a finding that an older one is about, left by two runs at once.

    One that somebody has answered stays.
    """
    there = {item.fingerprint for item in handover.findings}
    answered = {item.answers for item in everything}
    open_ones = [
        item for item in mine if not item.body.startswith(_OVER) and marked(item.body)[0] in there
    ]
    first: dict[tuple[str, str], int] = {}
    for item in sorted(open_ones, key=lambda item: (item.id not in answered, item.id)):
        first.setdefault(marked(item.body), item.id)
    return tuple(
        item.id
        for item in open_ones
        if item.id not in answered and first[marked(item.body)] != item.id
    )


def folded(review: ReviewPayload, hunks: dict[str, Hunks]) -> ReviewPayload:
    """Return a review of which GitHub has refused a line.

    The comments at lines that its own diff (`hunks` by path) does not show move to the text above.
    If it shows all of them, nobody knows which was refused, and all move.
    """
    stays = [item for item in review.comments if _is_within(item, hunks)]
    if len(stays) == len(review.comments):
        stays = []
    moved = [
        f"{code('{}:{}'.format(item['path'], item['line']))}\n\n{item['body']}"
        for item in review.comments
        if item not in stays
    ]
    above = [review.body] if review.body else []
    return ReviewPayload(review.commit, capped("\n\n".join([*above, *moved]), MORE), tuple(stays))


def _is_within(item: dict[str, Any], hunks: dict[str, Hunks]) -> bool:
    path, last = item["path"], item["line"]
    return within(path, item.get("start_line", last), last, hunks.get(path, ())) is not None
