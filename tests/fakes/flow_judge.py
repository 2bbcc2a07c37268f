"""A judge that reads the files under review: a line with `DEFECT: text` is an error, and nothing else is.

An earlier finding is fixed if its line is gone, answered if its author gave a reason with `because`, and open otherwise.

It costs a cent. Where a file says `UNSURE`, it approves with a confidence of 0.5, so that a person is asked.
"""

import json
import os
from pathlib import Path


def main() -> None:
    schema = json.loads((Path(os.environ["HELIX_JUDGE"]) / "schema.json").read_text())
    asked = schema["properties"]
    files, briefs = (
        asked["files"]["items"]["enum"],
        asked["checks"]["required"],
    )
    findings = []
    texts = {path: Path(path).read_text() for path in files}
    answers, known = earlier("\n".join(texts.values()))
    for path, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if "DEFECT: " in line and line.partition("DEFECT: ")[2] not in known:
                findings.append(finding(briefs[0], path, number, line))
    answer = {
        "result": "rejected" if findings or "open" in answers.values() else "approved",
        "confidence": 0.5 if any("UNSURE" in text for text in texts.values()) else 0.95,
        "summary": "Something is wrong." if findings else "Sound and complete.",
        "findings": findings,
        "recommendations": ["Write what is there, and no more."] if findings else [],
        "checks": dict.fromkeys(briefs, "passed") | ({briefs[0]: "failed"} if findings else {}),
        "files": files,
    }
    if answers:
        answer["earlier"] = answers
    print(json.dumps({"answer": answer, "cost_usd": 0.01}))


def earlier(text: str) -> tuple[dict[str, str], set[str]]:
    """Return the answer to each earlier finding, by id, and the messages that are not found again."""
    place = Path(os.environ["HELIX_JUDGE"]) / "earlier.json"
    answers, known = {}, set()
    for item in json.loads(place.read_text())["findings"] if place.exists() else ():
        reason = (item["declined"] or {}).get("reason", "")
        if f"DEFECT: {item['message']}" not in text:
            answers[item["id"]] = "fixed"
            continue
        known.add(item["message"])
        answers[item["id"]] = "answered" if "because" in reason else "open"
    return answers, known


def finding(brief: str, path: str, number: int, line: str) -> dict[str, object]:
    return {
        "severity": "error", "check": brief, "message": line.partition("DEFECT: ")[2], "path": path, "line": number, "evidence": line,
        "help": "Take the defect out.",
    }  # fmt: skip


main()
