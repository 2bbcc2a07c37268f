"""`helix-hooks mcp`: the two tools, as a client of the real SDK calls them over standard input and output."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, ListToolsResult, TextContent

from tests.conftest import Repository, Run
from tests.fakes.program import PROGRAM

KAFKA = """# {number}. Use Kafka for events

Status: {status}

## Decision

We use Kafka, because events must be kept and read again later. The module `src/orders.py` sends them.
"""
Call = Callable[..., tuple[str, bool]]


@pytest.fixture
def accepted(repository: Repository) -> Repository:
    for number, status in (("14", "Accepted"), ("15", "Proposed")):
        text = KAFKA.format(number=number, status=status)
        repository.stage(f"docs/adr/00{number}-use-kafka.md", text)
    repository.commit("Accept ADR-014")
    repository.git("checkout", "--quiet", "-b", "work")
    return repository


def asked(root: Path, ask: Callable[[Client], Any], *arguments: str) -> Any:
    """Start the server in a folder, and ask it something."""
    server = StdioServerParameters(
        command=str(PROGRAM), args=["mcp", *arguments], cwd=root, env=dict(os.environ)
    )

    async def session() -> Any:
        with open(os.devnull, "w", encoding="utf-8") as log:  # noqa: ASYNC230 -- it takes no time
            async with Client(stdio_client(server, log)) as client:
                return await ask(client)

    return asyncio.run(asyncio.wait_for(session(), 60))


@pytest.fixture
def call(accepted: Repository) -> Call:
    """Call a tool; return its text, and whether it is an error."""

    def called(tool: str, *, options: tuple[str, ...] = (), **values: object) -> tuple[str, bool]:
        result = asked(accepted.root, lambda client: client.call_tool(tool, values), *options)
        assert isinstance(result, CallToolResult)
        (block,) = result.content
        assert isinstance(block, TextContent)
        return block.text, bool(result.is_error)

    return called


WRONG = {
    "a file outside": ("decisions_for", {"paths": ["/etc/passwd"]}, "is not below the root"),
    "a decision that is proposed": ("decision", {"id": "15"}, "15 names no accepted ADR"),
    "no decision": ("decision", {"id": "../../etc/passwd"}, "names no accepted ADR"),
    "signs in a name": ("decision", {"id": "\x1b[2J"}, "\\x1b[2J names no accepted ADR"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "values", "words"), WRONG.values(), ids=WRONG)
def test_the_model_reads_why_a_call_failed(
    tool: str, values: dict[str, object], words: str, call: Call
) -> None:
    text, is_error = call(tool, **values)
    assert is_error and words in text


@pytest.mark.slow
def test_two_accepted_adrs_with_one_number_are_named(accepted: Repository, call: Call) -> None:
    accepted.git("checkout", "--quiet", "main")
    accepted.stage("docs/adr/0014-other.md", KAFKA.format(number="14", status="Accepted"))
    accepted.commit()
    text, is_error = call("decision", id="ADR-014")
    assert (
        is_error and "2 accepted ADRs: docs/adr/0014-other.md, docs/adr/0014-use-kafka.md" in text
    )
    assert not call("decision", id="docs/adr/0014-other.md")[1]


@pytest.mark.slow
def test_there_are_two_tools_which_only_read(accepted: Repository) -> None:
    listed = asked(accepted.root, lambda client: client.list_tools())
    assert isinstance(listed, ListToolsResult)
    assert [tool.name for tool in listed.tools] == ["decisions_for", "decision"]
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed.tools)


@pytest.mark.slow
def test_it_is_the_text_of_the_command(call: Call, run: Run) -> None:
    text = run("decisions", "src/orders.py", "lib/other.py").out
    assert text.startswith("ADR-014: ")
    assert call("decisions_for", paths=["src/orders.py", "lib/other.py"]) == (text, False)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["14", "ADR-014", "docs/adr/0014-use-kafka.md"])
def test_a_decision_is_read_from_the_base(id: str, accepted: Repository, call: Call) -> None:
    accepted.stage("docs/adr/0014-use-kafka.md", "# 14. Something else\n\nStatus: Accepted\n")
    accepted.commit("Change it")
    assert call("decision", id=id) == (KAFKA.format(number="14", status="Accepted"), False)
    assert call("decision", id=id, options=("--base", "work"))[0].startswith("# 14. Something")


@pytest.mark.slow
def test_a_long_decision_is_cut_and_its_signs_are_escaped(accepted: Repository, call: Call) -> None:
    accepted.git("checkout", "--quiet", "main")
    text = KAFKA.format(number="14", status="Accepted") + "\x1b[2J" + "word " * 20_000
    accepted.stage("docs/adr/0014-use-kafka.md", text)
    accepted.commit()
    shown, is_error = call("decision", id="14")
    assert not is_error and len(shown) < 61_000
    assert "\\x1b[2J" in shown and shown.endswith(" more)\n")


def test_it_needs_a_repository(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("mcp")
    assert (done.code, done.out) == (2, "") and "needs a git repository" in done.err
