"""The end of a pull request, and the same question that waits again after it."""

import pytest

from helix_hooks.queue import store
from helix_hooks.queue.recorded import KIND
from tests.fakes.receivers import Webhook
from tests.stories.notify.scene import NOW, PROJECT, Scene, entry

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
"""A plugin of Apprise loads it."""


def test_the_end_is_told_as_recorded_and_what_waits_again_anew(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": chat.url()})
    assert scene.tell(entry()).sent == 1
    votes = [{"said": "approve", "by": "carol"}]
    decision = {"status": "approved", "pull_request": 12, "decided_at": NOW + 9, "votes": votes}
    with store.opened(scene.place) as db:
        db.record(KIND, {"decision": decision}, "first", PROJECT)
    assert scene.tell().sent == 1
    assert scene.tell().sent == 0
    assert scene.tell(entry()).sent == 1
    assert scene.tell(entry()).sent == 0
    titles = [post.body["title"] for post in chat.posts]
    assert titles == [
        "Your turn: Adopt Kafka (acme/shop)",
        "Approved by carol: Adopt Kafka (acme/shop)",
        "Your turn: Adopt Kafka (acme/shop)",
    ]
