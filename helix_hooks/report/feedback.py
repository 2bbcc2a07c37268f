"""The pending feedback of a work tree and its questions, as text and as JSON."""

from ..text.plural import counted
from ..text.sanitize import printable
from ..verification.naming import long_name
from ..verification.pending import Pending, Records, shown


def text(records: Records) -> str:
    """Return the feedback as it is, questions for a person first."""
    pending = [item for item in records if item.feedback]
    if not pending:
        return "no feedback is pending\n"
    questions = [_question(item) for item in pending if item.is_question]
    asked = "".join(f"{line}\n" for line in questions)
    return f"{asked}\n{shown(records)}" if asked else shown(records)


def _question(item: Pending) -> str:
    name = printable(long_name(item.adr_id, item.title, item.attempts.key.adr), 200)
    tries = counted(item.attempts.number, "attempt")
    return (
        f"A person must decide: {name} is not fulfilled after {tries}. Once that is decided: "
        "`helix-hooks feedback --clear`"
    )


def payload(records: Records) -> dict[str, object]:
    """Return the pending feedback for programs."""
    pending = [item for item in records if item.feedback]
    return {
        "version": 1,
        "pending": [
            {
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
            for item in pending
        ],
    }
