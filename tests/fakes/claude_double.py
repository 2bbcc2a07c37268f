"""A double of the claude CLI: it speaks to the same scripted model, and prints what the CLI prints as far as we read it.

It starts in a small part of the CLI's time, and so imports little. What it does not do as the CLI does, it refuses: it ends with an error
that says so, and the test belongs to the real CLI. A test compares both (tests/stories/approve/test_claude_double.py).
"""

from __future__ import annotations

import json
import os
import socket
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    Record = dict[str, Any]

DOLLARS = {
    "claude-sonnet-5-5": (2e-6, 10e-6),
    "claude-opus-5-5": (4e-6, 20e-6),
    "claude-haiku-4-5": (1e-6, 5e-6),
}
"""What the CLI counts for a token in and a token out."""

MOST_LINES = 1000
"""The CLI shows longer files in part."""

ENFORCED = (
    "[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request."
    " Call this tool now."
)
COUNTS = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)


def refuse(what: str) -> NoReturn:
    sys.stderr.write(f"the double of the claude CLI does not do this: {what}\n")
    raise SystemExit(70)


class Options:
    """What the double reads of its command line."""

    def __init__(self, argv: list[str]) -> None:
        self.session = argv[argv.index("--session-id") + 1]
        self.model = argv[argv.index("--model") + 1]
        self.schema = json.loads(argv[argv.index("--json-schema") + 1])
        self.most_turns = int(argv[argv.index("--max-turns") + 1])
        self.budget = float(argv[argv.index("--max-budget-usd") + 1])
        roots = (os.getcwd(), argv[argv.index("--add-dir") + 1])
        self.roots = [os.path.realpath(root) for root in roots]
        with open(argv[argv.index("--append-system-prompt-file") + 1], encoding="utf-8") as file:
            self.system = file.read()


def request(options: Options, messages: list[Record]) -> bytes:
    """Return the body of a request."""
    schemas = {"Glob": {}, "Grep": {}, "Read": {}, "StructuredOutput": options.schema}
    tools = [{"name": name, "input_schema": schema} for name, schema in schemas.items()]
    user = json.dumps({"session_id": options.session})
    body = {
        "model": options.model,
        "messages": messages,
        "system": [{"type": "text", "text": options.system}],
        "tools": tools,
        "metadata": {"user_id": user},
        "stream": True,
    }
    return json.dumps(body).encode()


def reply(options: Options, messages: list[Record]) -> bytes:
    """Return the stream of events that the model sends."""
    host, _, port = os.environ["ANTHROPIC_BASE_URL"].removeprefix("http://").partition(":")
    body = request(options, messages)
    head = (
        f"POST /v1/messages?beta=true HTTP/1.1\r\nhost: {host}\r\n"
        f"x-api-key: {os.environ['ANTHROPIC_API_KEY']}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    try:
        with socket.create_connection((host, int(port))) as link, link.makefile("rb") as stream:
            link.sendall(head.encode() + body)
            answered, _, events = stream.read().partition(b"\r\n\r\n")
    except OSError as error:
        refuse(f"a model that can not be reached: {error}")
    status = answered.split(b" ", 2)[1:2]
    if status != [b"200"]:
        refuse(f"an answer of the model with status {status}")
    return events


def message(options: Options, messages: list[Record]) -> Record:
    """Return the whole message of the model."""
    found: Record = {}
    is_whole = False
    for line in reply(options, messages).decode().split("\n"):
        if not line.startswith("data: "):
            continue
        event = json.loads(line.removeprefix("data: "))
        if event["type"] == "message_start":
            found = event["message"]
        elif event["type"] == "content_block_start":
            found["content"].append(event["content_block"])
        elif event["type"] == "content_block_delta":
            block, delta = found["content"][event["index"]], event["delta"]
            if delta["type"] == "text_delta":
                block["text"] += delta["text"]
            else:
                block["input"] = json.loads(delta["partial_json"])
        elif event["type"] == "message_delta":
            found["stop_reason"] = event["delta"]["stop_reason"]
            found["at_end"] = event["usage"]
        is_whole = event["type"] == "message_stop"
    if not is_whole:
        refuse("a stream that is cut")
    return found


class ToolError(Exception):
    """What the model is told instead of a result."""


def shown(options: Options, name: str, given: Record) -> str:
    """Return what a tool shows. Raises ToolError."""
    if name == "Read":
        return read(options, **given)
    if name == "Grep" and {"pattern", "path", "output_mode"} >= given.keys():
        return grep(options, given)
    if name == "Glob" and given.keys() == {"pattern"}:
        import glob

        return "\n".join(sorted(glob.glob(given["pattern"], recursive=True))) or "No files found"
    refuse(f"{name} {given}")


def place(options: Options, path: str) -> str:
    found = os.path.realpath(path)
    if not any(found == root or found.startswith(root + os.sep) for root in options.roots):
        confined = "--restricted confines the file tools to the working directory."
        raise ToolError(f"{path} is outside {', '.join(options.roots)}; {confined}")
    if os.path.isdir(found):
        raise ToolError(f"EISDIR: illegal operation on a directory, read '{found}'")
    if not os.path.exists(found):
        note = f"Note: your current working directory is {options.roots[0]}."
        raise ToolError(f"File does not exist. {note}")
    return found


def lines_of(options: Options, path: str) -> list[str]:
    with open(place(options, path), encoding="utf-8-sig", errors="strict", newline="") as file:
        text = file.read()
    if path.rpartition(".")[2] in ("ipynb", "pdf", "png", "jpg") or "\r\r" in text:
        refuse(f"what {path} contains")
    return text.replace("\r\n", "\n").split("\n")


def read(options: Options, file_path: str, offset: int = 1, limit: int = MOST_LINES) -> str:
    lines = lines_of(options, file_path)
    if len(lines) > MOST_LINES or max(map(len, lines)) > MOST_LINES:
        refuse(f"a file as large as {file_path}")
    if lines == [""]:
        return note("the file exists but the contents are empty.")
    first = max(offset, 1)
    if first > len(lines):
        end = f"({offset}). The file has {len(lines)} lines."
        return note(f"the file exists but is shorter than the provided offset {end}")
    part = lines[first - 1 : first - 1 + limit]
    return "\n".join(f"{number}\t{line}" for number, line in enumerate(part, offset))


def note(text: str) -> str:
    return f"<system-reminder>Warning: {text}</system-reminder>"


def grep(options: Options, given: Record) -> str:
    import re

    if given.get("output_mode") != "content" or not os.path.isfile(given.get("path", "")):
        refuse(f"Grep {given}")
    pattern = re.compile(given["pattern"])
    rows = enumerate(lines_of(options, given["path"]), 1)
    found = [f"{number}:{line}" for number, line in rows if line and pattern.search(line)]
    return "\n".join(found) or "No matches found"


def tool_result(options: Options, block: Record) -> Record:
    common = {"type": "tool_result", "tool_use_id": block["id"]}
    if block["name"] == "StructuredOutput":
        return {**common, "content": "Structured output provided successfully"}
    try:
        return {**common, "content": shown(options, block["name"], block["input"])}
    except ToolError as error:
        return {**common, "content": str(error), "is_error": True}


class Conversation:
    """A conversation with the model, and what it used."""

    def __init__(self, options: Options, prompt: str) -> None:
        self.options = options
        self.messages: list[Record] = [{"role": "user", "content": prompt}]
        self.turns = 1
        self.usage = dict.fromkeys(COUNTS, 0)
        self.is_enforced = False

    @property
    def cost(self) -> float:
        before, after = DOLLARS[self.options.model]
        return self.usage["input_tokens"] * before + self.usage["output_tokens"] * after

    def emit(self, kind: str, **fields: Any) -> None:
        common = {"type": kind, "session_id": self.options.session}
        print(json.dumps({**common, **fields}, ensure_ascii=False), flush=True)

    def ask(self) -> Record:
        """Return the next message of the model, after its blocks are printed."""
        answered = message(self.options, self.messages)
        for name in COUNTS:
            self.usage[name] += {**answered["usage"], **answered["at_end"]}[name]
        if self.cost > self.options.budget or self.turns > self.options.most_turns:
            refuse("a limit of turns or of dollars")
        head = {key: value for key, value in answered.items() if key != "at_end"}
        for block in answered["content"]:
            record = {**head, "content": [block], "stop_reason": None}
            self.emit("assistant", message=record, parent_tool_use_id=None)
        self.messages.append({"role": "assistant", "content": answered["content"]})
        return answered

    def tell(self, blocks: list[Record]) -> None:
        """Print what the model is told, and keep it for the next request."""
        for block in blocks:
            told = {"role": "user", "content": [block]}
            self.emit("user", message=told, parent_tool_use_id=None)
        self.messages.append({"role": "user", "content": blocks})
        self.turns += len(blocks)

    def end(self, answered: Record, **answer: Any) -> None:
        self.emit(
            "result",
            subtype="success",
            is_error=False,
            num_turns=self.turns,
            total_cost_usd=round(self.cost, 10),
            usage=self.usage,
            modelUsage={self.options.model: {"costUSD": round(self.cost, 10)}},
            api_error_status=None,
            stop_reason=answered["stop_reason"],
            **answer,
        )


def converse(conversation: Conversation) -> None:
    """Ask the model and use tools for it, until it has answered."""
    while True:
        answered = conversation.ask()
        calls = [block for block in answered["content"] if block["type"] == "tool_use"]
        if calls:
            conversation.tell([tool_result(conversation.options, block) for block in calls])
            given = [block["input"] for block in calls if block["name"] == "StructuredOutput"]
            if given:
                return conversation.end(answered, structured_output=given[-1])
        elif conversation.is_enforced:
            return conversation.end(answered)
        else:
            conversation.is_enforced = True
            conversation.tell([{"type": "text", "text": ENFORCED}])


def main() -> None:
    options = Options(sys.argv[1:])
    conversation = Conversation(options, sys.stdin.read())
    conversation.emit("system", subtype="init", model=options.model, cwd=os.getcwd())
    converse(conversation)


main()
