"""The pending feedback of a work tree and its questions, as text and as JSON."""

from ..text.plural import counted
from ..text.sanitize import printable
from ..verification.naming import long_name
from ..verification.pending import Pending, Records, shown


def text(records: Records) -> str:
    """Return the pending feedback, questions for a person first."""
    pending = [item for item in records if item.feedback]
    if not pending:
        return "no feedback is pending\n"
    questions = [_question(item) for item in pending if item.is_question]
    if not questions:
        return shown(records)
    return "".join(f"{line}\n" for line in questions) + f"\n{shown(records)}"


def _question(item: Pending) -> str:
    name = printable(long_name(item.adr_id, item.title, item.attempts.key.adr), 200)
    tries = counted(item.attempts.number, "attempt")
    return (
        f"A person must decide: {name} is not fulfilled after {tries}. After the decision: "
        "`helix-hooks feedback --clear`"
    )


def payload(records: Records) -> dict[str, object]:
    """Return the pending feedback as a JSON value of version 1."""
    return {"version": 1, "pending": [_fields(item) for item in records if item.feedback]}


def _fields(item: Pending) -> dict[str, object]:
    return {
        "adr_id": item.adr_id,
        "path": item.attempts.key.adr,
        "title": item.title,
        "contract": item.attempts.key.contract,
        "since": item.attempts.key.base,
        "attempts": item.attempts.number,
        "capped": item.attempts.capped,
        "question": item.is_question,
        "at": item.attempts.at,
        "errors": list(item.errors),
        "feedback": item.feedback,
    }
