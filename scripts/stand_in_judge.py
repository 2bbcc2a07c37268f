#!/usr/bin/env python3
"""A stand-in for a judge, so that the demo needs no model and no key: it knows one question.

What stores something must say when it is deleted. It answers as any judge of your own would; see
docs/judges.md.
"""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    sys.stdin.read()  # instructions and message, which this judge does not need
    schema = Path(os.environ["HELIX_JUDGE"], "schema.json").read_text(encoding="utf-8")
    asked = json.loads(schema)["properties"]
    files = asked["files"]["items"]["enum"]
    texts = {path: Path(path).read_text(encoding="utf-8") for path in files}
    given = answer(asked["checks"]["required"], texts, "stand-in, no model")
    print(json.dumps({"answer": given, "cost_usd": 0, "model": "stand-in"}))


def answer(briefs: list[str], texts: dict[str, str], who: str) -> dict[str, Any]:
    """Return an answer in the form that `helix-hooks approve` asks for."""
    findings = [finding for path, text in texts.items() for finding in missing(path, text)]
    lacking = "keeps photos and does not say for how long"
    said = lacking if findings else "says when photos are deleted"
    failed = {"completeness": "failed"} if findings else {}
    return {
        "result": "rejected" if findings else "approved",
        "confidence": 0.95,
        "summary": f"({who}) The decision {said}.",
        "findings": findings,
        "recommendations": [],
        "checks": dict.fromkeys(briefs, "passed") | failed,
        "files": list(texts),
    }


def missing(path: str, text: str) -> list[dict[str, Any]]:
    """Return a finding for an ADR that stores something and deletes nothing."""
    if re.search(r"\bdeleted\b", text):
        return []
    finding = {
        "severity": "error",
        "check": "completeness",
        "message": "The photos are stored, and nothing says for how long.",
        "path": path,
        "help": "Say when they are deleted; ADR-6 has ninety days for events.",
    }
    lines = enumerate(text.splitlines(), 1)
    stores = [{"line": number, "evidence": line} for number, line in lines if "is stored" in line]
    return [{**finding, **place} for place in stores]


if __name__ == "__main__":
    main()
