"""The schema of a recorded decision."""

import json
from collections.abc import Callable

from ..check import files


def validator() -> Callable[[object], bool]:
    """Return a function that tells whether the fields of a record fit the schema of a decision."""
    from jsonschema_rs import validator_for

    schema = validator_for(json.loads(files.packaged("schemas/decision.json") or b"{}"))

    def is_decision(fields: object) -> bool:
        try:
            return schema.is_valid(fields)
        except (ValueError, RecursionError):
            # A lone surrogate, which the validator can't encode, or too deep a nesting.
            return False

    return is_decision
