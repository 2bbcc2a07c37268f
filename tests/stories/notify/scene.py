"""A queue, a file of notifications, and what is delivered."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helix_hooks.config.policy import Deciders
from helix_hooks.flow.place import FlowPlace
from helix_hooks.queue import channels, courier, notify, outbox, store
from helix_hooks.queue.channels import Parcel
from helix_hooks.queue.notify import DeliveryReport
from helix_hooks.queue.notify_file import notify_settings
from helix_hooks.queue.outbox import Outbox
from helix_hooks.text.masking import secrets_of
from helix_hooks.waiting.entry import PULL_REQUEST, WAITING, Queue, QueueEntry
from helix_hooks.waiting.notices import Covered

PROJECT = "acme/shop"
READ = Covered(((PULL_REQUEST, PROJECT),))
NOW = 1_795_000_000

DELIVERING = """
import sys
from helix_hooks.flow.place import FlowPlace
from helix_hooks.queue.notify import deliver
deliver(FlowPlace(*sys.argv[1:4]), {"HELIX_NOTIFY": sys.argv[4]})
"""


def entry(number: int = 12, **fields: Any) -> QueueEntry:
    return QueueEntry(
        id=f"{PROJECT}#{number}",
        source=PULL_REQUEST,
        project=PROJECT,
        title="Adopt Kafka",
        category="critical",
        state=WAITING,
        turn="Waiting for bob",
        asked_by="@alice",
        asked_at=NOW,
        reasons=("every architecture decision is for a person",),
        ways_on=(f"helix-hooks queue approve {PROJECT}#{number}",),
        url=f"https://github.com/{PROJECT}/pull/{number}#issue-comment-box",
        deciders=Deciders(roles=(), users=("bob", "carol")),
        excluded=("alice",),
    )._replace(**fields)


class Scene:
    """A database, and people with channels."""

    def __init__(self, place: FlowPlace, folder: Path) -> None:
        self.place, self._folder = place, folder
        Path(place.folder).mkdir(parents=True)
        self.file = folder / "notify.yaml"
        self.environment = {"HELIX_NOTIFY": str(self.file)}

    def people(self, channels: Mapping[str, str], more: str = "batch: 0s\n") -> None:
        """Write a file with a channel for each person."""
        people = "".join(
            f"  {login}:\n    channels:\n      mine: '{address}'\n"
            for login, address in channels.items()
        )
        self.file.write_text(f"{more}people:\n{people}")

    def tell(self, *entries: QueueEntry, read: Covered = READ) -> DeliveryReport:
        """Note what has changed, and send it by a courier."""
        with store.opened(self.place) as db:
            return notify.tell(db, self.place, Queue(entries, NOW), read, self.environment)

    def deliver(self) -> DeliveryReport:
        return notify.deliver(self.place, self.environment)

    def delivering(self) -> "subprocess.Popen[bytes]":
        """Return a program that delivers."""
        place = [self.place.root, self.place.folder, self.place.url]
        command = [sys.executable, "-c", DELIVERING, *place, str(self.file)]
        return subprocess.Popen(command, start_new_session=True)

    @contextmanager
    def box(self, later: int = 0) -> Iterator[Outbox]:
        """Give the outbox, at a later time."""
        with store.opened(self.place) as db:
            now = db.now()
        with outbox.opened(self.place, clock=lambda: now + later) as box:
            yield box

    def noted(self, *entries: QueueEntry, read: Covered = READ) -> int:
        """Note what has changed, send nothing, and return the number of new notices."""
        settings = notify_settings(self.environment, "")
        assert settings
        with self.box() as box:
            return box.note(Queue(entries, NOW), read, {}, settings, secrets_of({}))

    def parcels(self, box: Outbox) -> list[Parcel]:
        """Claim what is due."""
        settings = notify_settings(self.environment, "")
        assert settings
        claims = box.claim(settings)
        return [notify.parcel_of(claim, settings, self.environment) for claim in claims]

    def send(self, later: int = 0, seconds: float = 20) -> None:
        """Send what is due, in this process."""
        with self.box(later) as box:
            parcels = self.parcels(box)
        courier.deliver(self.place, parcels, channels.send, seconds)

    def statuses(self) -> list[tuple[str, int, int, int, str]]:
        """Return owner, and numbers of waiting, sent and failed notices, and the last error."""
        with self.box() as box:
            return [
                (state.to.owner, state.waiting, state.sent, state.failed, state.error)
                for state in box.states()
            ]
