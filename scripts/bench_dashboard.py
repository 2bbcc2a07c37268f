"""Measure the server of the queue: the time until a hundred pages know of a change, and the size of
the list with two hundred entries.

The store is real, in a file, and the server a process of its own. The time is that from before a
request is added until the last of a hundred connections has read of it.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from helix_hooks.pages import queue  # noqa: E402 -- found by the line above
from helix_hooks.pages.view import HERE, FilledForm, QueuePage, QueueRow, Shell  # noqa: E402
from helix_hooks.queue import place as queue_place  # noqa: E402
from helix_hooks.queue import store  # noqa: E402
from helix_hooks.waiting.request import ApprovalRequest, Asker  # noqa: E402
from tests.fakes.dashboard import free_port  # noqa: E402
from tests.fakes.waiting import ENTRIES, NOW  # noqa: E402

Row = tuple[str, str, float, float]
CLIENTS, ROUNDS, ENTRIES_SHOWN = 100, 5, 200
SECONDS, KILOBYTES = 1.0, 100.0
IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
HELIX = (sys.executable, "-m", "helix_hooks")


def rows(scratch: Path) -> list[Row]:
    """Return the rows: the worst of several changes, and the size of a page."""
    place = scratch / "dashboard"
    place.mkdir()
    for command in (
        ["init", "--quiet"],
        [*IDENTITY, "commit", "--quiet", "--allow-empty", "-m", "x"],
    ):
        subprocess.run(["git", *command], cwd=place, check=True)
    with _served(place) as port:
        worst = asyncio.run(_worst(place, port))
    size = len(_page().encode()) / 1000
    print(f"queue serve: {CLIENTS} pages know of a change after at most {worst:.2f} s")
    print(f"queue serve: the list of {ENTRIES_SHOWN} entries has {size:.0f} kB")
    return [
        (f"{CLIENTS} pages told of a change", f"{SECONDS:g} s", worst / SECONDS, 1.0),
        (f"page of {ENTRIES_SHOWN} entries", f"{KILOBYTES:g} kB", size / KILOBYTES, 1.0),
    ]


@contextlib.contextmanager
def _served(place: Path) -> Iterator[int]:
    port = free_port()
    command = [*HELIX, "queue", "serve", "--port", str(port)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=place, env=environment, stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        server.stderr.readline()
        yield port
        server.terminate()


async def _worst(place: Path, port: int) -> float:
    """Return the longest time from a new request to the last client that is told."""
    clients = await asyncio.gather(*(_client(port) for _ in range(CLIENTS)))
    times = []
    with store.opened(queue_place.place_of(str(place), os.environ).flow) as db:
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            await asyncio.to_thread(db.add, _request(place.name))
            await asyncio.gather(*(_told(reader) for reader, _ in clients))
            times.append(time.perf_counter() - begun)
    for _, writer in clients:
        writer.close()
    return max(times)


def _request(project: str) -> ApprovalRequest:
    return ApprovalRequest(
        id=str(uuid.uuid4()),
        project=project,
        category="critical",
        action="production_deployment",
        title="Deploy v1.2",
        requested_by=Asker("release-agent", verified=False),
        requested_at=int(time.time()),
    )


async def _client(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    for _ in range(100):
        with contextlib.suppress(ConnectionError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            break
        await asyncio.sleep(0.1)
    writer.write(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    await _read_until(reader, b"event: hello")
    return reader, writer


async def _told(reader: asyncio.StreamReader) -> None:
    await _read_until(reader, b"event: changed")


async def _read_until(reader: asyncio.StreamReader, line: bytes) -> None:
    async with asyncio.timeout(30):
        while line not in await reader.readline():
            pass


def _page() -> str:
    """Return the list with entries like those of the tests."""
    found = tuple(
        QueueRow(
            ENTRIES[number % len(ENTRIES)]._replace(id=f"acme/shop#{1000 + number}"),
            HERE,
            "",
            f"{number:016x}",
        )
        for number in range(ENTRIES_SHOWN)
    )
    shell = Shell(viewer="maria", sign_out="x" * 49, version="0" * 12, is_live=True)
    return queue.page(QueuePage(rows=found, now=NOW, shell=shell, form=FilledForm("x" * 49)))
