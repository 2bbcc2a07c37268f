"""What is sent to GitHub, as plain values: one review, one comment that stays, one check run, and what became of earlier comments."""

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..report.plain import counted
from .escalation import Escalation, escalation
from .facts import Comment, LineComment, PullRequest, Status
from .fingerprint import mark, marked
from .handover import Handover, Said
from .harmless import capped, code, plain
from .kept import ledger
from .outcome import Outcome
from .page import MORE, comment, page, title
from .place import Hunks, Place, within
from .record import others as records_of_others
from .record import text
from .state import APPROVED, CONCLUSIONS, MOVED, PENDING, worst

NAME = "helix"
"""Of the check run; the one that a ruleset requires."""

STICKY = "<!-- helix:sticky -->"
MOST_COMMENTS = 30
"""Inline comments that stand open at a time; GitHub takes more at once for abuse, and nobody reads them."""

MOST_ANNOTATIONS = 200
AT_ONCE = 50
"""Annotations that GitHub takes in one call (docs.github.com, "Update a check run")."""

_SUMMARY = 60_000
_FIXED = "✅ Fixed in "
EXTERNAL = "helix1:"
"""What the `external_id` of our check run begins with."""

_LEVELS = {"error": "failure", "warning": "warning", "info": "notice"}
_MESSAGE = 4_000


class Review(NamedTuple):
    """One review with all its new comments, bound to a commit."""

    commit: str
    body: str
    comments: tuple[dict[str, Any], ...]


class CheckRun(NamedTuple):
    """Our check run, with the annotations in portions that GitHub takes."""

    head: str
    conclusion: str
    external_id: str
    digest: str
    title: str
    summary: str
    text: str
    annotations: tuple[tuple[dict[str, Any], ...], ...]


class Payloads(NamedTuple):
    """`fixed` are new bodies of earlier comments by their id; `sticky` is the comment's body, `sticky_id` the one to edit (0: none yet).

    None where nothing is to be said that is not there already; of a pull request that goes elsewhere by now, nothing is.
    """

    review: Review | None
    fixed: tuple[tuple[int, str], ...]
    sticky: str | None
    sticky_id: int
    check_run: CheckRun | None
    escalation: Escalation | None = None


def payloads(given: Handover, pull: PullRequest, outcome: Outcome, ours: int, at_lines: bool = True) -> Payloads:
    """What is to be sent; `ours` is the number of the user in whose name we write, by which our earlier comments are known. Without `at_lines`
    the comments in the diff stay as they are.
    """
    before = sticky_of(pull.comments, ours)
    calls = escalation(given, outcome, pull.comments, ours)
    spent = max(given.kept.spent, spent_before(before) + (given.cost if at_lines else 0))
    given = given._replace(kept=given.kept._replace(spent=spent, escalated=given.kept.escalated or calls is not None))
    sticky = _sticky(given, outcome)
    wanted = before is not None or outcome.state != APPROVED or bool(given.findings)
    changed = wanted and (before is None or before.body.strip() != sticky.strip())
    if outcome.state == MOVED and pull.head == given.subject.head:
        return Payloads(None, (), None, 0, None)  # the check of this commit is that of the run for the other branch
    if pull.head != given.subject.head or not pull.is_open:
        return Payloads(None, (), None, 0, check_run(given, pull, outcome))
    mine = [item for item in pull.line_comments if item.by.id == ours and marked(item.body)[0]]
    review, fixed = (_review(given, mine), _fixed(given, pull, mine)) if at_lines else (None, ())
    return Payloads(review, fixed, sticky if changed else None, before.id if before else 0, check_run(given, pull, outcome), calls)


def _sticky(given: Handover, outcome: Outcome) -> str:
    return f"{page(given, outcome, _SUMMARY)}\n<!-- helix:spent={given.kept.spent:.4f} -->\n{ledger(given.kept.objections)}{STICKY}"


def sticky_of(comments: Iterable[Comment], ours: int) -> Comment | None:
    """The comment that stays, by its mark and its author."""
    return next((item for item in comments if item.by.id == ours and item.body.rstrip().endswith(STICKY)), None)


def spent_before(before: Comment | None) -> float:
    """What the runs before have cost: of two pushes in a row, the second does not find it on a check."""
    found = re.findall(r"^<!-- helix:spent=(\d{1,6}\.\d{4}) -->$", before.body, re.MULTILINE) if before else []
    return max(map(float, found), default=0)


def _review(given: Handover, mine: list[LineComment]) -> Review | None:
    """The findings that nobody was told of yet and that the diff shows; infos are no reason to write to people."""
    known = {marked(item.body)[0] for item in mine if not item.body.startswith(_FIXED)}
    there = {item.fingerprint for item in given.findings}
    room = max(0, MOST_COMMENTS - len(known & there))
    new = [item for item in given.findings if item.place and _is_sayable(item) and item.fingerprint not in known and item.finding.severity != "info"]
    comments = tuple(_inline(item, item.place) for item in new[:room] if item.place)
    left = len(new) - len(comments)
    more = f", and {left} more in all" if left else ""
    body = f"{counted(len(comments), 'finding')} at the lines of this change{more}. The comment of this gate and its check have every one of them."
    return Review(given.subject.head, body, comments) if comments else None


def _is_sayable(item: Said) -> bool:
    """Whether GitHub can be told the name of the file; one that is no UTF-8 it takes for none."""
    return not any("\ud800" <= character <= "\udfff" for character in item.finding.path)


def _inline(item: Said, place: Place) -> dict[str, Any]:
    lines: dict[str, Any] = {"line": place.last, "side": "RIGHT"}
    if place.first < place.last:
        lines |= {"start_line": place.first, "start_side": "RIGHT"}
    return {"path": place.path, **lines, "body": f"{comment(item)}\n{mark(item.fingerprint, item.by)}"}


def _fixed(given: Handover, pull: PullRequest, mine: list[LineComment]) -> tuple[tuple[int, str], ...]:
    """Comments whose finding is gone. One that somebody has answered stays as it is, and so does what nobody has looked for this time."""
    there = {item.fingerprint for item in given.findings}
    answered = {item.answers for item in pull.line_comments}
    found = []
    for item in mine:
        fingerprint, by = marked(item.body)
        if by in given.looked and fingerprint not in there and item.id not in answered and not item.body.startswith(_FIXED):
            was = item.body.rstrip().removesuffix(mark(fingerprint, by)).strip()
            kept = f"<details><summary>What it was</summary>\n\n{was}\n\n</details>" if was else ""
            found.append((item.id, f"{_FIXED}{given.subject.head[:7]}.\n\n{kept}\n\n{mark(fingerprint, by)}"))
    return tuple(found)


def check_run(given: Handover, pull: PullRequest, outcome: Outcome) -> CheckRun:
    """The check of the commit that was looked at. Of several open pull requests at it, the worst counts: a check belongs to a commit."""
    known = {} if given.subject.merges or not pull.status else said_before(pull.status)
    others = {number: known.get(number, PENDING) for number in pull.siblings}
    state = worst([outcome.state, *others.values()]) if outcome.state == APPROVED else outcome.state
    blocking = [number for number, said in others.items() if said == state != outcome.state]
    before = records_of_others(pull.status.text, pull.number) if pull.status and not given.subject.merges and pull.head == given.subject.head else ""
    states = {**(others if outcome.state == APPROVED else known), pull.number: outcome.state}
    words = f"{state}: see #{blocking[0]}, at the same commit" if blocking else title(given, outcome)
    marks = [_annotation(item) for item in given.findings[:MOST_ANNOTATIONS] if _is_sayable(item)]
    digest = hashlib.sha256(json.dumps(marks, sort_keys=True).encode()).hexdigest()[:12]
    external = EXTERNAL + ";".join(f"{number}:{states[number]}" for number in sorted(states)) + f"|{digest}"
    portions = tuple(tuple(marks[start : start + AT_ONCE]) for start in range(0, len(marks), AT_ONCE))
    return CheckRun(given.subject.head, CONCLUSIONS[state], external, digest, words, page(given, outcome, _SUMMARY), text(given, before), portions)


def said_before(status: Status) -> dict[int, str]:
    """What earlier runs said of the pull requests at this commit."""
    pairs = (part.partition(":") for part in status.external_id.removeprefix(EXTERNAL).partition("|")[0].split(";"))
    return {int(number): state for number, _, state in pairs if number.isdigit() and state in CONCLUSIONS}


def _annotation(item: Said) -> dict[str, Any]:
    finding = item.finding
    message = f"{finding.message}\n{finding.help}" if finding.help else finding.message
    last = max(finding.line, finding.end_line)
    return {"path": finding.path, "start_line": finding.line, "end_line": last, "annotation_level": _LEVELS[finding.severity],
            "title": plain(finding.check), "message": plain(message)[:_MESSAGE]}  # fmt: skip


def folded(review: Review, shown: dict[str, Hunks]) -> Review:
    """A review of which GitHub has refused a line: what its own diff does not show moves from the lines to the text above."""
    stays = [
        item for item in review.comments if within(item["path"], item.get("start_line", item["line"]), item["line"], shown.get(item["path"], ()))
    ]
    if len(stays) == len(review.comments):
        stays = []
    moved = [f"{code('{}:{}'.format(item['path'], item['line']))}\n\n{item['body']}" for item in review.comments if item not in stays]
    body = capped("\n\n".join([*([review.body] if review.body else []), *moved]), MORE)
    return Review(review.commit, body, tuple(stays))
