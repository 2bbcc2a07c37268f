"""Live updates: what a stream has, for whom, and when it ends."""

import contextlib
import json
from collections.abc import Iterator

import httpx

from helix_hooks.dashboard.sessions import LONGEST
from helix_hooks.waiting.entry import Queue
from tests.fakes import waiting
from tests.fakes.dashboard import Desk, served
from tests.stories.dashboard.people import Person, Place

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


def test_all_of_thirty_clients_are_told_and_the_store_is_asked_once() -> None:
    desk = Desk()
    asked = 0
    collect = desk.sources().collect

    def counted() -> Queue:
        nonlocal asked
        asked += 1
        return collect()

    sources = desk.sources()._replace(collect=counted)
    with served(desk, sources=sources) as server, contextlib.ExitStack() as stack:
        client = stack.enter_context(httpx.Client(limits=httpx.Limits(max_connections=None)))
        found = [stack.enter_context(stream(client, server.url)) for _ in range(30)]
        assert {next(one)[0] for one in found} == {"hello"}
        before = asked
        desk.put(waiting.KAFKA._replace(id="acme/decisions#99"))
        assert {next(one)[0] for one in found} == {"approval_required"}
        assert asked == before + 1
