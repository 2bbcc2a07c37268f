"""Comments at lines of the diff: new ones as one review, and updates of earlier ones. Pure."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..decision.handover import DiffPlace, Handover, Hunks, PlacedFinding, mark, marked, within
from ..decision.pull_request import LineComment
from ..text import capped, code, counted
from ..verdict.earlier import ANSWERED
from .finding_texts import comment
from .links import Links
from .markdown import CUT_NOTE
from .markdown import folded as folded_part

MOST_COMMENTS = 30
"""Maximum number of open inline comments; GitHub may treat more as abuse."""

_FIXED = "✅ Fixed in "
_ANSWERED = "💬 Accepted by the judge at "
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
    """Return a review of the findings in the diff that have no comment yet; None without any.

    Information gets no comment, since GitHub notifies people of each. `mine` are our earlier
    comments.
    """
    commented = {marked(item.body)[0] for item in mine if not item.body.startswith(_OVER)}
    present = {item.fingerprint for item in handover.findings}
    room = max(0, MOST_COMMENTS - len(commented & present))
    new = [
        (item, item.place)
        for item in handover.findings
        if item.place and item.fingerprint not in commented and is_sayable(item)
        if item.finding.severity != "info"
    ]
    comments = tuple(_comment(item, place) for item, place in new[:room])
    if not comments:
        return None
    left = len(new) - len(comments)
    more = f", and {left} more in all" if left else ""
    body = (
        f"{counted(len(comments), 'finding')} at the lines of this change{more}. See "
        f"{to.page('the helix comment')} for the next steps."
    )
    return ReviewPayload(handover.target.head, body, comments)


def _comment(item: PlacedFinding, place: DiffPlace) -> dict[str, Any]:
    """Return a comment as GitHub's API takes it."""
    payload: dict[str, Any] = {"path": place.path, "line": place.last, "side": "RIGHT"}
    if place.first < place.last:
        payload |= {"start_line": place.first, "start_side": "RIGHT"}
    return payload | {"body": f"{comment(item)}\n{mark(item.fingerprint, item.by)}"}


def fixed(
    handover: Handover, everything: Iterable[LineComment], mine: list[LineComment]
) -> tuple[tuple[int, str], ...]:
    """Return new bodies, by id, of our comments whose finding is gone.

    A comment with an answer remains unchanged, and so does one whose source did not check the
    change in this run.
    """
    present = {item.fingerprint for item in handover.findings}
    sources = handover.sources_that_ran
    with_answer = {item.answers for item in everything}
    judged = {old.id: old.answer for round in handover.earlier for old in round.findings}
    bodies = []
    for item in mine:
        fingerprint, by = marked(item.body)
        if item.id in with_answer or item.body.startswith(_OVER):
            continue
        if by not in sources or fingerprint in present:
            continue
        state = _ANSWERED if judged.get(fingerprint) == ANSWERED else _FIXED
        own_mark = mark(fingerprint, by)
        old_text = item.body.rstrip().removesuffix(own_mark).strip()
        part = folded_part("The finding", f"{old_text}\n").rstrip() if old_text else ""
        bodies.append((item.id, f"{state}{handover.target.head[:7]}.\n\n{part}\n\n{own_mark}"))
    return tuple(bodies)


def doubles(
    handover: Handover, everything: Iterable[LineComment], mine: list[LineComment]
) -> tuple[int, ...]:
    """Return the ids of our comments that repeat an older one, left by two runs at the same time.

    A comment with an answer is never among them.
    """
    present = {item.fingerprint for item in handover.findings}
    answered = {item.answers for item in everything}
    first: dict[tuple[str, str], int] = {}
    repeated = []
    # Sort answered comments first, so that the unanswered duplicate is removed.
    for item in sorted(mine, key=lambda item: (item.id not in answered, item.id)):
        subject = marked(item.body)
        if item.body.startswith(_OVER) or subject[0] not in present:
            continue
        if first.setdefault(subject, item.id) != item.id and item.id not in answered:
            repeated.append(item.id)
    return tuple(repeated)


def folded(review: ReviewPayload, hunks: dict[str, Hunks]) -> ReviewPayload:
    """Return the review again, after GitHub rejected one of its lines.

    Comments at lines that its own diff (`hunks` by path) does not show move into the text. If it
    shows all of them, the refused one is unknown, and all move.
    """
    staying, moved = [], []
    for item in review.comments:
        path, last = item["path"], item["line"]
        if within(path, item.get("start_line", last), last, hunks.get(path, ())):
            staying.append(item)
        else:
            moved.append(item)
    if not moved:
        staying, moved = moved, staying
    texts = [
        f"{code('{}:{}'.format(item['path'], item['line']))}\n\n{item['body']}" for item in moved
    ]
    body = "\n\n".join(filter(None, [review.body, *texts]))
    return ReviewPayload(review.commit, capped(body, CUT_NOTE), tuple(staying))
