"""The server tells people in the background: no page waits for a channel."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from helix_hooks.notify.notices import Covered
from helix_hooks.queue import store
from helix_hooks.queue.place import QueuePlace, Wanted
from helix_hooks.queue.telling import covered_by, in_background
from helix_hooks.waiting.entry import FLOW, PULL_REQUEST, REVIEW, VERIFICATION, Queue
from tests.fakes.receivers import Webhook
from tests.stories.notify.scene import NOW, PROJECT, Scene, entry

WANTED = Wanted(repositories=(PROJECT,))

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
"""A plugin of Apprise loads it."""


@contextmanager
def background(scene: Scene, said: list[str]) -> Iterator[None]:
    with in_background(scene.queue, WANTED, scene.environment, said.append) as tell:
        tell(Queue((entry(),), NOW))
        tell(Queue((entry(), entry(13)), NOW))
        yield


def test_a_look_is_told_while_the_channel_hangs(scene: Scene, chat: Webhook) -> None:
    chat.open.clear()
    scene.people({"bob": chat.url()})
    said: list[str] = []
    with store.opened(scene.place):
        pass
    with background(scene, said):
        assert chat.began.wait(60)  # both looks were taken, and nobody has answered
        chat.open.set()
    assert said == []
    assert "Id: acme/shop#12" in chat.posts[0].body["message"]


def test_what_fails_is_logged_and_the_next_look_is_told(scene: Scene, chat: Webhook) -> None:
    logged = threading.Event()
    said: list[str] = []

    def log(line: str) -> None:
        said.append(line)
        logged.set()

    with in_background(scene.queue, WANTED, scene.environment, log) as tell:
        tell(Queue((entry(),), NOW))
        assert logged.wait(60)  # there is no file
        scene.people({"bob": chat.url()})
        tell(Queue((entry(),), NOW))
        assert chat.began.wait(60)
    assert said == [f"notifications failed: {scene.file}: there is no such file; write it, or unset HELIX_NOTIFY"]  # fmt: skip


def test_only_what_was_read_to_the_end_is_covered(scene: Scene) -> None:
    here = QueuePlace(scene.place, PROJECT)
    own = ((FLOW, PROJECT), (VERIFICATION, PROJECT), (REVIEW, PROJECT))
    assert covered_by(here, Wanted(), Queue((), NOW)) == Covered((*own, (PULL_REQUEST, PROJECT)))
    assert covered_by(here, Wanted(), Queue((), NOW, ("a source failed",))) == Covered()
    assert covered_by(here, Wanted(sources=(FLOW,)), Queue((), NOW)) == Covered()
    of_owner = covered_by(here, Wanted(owner="acme"), Queue((), NOW))
    assert of_owner == Covered(own, "acme")
    local = covered_by(QueuePlace(scene.place), Wanted(), Queue((), NOW))
    folder = os.path.basename(scene.place.root)
    assert local == Covered(((FLOW, folder), (VERIFICATION, folder), (REVIEW, folder)))
