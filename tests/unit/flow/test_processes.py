"""Work in processes of its own: several at once, stopped, killed, and nothing left behind."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping

import pytest

from helix_hooks.errors import HelixError
from helix_hooks.flow.processes import Show, StoppedError, WorkProcesses
from helix_hooks.proc import orphans

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="elsewhere the children of a process are not listed",
)


def work(request: Mapping[str, object], show: Show) -> Iterator[Mapping[str, object]]:
    if "leave" in request:
        subprocess.Popen(["sleep", "97"], start_new_session=True)
    show(f"begun {os.getpid()}")
    time.sleep(float(str(request.get("seconds", 0))))
    if "suspend" in request:
        os.kill(os.getpid(), signal.SIGSTOP)
    if "die" in request:
        os.kill(os.getpid(), signal.SIGKILL)
    yield {"same": request.get("value")}


@pytest.fixture
def processes() -> Iterator[WorkProcesses]:
    before = orphans.children()
    made = WorkProcesses(work, lambda: None)
    yield made
    made.close()
    assert orphans.children() <= before


def never() -> bool:
    return False


def sleepers() -> list[int]:
    found = []
    for pid in orphans.children():
        with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
            found += [pid] if file.read().startswith(b"sleep\x0097") else []
    return found


def test_an_answer_and_what_is_shown(processes: WorkProcesses) -> None:
    shown: list[str] = []
    assert next(processes.run({"value": ["ä", 1]}, shown.append, never)) == {"same": ["ä", 1]}
    assert len(shown) == 1 and shown[0] != f"begun {os.getpid()}"


def test_one_that_ends_leaves_those_of_others_alone(processes: WorkProcesses) -> None:
    """Attack in a flow: leave a process that changes files after the gate.
    Answer: ended before the gate is asked.
    """
    answers: dict[int, object] = {}

    def call(number: int, seconds: float) -> None:
        request = {"leave": 1, "seconds": seconds, "value": number}
        answers[number] = next(processes.run(request, shown.append, never))

    shown: list[str] = []
    times = (0.5, 2.5, 3.0)
    threads = [threading.Thread(target=call, args=(number, times[number])) for number in range(3)]
    for thread in threads:
        thread.start()
    threads[0].join()
    assert len(shown) == 3
    assert len(sleepers()) == 2
    for thread in threads:
        thread.join()
    assert answers == {number: {"same": number} for number in range(3)}
    assert sleepers() == []


def test_work_that_is_stopped(processes: WorkProcesses) -> None:
    with pytest.raises(StoppedError, match="it was stopped"):
        next(processes.run({"seconds": 60, "leave": 1}, lambda _: None, lambda: True))
    deadline = time.monotonic() + 5
    while sleepers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sleepers() == []


def test_work_that_is_killed(processes: WorkProcesses) -> None:
    """Attack in a flow: kill or suspend the processes above.
    Answer: killed: the step failed, or the run continues with `resume`; suspended: those that start agents and gates continue.
    Shown by: `test_work_that_is_killed`, `test_work_that_is_suspended_goes_on`.
    """
    with pytest.raises(StoppedError, match="its process was killed"):
        next(processes.run({"die": 1}, lambda _: None, never))
    assert next(processes.run({"value": 1}, lambda _: None, never)) == {"same": 1}


def test_work_that_is_suspended_goes_on(processes: WorkProcesses) -> None:
    assert next(processes.run({"suspend": 1, "value": 1}, lambda _: None, never)) == {"same": 1}


def test_the_forking_process_goes_on_when_it_is_suspended() -> None:
    before = orphans.children()
    processes = WorkProcesses(work, lambda: None)
    (forker,) = orphans.children() - before
    os.kill(forker, signal.SIGSTOP)
    os.waitid(os.P_PID, forker, os.WSTOPPED | os.WNOWAIT)
    processes.check()
    assert next(processes.run({"value": 1}, lambda _: None, never)) == {"same": 1}
    processes.close()


def test_no_work_is_lost_silently_when_the_forking_process_is_killed() -> None:
    before = orphans.children()
    processes = WorkProcesses(work, lambda: None)
    processes.check()
    (forker,) = orphans.children() - before
    os.kill(forker, signal.SIGKILL)
    with pytest.raises(HelixError, match="nothing is lost") as raised:
        next(processes.run({}, lambda _: None, never))
    assert not isinstance(raised.value, StoppedError)
    processes.close()
