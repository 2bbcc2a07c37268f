"""What is sent to GitHub, as plain values: one review, one comment that stays, one check run, and what became of earlier comments."""

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..decision.chain import Chain, in_comment, tip
from ..decision.decide import Decision
from ..decision.fingerprints import mark, marked
from ..decision.handover import Handover, PlacedFinding
from ..decision.placement import DiffPlace, Hunks, within
from ..decision.pull_request import Comment, LineComment, PullRequest, Status
from ..decision.run_record import others as records_of_others
from ..decision.run_record import text
from ..decision.run_state import ledger
from ..decision.states import APPROVED, CONCLUSIONS, MOVED, PENDING, Reason, worst
from ..text.inert import capped, code, plain
from ..text.printable import counted
from ..verdict.verdict import AgentContext
from .escalation import Escalation, escalation
from .links import NOWHERE, Links, links
from .page import MORE, brief, comment, page, title

NAME = "helix"
"""Of the check run; the one that a ruleset requires."""

STICKY = "<!-- helix:sticky -->"
MOST_COMMENTS = 30
"""Inline comments that stand open at a time; GitHub takes more at once for abuse, and nobody reads them."""

MOST_ANNOTATIONS = 200
AT_ONCE = 50
"""Annotations that GitHub takes in one call (docs.github.com, "Update a check run")."""

_SUMMARY = 60_000
_LONGEST_COMMENT = 65_000
"""Characters of a comment with all its marks; GitHub takes 65,536."""

_FIXED = "✅ Fixed in "
EXTERNAL = "helix1:"
"""What the `external_id` of our check run begins with."""

_BESIDE = "|status|"
"""In the `external_id`: a commit status of the same name stands beside the check run."""

_STATUS = "<!-- helix:status -->"
_SAID = re.compile(r"^<!-- helix:page=([0-9a-f]{16})\.([0-9a-f]{16}) -->\n(.*)\Z", re.MULTILINE | re.DOTALL)
_NOBODY = AgentContext("")
_LEVELS = {"error": "failure", "warning": "warning", "info": "notice"}
_MESSAGE = 4_000


class ReviewPayload(NamedTuple):
    """One review with all its new comments, bound to a commit."""

    commit: str
    body: str
    comments: tuple[dict[str, Any], ...]


class CheckRun(NamedTuple):
    """Our check run, with the annotations in portions that GitHub takes. `whole` is the summary for where GitHub takes
    none of them, or no comment.
    """

    head: str
    conclusion: str
    external_id: str
    digest: str
    title: str
    summary: str
    text: str
    annotations: tuple[tuple[dict[str, Any], ...], ...]
    whole: str = ""


class Payloads(NamedTuple):
    """`fixed` are new bodies of earlier comments by their id; `sticky` is the comment's body, `sticky_id` the one to edit (0: none yet).

    None where nothing is to be said that is not there already; of a pull request that goes elsewhere by now, nothing is.
    `page` is the comment's body in any case, and `before` what stands there. `twice` are comments at lines that say what
    another one says, and `spare` further comments that two runs at once have left. `looks` says that a commit status
    may stand there, which was written where no check run could be.
    """

    review: ReviewPayload | None
    fixed: tuple[tuple[int, str], ...]
    sticky: str | None
    sticky_id: int
    check_run: CheckRun | None
    escalation: Escalation | None = None
    page: str = ""
    before: str = ""
    twice: tuple[int, ...] = ()
    spare: tuple[int, ...] = ()
    looks: bool = False


def payloads(given: Handover, pull: PullRequest, outcome: Decision, ours: int, at_lines: bool = True,
             decisions: Chain = Chain(), server: str = "") -> Payloads:  # noqa: B008 - it is frozen  # fmt: skip
    """What is to be sent; `ours` is the number of the user in whose name we write, by which our earlier comments are known. Without `at_lines`
    the comments in the diff stay as they are. `decisions` are those so far, with this one. `server` is where people read it, "" for texts
    without links.
    """
    stickies = stickies_of(pull.comments, ours)
    before = stickies[0] if stickies else None
    calls = escalation(given, outcome, pull.comments, ours)
    spent = max(given.carried.spent, max(map(spent_before, stickies), default=0) + (given.cost if at_lines else 0))
    given = given._replace(carried=given.carried._replace(spent=spent, escalated=given.carried.escalated or calls is not None))
    to = links(server, given.target.repository, pull.number, given.target.head, before.id if before else 0)
    sticky = _sticky(given, outcome, decisions, to)
    wanted = _is_wanted(given, outcome, before)
    changed = wanted and (before is None or not _says_the_same(before.body, sticky))
    if outcome.state == MOVED and pull.head == given.target.head:
        return Payloads(None, (), None, 0, None)  # the check of this commit is that of the run for the other branch
    if pull.head != given.target.head or not pull.is_open:
        return Payloads(None, (), None, 0, check_run(given, pull, outcome, decisions, to), looks=given.target.merges)
    mine = [item for item in pull.line_comments if item.by.id == ours and marked(item.body)[0]]
    review, fixed = (_review(given, mine, to), _fixed(given, pull, mine)) if at_lines else (None, ())
    twice = _twice(given, pull, mine) if at_lines else ()
    spare = tuple(item.id for item in stickies[1:])
    body = sticky if wanted else ""
    number = before.id if before else 0
    run = check_run(given, pull, outcome, decisions, to)
    return Payloads(
        review,
        fixed,
        sticky if changed else None,
        number,
        run,
        calls,
        body,
        before.body if before else "",
        twice,
        spare,
        _looks(given, pull, stickies),
    )


def _is_wanted(given: Handover, outcome: Decision, before: Comment | None) -> bool:
    """Return whether there is to be a comment that stays: where all is well from the beginning, nobody is told."""
    return before is not None or outcome.state != APPROVED or bool(given.findings)


def _sticky(given: Handover, outcome: Decision, decisions: Chain, to: Links) -> str:
    """The page, and what the next run needs to know: what was said, apart from who was asked what and at what cost, and the text itself."""
    marks = f"<!-- helix:spent={given.carried.spent:.4f} -->\n{tip(decisions, given.target.head)}{ledger(given.carried.objections)}{STICKY}"
    most = min(_SUMMARY, _LONGEST_COMMENT - len(marks))
    text = page(given, outcome, most, to)
    found = outcome.handover or given
    plain_ones = (item._replace(verdict=item.verdict._replace(agent_context=_NOBODY)) for item in found.judged)
    same = page(found._replace(judged=tuple(plain_ones)), outcome._replace(handover=None), most, to)
    return f"{text}\n<!-- helix:page={_digest(same)}.{_digest(text)} -->\n{marks}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.strip().replace("\r\n", "\n").encode(errors="surrogateescape")).hexdigest()[:16]


def _says_the_same(before: str, now: str) -> bool:
    """Return whether a comment says all that there is to say. That a verdict was given before is nothing new; a text that somebody has changed is."""
    (then, seen, end), (same, _, after) = _parts(before), _parts(now)
    return before.strip() == now.strip() or (bool(seen) and (then, end) == (same, after) and _digest(_above(before)) == seen)


def _parts(body: str) -> tuple[str, str, str]:
    """Return what was said, the text itself, and what stands below them, each by its digest or as it is."""
    found = [*_SAID.finditer(body.replace("\r\n", "\n"))]
    return (found[-1][1], found[-1][2], found[-1][3].strip()) if found else ("", "", "")


def _above(body: str) -> str:
    return body.replace("\r\n", "\n").rpartition("\n<!-- helix:page=")[0]


def with_status(page: str) -> str:
    """The comment with a note that a commit status says this, beside an older check run."""
    return page.replace(STICKY, f"{_STATUS}\n{STICKY}")


def unmarked(page: str, count: int) -> str:
    """The comment, where comments at lines do not say yet that what they found is fixed."""
    head, _, tail = page.partition("\n")
    note = f"{counted(count, 'finding')} at lines of this change {'is' if count == 1 else 'are'} fixed, which the comments there do not say."
    return f"{head}\n\n{note}\n{tail}"


def noted(run: CheckRun) -> CheckRun:
    """A check run beside which a commit status of the same name stands, so that the next run knows it."""
    return run._replace(external_id=run.external_id.replace("|", _BESIDE, 1))


def _looks(given: Handover, pull: PullRequest, stickies: list[Comment]) -> bool:
    """Return whether a status may stand at this commit: a run has noted it, or no check run is there. Where the last run was about another commit, as
    the comment says, none has come so far here.
    """
    if any(_STATUS in item.body for item in stickies) or (pull.status and _BESIDE in pull.status.external_id):
        return True
    last = in_comment(stickies[0].body) if stickies else None
    return pull.status is None and (last is None or last.commit == given.target.head)


def stickies_of(comments: Iterable[Comment], ours: int) -> list[Comment]:
    """The comments that stay, by their mark and their author, the oldest first: one, or what two runs at once have left."""
    found = (item for item in comments if item.by.id == ours and item.body.rstrip().endswith(STICKY))
    return sorted(found, key=lambda item: item.id)


def sticky_of(comments: Iterable[Comment], ours: int) -> Comment | None:
    """The comment that stays."""
    return next(iter(stickies_of(comments, ours)), None)


def spent_before(before: Comment | None) -> float:
    """What the runs before have cost: of two pushes in a row, the second does not find it on a check."""
    found = re.findall(r"^<!-- helix:spent=(\d{1,6}\.\d{4}) -->$", before.body, re.MULTILINE) if before else []
    return max(map(float, found), default=0)


def _review(given: Handover, mine: list[LineComment], to: Links) -> ReviewPayload | None:
    """The findings that nobody was told of yet and that the diff shows; infos are no reason to write to people."""
    known = {marked(item.body)[0] for item in mine if not item.body.startswith(_FIXED)}
    there = {item.fingerprint for item in given.findings}
    room = max(0, MOST_COMMENTS - len(known & there))
    new = [item for item in given.findings if item.place and _is_sayable(item) and item.fingerprint not in known and item.finding.severity != "info"]
    comments = tuple(_inline(item, item.place) for item in new[:room] if item.place)
    left = len(new) - len(comments)
    more = f", and {left} more in all" if left else ""
    body = f"{counted(len(comments), 'finding')} at the lines of this change{more}. What to do is in {to.page('the comment of this gate')}."
    return ReviewPayload(given.target.head, body, comments) if comments else None


def _is_sayable(item: PlacedFinding) -> bool:
    """Whether GitHub can be told the name of the file; one that is no UTF-8 it takes for none."""
    return not any("\ud800" <= character <= "\udfff" for character in item.finding.path)


def _inline(item: PlacedFinding, place: DiffPlace) -> dict[str, Any]:
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
            kept = f"<details><summary>The finding</summary>\n\n{was}\n\n</details>" if was else ""
            found.append((item.id, f"{_FIXED}{given.target.head[:7]}.\n\n{kept}\n\n{mark(fingerprint, by)}"))
    return tuple(found)


def _twice(given: Handover, pull: PullRequest, mine: list[LineComment]) -> tuple[int, ...]:
    """Comments about a finding that an older one is about: two runs at once have left them. One that somebody has answered stays."""
    there = {item.fingerprint for item in given.findings}
    answered = {item.answers for item in pull.line_comments}
    open_ones = [item for item in mine if not item.body.startswith(_FIXED) and marked(item.body)[0] in there]
    first: dict[tuple[str, str], int] = {}
    for item in sorted(open_ones, key=lambda item: (item.id not in answered, item.id)):
        first.setdefault(marked(item.body), item.id)
    return tuple(item.id for item in open_ones if item.id not in answered and first[marked(item.body)] != item.id)


def check_run(given: Handover, pull: PullRequest, outcome: Decision, decisions: Chain = Chain(), to: Links = NOWHERE) -> CheckRun:  # noqa: B008
    """The check of the commit that was looked at."""
    known, others = _known(given, pull), _others(given, pull)
    shared = shown(given, pull, outcome)
    before = records_of_others(pull.status.text, pull.number) if pull.status and not given.target.merges and pull.head == given.target.head else ""
    states = {**(others if outcome.state == APPROVED else known), pull.number: outcome.state}
    words = title(given, shared)
    placed = [item for item in given.findings[:MOST_ANNOTATIONS] if _is_sayable(item)]
    marks = [_annotation(item) for item in placed]
    digest = hashlib.sha256(json.dumps(marks, sort_keys=True).encode()).hexdigest()[:12]
    external = EXTERNAL + ";".join(f"{number}:{states[number]}" for number in sorted(states)) + f"|{digest}"
    is_alone = given.target.merges or not (to.comment or _is_wanted(given, outcome, None))
    portions = tuple(tuple(marks[start : start + AT_ONCE]) for start in range(0, len(marks), AT_ONCE))
    summary, whole = brief(given, shared, _SUMMARY, to, placed, is_alone), brief(given, shared, _SUMMARY, to, is_alone=True)
    hidden = text(given, before, decisions)
    return CheckRun(given.target.head, shared.conclusion, external, digest, words, summary, hidden, portions, whole)


def shown(given: Handover, pull: PullRequest, outcome: Decision) -> Decision:
    """Return what the check says, and `/helix status`. Of several open pull requests at a commit the worst counts: a check belongs to a commit."""
    others = _others(given, pull)
    state = worst([outcome.state, *others.values()]) if outcome.state == APPROVED else outcome.state
    blocking = [number for number, said in others.items() if said == state != outcome.state]
    return outcome._replace(state=state, reasons=(Reason(state, f"see #{blocking[0]}, at the same commit"),)) if blocking else outcome


def _known(given: Handover, pull: PullRequest) -> dict[int, str]:
    return {} if given.target.merges or not pull.status else said_before(pull.status)


def _others(given: Handover, pull: PullRequest) -> dict[int, str]:
    """The states of the other pull requests at the commit; of one that nobody has looked at, a person decides."""
    known = _known(given, pull)
    return {number: known.get(number, PENDING) for number in pull.siblings}


def said_before(status: Status) -> dict[int, str]:
    """What earlier runs said of the pull requests at this commit."""
    pairs = (part.partition(":") for part in status.external_id.removeprefix(EXTERNAL).partition("|")[0].split(";"))
    return {int(number): state for number, _, state in pairs if number.isdigit() and state in CONCLUSIONS}


def _annotation(item: PlacedFinding) -> dict[str, Any]:
    finding = item.finding
    message = f"{finding.message}\n{finding.help}" if finding.help else finding.message
    last = max(finding.line, finding.end_line)
    return {"path": finding.path, "start_line": finding.line, "end_line": last, "annotation_level": _LEVELS[finding.severity],
            "title": plain(finding.check), "message": plain(message)[:_MESSAGE]}  # fmt: skip


def folded(review: ReviewPayload, shown: dict[str, Hunks]) -> ReviewPayload:
    """A review of which GitHub has refused a line: what its own diff does not show moves from the lines to the text above."""
    stays = [
        item for item in review.comments if within(item["path"], item.get("start_line", item["line"]), item["line"], shown.get(item["path"], ()))
    ]
    if len(stays) == len(review.comments):
        stays = []
    moved = [f"{code('{}:{}'.format(item['path'], item['line']))}\n\n{item['body']}" for item in review.comments if item not in stays]
    body = capped("\n\n".join([*([review.body] if review.body else []), *moved]), MORE)
    return ReviewPayload(review.commit, body, tuple(stays))
