"""People are told of requests by mail and chat, from asking to the decision; and the figures of it."""

import json
import sys
import time
from pathlib import Path

import pytest

from tests.fakes.program import Done
from tests.fakes.receivers import Mailbox, Webhook
from tests.stories.flow.examples import FlowScene

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows"),
]


@pytest.fixture
def told(scene: FlowScene, mailbox: Mailbox, chat: Webhook, tmp_path: Path) -> FlowScene:
    """A repository whose deciders have a mailbox, and whose team has a chat."""
    file = tmp_path / "notify.yaml"
    file.write_text(
        f"batch: 0s\npeople:\n  mia:\n    projects: ['*']\n    channels:\n      mail: {mailbox.url('mia@example.org')}\n"
        f"projects:\n  '*':\n    events: [turn, decided]\n    channels:\n      team: {chat.url('mmost', '/' + 'a' * 24)}\n"
    )
    file.chmod(0o600)
    scene.environment["HELIX_NOTIFY"] = str(file)
    return scene


def ask(scene: FlowScene, title: str) -> str:
    done = scene.call("ask", title, "--action", "production_deployment", "--format", "json")
    assert done.returncode == 4, done.stderr
    return str(json.loads(done.stdout)["request"]["id"])


def until_sent(scene: FlowScene, line: str) -> str:
    """Wait for a line in the list of channels, and return the list."""
    for _ in range(100):
        listed = scene.call("queue", "notify", "--list").stdout
        if line in listed:
            return listed
        time.sleep(0.1)
    raise AssertionError(listed)


def said(done: Done) -> tuple[int, str]:
    return done.returncode, done.stdout + done.stderr


def test_from_asking_to_the_decision(told: FlowScene, mailbox: Mailbox, chat: Webhook) -> None:
    request = ask(told, "Deploy v1.2")
    until_sent(told, "mia/mail         mailto  1 sent, 0 waiting")
    until_sent(told, "projects:*/team  mmost   1 sent, 0 waiting")
    [mail] = mailbox.mails
    assert said(told.call("queue", "sweep")) == (0, "helix-hooks: nothing has changed\n")
    assert mail["Subject"].startswith("Your turn: Deploy v1.2 (")
    assert f"helix-hooks queue approve {request[:8]}" in mail.get_content()
    assert said(told.call("queue", "notify")) == (0, "helix-hooks: no messages sent\n")
    code, text = told.at_terminal("queue", "approve", request, typed=f"{request[:8]}\n")
    assert code == 0, text
    until_sent(told, "mia/mail         mailto  2 sent, 0 waiting")
    until_sent(told, "projects:*/team  mmost   2 sent, 0 waiting")
    assert mailbox.mails[1]["Subject"].startswith("Approved")
    first, second = (post.body["text"].splitlines()[0] for post in chat.posts)
    assert first.startswith("Waiting for a person at a terminal: Deploy v1.2 (")
    assert second.startswith("Approved by ")


def test_asking_does_not_wait_for_a_channel(told: FlowScene, chat: Webhook) -> None:
    chat.open.clear()
    done = told.call("ask", "Deploy v1.2", "--action", "production_deployment")
    assert (done.returncode, done.stderr) == (4, "")  # an end of the delivery would be said
    assert chat.began.wait(60)
    assert "1 waiting" in told.call("queue", "notify", "--list").stdout
    chat.open.set()
    until_sent(told, "projects:*/team  mmost   1 sent, 0 waiting")
    assert len(chat.posts) == 1


@pytest.mark.further
def test_the_channels_are_listed_without_their_addresses(told: FlowScene, chat: Webhook) -> None:
    chat.status = 500
    done = told.call("ask", "Deploy v1.2", "--action", "production_deployment")
    assert done.returncode == 4  # the request is open all the same
    until_sent(told, "mia/mail         mailto  1 sent, 0 waiting, 0 failed")
    listed = until_sent(told, "HTTP status 500); next attempt")
    lines = listed.splitlines()
    assert lines[1].startswith("projects:*/team  mmost   0 sent, 1 waiting, 0 failed")
    assert "HTTP status 500); next attempt" in lines[2]
    assert "127.0.0.1" not in listed
    value = json.loads(told.call("queue", "notify", "--list", "--format", "json").stdout)
    assert [channel["channel"] for channel in value["channels"]] == ["mail", "team"]


def test_a_channel_can_be_tried(told: FlowScene, mailbox: Mailbox) -> None:
    assert said(told.call("queue", "notify", "--test", "mia")) == (0, "mail: sent\n")
    assert mailbox.mails[0]["Subject"] == "Test of helix-hooks: this channel works"
    code, text = said(told.call("queue", "notify", "--test", "max"))
    assert code == 2
    assert "'max' has no channel" in text and "it names mia, projects:*" in text


def test_without_a_file_there_is_nobody_to_tell(scene: FlowScene) -> None:
    code, text = said(scene.call("queue", "notify"))
    assert code == 2
    assert "file not found; it defines the channels" in text


@pytest.mark.further
def test_a_file_that_others_can_read_is_said(told: FlowScene) -> None:
    Path(told.environment["HELIX_NOTIFY"]).chmod(0o644)
    assert "chmod 600" in told.call("queue", "notify", "--list").stderr


def test_figures(told: FlowScene) -> None:
    assert "there is no database" in told.call("queue", "figures").stderr
    request = ask(told, "Deploy v1.2")
    ask(told, "Deploy v1.3")
    code, text = told.at_terminal("queue", "approve", request, typed=f"{request[:8]}\n")
    assert code == 0, text
    shown = told.call("queue", "figures")
    assert shown.stdout.startswith("1 question ended, 1 waiting\n")
    assert "production_deployment" in shown.stdout
    value = json.loads(told.call("queue", "figures", "--format", "json").stdout)
    assert value["months"][0]["decided_by"]["people"] == 1
    assert said(told.call("queue", "figures", "--since", "May"))[0] == 2
