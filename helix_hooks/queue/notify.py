"""Notifications: changes are stored in the outbox, and the courier sends them.

No decision waits for a channel. A failure is recorded, reported, and retried after growing pauses.
"""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..config.notify import Channel, NotifySettings
from ..errors import UsageError
from ..flow.place import FlowPlace
from ..text import moment
from ..text.masking import secrets_of
from ..waiting.entry import PULL_REQUEST, REQUEST, Queue
from ..waiting.messages import message
from ..waiting.notices import Covered, Ending, Notice, entry_key
from ..waiting.recipients import channels
from ..waiting.recorded_decisions import pull_endings
from ..waiting.request import PENDING, ApprovalRequest
from . import courier, outbox
from .channels import Parcel
from .notice_tables import FAILED, SENT, WAITING
from .notify_file import AddressError, completed, notify_settings
from .outbox import MessageClaim, Outbox
from .store import QueueStore

_LIMIT = courier.SECONDS + 40
"""Seconds after which the courier is killed; its start and its records take time too."""

_RECENT = 2_000
"""Newest events of the trail in which the end of a pull request is searched."""


class DeliveryReport(NamedTuple):
    """Number of messages that channels have accepted, and a line for each failure."""

    sent: int = 0
    failures: tuple[str, ...] = ()


def tell(
    db: QueueStore,
    place: FlowPlace,
    queue: Queue,
    covered: Covered,
    environment: Mapping[str, str],
    *,
    awaits: bool = True,
) -> DeliveryReport:
    """Record changes of the queue in the outbox, and send due messages. Raises HelixError.

    Entries missing from a `covered` source, which was read completely, are treated as closed.
    Requests are looked up in the store. Without `awaits` it does not wait for the courier, and the
    report is empty.
    """
    settings = notify_settings(environment, place.root)
    if not settings:
        return DeliveryReport()
    secrets = secrets_of(environment)
    with outbox.opened(place) as box:
        last = box.open_entries()
        endings = _endings(db, queue, last) | _pull_endings(db, queue, last, covered)
        box.note(queue, covered, endings, settings, secrets)
        return _delivered(box, place, settings, environment, awaits=awaits)


def deliver(place: FlowPlace, environment: Mapping[str, str]) -> DeliveryReport:
    """Send what is due in the outbox. Raises HelixError."""
    settings = notify_settings(environment, place.root)
    if not settings:
        return DeliveryReport()
    with outbox.opened(place) as box:
        return _delivered(box, place, settings, environment)


def send_test_messages(
    settings: NotifySettings, owner: str, environment: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Send a test message to each channel of an owner, and return name and error of each."""
    return [
        (name, _send_test_message(channel, environment))
        for name, channel in channels(settings, owner).items()
    ]


def _send_test_message(channel: Channel, environment: Mapping[str, str]) -> str:
    title = "Test of helix-hooks: this channel works"
    body = "Notifications about pending decisions are sent here."
    try:
        address = completed(channel, environment)
    except AddressError as error:
        return str(error)
    return courier.send_without_record(
        Parcel(
            claim="",
            address=address,
            title=title,
            body=body,
            markdown_title=title,
            markdown_body=body,
        )
    )


def _endings(db: QueueStore, queue: Queue, last: Mapping[str, Notice]) -> dict[str, Ending]:
    """Return the results of requests that have ended since the last run."""
    present = {(entry.project, entry.id) for entry in queue.entries if entry.source == REQUEST}
    endings = {}
    for key, notice in last.items():
        if notice.source != REQUEST or (notice.project, notice.id) in present:
            continue
        with contextlib.suppress(UsageError):  # the database does not have the request any more
            request = db.request(notice.id)
            if request.status != PENDING:
                endings[key] = Ending(request.status, _decider(request))
    return endings


def _pull_endings(
    db: QueueStore, queue: Queue, last: Mapping[str, Notice], covered: Covered
) -> dict[str, Ending]:
    """Return the results of pull requests whose decisions were imported recently."""
    present = {entry_key(entry.source, entry.project, entry.id) for entry in queue.entries}
    missing = [notice for key, notice in last.items() if key not in present]
    closed = [notice for notice in missing if notice.source == PULL_REQUEST and covered.has(notice)]
    if not closed:
        return {}
    return pull_endings(db.events(max(0, db.newest() - _RECENT), _RECENT), closed)


def _decider(request: ApprovalRequest) -> str:
    """Return the name of the last voter, "" if a deadline ended the request."""
    if not request.votes or request.votes[-1].at != request.decided_at:
        return ""
    return request.votes[-1].by.name


def _delivered(
    box: Outbox,
    place: FlowPlace,
    settings: NotifySettings,
    environment: Mapping[str, str],
    *,
    awaits: bool = True,
) -> DeliveryReport:
    if not box.is_due(settings):
        return DeliveryReport()
    claims = box.claim(settings)
    parcels = []
    for claim in claims:
        try:
            parcels.append(parcel_of(claim, settings, environment))
        except AddressError as error:
            box.failed(claim.id, str(error))
    if parcels and not awaits:
        _leave_to_courier(courier.packed(place, parcels))
        return DeliveryReport()
    if parcels:
        _run_courier(courier.packed(place, parcels))
    return _report(box, claims)


def parcel_of(
    claim: MessageClaim, settings: NotifySettings, environment: Mapping[str, str]
) -> Parcel:
    """Return the message of a claim. Raises AddressError if the channel has no address."""
    channel = channels(settings, claim.to.owner).get(claim.to.channel)
    if not channel:
        raise AddressError("the notification file no longer has this channel")
    text = message(claim.notices, claim.to.is_shared, claim.is_repeated)
    return Parcel(
        claim=claim.id,
        address=completed(channel, environment),
        title=text.title,
        body=text.body,
        markdown_title=text.markdown.title,
        markdown_body=text.markdown.body,
    )


def _run_courier(work: bytes) -> None:
    """Run the courier to its end. It continues if this program is killed."""
    with _courier() as process:
        try:
            process.communicate(work, timeout=_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()


def _leave_to_courier(work: bytes) -> None:
    """Start the courier, and return when it has its input. The outbox records its results."""
    process = _courier()
    if process.stdin:
        with contextlib.suppress(OSError), process.stdin as pipe:  # a lost message is claimed again
            pipe.write(work)
    threading.Thread(target=process.wait, name="courier", daemon=True).start()


def _courier() -> "subprocess.Popen[bytes]":
    """Start the courier, which waits for its input."""
    return subprocess.Popen(
        [sys.executable, "-I", "-m", courier.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _report(box: Outbox, claims: Collection[MessageClaim]) -> DeliveryReport:
    ends = box.ends([claim.id for claim in claims])
    failures = []
    for claim in claims:
        end = ends.get(claim.id)
        if end and end.status != SENT:
            failures.append(_failure(claim, end))
    return DeliveryReport(sum(end.status == SENT for end in ends.values()), tuple(failures))


def _failure(claim: MessageClaim, end: outbox.ClaimEnd) -> str:
    name = f"notification to {claim.to.owner}, channel {claim.to.channel}"
    if end.status == FAILED:
        return f"{name}: {end.error}; not retrying"
    if end.status != WAITING:
        return (
            f"{name}: the sending was interrupted; it is sent again within {outbox.LEASE} seconds"
        )
    return f"{name}: {end.error}; next attempt {moment(end.next_at)}"
