"""Decisions that take effect after some seconds, so that a person can undo a slip of the finger.

They are in the memory of the server. It carries them out at once when it stops; after a crash an
entry still waits, and the list shows it.
"""

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from ..pages.view import DecisionLine
from ..text import counted
from .sources import ChosenAnswer

CarryOut = Callable[[str, ChosenAnswer], Awaitable[None]]
"""Carry out an answer, and keep its result for the session with this key."""


class _Started(NamedTuple):
    session: str
    choice: ChosenAnswer
    now: asyncio.Event
    ends: float
    task: "asyncio.Task[None]"


class Undoable:
    """The decisions of the last seconds, by the id of their entry. For one thread, the server's."""

    def __init__(self, seconds: int, carry_out: CarryOut) -> None:
        self.seconds, self._carry_out = seconds, carry_out
        self._started: dict[str, _Started] = {}

    def has(self, entry: str) -> bool:
        """Return whether a person has decided about an entry in the last seconds."""
        return entry in self._started

    def start(self, session: str, choice: ChosenAnswer) -> None:
        """Start to wait with a decision."""
        now = asyncio.Event()
        task = asyncio.create_task(self._wait(session, choice, now))
        ends = asyncio.get_running_loop().time() + self.seconds
        self._started[choice.entry.id] = _Started(session, choice, now, ends, task)

    def undo(self, session: str, entry: str) -> bool:
        """Drop a decision of this session; False if it has taken effect."""
        started = self._started.get(entry)
        if started is None or started.session != session or started.now.is_set():
            return False
        del self._started[entry]
        started.task.cancel()
        return True

    def lines(self, session: str) -> tuple[DecisionLine, ...]:
        """Return a line for each decision of a session that can be undone."""
        lines = []
        for started in self._started.values():
            if started.session == session and not started.now.is_set():
                entry = started.choice.entry
                left = math.ceil(started.ends - asyncio.get_running_loop().time())
                verb = "will be approved" if started.choice.answer.approves else "will be rejected"
                verb = "gets your question" if started.choice.asks else verb
                text = f"{verb} in {counted(max(1, left), 'second')}"
                line = DecisionLine(entry.id, entry.title, text, is_done=True, can_undo=True)
                lines.append(line)
        return tuple(lines)

    async def finish(self) -> None:
        """Carry out all decisions now, since the server stops."""
        for started in self._started.values():
            started.now.set()
        tasks = [started.task for started in self._started.values()]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _wait(self, session: str, choice: ChosenAnswer, now: asyncio.Event) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(now.wait(), self.seconds)
        now.set()
        try:
            await self._carry_out(session, choice)
        finally:
            del self._started[choice.entry.id]
