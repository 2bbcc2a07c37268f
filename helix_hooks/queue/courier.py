"""The courier: the program that sends messages, in a process of its own.

No one waits if it hangs, and it finishes its work if its parent process is killed. Its standard
input has the database and the messages. It records the results itself. At its end all its threads
end, so no message is sent after its failure was recorded.
"""

import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from ..errors import HelixError
from ..flow.place import FlowPlace
from . import channels, outbox
from .channels import Parcel
from .outbox import Outbox

SECONDS = 20
"""Seconds that channels have for a message; all messages are sent at the same time."""

NO_ANSWER = f"the channel did not answer within {SECONDS} seconds"
_PAUSES = (0.1, 0.5, 2.0)
"""Seconds between attempts to record what was sent."""

Send = Callable[[Parcel], str]


def packed(place: FlowPlace, parcels: Iterable[Parcel]) -> bytes:
    """Return the input of the program."""
    value = {"place": place._asdict(), "parcels": [parcel._asdict() for parcel in parcels]}
    return json.dumps(value).encode()


def deliver(place: FlowPlace, parcels: Sequence[Parcel], send: Send, seconds: float) -> None:
    """Send messages, each in a thread, and record how each ended. Raises HelixError."""
    ends: queue.Queue[tuple[str, str]] = queue.Queue()
    until = time.monotonic() + seconds
    with outbox.opened(place) as box:
        open_claims = [parcel.claim for parcel in parcels if box.start(parcel.claim)]
        for parcel in parcels:
            if parcel.claim in open_claims:
                _start_thread(parcel, send, ends)
        while open_claims:
            try:
                claim, error = ends.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                break
            open_claims.remove(claim)
            _record(box, claim, error)
        for claim in open_claims:
            _record_with_retries(partial(box.failed, claim, NO_ANSWER, uncertain=True))


def _start_thread(parcel: Parcel, send: Send, ends: "queue.Queue[tuple[str, str]]") -> None:
    # A daemon thread: one that hangs must not keep the program alive.
    threading.Thread(target=_send_and_report, args=(parcel, send, ends), daemon=True).start()


def send_without_record(parcel: Parcel) -> str:
    """Send a message without a record, and return why it was not sent."""
    ends: queue.Queue[tuple[str, str]] = queue.Queue()
    _start_thread(parcel, channels.send, ends)
    try:
        return ends.get(timeout=SECONDS)[1]
    except queue.Empty:
        return NO_ANSWER


def _send_and_report(parcel: Parcel, send: Send, ends: "queue.Queue[tuple[str, str]]") -> None:
    try:
        error = send(parcel)
    except Exception as problem:  # noqa: BLE001 - a plugin must not stop the others
        error = f"{channels.REFUSED} ({type(problem).__name__})"
    ends.put((parcel.claim, error))


def _record(box: Outbox, claim: str, error: str) -> None:
    if error:
        _record_with_retries(partial(box.failed, claim, error))
    else:
        _record_with_retries(partial(box.sent, claim))


def _record_with_retries(record: Callable[[], None]) -> None:
    """Record a result, and try again after a failure: an unrecorded message is sent twice."""
    for pause in _PAUSES:
        try:
            record()
        except HelixError:
            time.sleep(pause)
        else:
            return
    record()


def main() -> int:
    """Send the messages of the standard input, and return the exit code."""
    for ignored in (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)):
        signal.signal(ignored, signal.SIG_IGN)
    value = json.load(sys.stdin)
    place = FlowPlace(**value["place"])
    parcels = [Parcel(**parcel) for parcel in value["parcels"]]
    try:
        deliver(place, parcels, channels.send, SECONDS)
    except HelixError as error:
        return error.exit_code
    return 0


if __name__ == "__main__":
    os._exit(main())  # threads that hang end here
