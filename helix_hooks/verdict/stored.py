"""A verdict in a file that a program wrote, which proves nothing by itself. Pure."""

from typing import NamedTuple

from ..finding import SEVERITIES
from .verdict import RefusedError, Schema, fits, load


class StoredResult(NamedTuple):
    """The parts of an approval-result.json that identify and compare it.

    `decision` is the one on the verdict, "" if the file has none. `files` are git's hashes of the
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
    """Return the verdict in a file.

    Raises:
        RefusedError: The file does not fit the schema of results.
    """
    try:
        value = load(data.decode(errors="replace"))
        fits(value, schema)
    except RefusedError as error:
        raise RefusedError(str(error).replace("the answer", "it", 1)) from None
    fields = value if isinstance(value, dict) else {}
    return StoredResult(
        approval_id=fields["approval_id"],
        approval_type=fields["approval_type"],
        timestamp=fields["timestamp"],
        result=fields["result"],
        confidence=float(fields["confidence"]),
        decision=str(fields.get("decision", "")),
        files={item["path"]: item["hash"] for item in fields["files"]},
        has_errors=any(item["severity"] == SEVERITIES[0] for item in fields["findings"]),
        needs_person=bool(fields.get("needs_person")),
    )
