"""The one way to the log."""

import json
import sys

from rental import clock

ALLOWED = ("ride", "bike", "customer", "invoice", "partner", "minutes", "status")
"""Fields that may be logged: numbers of things, never what they say."""


def event(name: str, **fields: object) -> None:
    kept = {key: value for key, value in fields.items() if key in ALLOWED}
    print(json.dumps({"at": clock.now().isoformat(), "event": name, **kept}), file=sys.stderr)
