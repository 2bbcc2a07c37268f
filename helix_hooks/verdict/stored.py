"""A file with a verdict, as a program left it: what it says, which proves nothing by itself."""

from typing import NamedTuple

from ..finding import SEVERITIES
from .verdict import RefusedError, Schema, fits, load


class StoredResult(NamedTuple):
    """The parts of an approval-result.json by which it is recognised and compared.

    `decision` is the one on the verdict, "" if the file has none. `files` are git's names of the
    contents, by path. `has_errors`: one of its findings is an error. `needs_person`: the judge
    asks for a person.
    """

    approval_id: str
    approval_type: str
    timestamp: str
    result: str
    confidence: float
    decision: str
    files: dict[str, str]
    has_errors: bool
    needs_person: bool = False


def read(data: bytes, schema: Schema) -> StoredResult:
    """Return what a file says that fits the schema of results. Raises RefusedError."""
    try:
        value = load(data.decode(errors="replace"))
        fits(value, schema)
    except RefusedError as error:
        raise RefusedError(str(error).replace("the answer", "it", 1)) from None
    found = value if isinstance(value, dict) else {}
    return StoredResult(
        approval_id=found["approval_id"],
        approval_type=found["approval_type"],
        timestamp=found["timestamp"],
        result=found["result"],
        confidence=float(found["confidence"]),
        decision=str(found.get("decision", "")),
        files={item["path"]: item["hash"] for item in found["files"]},
        has_errors=any(item["severity"] == SEVERITIES[0] for item in found["findings"]),
        needs_person=bool(found.get("needs_person")),
    )
