"""Live updates: what a stream has, for whom, and when it ends."""

import contextlib
import json
import socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from helix_hooks.dashboard import access, watch
from helix_hooks.dashboard.sessions import LONGEST
from helix_hooks.waiting.entry import Queue
from tests.fakes import waiting
from tests.fakes.dashboard import Desk, served
from tests.fakes.github.server import Fault
from tests.stories.dashboard.people import Person, Place
from tests.stories.flow.scene import until

Event = tuple[str, str]


@contextlib.contextmanager
def stream(client: httpx.Client, url: str) -> Iterator[Iterator[Event]]:
    with client.stream("GET", f"{url}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield events(answer.iter_lines())


def events(lines: Iterator[str]) -> Iterator[Event]:
    name = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, value


def test_a_new_entry_is_announced_with_id_title_and_category(place: Place, maria: Person) -> None:
    with stream(maria.client, place.url) as found:
        assert next(found)[0] == "hello"
        place.desk.put(waiting.KAFKA._replace(id="acme/decisions#99", title="New\u202e one"))
        name, data = next(found)
        assert name == "approval_required"
        assert json.loads(data) == {"request_id": "acme/decisions#99", "title": "New\\u202e one", "category": "critical"}  # fmt: skip
        assert next(found)[0] == "changed"


def test_what_a_person_may_not_read_is_not_announced(place: Place, maria: Person) -> None:
    with stream(maria.client, place.url) as found:
        next(found)
        place.desk.put(waiting.KAFKA._replace(id="acme/secret#1", project="acme/secret"))
        assert next(found)[0] == "changed"


def test_who_may_not_read_any_more_is_not_told(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attack on the queue: hear by an open stream of repositories that one may not read any more.
    Answer: nothing of them is sent.
    """
    person = Person(place)
    place.github.people["tom"] = "read"
    assert person.sign_in("tom").status_code == 200
    with stream(person.client, place.url) as found:
        next(found)
        monkeypatch.setattr(access, "SECONDS", -1)
        place.github.faults.append(Fault("GET", "/repos/acme/decisions", 404, times=99))
        place.desk.put(waiting.KAFKA._replace(id="acme/decisions#99"))
        assert next(found)[0] == "changed"
    place.github.faults.clear()


def test_a_stream_ends_with_the_session(place: Place, maria: Person) -> None:
    with stream(maria.client, place.url) as found:
        next(found)
        place.clock.now += LONGEST + 1
        place.desk.put(waiting.KAFKA._replace(id="acme/decisions#99"))
        assert next(found) == ("signed_out", "")
        assert list(found) == []


def test_without_a_session_there_is_no_stream(place: Place) -> None:
    assert httpx.get(f"{place.url}/events").status_code == 204


def test_a_session_has_so_many_streams_and_not_more(place: Place, maria: Person) -> None:
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(stream(maria.client, place.url)) for _ in range(20)]
        assert {next(one)[0] for one in found} == {"hello"}
        assert maria.client.get(f"{place.url}/events").status_code == 503


def test_many_streams_at_once_are_counted_before_they_begin(maria: Person, place: Place) -> None:
    """Attack on the queue: thousands of streams; forms that are broken off.
    Answer: refused beyond the limit; no error.
    Shown by: `test_many_streams_at_once_are_counted_before_they_begin`, `test_a_form_that_is_broken_off_is_no_error_of_the_server`.
    """
    port = int(place.url.rpartition(":")[2])
    cookies = "; ".join(f"{name}={value}" for name, value in maria.client.cookies.items())
    asked = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookies}\r\n\r\n"
    with contextlib.ExitStack() as stack:
        found = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 10))
            for _ in range(30)
        ]
        for one in found:
            one.sendall(asked.encode())
        first = [one.recv(12) for one in found]
    assert sorted(first) == [b"HTTP/1.1 200"] * 20 + [b"HTTP/1.1 503"] * 10

    def is_answered() -> bool:
        with socket.create_connection(("127.0.0.1", port), 10) as one:
            one.sendall(asked.encode())
            return one.recv(12).endswith(b"200")

    until(is_answered)  # what was closed counts no more


def test_a_form_that_is_broken_off_is_no_error_of_the_server(
    place: Place, maria: Person, caplog: pytest.LogCaptureFixture
) -> None:
    port = int(place.url.rpartition(":")[2])
    head = f"POST /decide HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 100\r\n\r\na"
    with socket.create_connection(("127.0.0.1", port), 10) as one:
        one.sendall(head.encode())
    assert maria.client.get(f"{place.url}/").status_code == 200
    assert "Traceback" not in caplog.text and "Exception" not in caplog.text


def test_all_of_thirty_clients_are_told_and_the_store_is_asked_once() -> None:
    asked = 0

    class Counted(Desk):
        def collect(self) -> Queue:
            nonlocal asked
            asked += 1
            return super().collect()

    desk = Counted()
    with served(desk) as server, contextlib.ExitStack() as stack:
        client = stack.enter_context(httpx.Client(limits=httpx.Limits(max_connections=None)))
        found = [stack.enter_context(stream(client, server.url)) for _ in range(30)]
        assert {next(one)[0] for one in found} == {"hello"}
        before = asked
        desk.put(waiting.KAFKA._replace(id="acme/decisions#99"))
        assert {next(one)[0] for one in found} == {"approval_required"}
        assert asked == before + 1


def test_an_error_that_nobody_expected_ends_no_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    monkeypatch.setattr(watch, "PAUSE", 0.0)
    monkeypatch.setattr(watch, "LOOK", 0.0)

    def failing(name: str, do: Callable[..., Any]) -> Callable[..., Any]:
        failures = [KeyError(name)]

        def work(*arguments: Any) -> Any:
            if failures and (name != "collect" or desk.number > 1):
                raise failures.pop()
            return do(*arguments)

        return work

    for name in ("collect", "wait"):
        monkeypatch.setattr(desk, name, failing(name, getattr(desk, name)))
    with served(desk) as server, httpx.Client() as client:
        assert "Kafka" in client.get(server.url).text
        with stream(client, server.url) as found:
            next(found)
            desk.put(waiting.KAFKA._replace(id="acme/decisions#99"))
            assert next(found)[0] == "changed", "that the queue could not be read"
            assert next(found)[0] == "approval_required"


def test_a_store_that_was_replaced_is_said() -> None:
    desk = Desk()
    with served(desk) as server, httpx.Client() as client:
        with stream(client, server.url) as found:
            next(found)
            desk.put(waiting.KAFKA._replace(id="acme/decisions#99"))
            assert next(found)[0] == "approval_required" and next(found)[0] == "changed"
            desk.forget()
            assert next(found)[0] == "changed"
        shown = client.get(server.url).text
        assert "the store had 2 events and has 1 now: it was replaced" in shown
