"""A queue, a file of notifications, and what is delivered."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helix_hooks.config.policy import Deciders
from helix_hooks.flow.place import FlowPlace
from helix_hooks.notify.outbox import messages_of
from helix_hooks.queue import telling
from helix_hooks.queue.place import QueuePlace, Wanted
from helix_hooks.queue.telling import DeliveryReport
from helix_hooks.waiting.entry import PULL_REQUEST, WAITING, Queue, QueueEntry

PROJECT = "acme/shop"
NOW = 1_795_000_000

SENDING = """
import os, sys
from helix_hooks.flow.place import FlowPlace
from helix_hooks.queue.place import QueuePlace
from helix_hooks.queue.telling import outbox_of, send_due
place = QueuePlace(FlowPlace(*sys.argv[1:4]), sys.argv[4])
with outbox_of(place) as outbox:
    send_due(place, outbox, os.environ)
os._exit(0)
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
        self.place = place
        self.queue = QueuePlace(place, PROJECT)
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

    def noted(self, *entries: QueueEntry, is_whole: bool = True) -> int:
        """Note what has changed, send nothing, and return the number of new messages."""
        look = Queue(entries, NOW, () if is_whole else ("a source could not be read",))
        with telling.outbox_of(self.queue) as outbox:
            return telling.note(self.queue, outbox, Wanted(), look, self.environment)

    def send(self) -> DeliveryReport:
        """Send what is due, in this process."""
        with telling.outbox_of(self.queue) as outbox:
            return telling.send_due(self.queue, outbox, self.environment)

    def tell(self, *entries: QueueEntry) -> DeliveryReport:
        """Note what has changed, and send it."""
        self.noted(*entries)
        return self.send()

    def sending(self) -> "subprocess.Popen[bytes]":
        """Return a program that sends what is due."""
        place = [self.place.root, self.place.folder, self.place.url, PROJECT]
        command = [sys.executable, "-c", SENDING, *place]
        environment = {**os.environ, **self.environment}
        return subprocess.Popen(command, env=environment, start_new_session=True)

    def hasten(self) -> list[float]:
        """Let all pauses be over, and return their seconds."""
        pauses = []
        with telling.outbox_of(self.queue) as outbox:
            delayed = outbox.client.list_workflows(
                queue_name=messages_of(outbox.name), status="DELAYED"
            )
            for item in delayed:
                pauses.append((item.delay_until_epoch_ms or 0) / 1000 - time.time())
                outbox.client.set_workflow_delay(item.workflow_id, delay_seconds=0)
        return pauses

    def statuses(self) -> list[tuple[str, int, int, int, str]]:
        """Return owner, and numbers of waiting, sent and failed messages, and the last error."""
        states = telling.states(self.queue)
        return [
            (to.owner, state.waiting, state.sent, state.failed, state.error)
            for to, state in sorted(states.items())
        ]
