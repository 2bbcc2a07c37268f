"""Forms of decisions: check them, read them, and carry out an answer."""

import logging
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers

from ..errors import HelixError
from ..pages.view import HERE, DecisionLine, QueueRow
from ..queue.deciding_person import QueueAnswer
from ..text.masking import masked, secrets_of
from .options import PublicAddress
from .sessions import Session
from .sources import ChosenAnswer, Sources

LONGEST_REASON, MOST = 2000, 200
"""Maximum number of characters of a reason, and of entries in a form."""

_log = logging.getLogger("helix_hooks.dashboard")
_APPROVE, _REJECT, _ASK = "approve", "reject", "ask"
_ANSWERS = (_APPROVE, _REJECT, _ASK)
_WITHOUT_REASON = {
    _REJECT: "To reject, write a reason. Nothing was decided.",
    _ASK: "To ask back, write your question as the reason. Nothing was decided.",
}
_FIELDS = 2 * MOST


class SentForm(NamedTuple):
    """A form as a browser sent it. `stamps` has the id and stamp of each entry on its page."""

    token: str
    answer: str
    stamps: tuple[tuple[str, str], ...]
    reason: str
    show: str = ""
    is_of_entry: bool = False
    override: bool = False

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.stamps)


def is_from_here(headers: Headers, address: PublicAddress) -> bool:
    """Return whether a browser sends a form from a page of this server.

    A request without the header Origin is refused too, since browsers send it with each form.
    """
    return headers.getlist("origin") == [address.origin]


def sent_form(body: bytes) -> SentForm | None:
    """Return the fields of a form; None if no page of this server could have sent it."""
    try:
        fields = parse_qs(
            body.decode("utf-8"),
            keep_blank_values=True,
            max_num_fields=_FIELDS,
            errors="strict",
        )
    except ValueError:
        return None
    pairs = [value.partition(" ") for value in fields.get("id", ())]
    return SentForm(
        token=_one(fields, "token"),
        answer=_one(fields, "answer"),
        stamps=tuple({name: stamp for stamp, _, name in pairs if name}.items()),
        reason=_one(fields, "reason").replace("\r\n", "\n"),
        show=_one(fields, "show"),
        is_of_entry=_one(fields, "from") == "entry",
        override=_one(fields, "override") == "yes",
    )


def _one(fields: Mapping[str, list[str]], name: str) -> str:
    """Return the value of a field; "" if the form has none or several."""
    values = fields.get(name, [])
    if len(values) != 1:
        return ""
    return values[0]


def fault(form: SentForm) -> str:
    """Return the first fault of a form, with which nothing is decided; "" if it is valid."""
    if form.answer not in _ANSWERS:
        return "Choose Approve or Reject. Nothing was decided."
    if not form.stamps:
        return "Select at least one entry. Nothing was decided."
    if len(form.stamps) > MOST:
        return f"Select at most {MOST} entries. Nothing was decided."
    if len(form.reason) > LONGEST_REASON:
        return f"A reason has at most {LONGEST_REASON} characters. Nothing was decided."
    if form.reason.strip():
        return ""
    if form.override:
        return "To override a gate, write a reason. Nothing was decided."
    return _WITHOUT_REASON.get(form.answer, "")


def choices(
    form: SentForm, rows: Mapping[str, QueueRow], session: Session
) -> tuple[list[ChosenAnswer], list[DecisionLine]]:
    """Return the answers of a form, and a line for each entry that can't be decided.

    `rows` are the current entries that the person may see, by id. Other ids are left out.
    """
    answers, refused = list[ChosenAnswer](), list[DecisionLine]()
    for name, stamp in form.stamps:
        row = rows.get(name)
        if row is None:
            continue
        refusal = _refusal(row, stamp, is_opened=form.is_of_entry and len(form.stamps) == 1)
        if refusal:
            refused.append(DecisionLine(name, row.entry.title, refusal, is_done=False))
            continue
        answer = ChosenAnswer(
            entry=row.entry,
            answer=QueueAnswer(
                approves=form.answer == _APPROVE,
                reason=form.reason.strip(),
                override=form.override and row.entry.needs_override,
            ),
            login=session.login,
            token=session.token,
            asks=form.answer == _ASK,
        )
        answers.append(answer)
    return answers, refused


def _refusal(row: QueueRow, stamp: str, *, is_opened: bool) -> str:
    """Return why an entry can't be decided; "" if it can."""
    if row.turn != HERE:
        return row.refusal
    if not (is_opened or row.is_bulk):
        return f"it is {row.entry.category}: open it to decide about it"
    if row.stamp != stamp:
        return "it has changed since you read it; read it again, then decide"
    return ""


async def carried_out(choice: ChosenAnswer, sources: Sources) -> DecisionLine:
    """Carry out an answer, and return its line without tokens, even if an error quotes one."""
    hidden = secrets_of({"GITHUB_TOKEN": choice.token})
    try:
        line = await run_in_threadpool(sources.decide, choice)
    except HelixError as error:
        line = DecisionLine(choice.entry.id, choice.entry.title, str(error), is_done=False)
    except Exception as error:  # noqa: BLE001 - no request waits for it, so the page must say it
        _log.exception("a decision failed")
        text = f"{type(error).__name__}, see the log of the server"
        line = DecisionLine(choice.entry.id, choice.entry.title, text, is_done=False)
    return line._replace(text=masked(line.text, hidden), url=masked(line.url, hidden))
