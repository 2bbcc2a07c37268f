"""The view of a run, sent from the process that executes it to the process at the terminal.

The second process guards the first one, and ends everything that it started.
"""

import contextlib
import json
import os
import threading
from collections.abc import Callable
from typing import NamedTuple

from ..phases.flow import Flow
from ..phases.json_form import flow_from, flow_json, state_from, state_json
from ..phases.run_state import RunState
from ..proc.guard import can_guard, run_guarded

_CHUNK = 1 << 16
_handles: list[int] = []
"""The handle to the process of the caller, in a child process."""


def _nothing(_flow: Flow, _state: RunState) -> None:
    """Do not show new states."""


class AttendEdges(NamedTuple):
    """Functions to show a run. They are called in the process of the caller, one at a time.

    `tell` gets a message, `show` gets the id of a phase and a line of its command's output,
    `changed` gets each new state of the run, and the current one at the start.
    """

    tell: Callable[[str], None]
    show: Callable[[str, str], None]
    changed: Callable[[Flow, RunState], None] = _nothing


def in_child(edges: AttendEdges, do: Callable[[AttendEdges], int]) -> int:
    """Work in a child process, and return its exit code.

    Only the child starts threads: a process with threads can't fork safely.
    """
    if not can_guard():
        return do(edges)
    reader, writer = os.pipe()

    def work() -> int:
        os.close(reader)
        _handles[:] = [writer]
        return do(_relayed(writer))

    def meanwhile() -> None:
        os.close(writer)
        with open(reader, "rb", buffering=0) as stream:
            rest = b""
            while chunk := stream.read(_CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    _deliver(line, edges)

    return run_guarded(work, meanwhile)


def close_in_child() -> None:
    """Close the handle to the caller, in a process that sends nothing to it.

    Otherwise the caller would not see the end of the other process.
    """
    for handle in _handles:
        os.close(handle)


def _relayed(writer: int) -> AttendEdges:
    lock = threading.Lock()

    def send(**message: object) -> None:
        data = memoryview(json.dumps(message).encode() + b"\n")
        with lock, contextlib.suppress(OSError):
            while data:
                data = data[os.write(writer, data) :]

    return AttendEdges(
        tell=lambda line: send(tell=line),
        show=lambda phase, line: send(show=phase, line=line),
        changed=lambda flow, state: send(flow=flow_json(flow), state=state_json(state)),
    )


def _deliver(line: bytes, edges: AttendEdges) -> None:
    message = json.loads(line)
    if "tell" in message:
        edges.tell(message["tell"])
    elif "show" in message:
        edges.show(message["show"], message["line"])
    else:
        edges.changed(flow_from(message["flow"]), state_from(message["state"]))
