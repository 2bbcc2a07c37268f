"""A scripted judge that reads the files under review and goes by a few words in them.

It is there to run everything around a judge.

Some defects it sees, most not, and good texts it may refuse: how often it is right says nothing
about a model.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from tests.fakes import api_judge
from tests.fakes.scripted_model import Reply, Request, answer, tool_use, turn

_NUMBERED = re.compile(r"(?m)^ *\d+(?:→|\t)")
"""What the tool Read puts before each line."""
_SENT = re.compile(r'(?ms)^(file-[0-9a-f]{32}) begins ("[^\n]*")\n(.*?)\n\1 ends$')
"""A file in the message to a judge by API."""
_BAD = re.compile(
    r"drawback|nachteil|\bbad\b|schlecht|risk|risiko|cost|kostet|kosten", re.IGNORECASE
)
_LOST = re.compile(r"\bdrop(?:s|ped)?\b|\bconverted\b|\bgelöscht\b|\bersetzt\b", re.IGNORECASE)
_SEEN = re.compile(r"`|\d")

Finding = dict[str, Any]


def script(request: Request) -> Reply:
    """Reads all files in the first turn, and answers in the second."""
    briefs, files = asked_for(request)
    if not turn(request):
        return Reply(tuple(tool_use("Read", {"file_path": path}) for path in files))
    return answer(_judged(briefs, files, shown(request)))


def script_of_api(request: Request) -> Reply:
    """Answers a judge by API at once: the files are in its message."""
    properties = api_judge.schema(request)["properties"]
    briefs, files = properties["checks"]["required"], properties["files"]["items"]["enum"]
    message = next(item["content"] for item in request["messages"] if item["role"] == "user")
    text = message if isinstance(message, str) else "".join(item["text"] for item in message)
    texts = {json.loads(path): content for _, path, content in _SENT.findall(text)}
    judged = _judged(briefs, files, {path: texts[path] for path in files})
    return Reply((tool_use("answer", judged),))


def _judged(briefs: list[str], files: list[str], texts: dict[str, str]) -> dict[str, Any]:
    found = [
        finding
        for path, text in texts.items()
        for finding in findings(path, text)
        if finding["check"] in briefs
    ]
    failed = {finding["check"] for finding in found}
    result = (
        "rejected"
        if any(finding["severity"] == "error" for finding in found)
        else "needs_revision"
        if found
        else "approved"
    )
    return {
        "result": result,
        "confidence": 0.95,
        "summary": f"A scripted reader found {len(found)} words to object to.",
        "findings": found,
        "checks": {brief: "failed" if brief in failed else "passed" for brief in briefs},
        "files": files,
        "recommendations": [],
    }


def asked_for(request: Request) -> tuple[list[str], list[str]]:
    """The briefs and the files that the schema of the answer names."""
    (tool,) = (tool for tool in request["tools"] if tool["name"] == "StructuredOutput")
    properties = tool["input_schema"]["properties"]
    return properties["checks"]["required"], properties["files"]["items"]["enum"]


def shown(request: Request) -> dict[str, str]:
    """The texts that were read, by their paths."""
    blocks = [
        block
        for message in request["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
    ]
    read = {
        block["id"]: block["input"]["file_path"]
        for block in blocks
        if block["type"] == "tool_use" and block["name"] == "Read"
    }
    return {
        read[block["tool_use_id"]]: _text(block["content"])
        for block in blocks
        if block["type"] == "tool_result"
    }


def _text(content: str | list[dict[str, Any]]) -> str:
    whole = (
        content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    )
    return _NUMBERED.sub("", whole.split("<system-reminder>")[0])


def findings(path: str, text: str) -> list[Finding]:
    """Return the findings of a few rules on a text. Each quotes a line of it."""
    rows = text.split("\n")
    found = []
    for check, severity, rule, message in _RULES:
        quote = rule(text)
        if quote:
            place = {"path": path, "line": rows.index(quote) + 1, "evidence": quote}
            found.append(
                {
                    "severity": severity,
                    "check": check,
                    "message": message,
                    "help": "Say it.",
                    **place,
                }
            )
    return found


def _no_drawback(text: str) -> str:
    heading, body = _section(text, "Consequences|Konsequenzen|Folgen")
    return heading if body and not _BAD.search(body) else ""


def _placeholder(text: str) -> str:
    return next((row for row in text.split("\n") if re.search(r"\b(?:TODO|TBD)\b", row)), "")


def _no_numbers(text: str) -> str:
    heading, body = _section(text, "Migration")
    return heading if body and not re.search(r"\d", body) else ""


def _unseen(text: str) -> str:
    criteria = re.findall(r"(?m)^- \[[ x]\].*$", text)
    unseen = [row for row in criteria if not _SEEN.search(row)]
    return unseen[0] if len(unseen) * 2 > len(criteria) else ""


def _too_small(text: str) -> str:
    return "change_scope: minor" if "\nchange_scope: minor\n" in text and _LOST.search(text) else ""


def _row(pattern: str) -> Callable[[str], str]:
    """The first line in which a pattern is found."""
    return lambda text: next((row for row in text.split("\n") if re.search(pattern, row)), "")


def _section(text: str, names: str) -> tuple[str, str]:
    """The heading of a section and what stands below it."""
    match = re.search(rf"(?ms)^(##+ (?:{names})[^\n]*)\n(.*?)(?=^## |\Z)", text)
    return (match[1], match[2]) if match else ("", "")


_RULES: tuple[tuple[str, str, Callable[[str], str], str], ...] = (
    ("completeness", "warning", _no_drawback, "No drawback is named."),
    ("completeness", "warning", _placeholder, "A placeholder stands where content belongs."),
    ("migration", "error", _no_numbers, "The plan has no number, so it may have no order."),
    ("acceptance", "warning", _unseen, "Most criteria name nothing to look at."),
    ("dependencies", "error", _row(r"^import httpx|DATABASE_URL"), "It goes around an adapter."),
    ("modularity", "error", _row("INSERT INTO rides"), "Another module writes this table."),
    ("patterns", "error", _row(r"datetime\.now"), "There is a second clock."),
    ("licences", "error", _row("AGPL"), "The service is not under the AGPL."),
    ("data-integrity", "error", _row("DROP COLUMN"), "Data are deleted."),
    ("compatibility", "error", _row("RENAME COLUMN"), "Readers still use the old name."),
    ("header-honest", "error", _too_small, "The header says minor, and something is lost."),
)
