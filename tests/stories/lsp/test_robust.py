"""A server that stays when a request fails, ends with its client, and runs nothing of a repository."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from lsprotocol import types

from tests.conftest import Repository
from tests.stories.lsp.client import PROGRAM, editor

NEW = "docs/adr/002-use-a-queue.md"


def message(method: str, params: object = None, number: int | str | None = None) -> bytes:
    """Return a message as it is sent; without `params` if they are `...`."""
    content: dict[str, object] = {"jsonrpc": "2.0", "method": method}
    if params is not ...:
        content["params"] = params
    if number is not None:
        content["id"] = number
    data = json.dumps(content).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


def messages(output: bytes) -> list[dict[str, object]]:
    """Return the messages in an output, which has nothing else."""
    found = []
    while output:
        head, _, output = output.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        size = int(lines[0].removeprefix(b"Content-Length: "))
        found.append(json.loads(output[:size]))
        output = output[size:]
    return found


def initialize(root: Path) -> bytes:
    params: dict[str, object] = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}
    return message("initialize", params, 1) + message("initialized", {})


def opened(root: Path, path: str, text: str) -> bytes:
    document = {"uri": (root / path).as_uri(), "languageId": "markdown", "version": 1, "text": text}
    return message("textDocument/didOpen", {"textDocument": document})


async def test_a_request_that_fails_is_answered_and_the_server_goes_on(decided: Repository) -> None:
    async with editor(decided.root) as shown:
        text = shown.open_from_disk(NEW)
        await shown.diagnostics(NEW)
        assert await shown.hover(NEW, 10**9, 10**9) is None
        assert await shown.hover("nowhere.md", 0, 0) is None
        shown.open("docs/adr/004-\ud7ff\u2028.md", "# x\x0b\u2028\x00\n\ud800\n")
        shown.client.text_document_did_open(
            types.DidOpenTextDocumentParams(
                types.TextDocumentItem("untitled:Untitled-1", "markdown", 1, "# x\n")
            )
        )
        shown.change(NEW, text.replace("Accepted", "Acepted"))
        assert await shown.diagnostics(NEW)


NO_PLACE = {"textDocument": {"uri": 7}, "position": {"line": "a", "character": -1}}
INVALID = [
    ("textDocument/hover", ...),
    ("textDocument/hover", None),
    ("textDocument/hover", [1]),
    ("textDocument/hover", {"position": "nowhere"}),
    ("textDocument/hover", NO_PLACE),
    ("textDocument/codeAction", ...),
    ("textDocument/codeAction", {"textDocument": {"uri": "file:///a.md"}}),
    ("workspace/executeCommand", ...),
]


def test_malformed_messages_are_answered_without_a_traceback(decided: Repository) -> None:
    text = (decided.root / NEW).read_text(encoding="utf-8")
    sent = (
        initialize(decided.root)
        + b"".join(message(*item, f"n{number}") for number, item in enumerate(INVALID))
        + message("textDocument/nonsense", {}, 3)
        + message("textDocument/nonsense", ..., 4)
        + message("textDocument/didOpen", ...)
        + message("textDocument/didChange", {"textDocument": 7})
        + message("nonsense", ...)
        + opened(decided.root, NEW, text)
        + message("shutdown", ..., 5)
        + message("exit", ...)
    )
    done = subprocess.run(
        [PROGRAM, "lsp"], input=sent, cwd=decided.root, capture_output=True, check=False, timeout=60
    )
    answered = {item["id"]: item for item in messages(done.stdout) if "id" in item}
    invalid = {"code": -32602, "message": "Invalid Params"}
    assert [answered[f"n{number}"].get("error") for number in range(len(INVALID))] == (
        [invalid] * len(INVALID)
    )
    unknown = {"code": -32601, "message": "Method Not Found: textDocument/nonsense"}
    assert answered[3]["error"] == answered[4]["error"] == unknown
    assert answered[5]["result"] is None and done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"textDocument/didOpen has invalid params" in done.stderr


async def test_a_repository_that_breaks_is_not_shown_as_clean(decided: Repository) -> None:
    async with editor(decided.root) as shown:
        text = shown.open_from_disk(NEW)
        assert await shown.diagnostics(NEW) == []
        head = decided.root / ".git/HEAD"
        content = head.read_bytes()
        head.unlink()
        shown.change(NEW, text + "\n")
        (found,) = await shown.diagnostics(NEW)
        assert found.message.startswith("not checked: git ")
        assert await shown.hover(NEW, 4, 16) is None
        head.write_bytes(content)
        shown.change(NEW, text + "\n\n")
        assert await shown.diagnostics(NEW) == []
        assert await shown.hover(NEW, 4, 16)


def test_a_client_that_goes_away_ends_the_server(decided: Repository) -> None:
    with subprocess.Popen(
        [PROGRAM, "lsp"], cwd=decided.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin
        server.stdin.write(initialize(decided.root))
        server.stdin.flush()
        server.stdin.close()
        assert server.wait(timeout=60) == 0


async def test_a_large_buffer_does_not_stop_other_answers(decided: Repository) -> None:
    async with editor(decided.root) as shown:
        text = shown.open_from_disk(NEW)
        await shown.diagnostics(NEW)
        large = "docs/adr/003-large.md"
        shown.open(large, text + "[[ADR-001](" * 80_000)
        shown.change(large, text + "[`<!--" * 150_000)
        started = time.monotonic()
        await shown.hover(NEW, 5, 14)
        assert time.monotonic() - started < 30, "the server hangs"
        await shown.diagnostics(large)
        shown.change(large, "x" * 1_000_001)
        found = await shown.diagnostics(large)
        assert [item.code for item in found] == ["file-unreadable"]


async def test_nothing_of_the_repository_is_executed(
    decided: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "it was run"
    code = f"open({str(mark)!r}, 'w').close()\n"
    for name in ("yaml", "pygls", "lsprotocol", "asyncio", "logging", "sitecustomize", "json"):
        decided.write(f"{name}.py", code)
    decided.write("pygls/__init__.py", code)
    decided.write("helix_hooks/__init__.py", code)
    decided.write(".git/hooks/post-index-change", f"#!/bin/sh\ntouch '{mark}'\n").chmod(0o755)
    for program in ("git", "python3"):
        decided.write(program, f"#!/bin/sh\ntouch '{mark}'\n").chmod(0o755)
    decided.git("config", "core.fsmonitor", str(decided.root / "git"))
    decided.git("config", "filter.x.clean", str(decided.root / "git"))
    decided.write(".gitattributes", "*.md filter=x diff=x\n")
    mark.unlink(missing_ok=True)
    monkeypatch.setenv("PATH", os.pathsep.join([".", "", os.environ["PATH"]]))
    async with editor(decided.root) as shown:
        text = shown.open_from_disk(NEW)
        await shown.diagnostics(NEW)
        shown.change(NEW, text.replace("001", "099"))
        assert await shown.diagnostics(NEW)
        await shown.actions(NEW, 4)
    assert not mark.exists()
