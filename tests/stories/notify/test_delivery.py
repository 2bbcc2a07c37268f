"""Each change is sent once: with several programs, after failures, and after kills."""

import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_hooks.errors import ConfigError, UsageError
from helix_hooks.notify import channels, sender
from helix_hooks.notify.messages import MessageText
from helix_hooks.notify.sender import MOST_UNCERTAIN, PAUSES
from tests.fakes.receivers import Webhook
from tests.stories.notify.scene import Scene, entry

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
"""A plugin of Apprise loads it."""

PASSWORD = "a-password-of-the-chat"


def test_nothing_is_sent_when_nothing_has_changed(stored: Scene, chat: Webhook) -> None:
    stored.people({"bob": chat.url()})
    assert stored.tell(entry()) == (1, (), 0)
    assert stored.tell(entry()) == stored.tell(entry(approvals=1)) == stored.send() == (0, (), 0)
    assert len(chat.posts) == 1


def test_the_end_is_told_and_what_was_not_read_has_no_end(scene: Scene, chat: Webhook) -> None:
    scene.people({"alice": chat.url(), "bob": chat.url(path="/bob")})
    assert scene.tell(entry()) == (1, (), 0)
    assert scene.noted(is_whole=False) == 0
    assert scene.noted() == 2
    assert scene.send() == (2, (), 0)
    titles = [post.body["title"] for post in chat.posts]
    assert titles[0] == "Your turn: Adopt Kafka (acme/shop)"
    assert titles[1:] == ["Closed: Adopt Kafka (acme/shop)"] * 2
    assert scene.noted() == 0


def test_who_is_added_later_is_told_of_what_still_waits(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": chat.url()})
    scene.tell(entry())
    scene.people({"bob": chat.url(), "carol": chat.url(path="/carol")})
    assert scene.tell(entry()) == (1, (), 0)
    assert [post.path for post in chat.posts] == ["/", "/carol"]


def test_several_changes_are_one_message(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": chat.url()}, more="batch: 10m\n")
    assert scene.tell(entry(1)) == (0, (), 1)
    assert scene.tell(entry(1), entry(2)) == (0, (), 2)
    assert [570 < pause < 601 for pause in scene.hasten()] == [True, True]
    assert scene.send() == (1, (), 0)
    [post] = chat.posts
    assert post.body["title"] == "Your turn: 2 decisions (acme/shop)"
    assert scene.statuses() == [("bob", 0, 1, 0, "")]


@pytest.mark.further
def test_beyond_the_limit_of_an_hour_messages_wait(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": chat.url()}, more="batch: 0s\nmost_per_hour: 2\n")
    entries = [entry(number) for number in range(5)]
    for number in range(1, 6):
        scene.tell(*entries[:number])
    assert len(chat.posts) == 2
    scene.people({"bob": chat.url()})
    assert [1700 < pause < 1801 for pause in scene.hasten()] == [True]
    assert scene.send() == (1, (), 0)
    assert chat.posts[2].body["title"] == "Your turn: 3 decisions (acme/shop)"


@pytest.mark.further
def test_a_channel_that_fails_is_tried_again_and_then_given_up(scene: Scene, chat: Webhook) -> None:
    chat.status = 500
    scene.people({"bob": chat.url()})
    scene.noted(entry())
    error = f"{channels.REFUSED} (HTTP status 500)"
    for attempt, pause in enumerate(PAUSES, 1):
        [line] = scene.send().failures
        assert f"{error}; next attempt " in line
        assert len(chat.posts) == attempt
        [found] = scene.hasten()
        assert pause - 30 < found <= pause
    [line] = scene.send().failures
    assert line == f"notification to bob, channel mine: {error}; not retrying"
    assert scene.statuses() == [("bob", 0, 0, 1, error)]
    assert (scene.hasten(), scene.send()) == ([], (0, (), 0))
    assert len(chat.posts) == len(PAUSES) + 1


def test_what_waits_for_a_channel_that_failed_takes_the_rest_along(
    scene: Scene, chat: Webhook
) -> None:
    chat.status = 500
    scene.people({"bob": chat.url()})
    scene.tell(entry(1))
    assert scene.send() == (0, (), 1)  # not before its pause is over
    chat.status = 200
    assert scene.tell(entry(1), entry(2)) == (0, (), 1)
    [pause] = scene.hasten()
    assert 30 < pause < 60
    assert scene.send() == (1, (), 0)
    assert chat.posts[1].body["title"] == "Your turn: 2 decisions (acme/shop)"
    assert scene.statuses()[0][:4] == ("bob", 0, 1, 0)


@pytest.mark.further
def test_a_message_beside_one_that_failed_has_all_its_attempts(scene: Scene, chat: Webhook) -> None:
    chat.status = 500
    scene.people({"bob": chat.url()})
    scene.noted(entry(1))
    for _ in PAUSES:
        scene.send()
        scene.hasten()
    scene.noted(entry(1), entry(2))
    assert "next attempt" in scene.send().failures[0]  # alone, the first one would be given up now
    scene.hasten()
    chat.status = 200
    assert scene.send() == (1, (), 0)
    assert chat.posts[-1].body["title"] == "Your turn: 2 decisions (acme/shop)"


def test_a_failing_channel_is_told_of_and_holds_no_other(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": "json://127.0.0.1:1/", "carol": chat.url()})
    done = scene.tell(entry())
    assert done.sent == 1
    [line] = done.failures
    assert line.startswith(f"notification to bob, channel mine: {channels.REFUSED}; next attempt ")


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Let channels with "hang" in their address hang, and accept all other messages."""
    ends = threading.Event()

    def send(address: str, text: MessageText) -> str:
        if "hang" in address:
            ends.wait()
        return ""

    monkeypatch.setattr(channels, "_send", send)
    monkeypatch.setattr(channels, "SECONDS", 2)
    yield ends
    ends.set()


def test_a_channel_that_hangs_holds_no_other(scene: Scene, hanging: threading.Event) -> None:
    """Attack on notifications: a channel that hangs, fails or redirects.
    Answer: other channels are not delayed; redirects are not followed; failures are reported.
    Shown by: `test_a_channel_that_hangs_holds_no_other`, `test_another_server_does_not_get_the_message`, `test_a_look_is_told_while_the_channel_hangs`.
    """
    scene.people({"bob": "json://hang.example", "carol": "json://works.example"})
    assert scene.tell(entry()).sent == 1
    assert scene.statuses() == [("bob", 1, 0, 0, channels.NO_ANSWER), ("carol", 0, 1, 0, "")]


@pytest.mark.further
def test_what_may_have_arrived_is_sent_again_at_most_twice(
    scene: Scene, hanging: threading.Event
) -> None:
    scene.people({"bob": "json://hang.example"})
    scene.noted(entry())
    for _ in range(MOST_UNCERTAIN):
        scene.send()
        assert len(scene.hasten()) == 1
    [line] = scene.send().failures
    assert line.endswith("not retrying")
    assert scene.statuses()[0][:4] == ("bob", 0, 0, 1)


def test_a_plugin_that_breaks_holds_no_other(
    scene: Scene, chat: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = channels._send

    def breaking(address: str, text: MessageText) -> str:
        if "broken" in address:
            raise RuntimeError(address)
        return send(address, text)

    monkeypatch.setattr(channels, "_send", breaking)
    scene.people({"bob": f"json://u:{PASSWORD}@broken.example", "carol": chat.url()})
    scene.tell(entry())
    assert scene.statuses()[0] == ("bob", 1, 0, 0, f"{channels.REFUSED} (RuntimeError)")
    assert len(chat.posts) == 1


def test_a_message_that_ends_by_an_error_of_the_program_has_failed(
    scene: Scene, chat: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise ValueError("a mistake")

    monkeypatch.setattr(sender, "pause_after", fail)
    chat.status = 500
    scene.people({"bob": chat.url()})
    [line] = scene.tell(entry()).failures
    assert line.endswith("an internal error of helix-hooks; not retrying")
    assert scene.statuses() == [("bob", 0, 0, 1, "an internal error of helix-hooks")]


def test_programs_at_once_send_once(stored: Scene, chat: Webhook) -> None:
    stored.people({"bob": chat.url(), "carol": chat.url(path="/carol")})
    stored.noted(*(entry(number) for number in range(20)))
    programs = [stored.sending() for _ in range(3)]
    assert [program.wait(60) for program in programs] == [0, 0, 0]
    assert sorted(post.path for post in chat.posts) == ["/", "/carol"]


def test_after_a_kill_while_sending_the_message_is_sent_again_and_says_so(
    stored: Scene, chat: Webhook
) -> None:
    chat.open.clear()
    stored.people({"bob": chat.url()})
    stored.noted(entry())
    killed = stored.sending()
    assert chat.began.wait(60)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    chat.open.set()
    while stored.send().sent == 0:  # a server notices after a moment that its lock is free
        time.sleep(0.1)
    assert len(chat.posts) == 2
    assert "receive this message twice" not in chat.posts[0].body["message"]
    assert "receive this message twice" in chat.posts[1].body["message"]
    assert stored.send() == (0, (), 0)
    assert stored.statuses() == [("bob", 0, 1, 0, "")]


# Secrets and the file.


def test_no_address_and_no_secret_is_stored_or_told(scene: Scene, chat: Webhook) -> None:
    """Attack on notifications: an address in a log, in an error or in the database.
    Answer: none is written.
    Shown by: `test_no_address_and_no_secret_is_stored_or_told`, `test_a_wrong_file_is_refused_without_a_secret`.
    """
    chat.status = 403
    scene.environment |= {"CHAT_PASSWORD": PASSWORD, "API_TOKEN": "0a1B2c3D4e5F6g7H8i9J"}
    scene.people({"bob": f"json://bob:${{CHAT_PASSWORD}}@127.0.0.1:{chat.port}/secret-path"})
    done = scene.tell(entry(title="deploy with 0a1B2c3D4e5F6g7H8i9J"))
    assert chat.posts[0].path == "/secret-path"
    assert "0a1B2c3D4e5F6g7H8i9J" not in chat.posts[0].body["title"]
    stored = b"".join(file.read_bytes() for file in Path(scene.place.folder).glob("flows.sqlite*"))
    for secret in (PASSWORD, "secret-path", "0a1B2c3D4e5F6g7H8i9J"):
        assert secret.encode() not in stored
        assert secret not in str(done)


def test_a_variable_that_is_not_set_is_a_failure(scene: Scene) -> None:
    scene.people({"bob": "json://${NOWHERE}/"})
    [line] = scene.tell(entry()).failures
    assert "the variable NOWHERE is not set" in line


def test_without_a_file_nothing_is_told(scene: Scene) -> None:
    scene.environment = {"XDG_CONFIG_HOME": str(scene.file.parent)}
    assert scene.tell(entry()) == (0, (), 0)


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


def test_a_file_that_becomes_wrong_loses_no_message(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": chat.url()})
    scene.noted(entry())
    good = scene.file.read_text()
    for wrong in ("people: [", ""):
        scene.file.write_text(wrong)
        if not wrong:
            scene.file.unlink()
        [line] = scene.send().failures
        assert "notify" in line and "next attempt" in line
        scene.hasten()
    scene.file.write_text(good)
    assert scene.send() == (1, (), 0)
