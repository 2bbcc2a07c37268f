"""Comments at lines of the diff: new ones as one review, and updates of earlier ones. Pure."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..decision.handover import DiffPlace, Handover, Hunks, PlacedFinding, mark, marked, within
from ..decision.pull_request import LineComment
from ..text import capped, code, counted
from ..verdict.earlier import ANSWERED
from .links import Links
from .summary_text import MORE, comment

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
    new = [item for item in handover.findings if _is_new(item, commented)]
    comments = tuple(_inline(item, item.place) for item in new[:room] if item.place)
    if not comments:
        return None
    left = len(new) - len(comments)
    more = f", and {left} more in all" if left else ""
    body = (
        f"{counted(len(comments), 'finding')} at the lines of this change{more}. See "
        f"{to.page('the helix comment')} for the next steps."
    )
    return ReviewPayload(handover.target.head, body, comments)


def _is_new(item: PlacedFinding, commented: set[str]) -> bool:
    is_for_people = item.finding.severity != "info" and item.place is not None and is_sayable(item)
    return is_for_people and item.fingerprint not in commented


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

    A comment with an answer remains unchanged, and so does one whose source did not check the
    change in this run.
    """
    present = {item.fingerprint for item in handover.findings}
    bodies = []
    for item in _open(everything, mine):
        fingerprint, by = marked(item.body)
        if by in handover.sources_that_ran and fingerprint not in present:
            bodies.append((item.id, _over_body(item, handover, fingerprint)))
    return tuple(bodies)


def _open(everything: Iterable[LineComment], mine: list[LineComment]) -> Iterator[LineComment]:
    """Yield our comments without an answer whose finding was not over before."""
    answered = {item.answers for item in everything}
    for item in mine:
        if item.id not in answered and not item.body.startswith(_OVER):
            yield item


def _over_body(item: LineComment, handover: Handover, fingerprint: str) -> str:
    """Return the text of a comment whose finding is fixed, or was answered by a reply."""
    answers: dict[str, str] = {}
    for round in handover.earlier:
        answers |= {old.id: old.answer for old in round.findings}
    state = _ANSWERED if answers.get(fingerprint) == ANSWERED else _FIXED
    own_mark = mark(*marked(item.body))
    finding = item.body.rstrip().removesuffix(own_mark).strip()
    folded = ""
    if finding:
        folded = f"<details><summary>The finding</summary>\n\n{finding}\n\n</details>"
    return f"{state}{handover.target.head[:7]}.\n\n{folded}\n\n{own_mark}"


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
    staying = [item for item in review.comments if _is_within(item, hunks)]
    if len(staying) == len(review.comments):
        staying = []
    moved = [
        f"{code('{}:{}'.format(item['path'], item['line']))}\n\n{item['body']}"
        for item in review.comments
        if item not in staying
    ]
    body = "\n\n".join(filter(None, [review.body, *moved]))
    return ReviewPayload(review.commit, capped(body, MORE), tuple(staying))


def _is_within(item: dict[str, Any], hunks: dict[str, Hunks]) -> bool:
    path, last = item["path"], item["line"]
    return within(path, item.get("start_line", last), last, hunks.get(path, ())) is not None
