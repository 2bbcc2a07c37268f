"""Messages about changes of the queue: whatever is new is noted, and the sender sends it.

The news of a request is enqueued by the store, in the transaction that changes it. A look at the
whole queue finds what has changed elsewhere, as on GitHub.
"""

import contextlib
import os
import queue as queues
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple

from ..config.notify import NotifySettings
from ..errors import HelixError, UsageError
from ..flow.database import make_tables
from ..flow.durable import engine_of
from ..flow.storage import DatabaseError
from ..notify.channels import send
from ..notify.messages import MessageText
from ..notify.notices import (
    Covered,
    Ending,
    Notice,
    entry_key,
    never_told,
    notice_of,
    recorded_end,
)
from ..notify.notify_file import (
    NO_FILE,
    AddressError,
    completed,
    notify_path,
    notify_settings,
)
from ..notify.outbox import Look, Outbox, client_of
from ..notify.recipients import Address, channels, unreached
from ..notify.sender import (
    POLL,
    SLOW_POLL,
    ChannelState,
    Delivery,
    Preferences,
    Sender,
    channel_states,
    has_sender,
    sending,
)
from ..text import printable
from ..text.masking import secrets_of
from ..verify.stop import INSIDE, RUN
from ..waiting import request_entry
from ..waiting.entry import FLOW, PULL_REQUEST, REQUEST, UNDECIDED, Queue, QueueEntry
from ..waiting.request import AUTO_APPROVED, PENDING, ApprovalRequest
from . import requests, schema, store
from .collect import collect
from .decided import pull_ends
from .place import QueuePlace, Wanted, here, page_of, policy_of

_OLD = 24 * 3600
"""Seconds after which nobody is notified any more that a request was decided."""

_LINGER, _LONGEST_BATCH = 90, 900
"""Seconds for which a sender in the background also sends what becomes due, as the first attempt
after a failure; and those that it waits for a batch in addition.
"""

_LONGEST = 3600.0
"""Seconds after which a sender in the background ends in any case."""

_PATIENCE = 5.0
"""Seconds to wait for the thread of a server at its end."""


class DeliveryReport(NamedTuple):
    """The number of messages that channels have accepted, and a line for each failure.

    `later` is the number of messages that are sent later: after a batch, a pause or by another
    process.
    """

    sent: int = 0
    failures: tuple[str, ...] = ()
    later: int = 0


@contextlib.contextmanager
def outbox_of(place: QueuePlace) -> Iterator[Outbox]:
    """Open the outbox of a project. Raises HelixError."""
    engine = engine_of(place.flow)
    try:
        make_tables(place.flow)
        schema.ready(place.flow, engine)
        with client_of(engine) as client:
            yield Outbox(place.flow, engine, client, place.key)
    finally:
        engine.dispose()


def tell_all(place: QueuePlace, environment: Mapping[str, str], now: int) -> DeliveryReport:
    """Read the queue, note its changes, and send what is due, as `queue sweep` does.

    Without a notification file nothing is read. What another process sends, it reports.

    Raises:
        HelixError: The settings or the database can't be read.
    """
    if not notify_settings(environment, place.root):
        return DeliveryReport()
    wanted = Wanted()
    queue = collect(place, wanted, environment, now)
    with outbox_of(place) as outbox:
        note(place, outbox, wanted, queue, environment)
        done = send_due(place, outbox, environment)
        if outbox.is_due():
            send_in_background(place, environment)  # a command has left it to this process
        return done


def send_due(place: QueuePlace, outbox: Outbox, environment: Mapping[str, str]) -> DeliveryReport:
    """Send what is due, unless another process does. Raises HelixError."""
    ends = list[Delivery]()
    failures = list[str]()
    with _sending(place, outbox, environment, ends.append, failures.append) as sender:
        is_all = sender.drain() if sender else True
    failures += [item.failure for item in ends if item.error]
    if not is_all:
        failures.append("not all messages could be sent in time; the next call continues")
    sent = sum(item.is_sent for item in ends)
    return DeliveryReport(sent, tuple(failures), later=len(outbox.waiting()))


def states(place: QueuePlace) -> dict[Address, ChannelState]:
    """Return the state of each channel that has ever had a message. Raises HelixError."""
    with outbox_of(place) as outbox:
        return channel_states(place.flow, outbox)


def send_in_background(place: QueuePlace, environment: Mapping[str, str]) -> str:
    """Let another process send what a command has enqueued, if none does.

    Returns the line about a failure, "" for none: what was decided stays decided.
    """
    try:
        is_inside = environment.get(RUN) or environment.get(INSIDE)  # no agent chooses the file
        has_file = notify_settings(environment, place.root)
        if is_inside or not has_file or has_sender(place.flow, place.key):
            return ""
        process = subprocess.Popen(
            [sys.executable, "-I", "-m", __name__],
            cwd=place.root,
            env={**environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (HelixError, OSError) as error:
        return f"notifications failed: {error}"
    threading.Thread(target=process.wait, daemon=True).start()  # for a program that calls `api`
    return ""


def not_told(place: QueuePlace, environment: Mapping[str, str], request: ApprovalRequest) -> str:
    """Return the line about people whose turn it is and who get no message, "" for none.

    Raises:
        HelixError: The settings or the database can't be read.
    """
    settings = notify_settings(environment, place.root)
    if settings:
        entry = request_entry.entry(request, policy_of(place))
        notice = notice_of(entry, request.requested_at, secrets_of(environment))
        missing = unreached(notice, settings)
        names = ", ".join(missing)
        path = printable(notify_path(environment))
        return f"no message to {names}: {path} has no channel for them" if missing else ""
    if place.flow.is_shared:
        # Another machine may have the file, and run `queue sweep` with a timer.
        waits = "no message is sent before `queue serve` or `queue sweep` runs"
        return "" if has_sender(place.flow, place.key) else waits
    return NO_FILE


@contextlib.contextmanager
def in_background(
    place: QueuePlace,
    wanted: Wanted,
    environment: Mapping[str, str],
    log: Callable[[str], None],
) -> Iterator[Callable[[Queue], None]]:
    """Yield a function that takes a state of the queue and returns at once: what the server does.

    A thread notes what is new, and is the sender if no other process is. If several states are
    queued, it uses only the newest.
    """
    looks: queues.Queue[Queue | None] = queues.Queue()

    def report(delivery: Delivery) -> None:
        if delivery.error:
            log(delivery.failure)

    def work() -> None:
        stack, sender, outbox = contextlib.ExitStack(), None, None
        while (look := _last(looks)) is not None:
            try:
                if not notify_settings(environment, place.root):
                    continue
                if sender is None or not sender.is_alone():
                    stack.close()
                    outbox = stack.enter_context(outbox_of(place))
                    sender = stack.enter_context(
                        _sending(place, outbox, environment, report, log, SLOW_POLL)
                    )
                if outbox:
                    note(place, outbox, wanted, look, environment)
            except Exception as error:  # noqa: BLE001 - the thread must try again
                about = error if isinstance(error, HelixError) else type(error).__name__
                log(f"notifications failed: {about}")
                stack.close()
                sender = None
        stack.close()

    thread = threading.Thread(target=work, name="notifications", daemon=True)
    thread.start()
    try:
        yield looks.put
    finally:
        looks.put(None)
        thread.join(_PATIENCE)


def send_test_messages(
    settings: NotifySettings, owner: str, environment: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Send a test message to each channel of an owner, and return name and error of each."""
    text = MessageText(
        "Test of helix-hooks: this channel works",
        "Notifications about pending decisions are sent here.",
    )
    results = []
    for name, channel in channels(settings, owner).items():
        try:
            error = send(completed(channel, environment), text)
        except AddressError as problem:
            error = str(problem)
        results.append((name, error))
    return results


def covered_by(place: QueuePlace, wanted: Wanted, queue: Queue) -> Covered:
    """Return the sources that were read completely; none if any part could not be read."""
    if queue.partial or wanted.sources:
        return Covered()
    pairs = [(source, place.project) for source in (FLOW, *UNDECIDED)]
    own = (place.repository,) if place.repository and not wanted.owner else ()
    pairs += [(PULL_REQUEST, name) for name in wanted.repositories or own]
    return Covered(tuple(pairs), wanted.owner)


def note(
    place: QueuePlace,
    outbox: Outbox,
    wanted: Wanted,
    queue: Queue,
    environment: Mapping[str, str],
) -> int:
    """Note what is new in a state of the queue, and return the number of new messages.

    Raises:
        HelixError: The settings or the database can't be read.
    """
    settings = notify_settings(environment, place.root)
    if not settings:
        return 0
    if any(entry.source == REQUEST for entry in queue.entries):
        # They were read before the other sources, and may have changed meanwhile.
        others = [entry for entry in queue.entries if entry.source != REQUEST]
        current, _ = requests.entries(place, policy_of(place))
        queue = queue._replace(entries=(*others, *current))
    covered = covered_by(place, wanted, queue)
    endings = _endings(place, queue, outbox.open_notices(), covered)
    queue = queue._replace(entries=tuple(_with_page(item, environment) for item in queue.entries))
    outbox.forget()
    return outbox.note(Look(queue, covered, endings), settings, secrets_of(environment))


def _endings(
    place: QueuePlace, queue: Queue, last: Mapping[str, Notice], covered: Covered
) -> dict[str, Ending]:
    """Return how entries have ended since the last look."""
    present = {entry_key(entry.source, entry.project, entry.id) for entry in queue.entries}
    gone = [notice for key, notice in last.items() if key not in present]
    endings = {}
    with store.opened(place.flow) as db:
        for notice in gone:
            if notice.source == REQUEST:
                with contextlib.suppress(UsageError):  # the database does not have it any more
                    request = db.request(notice.id)
                    if request.status != PENDING:
                        endings[notice.entry] = Ending(request.status, _decider(request))
        pulls = [item for item in gone if item.source == PULL_REQUEST and covered.has(item)]
        ends = pull_ends(db) if pulls else {}
    for notice in pulls:
        if end := recorded_end(notice, ends):
            endings[notice.entry] = end
    return endings


def _request_changed(
    place: QueuePlace, outbox: Outbox, environment: Mapping[str, str], id: str
) -> str:
    """Note the news of a request, and return why it was not noted, "" if it was.

    Raises:
        HelixError: The settings or the database can't be read now.
    """
    secrets = secrets_of(environment)
    settings = notify_settings(environment, place.root)
    try:
        if not settings:
            return "there is no notification file"
        with store.opened(place.flow) as db:
            request, now = db.request(id), db.now()
        entry = _with_page(request_entry.entry(request, policy_of(place)), environment)
        look = Look(Queue((entry,), now))
        if request.status != PENDING:
            is_old = request.decided_at < now - _OLD
            if is_old or (
                request.status == AUTO_APPROVED and request.decided_at == request.requested_at
            ):
                return ""  # it is no news any more, or the policy has approved it at once
            before = never_told(entry, now, secrets)
            ending = Ending(request.status, _decider(request))
            look = Look(Queue((), now), endings={before.entry: ending}, untold=(before,))
        outbox.note(look, settings, secrets)
    except DatabaseError:
        raise
    except HelixError as error:
        return str(error)
    return ""


def _with_page(entry: QueueEntry, environment: Mapping[str, str]) -> QueueEntry:
    return entry._replace(url=entry.url or page_of(entry.id, environment))


def _decider(request: ApprovalRequest) -> str:
    """Return the name of the last voter, "" if a deadline ended the request."""
    if not request.votes or request.votes[-1].at != request.decided_at:
        return ""
    return request.votes[-1].by.name


def _sending(
    place: QueuePlace,
    outbox: Outbox,
    environment: Mapping[str, str],
    report: Callable[[Delivery], None],
    warn: Callable[[str], None],
    poll: float = POLL,
) -> AbstractContextManager[Sender | None]:
    settings = partial(notify_settings, environment, place.root)

    def changed(id: str) -> str:
        why = _request_changed(place, outbox, environment, id)
        if why:
            warn(f"nobody was notified about request {id}: {why}")
        return why

    return sending(place.flow, outbox, Preferences(settings, environment), changed, report, poll)


def _last(looks: "queues.Queue[Queue | None]") -> Queue | None:
    """Wait for a look, and return the last one that is there; None is the end."""
    look = looks.get()
    while look is not None:
        try:
            look = looks.get_nowait()
        except queues.Empty:
            return look
    return None


def _ignore(_: object) -> None:
    """Nobody reads what this process could say; `queue notify --list` has the failures."""


def main() -> None:
    """Send what the commands in this folder have enqueued, and end when nothing is left soon."""
    place = here(os.environ)
    settings = notify_settings(os.environ, place.root)
    linger = _LINGER + min(settings.batch if settings else 0, _LONGEST_BATCH)
    with outbox_of(place) as outbox:
        # A command that comes while this process ends leaves its messages to it.
        while outbox.is_due(linger):
            with _sending(place, outbox, os.environ, _ignore, _ignore) as sender:
                if not sender or not sender.drain(linger, _LONGEST):
                    return


if __name__ == "__main__":
    with contextlib.suppress(HelixError):
        main()
    os._exit(0)  # a channel that hangs ends here
