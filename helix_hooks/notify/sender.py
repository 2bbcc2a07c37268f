"""The sender: it runs what is enqueued in the outbox of a project, on DBOS.

One process at a time is the sender of a project, and holds a lock; it also continues the messages
that an earlier one left. A message to a channel takes along what else waits for that channel. One
that fails is enqueued again, with growing pauses.
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple, TypeVar

import sqlalchemy as sa
from dbos import DBOS, StepOptions

from .. import codec
from ..config.notify import NotifySettings
from ..errors import HelixError
from ..flow.place import FlowPlace
from ..flow.serializer import JsonSerializer
from ..flow.storage import engine_of, explained, url_of
from ..text import moment
from ..verify.lock import LockedError, held
from .channels import NO_ANSWER, send
from .messages import message
from .notify_file import AddressError, completed, lock_file
from .outbox import (
    MESSAGE,
    REQUEST_CHANGED,
    Message,
    Outbox,
    application,
    message_options,
    messages_of,
)
from .recipients import Address, channels, worth_telling

PAUSES = (60, 5 * 60, 15 * 60, 3600, 3 * 3600, 6 * 3600, 12 * 3600)
"""Seconds until the next attempt after each failed one; after the last the message is given up."""

MOST_UNCERTAIN = 2
"""Maximum attempts after one that may have arrived."""

_HOUR = 3600
_INTERNAL = "an internal error of helix-hooks"
POLL, SLOW_POLL, _LOOK = 0.2, 1.0, 0.1
"""Seconds between two reads of a queue by DBOS: in a command, in a server; and by `drain`."""

_PATIENCE = 0.5
"""Seconds to wait for the lock, which `has_sender` takes for a moment."""

_VERSION = "-1"
"""The version of the workflows. In a database the name of a version belongs to one application."""

_EXECUTOR = "sender"
"""The name of all senders for DBOS: each continues the work of the one before."""

_ATTEMPTS = 1_000_000
"""Attempts of a step that reads the database or the settings, which may be broken for long."""

Value = TypeVar("Value")


class Preferences(NamedTuple):
    """A function that reads the settings of notifications, and the variables of the addresses."""

    read: Callable[[], NotifySettings | None]
    environment: Mapping[str, str]


class Delivery(NamedTuple):
    """The end of an attempt to send a message.

    `notices` is the number of changes that it tells, 0 if all of them were outdated. `error` is
    "" if the channel has accepted it. `next_at` is when it is sent again, in seconds since 1970,
    0 for never.
    """

    to: Address
    notices: int = 0
    error: str = ""
    next_at: int = 0

    @property
    def is_sent(self) -> bool:
        """Return whether the channel has accepted a message."""
        return bool(self.notices) and not self.error

    @property
    def failure(self) -> str:
        """The line for people about an error."""
        again = f"next attempt {moment(self.next_at)}" if self.next_at else "not retrying"
        return f"notification to {self.to.owner}, channel {self.to.channel}: {self.error}; {again}"


class _Batch(NamedTuple):
    """A whole message, the ids of others that are in it, and the seconds until it may be sent."""

    message: Message
    others: tuple[str, ...] = ()
    pause: int = 0


class Sender:
    """The running sender of a project, in this process."""

    def __init__(
        self,
        outbox: Outbox,
        preferences: Preferences,
        report: Callable[[Delivery], None],
        is_alone: Callable[[], bool],
    ) -> None:
        """`is_alone` returns whether this process still has the lock."""
        self._outbox, self._preferences, self._report = outbox, preferences, report
        self.is_alone = is_alone

    def launch(self, place: FlowPlace, request_changed: Callable[[str], str], poll: float) -> None:
        """Start DBOS. `request_changed` notes the news of a request, and returns why it did not."""
        name = self._outbox.name
        DBOS(
            config={
                "name": name,
                "system_database_url": url_of(place),
                "application_version": f"{name}{_VERSION}",
                "executor_id": _EXECUTOR,
                "serializer": JsonSerializer(),
                "log_level": "CRITICAL",
                "enable_otlp": False,
            }
        )

        @DBOS.workflow(name=REQUEST_CHANGED, max_recovery_attempts=None)
        def changed(request: str) -> str:
            return _step("note", lambda: request_changed(request))

        @DBOS.workflow(name=MESSAGE, max_recovery_attempts=None)
        def send_message(value: object) -> object:
            first = codec.lenient(value, Message)
            try:
                return codec.plain(self._send(first))
            except Exception:
                self._report(Delivery(first.to, 1, _INTERNAL))
                raise

        DBOS.listen_queues([name, messages_of(name)])
        DBOS.launch()
        register = partial(
            DBOS.register_queue, polling_interval_sec=poll, on_conflict="always_update"
        )
        register(name, global_concurrency=1)
        register(messages_of(name), partition_concurrency=1)

    def drain(self, linger: float = 0.0, longest: float = 60.0) -> bool:
        """Wait until nothing is left to send now or in the next `linger` seconds.

        Returns False if something is left after `longest` seconds.
        """
        until = time.monotonic() + longest
        while self._outbox.is_due(linger):
            if time.monotonic() >= until or not self.is_alone():
                return False
            time.sleep(_LOOK)
        return True

    def _send(self, first: Message) -> Delivery:
        """Send a message with all that waits for its channel."""
        to, id = first.to, str(DBOS.workflow_id)
        batch = codec.lenient(_step("batch", lambda: self._batch(first)), _Batch)
        if batch.others:
            DBOS.cancel_workflows([*batch.others])  # they are a part of this one from now on
        whole = batch.message
        delivery = Delivery(to, len(whole.notices))
        if batch.pause:
            delivery = self._again(whole, "", batch.pause)
        elif whole.notices:
            error = DBOS.run_step({"name": "send"}, lambda: self._attempt(whole, id))
            if error:
                uncertain = whole.uncertain or error == NO_ANSWER
                failed = whole._replace(failures=whole.failures + 1, uncertain=uncertain)
                delivery = self._again(failed, error, pause_after(failed.failures, uncertain))
        self._report(delivery)
        return delivery

    def _batch(self, first: Message) -> object:
        """Return what one message says, as JSON data of a batch."""
        queue = messages_of(self._outbox.name)
        waiting = DBOS.list_workflows(
            queue_name=queue, status=["ENQUEUED", "DELAYED"], load_output=False
        )
        others = {
            item.workflow_id: codec.lenient(item.input["args"][0], Message)
            for item in waiting
            if item.input and item.queue_partition_key == json.dumps(first.to)
        }
        now = time.time()
        pauses = {
            item.workflow_id: max(0, int((item.delay_until_epoch_ms or 0) / 1000 - now))
            for item in waiting
            if item.workflow_id in others
        }
        every = (first, *others.values())
        notices = [notice for one in every for notice in one.notices]
        try:
            settings = self._preferences.read()
        except HelixError:
            settings = None  # the attempt says why
        told = tuple(notices)  # without an address the attempt fails, and nothing is left out
        if settings and first.to.channel in channels(settings, first.to.owner):
            newest = self._outbox.newest(notice.entry for notice in notices)
            told = worth_telling(notices, newest, first.to, settings)
        failures = [one.failures for one in every]
        whole = Message(
            first.to,
            told,
            # The count begins again with a new message, so that it is not given up with an old one.
            failures=max(min(failures), int(any(failures))),
            uncertain=any(one.uncertain for one in every),
        )
        # A failed message holds its channel until its pause is over.
        pause = max((left for id, left in pauses.items() if others[id].failures), default=0)
        if settings and told and self._sent_lately(first.to) >= settings.most:
            pause = max(pause, _HOUR // settings.most)
        return codec.plain(_Batch(whole, tuple(others), pause))

    def _attempt(self, whole: Message, id: str) -> str:
        """Send a message, and return why it was not sent."""
        is_repeated = whole.uncertain or _was_begun(id)
        try:
            settings = self._preferences.read()
            if not settings:
                raise AddressError("there is no notification file any more")
            channel = channels(settings, whole.to.owner).get(whole.to.channel)
            if not channel:
                raise AddressError("the notification file no longer has this channel")
            address = completed(channel, self._preferences.environment)
            return send(address, message(whole.notices, whole.to.is_shared, is_repeated))
        except HelixError as error:
            return str(error)

    def _again(self, whole: Message, error: str, pause: int) -> Delivery:
        """Enqueue a message again after a pause; 0 means never."""
        if not pause:
            return Delivery(whole.to, len(whole.notices), error)
        options = message_options(self._outbox.name, whole.to, pause)
        DBOS.enqueue_workflow_with_options(options, codec.plain(whole))
        notices = len(whole.notices) if error else 0
        return Delivery(whole.to, notices, error, int(time.time()) + pause)

    def _sent_lately(self, to: Address) -> int:
        """Return the number of messages to a channel in the last hour."""
        return sum(
            delivery.to == to and delivery.is_sent
            for delivery in deliveries(self._outbox, time.time() - _HOUR)
        )


def _step(name: str, read: Callable[[], Value]) -> Value:
    """Do a step that reads or writes the database, and again as long as that fails."""
    options: StepOptions = {
        "name": name,
        "retries_allowed": True,
        "max_attempts": _ATTEMPTS,
        "interval_seconds": 10.0,
        "backoff_rate": 1.0,
    }
    return DBOS.run_step(options, read)


def _was_begun(id: str) -> bool:
    """Return whether an earlier process was ended while it worked on this message."""
    status = DBOS.list_workflows(workflow_ids=[id], load_input=False, load_output=False)
    return bool(status) and (status[0].recovery_attempts or 0) > 1


def pause_after(failures: int, uncertain: bool = False) -> int:
    """Return the seconds until the next attempt after some failed ones; 0 for none.

    There are fewer attempts if it is `uncertain` whether one of them has arrived.
    """
    most = MOST_UNCERTAIN if uncertain else len(PAUSES)
    return PAUSES[failures - 1] if failures <= most else 0


class ChannelState(NamedTuple):
    """The messages of a channel. `error` is that of the last attempt, "" for none."""

    to: Address
    waiting: int = 0
    sent: int = 0
    failed: int = 0
    error: str = ""
    next_at: int = 0


def deliveries(outbox: Outbox, since: float = 0) -> list[Delivery]:
    """Return the ends of attempts since a time, oldest first."""
    after = datetime.fromtimestamp(since, UTC).isoformat() if since else None
    ended = outbox.client.list_workflows(
        queue_name=messages_of(outbox.name),
        status=["SUCCESS", "ERROR"],
        completed_after=after,
        load_input=False,
    )
    ended.sort(key=lambda item: item.completed_at or 0)
    return [
        codec.lenient(item.output, Delivery)
        if item.status == "SUCCESS"
        else Delivery(Address(*json.loads(item.queue_partition_key or "")), 1, _INTERNAL)
        for item in ended
    ]


def channel_states(place: FlowPlace, outbox: Outbox) -> dict[Address, ChannelState]:
    """Return the state of each channel that has ever had a message. Raises HelixError."""
    states: dict[Address, ChannelState] = {}
    with explained(place):
        waiting = outbox.waiting()
        ended = deliveries(outbox)
    for item in ended:
        state = states.get(item.to, ChannelState(item.to))
        is_lost = bool(item.error) and not item.next_at
        states[item.to] = state._replace(
            sent=state.sent + item.is_sent,
            failed=state.failed + is_lost,
            error=item.error if item.notices else state.error,
            next_at=item.next_at if item.error else 0,
        )
    for entry in waiting:
        if not entry.queue_partition_key:
            continue  # no message: a request that has changed
        to = Address(*json.loads(entry.queue_partition_key))
        state = states.get(to, ChannelState(to))
        states[to] = state._replace(waiting=state.waiting + 1)
    return states


@contextlib.contextmanager
def sending(
    place: FlowPlace,
    outbox: Outbox,
    preferences: Preferences,
    request_changed: Callable[[str], str],
    report: Callable[[Delivery], None],
    poll: float = POLL,
) -> Iterator[Sender | None]:
    """Be the sender of a project for the time of the block; None if another process is."""
    with _lock(place, outbox.name, _PATIENCE) as is_held:
        if is_held is None:
            yield None
            return
        sender = Sender(outbox, preferences, report, is_held)
        try:
            with explained(place):
                sender.launch(place, request_changed, poll)
            yield sender
        finally:
            DBOS.destroy(destroy_registry=True)


def has_sender(place: FlowPlace, key: str) -> bool:
    """Return whether a process is the sender of a project, by its key. Raises HelixError."""
    with _lock(place, application(key), 0) as is_held:
        return is_held is None


@contextlib.contextmanager
def _lock(place: FlowPlace, name: str, seconds: float) -> Iterator[Callable[[], bool] | None]:
    """Take the lock of a sender if it becomes free within some seconds, else give None.

    The function returns whether it is still held: a server that restarts releases it.
    """
    if not place.is_shared:
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(held(lock_file(place.folder), seconds, "another process sends"))
            except LockedError:
                yield None
            else:
                yield lambda: True
        return
    number = int(hashlib.sha256(name.encode()).hexdigest()[:15], 16)
    with explained(place):
        connection = engine_of(place).connect().execution_options(isolation_level="AUTOCOMMIT")
        query, until = sa.select(sa.func.pg_try_advisory_lock(number)), time.monotonic() + seconds
        while not (taken := connection.scalar(query)) and time.monotonic() < until:
            time.sleep(_LOOK)

    def is_held() -> bool:
        try:
            connection.execute(sa.text("SELECT 1"))
        except sa.exc.SQLAlchemyError:
            return False
        return True

    try:
        yield is_held if taken else None
    finally:
        connection.invalidate()
        connection.close()
