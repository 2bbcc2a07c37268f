"""The news of a request is enqueued in its transaction, so it arrives whatever happens after it."""

import os
import uuid
from pathlib import Path
from typing import Any

import pytest

from helix_hooks.config.policy import Policy
from helix_hooks.errors import HelixError
from helix_hooks.notify import outbox
from helix_hooks.phases.run_state import Decider
from helix_hooks.queue import store, telling
from helix_hooks.queue.collect import collect
from helix_hooks.queue.place import QueuePlace, Wanted, here
from helix_hooks.queue.requesting import requested
from helix_hooks.waiting.entry import REQUEST
from helix_hooks.waiting.request import ApprovalRequest, Asker, Note
from helix_hooks.waiting.trail import ASKED_BACK, REPLIED
from tests.conftest import Repository
from tests.fakes.postgres import Postgres
from tests.fakes.receivers import Webhook
from tests.unit.waiting.asked import draft, vote

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
"""A plugin of Apprise loads it."""

POLICY = "policy:\n  approvers: {users: [bob, carol]}\n"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.further)])
def place(
    request: pytest.FixtureRequest,
    repository: Repository,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    chat: Webhook,
) -> QueuePlace:
    """A clone in which alice asks, with channels for alice and bob."""
    repository.stage("config/approvals.yaml", POLICY)
    repository.commit()
    file = tmp_path_factory.mktemp("notify") / "notify.yaml"
    file.write_text(
        f"batch: 0s\npeople:\n  test:\n    channels: {{chat: '{chat.url(path='/alice')}'}}\n"
        f"  bob:\n    channels: {{chat: '{chat.url(path='/bob')}'}}\n"
    )
    monkeypatch.setenv("HELIX_NOTIFY", str(file))
    if request.param == "postgres":
        url = request.getfixturevalue("postgres").url()
        monkeypatch.setenv("HELIX_FLOW_DATABASE", url)
    return here(os.environ)


def ask(place: QueuePlace) -> ApprovalRequest:
    wanted = draft("production_deployment", id=str(uuid.uuid4()), title="Deploy 1.2")
    return requested(
        place, os.environ, wanted._replace(requested_by=Asker("", verified=False))
    ).request


def note(place: QueuePlace, id: str, kind: str, by: str, text: str) -> None:
    with store.opened(place.flow) as db:
        db.note(id, kind, Note(Decider(by, verified=False), text, db.now()))


def approve(place: QueuePlace, id: str) -> None:
    with store.opened(place.flow) as db:
        db.answer(id, vote("bob", verified=False, at=db.now()), Policy())


def send(place: QueuePlace) -> telling.DeliveryReport:
    """Send what the store has enqueued, without a look at the queue."""
    with telling.outbox_of(place) as box:
        return telling.send_due(place, box, os.environ)


def titles(chat: Webhook) -> list[tuple[str, str]]:
    return [(post.path, post.body["title"].partition(" (")[0]) for post in chat.posts]


def test_a_request_is_sent_from_its_transaction_alone(place: QueuePlace, chat: Webhook) -> None:
    id = ask(place).id
    assert send(place) == (1, (), 0)
    approve(place, id)
    assert send(place) == (1, (), 0)
    assert send(place) == telling.tell_all(place, os.environ, 0) == (0, (), 0)
    assert titles(chat) == [
        ("/bob", "Your turn: Deploy 1.2"),
        ("/alice", "Approved by bob: Deploy 1.2"),
    ]


def test_a_look_from_before_the_decision_changes_nothing(place: QueuePlace, chat: Webhook) -> None:
    id = ask(place).id
    send(place)
    old = collect(place, Wanted((REQUEST,)), os.environ, 0)
    approve(place, id)
    send(place)
    with telling.outbox_of(place) as box:
        assert telling.note(place, box, Wanted((REQUEST,)), old, os.environ) == 0
    assert send(place) == (0, (), 0)
    assert len(chat.posts) == 2


def test_an_agent_in_a_run_starts_no_process_that_sends(
    place: QueuePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attack on notifications: an agent in a run names a notification file of its own.
    Answer: a command inside of a run enqueues its news, and starts no process that sends.
    """
    monkeypatch.setattr(telling, "subprocess", None)
    monkeypatch.setenv("HELIX_RUN", "demo-1a2b")
    ask(place)
    assert telling.send_in_background(place, os.environ) == ""
    with telling.outbox_of(place) as box:
        assert box.is_due()


def test_the_requester_learns_of_a_decision_before_anyone_sent(
    place: QueuePlace, chat: Webhook
) -> None:
    approve(place, ask(place).id)
    assert send(place) == (1, (), 0)
    assert titles(chat) == [("/alice", "Approved by bob: Deploy 1.2")]


def test_a_question_is_for_the_requester_and_its_reply_for_the_deciders(
    place: QueuePlace, chat: Webhook
) -> None:
    id = ask(place).id
    send(place)
    note(place, id, ASKED_BACK, "bob", "who is on call?")
    assert send(place) == (1, (), 0)
    note(place, id, REPLIED, "test", "ann is")
    assert send(place) == (1, (), 0)
    assert titles(chat) == [
        ("/bob", "Your turn: Deploy 1.2"),
        ("/alice", "A question to you: Deploy 1.2"),
        ("/bob", "Your turn: Deploy 1.2"),
    ]
    assert chat.posts[1].body["message"].splitlines()[:3] == [
        "In a shell:",
        f"helix-hooks queue reply {id[:8]} --text TEXT",
        "Question: bob (not verified): who is on call?",
    ]


def test_a_request_that_was_not_stored_is_not_sent(
    place: QueuePlace, chat: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transaction fails after the news was enqueued in it."""
    ask(place)
    send(place)

    enqueue = outbox.enqueue_change

    def fail(*arguments: Any) -> None:
        enqueue(*arguments)
        raise OSError("the disk is full")

    monkeypatch.setattr(outbox, "enqueue_change", fail)
    with pytest.raises(HelixError), store.opened(place.flow) as db:
        db.answer(db.requests()[0].id, vote("bob", verified=False, at=db.now()), Policy())
    assert send(place) == (0, (), 0)
    assert len(chat.posts) == 1


@pytest.mark.further
def test_two_projects_in_one_database_have_a_sender_each(
    repository: Repository,
    tmp_path_factory: pytest.TempPathFactory,
    postgres: Postgres,
    chat: Webhook,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HELIX_FLOW_DATABASE", postgres.url())
    file = tmp_path_factory.mktemp("notify") / "notify.yaml"
    file.write_text(f"batch: 0s\nprojects:\n  '*':\n    channels: {{chat: '{chat.url()}'}}\n")
    monkeypatch.setenv("HELIX_NOTIFY", str(file))
    repository.commit()
    other = Repository(tmp_path_factory.mktemp("other"))
    other.commit()
    first = here(os.environ)
    monkeypatch.chdir(other.root)
    second = here(os.environ)
    ask(first)
    ask(second)
    assert (send(first).sent, send(second).sent) == (1, 1)
    assert len(chat.posts) == 2


def test_the_message_links_to_the_page(
    place: QueuePlace, chat: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELIX_DASHBOARD_URL", "https://queue.example.org/helix/")
    id = ask(place).id
    send(place)
    assert f"Open: https://queue.example.org/helix/entry?id={id}" in chat.posts[0].body["message"]


def test_who_gets_no_message_is_named(place: QueuePlace) -> None:
    request = ask(place)
    line = telling.not_told(place, os.environ, request)
    file = os.environ["HELIX_NOTIFY"]
    assert line == f"no message to @carol: {file} has no channel for them"
    Path(file).unlink()
    del os.environ["HELIX_NOTIFY"]
    line = telling.not_told(place, os.environ, request)
    if place.flow.is_shared:
        assert line.startswith("no message is sent before `queue serve` or `queue sweep` runs")
    else:
        assert line.startswith("nobody gets a message: there is no notification file")
