"""Notifications: changes go into the outbox, and a courier sends them.

No decision waits for a channel: a failure is recorded, tried again after growing pauses, and told.
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
from ..text.masking import secrets_of
from ..text.moment import moment
from ..waiting.entry import PULL_REQUEST, REQUEST, Queue
from ..waiting.messages import message
from ..waiting.notices import Covered, Ending, Notice, entry_key
from ..waiting.recipients import channels
from ..waiting.recorded_decisions import pull_endings
from ..waiting.request import PENDING, ApprovalRequest
from . import courier, outbox
from .channels import Parcel
from .notice_tables import FAILED, SENT, WAITING
from .notify_file import AddressError, completed, minute_in, notify_settings
from .outbox import MessageClaim, Outbox
from .store import QueueStore

_LIMIT = courier.SECONDS + 40
"""Seconds after which the courier is ended: its start and its records take time too."""

_RECENT = 2_000
"""Events of the trail in which the end of a pull request is looked for."""


class DeliveryReport(NamedTuple):
    """Number of messages that channels have taken, and the failures, a line each."""

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

    What is missing in what was `covered` has ended. Requests need not be among it. Without
    `awaits` the courier is left alone, and the report has nothing that it did.
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


def tried(
    settings: NotifySettings, owner: str, environment: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Send a test message to each channel of an owner, and return name and error of each."""
    return [
        (name, _tried(channel, environment)) for name, channel in channels(settings, owner).items()
    ]


def _tried(channel: Channel, environment: Mapping[str, str]) -> str:
    title = "Test of helix-hooks: this channel works"
    body = "You are told here when something waits for you."
    try:
        address = completed(channel, environment)
    except AddressError as error:
        return str(error)
    return courier.sent_alone(
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
    found = {}
    for key, notice in last.items():
        if notice.source != REQUEST or (notice.project, notice.id) in present:
            continue
        with contextlib.suppress(UsageError):  # a request that is in no database has no end
            request = db.request(notice.id)
            if request.status != PENDING:
                found[key] = Ending(request.status, _decider(request))
    return found


def _pull_endings(
    db: QueueStore, queue: Queue, last: Mapping[str, Notice], covered: Covered
) -> dict[str, Ending]:
    """Return how pull requests ended whose decisions were imported lately."""
    present = {entry_key(entry.source, entry.project, entry.id) for entry in queue.entries}
    gone = [
        notice
        for key, notice in last.items()
        if notice.source == PULL_REQUEST and key not in present and covered.has(notice)
    ]
    if not gone:
        return {}
    return pull_endings(db.events(max(0, db.newest() - _RECENT), _RECENT), gone)


def _decider(request: ApprovalRequest) -> str:
    """Return who gave the last answer, "" for a deadline."""
    is_last = request.votes and request.votes[-1].at == request.decided_at
    return request.votes[-1].by.name if is_last else ""


def _delivered(
    box: Outbox,
    place: FlowPlace,
    settings: NotifySettings,
    environment: Mapping[str, str],
    *,
    awaits: bool = True,
) -> DeliveryReport:
    if not box.is_due(settings, minute_in):
        return DeliveryReport()
    claims = box.claim(settings, minute_in)
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
    channel = channels(settings, claim.to.owner).get(claim.to.channel)
    if not channel:
        raise AddressError("the file of notifications has no such channel any more")
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
    """Run the courier to its end. It goes on where this program is killed."""
    with _courier() as process:
        try:
            process.communicate(work, timeout=_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()


def _leave_to_courier(work: bytes) -> None:
    """Start the courier, and go on when it has its work. Its records say how it ended."""
    process = _courier()
    if process.stdin:
        with contextlib.suppress(OSError), process.stdin as pipe:  # what is lost is claimed again
            pipe.write(work)
    threading.Thread(target=process.wait, name="courier", daemon=True).start()


def _courier() -> "subprocess.Popen[bytes]":
    """Start the courier, which waits for its work."""
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
        return f"{name}: {end.error}; given up"
    if end.status != WAITING:
        return f"{name}: the courier was ended; it is sent again within {outbox.LEASE} seconds"
    return f"{name}: {end.error}; next attempt {moment(end.next_at)}"
