"""Each change is sent once: with several programs, after failures, and after kills."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from helix_hooks.errors import ConfigError, UsageError
from helix_hooks.queue import channels, courier
from helix_hooks.queue.outbox import LEASE
from helix_hooks.waiting.notices import Covered
from helix_hooks.waiting.outbox import PAUSES
from tests.fakes.receivers import Webhook
from tests.stories.notify.scene import READ, Scene, entry

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
"""A plugin of Apprise loads it."""

COURIER = [sys.executable, "-I", "-m", courier.__name__]
PASSWORD = "a-password-of-the-chat"


def waiting(scene: Scene) -> int:
    return sum(status[1] for status in scene.statuses())


def until_nothing_waits(scene: Scene) -> None:
    while waiting(scene):
        pass


def test_nothing_is_sent_when_nothing_has_changed(stored: Scene, chat: Webhook) -> None:
    stored.people({"bob": chat.url()})
    assert stored.tell(entry()).sent == 1
    assert stored.tell(entry()) == stored.tell(entry(approvals=1)) == stored.deliver() == (0, ())
    assert len(chat.posts) == 1


def test_the_end_is_told_and_what_was_not_read_has_no_end(scene: Scene, chat: Webhook) -> None:
    scene.people({"alice": chat.url(), "bob": chat.url(path="/bob")})
    assert scene.noted(entry()) == 1
    scene.send()
    assert scene.noted(read=Covered()) == 0
    assert scene.noted(read=READ) == 2
    scene.send()
    titles = [post.body["title"] for post in chat.posts]
    assert titles[0] == "Your turn: Adopt Kafka (acme/shop)"
    assert titles[1:] == ["Closed: Adopt Kafka (acme/shop)"] * 2
    assert scene.noted(read=READ) == 0


def test_who_is_added_later_is_told_of_what_still_waits(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": chat.url()})
    scene.noted(entry())
    scene.send()
    scene.people({"bob": chat.url(), "carol": chat.url(path="/carol")})
    assert scene.noted(entry()) == 1
    scene.send()
    assert [post.path for post in chat.posts] == ["/", "/carol"]


def test_several_changes_are_one_message(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": chat.url()}, more="batch: 10m\n")
    scene.noted(entry(1))
    scene.noted(entry(1), entry(2))
    scene.send()
    assert chat.posts == []
    scene.send(later=600)
    [post] = chat.posts
    assert post.body["title"] == "Your turn: 2 decisions (acme/shop)"


def test_beyond_the_limit_of_an_hour_messages_wait(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": chat.url()}, more="batch: 0s\nmost_per_hour: 2\n")
    entries = [entry(number) for number in range(5)]
    for number in range(1, 6):
        scene.noted(*entries[:number])
        scene.send()
    assert len(chat.posts) == 2
    scene.send(later=3601)
    assert chat.posts[2].body["title"] == "Your turn: 3 decisions (acme/shop)"


def test_a_channel_that_fails_is_tried_again_and_then_given_up(scene: Scene, chat: Webhook) -> None:
    chat.status = 500
    scene.people({"bob": chat.url()})
    scene.noted(entry())
    later = 0
    for attempt, pause in enumerate((*PAUSES, 0), 1):
        scene.send(later)
        assert len(chat.posts) == attempt
        scene.send(later)
        assert len(chat.posts) == attempt  # not before its pause has passed
        later += pause + 5
    error = f"{channels.REFUSED} (HTTP status 500)"
    assert scene.statuses() == [("bob", 0, 0, 1, error)]
    scene.send(later + 10**6)
    assert len(chat.posts) == len(PAUSES) + 1


def test_a_failing_channel_is_told_of_and_holds_no_other(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": "json://127.0.0.1:1/", "carol": chat.url()})
    report = scene.tell(entry())
    assert report.sent == 1
    [line] = report.failures
    assert line.startswith(f"notification to bob, channel mine: {channels.REFUSED}; next attempt ")


def test_a_channel_that_hangs_holds_no_other(scene: Scene) -> None:
    """Attack on notifications: a channel that hangs, fails or redirects.
    Answer: other channels are not delayed; redirects are not followed; failures are reported.
    Shown by: `test_a_channel_that_hangs_holds_no_other`, `test_another_server_does_not_get_the_message`, `test_a_look_is_told_while_the_channel_hangs`.
    """
    hanging = threading.Event()

    def send(parcel: channels.Parcel) -> str:
        if "hang" in parcel.address:
            hanging.wait()
        return ""

    scene.people({"bob": "json://hang.example", "carol": "json://works.example"})
    scene.noted(entry())
    with scene.box() as box:
        parcels = scene.parcels(box)
    courier.deliver(scene.place, parcels, send, 3.0)
    hanging.set()
    assert scene.statuses() == [("bob", 1, 0, 0, courier.NO_ANSWER), ("carol", 0, 1, 0, "")]


def test_a_plugin_that_breaks_holds_no_other(scene: Scene, chat: Webhook) -> None:
    def send(parcel: channels.Parcel) -> str:
        if "broken" in parcel.address:
            raise RuntimeError(parcel.address)
        return channels.send(parcel)

    scene.people({"bob": f"json://u:{PASSWORD}@broken.example", "carol": chat.url()})
    scene.noted(entry())
    with scene.box() as box:
        parcels = scene.parcels(box)
    courier.deliver(scene.place, parcels, send, 20)
    assert scene.statuses()[0] == ("bob", 1, 0, 0, f"{channels.REFUSED} (RuntimeError)")
    assert len(chat.posts) == 1


def test_two_programs_at_once_send_once(stored: Scene, chat: Webhook) -> None:
    stored.people({"bob": chat.url(), "carol": chat.url(path="/carol")})
    stored.noted(*(entry(number) for number in range(20)))
    programs = [stored.delivering() for _ in range(3)]
    assert [program.wait(60) for program in programs] == [0, 0, 0]
    assert sorted(post.path for post in chat.posts) == ["/", "/carol"]


def test_a_courier_ends_its_work_when_its_starter_is_killed(stored: Scene, chat: Webhook) -> None:
    chat.open.clear()
    stored.people({"bob": chat.url()})
    stored.noted(entry())
    starter = stored.delivering()
    assert chat.began.wait(60)
    os.killpg(starter.pid, signal.SIGKILL)
    starter.wait()
    chat.open.set()
    until_nothing_waits(stored)
    assert stored.deliver() == (0, ())
    assert len(chat.posts) == 1


def test_after_a_kill_before_sending_the_message_is_sent_once(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": chat.url()})
    scene.noted(entry())
    with scene.box() as box:
        [old] = scene.parcels(box)  # claimed, and then the program dies
        assert scene.parcels(box) == []
    scene.send(later=LEASE)
    assert len(chat.posts) == 1
    assert "receive this message twice" not in chat.posts[0].body["message"]
    courier.deliver(scene.place, [old], channels.send, 20)  # it was only asleep
    assert len(chat.posts) == 1


def test_after_a_kill_while_sending_the_message_is_sent_again_and_says_so(
    scene: Scene, chat: Webhook
) -> None:
    chat.open.clear()
    scene.people({"bob": chat.url()})
    scene.noted(entry())
    with scene.box() as box:
        parcels = scene.parcels(box)
    with subprocess.Popen(COURIER, stdin=subprocess.PIPE, start_new_session=True) as killed:
        assert killed.stdin
        killed.stdin.write(courier.packed(scene.place, parcels))
        killed.stdin.close()
        assert chat.began.wait(60)
        killed.kill()
    chat.open.set()
    scene.send(later=LEASE - 5)
    assert len(chat.posts) == 1  # the claim holds
    with scene.box(later=LEASE + 5) as box:
        assert scene.parcels(box) == []  # now it is taken back
    scene.send(later=LEASE + 5 + PAUSES[0])
    assert len(chat.posts) == 2
    assert "receive this message twice" in chat.posts[1].body["message"]
    assert scene.statuses() == [("bob", 0, 1, 0, "")]


def test_a_courier_that_does_nothing_is_told(
    scene: Scene, chat: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    scene.people({"bob": chat.url()})
    [line] = scene.tell(entry()).failures
    assert line == "notification to bob, channel mine: the sending was interrupted; it is sent again within 120 seconds"  # fmt: skip
    scene.send(later=LEASE)
    assert len(chat.posts) == 1


def test_what_may_have_arrived_is_sent_again_at_most_twice(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": chat.url()})
    scene.noted(entry())
    later = 0
    for _ in range(8):
        with scene.box(later) as box:
            for parcel in scene.parcels(box):
                assert box.start(parcel.claim)  # and then the program dies
        later += LEASE + 3600
    assert scene.statuses()[0][:4] == ("bob", 0, 0, 1)


# Secrets and the file.


def test_no_address_and_no_secret_is_stored_or_told(scene: Scene, chat: Webhook) -> None:
    """Attack on notifications: an address in a log, in an error or in the database.
    Answer: none is written.
    Shown by: `test_no_address_and_no_secret_is_stored_or_told`, `test_a_wrong_file_is_refused_without_a_secret`.
    """
    chat.status = 403
    scene.environment |= {"CHAT_PASSWORD": PASSWORD, "API_TOKEN": "0a1B2c3D4e5F6g7H8i9J"}
    scene.people({"bob": f"json://bob:${{CHAT_PASSWORD}}@127.0.0.1:{chat.port}/secret-path"})
    report = scene.tell(entry(title="deploy with 0a1B2c3D4e5F6g7H8i9J"))
    assert chat.posts[0].path == "/secret-path"
    assert "0a1B2c3D4e5F6g7H8i9J" not in chat.posts[0].body["title"]
    stored = b"".join(file.read_bytes() for file in Path(scene.place.folder).glob("flows.sqlite*"))
    for secret in (PASSWORD, "secret-path", "0a1B2c3D4e5F6g7H8i9J"):
        assert secret.encode() not in stored
        assert secret not in str(report)


def test_a_variable_that_is_not_set_is_a_failure(scene: Scene) -> None:
    scene.people({"bob": "json://${NOWHERE}/"})
    [line] = scene.tell(entry()).failures
    assert "the variable NOWHERE is not set" in line


def test_without_a_file_nothing_is_told(scene: Scene) -> None:
    scene.environment = {"XDG_CONFIG_HOME": str(scene.file.parent)}
    assert scene.tell(entry()) == (0, ())


def test_a_file_that_is_named_must_be_there(scene: Scene) -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        scene.tell(entry())


def test_a_file_in_the_repository_is_refused(scene: Scene, chat: Webhook) -> None:
    """Attack on notifications: a notification file in a pull request, which sends to another address.
    Answer: a file in the repository is refused, also behind a symbolic link.
    """
    scene.people({"bob": chat.url()})
    inside = Path(scene.place.root) / "notify.yaml"
    scene.file.rename(inside)
    scene.file.symlink_to(inside)
    with pytest.raises(UsageError, match="is in the repository"):
        scene.tell(entry())
    assert chat.posts == []


def test_a_wrong_file_sends_nothing(scene: Scene) -> None:
    scene.file.write_text("people:\n  bob: {}\n")
    with pytest.raises(ConfigError, match="missing key 'channels'"):
        scene.tell(entry())
