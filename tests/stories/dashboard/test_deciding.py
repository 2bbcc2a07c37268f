"""Deciding on a page: what is carried out, and what is refused without a trace.

Attack on the queue: a forged, replayed or foreign form; another host; another proxy.
Answer: refused.
Shown by: `tests/stories/dashboard/test_deciding.py`, `test_who_is_not_the_proxy_gets_nothing`.
"""

import html
import re
import time
from collections.abc import Callable
from urllib.parse import quote

import httpx
import pytest

from helix_hooks.errors import HelixError
from helix_hooks.waiting.figures import QueueFigures, queue_figures
from helix_hooks.waiting.selection import stamp
from tests.fakes import waiting
from tests.fakes.dashboard import Desk, served
from tests.fakes.github.server import FakeGitHub
from tests.stories.dashboard.people import (
    ENTRIES,
    KAFKA,
    LOGIN,
    Clock,
    Person,
    Place,
    eventually,
    fields_of,
    shown,
)

AUTHENTICATION, DEPENDENCIES = "acme/shop#45", "acme/shop#47"


def test_several_are_approved_and_each_has_a_line(place: Place, maria: Person) -> None:
    fields = fields_of(maria.page(), AUTHENTICATION, LOGIN, DEPENDENCIES, answer="approve")
    answer = maria.send(fields)
    text = shown(answer.text)
    assert "3 decided" in text and text.count("approved") == 3
    assert [choice.entry.id for choice in place.desk.taken] == [AUTHENTICATION, LOGIN, DEPENDENCIES]
    assert {(choice.answer.approves, choice.login) for choice in place.desk.taken} == {
        (True, "maria")
    }
    assert "3 decided" not in shown(maria.page())  # it is said once


def test_the_person_decides_with_their_own_token(place: Place, maria: Person) -> None:
    maria.decide(KAFKA, "approve")
    choice = place.desk.taken[0]
    assert place.github.tokens[choice.token].login == "maria"


def test_a_rejection_without_a_reason_comes_back_as_it_was_filled_in(
    place: Place, maria: Person
) -> None:
    answer = maria.send(fields_of(maria.page(), LOGIN, DEPENDENCIES, answer="reject", reason="   "))
    assert answer.status_code == 422 and not place.desk.taken
    assert "To reject, write a reason" in answer.text
    assert answer.text.count(" checked") >= 2
    reason = "no load test\r\nat all"
    again = fields_of(answer.text, LOGIN, DEPENDENCIES, answer="reject", reason=reason)
    assert "2 decided" in shown(maria.send(again).text)
    assert {choice.answer.reason for choice in place.desk.taken} == {"no load test\nat all"}


def test_a_reason_that_is_too_long_comes_back(place: Place, maria: Person) -> None:
    answer = maria.send(fields_of(maria.page(), LOGIN, answer="reject", reason="x" * 2001))
    assert answer.status_code == 422 and "x" * 2000 in answer.text and not place.desk.taken


def test_nothing_selected_and_no_answer_decide_nothing(place: Place, maria: Person) -> None:
    fields = fields_of(maria.page(), LOGIN, answer="approve")
    assert "Select at least one" in maria.send({**fields, "id": []}).text
    fields = fields_of(maria.page(), LOGIN, answer="delete")
    assert "Choose Approve or Reject" in maria.send(fields).text
    assert not place.desk.taken


def test_only_routine_entries_are_decided_in_the_list(place: Place, maria: Person) -> None:
    """Attack on the queue: approve all, and among them a critical change that nobody has opened.
    Answer: it is decided on its own page alone.
    """
    page = maria.page()
    assert "Select 3 routine" in shown(page)
    assert maria.page("/?select=all").count('name="id" value') == 3
    assert maria.page("/?select=all").count(" checked") == page.count(" checked") + 3
    with pytest.raises(AssertionError):
        fields_of(page, KAFKA, answer="approve")
    fields = fields_of(page, LOGIN, answer="approve")
    of_kafka = fields_of(maria.opened(KAFKA), KAFKA, answer="approve")["id"]
    for form in (
        {**fields, "id": [*fields["id"], *of_kafka]},
        {**fields, "id": of_kafka},
        {**fields_of(maria.page(), answer="approve"), "id": [*of_kafka, *of_kafka], "from": "list"},
    ):
        text = shown(maria.send({**form, "token": form_token(maria.page())}).text)
        assert "it is critical: open it to decide about it" in text
    assert [choice.entry.id for choice in place.desk.taken] == [LOGIN]
    both = [*of_kafka, *fields_of(maria.page(), DEPENDENCIES, answer="approve")["id"]]
    several: dict[str, str | list[str]] = {
        "token": form_token(maria.page()),
        "id": both,
        "answer": "approve",
        "from": "entry",
    }
    assert "it is critical" in shown(maria.send(several).text)
    assert KAFKA in place.desk.entries


def form_token(page: str) -> str:
    token = fields_of(page, answer="approve")["token"]
    assert isinstance(token, str)
    return token


def test_a_decision_can_be_undone(opened: Callable[..., Place]) -> None:
    place = opened(undo=30)
    maria, alice = Person(place), Person(place)
    maria.sign_in("maria")
    alice.sign_in("alice")
    page = maria.decide(LOGIN, "approve").text
    assert "1 can be undone" in shown(page)
    assert re.search(r"will be approved in (30|2\d) seconds", shown(page))
    assert "1 can be undone" in shown(maria.page()), "until it has taken effect"
    assert "can be undone" not in shown(alice.page())
    assert "A person has just decided about it" in shown(alice.opened(LOGIN))
    forged = page.replace("acme/shop#46", "acme/shop#49")
    assert "too late" in shown(maria.undo(forged, "acme/shop#49").text)
    page = maria.page()
    assert "can be undone" not in shown(maria.undo(page, LOGIN).text)
    assert not place.desk.taken
    assert "1 can be undone" in shown(maria.decide(LOGIN, "reject", "no owner").text)


def test_a_decision_takes_effect_after_its_seconds(opened: Callable[..., Place]) -> None:
    place = opened(undo=1)
    maria = Person(place)
    maria.sign_in("maria")
    page = maria.decide(LOGIN, "reject", "no owner").text
    assert "1 can be undone" in shown(page) and not place.desk.taken
    eventually(maria.page, lambda page: "1 decided" in shown(page))
    assert [choice.answer.reason for choice in place.desk.taken] == ["no owner"]
    assert "too late" in shown(maria.undo(page, LOGIN).text)


def test_a_deadline_does_not_decide_before_a_person(opened: Callable[..., Place]) -> None:
    """Attack on the queue: let the deadline approve what a person has just rejected.
    Answer: with a deadline this near, a decision takes effect at once.
    """
    place = opened(undo=30)
    maria = Person(place)
    maria.sign_in("maria")
    due = place.desk.entries[LOGIN]._replace(due_at=int(time.time()) + 40)
    place.desk.put(due)
    eventually(maria.page, lambda page: "due in" in shown(page))
    assert "1 decided" in shown(maria.decide(LOGIN, "reject", "no owner").text)
    assert [choice.answer.reason for choice in place.desk.taken] == ["no owner"]


def test_a_server_that_stops_carries_out_what_was_decided(github: FakeGitHub) -> None:
    environment = {
        "HELIX_OAUTH_CLIENT_ID": github.oauth.client_id,
        "HELIX_OAUTH_CLIENT_SECRET": github.oauth.client_secret,
        "GITHUB_SERVER_URL": github.url.removesuffix("/api/v3"),
    }
    desk = Desk(ENTRIES)
    with served(desk, environment, undo=60) as found:
        maria = Person(Place(found.url, desk, github, Clock()))
        maria.sign_in("maria")
        maria.decide(LOGIN, "approve")
        assert not desk.taken
    assert [choice.entry.id for choice in desk.taken] == [LOGIN]


def test_the_page_of_an_entry_decides_too(place: Place, maria: Person) -> None:
    page = maria.page(f"/entry?id={KAFKA.replace('#', '%23')}")
    wrong = maria.send({**fields_of(page, KAFKA, answer="reject"), "from": "entry"})
    assert wrong.status_code == 422 and "<h1>ADR-031" in wrong.text
    answer = maria.send(
        {**fields_of(wrong.text, KAFKA, answer="reject", reason="too dear"), "from": "entry"}
    )
    assert "rejected: too dear" in shown(answer.text)


def test_a_form_that_is_sent_again_decides_nothing_again(place: Place, maria: Person) -> None:
    fields = fields_of(maria.page(), LOGIN, answer="approve")
    entry = place.desk.entries[LOGIN]
    maria.send(fields)
    place.desk.put(entry)
    eventually(maria.page, lambda page: str(fields["id"][0]) in page)
    again = maria.send(fields)
    assert again.status_code == 200 and len(place.desk.taken) == 1
    assert LOGIN in again.text


FORGED: dict[str, Callable[[dict[str, str | list[str]]], dict[str, str | list[str]]]] = {
    "no token": lambda fields: {**fields, "token": ""},
    "another token": lambda fields: {**fields, "token": "abc.def"},
    "two tokens": lambda fields: {**fields, "token": [str(fields["token"]), "x"]},
    "a token with another number": lambda fields: {**fields, "token": f"x{fields['token']}"},
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_a_forged_form_is_refused(
    place: Place,
    maria: Person,
    forge: Callable[[dict[str, str | list[str]]], dict[str, str | list[str]]],
) -> None:
    answer = maria.send(forge(fields_of(maria.page(), LOGIN, answer="approve")))
    assert answer.status_code == 403 and not place.desk.taken


@pytest.mark.parametrize(
    "origin", ["", "null", "https://evil.example", "http://127.0.0.1", "http://127.0.0.1:1"]
)
def test_a_form_of_another_site_is_refused(place: Place, maria: Person, origin: str) -> None:
    fields = fields_of(maria.page(), LOGIN, answer="approve")
    answer = maria.send(fields, Origin=origin)
    assert answer.status_code == 403 and not place.desk.taken


def test_a_form_of_somebody_else_is_refused(place: Place, maria: Person) -> None:
    alice = Person(place)
    alice.sign_in("alice")
    answer = maria.send(fields_of(alice.page(), LOGIN, answer="approve"))
    assert answer.status_code == 403 and not place.desk.taken


def test_without_a_session_nothing_is_decided(place: Place, maria: Person) -> None:
    fields = fields_of(maria.page(), LOGIN, answer="approve")
    answer = Person(place).send(fields)
    assert answer.status_code == 401 and not place.desk.taken


def test_a_get_decides_nothing(place: Place, maria: Person) -> None:
    fields = fields_of(maria.page(), LOGIN, answer="approve")
    answer = maria.client.get(f"{place.url}/decide", params=fields)
    assert answer.status_code == 405 and not place.desk.taken


@pytest.mark.parametrize("body", [b"\xff\xfe", b"&".join([b"id=x"] * 500), b"{}"])
def test_what_no_page_sends_is_refused(place: Place, maria: Person, body: bytes) -> None:
    answer = maria.client.post(
        f"{place.url}/decide", content=body, headers={"Origin": place.origin}
    )
    assert answer.status_code == 403 and not place.desk.taken


def test_an_entry_that_changed_is_not_approved_unseen(place: Place, maria: Person) -> None:
    fields = fields_of(maria.page(), DEPENDENCIES, LOGIN, answer="approve")
    place.desk.put(place.desk.entries[DEPENDENCIES]._replace(head="f" * 40))
    (changed,) = (value for value in fields["id"] if value.endswith(DEPENDENCIES))
    old = f'name="id" value="{changed}"'
    eventually(maria.page, lambda page: old not in page)
    text = shown(maria.send(fields).text)
    assert "1 decided, 1 not decided" in text and "it has changed since you read it" in text
    assert [choice.entry.id for choice in place.desk.taken] == [LOGIN]


def test_what_somebody_asked_for_they_do_not_decide(place: Place) -> None:
    alice = Person(place)
    alice.sign_in("alice")
    page = alice.page()
    fields = fields_of(page, LOGIN, answer="approve")
    forged = {**fields, "id": [*fields["id"], f"{stamp(waiting.KAFKA)} {KAFKA}"]}
    assert f'{KAFKA}"' not in page and "@alice is an author" in shown(
        alice.page(f"/entry?id={KAFKA.replace('#', '%23')}")
    )
    text = shown(alice.send(forged).text)
    assert "1 decided, 1 not decided" in text and [
        choice.entry.id for choice in place.desk.taken
    ] == [LOGIN]


def test_who_may_only_read_sees_and_does_not_decide(place: Place, maria: Person) -> None:
    rob = Person(place)
    page = rob.sign_in("rob").text
    assert "Kafka" in page and 'name="id"' not in page
    mine = fields_of(maria.page(), LOGIN, answer="approve")
    assert rob.send(mine).status_code == 403
    assert "deciding requires" in shown(rob.page(f"/entry?id={KAFKA.replace('#', '%23')}"))


def test_what_a_person_may_not_read_is_not_shown_and_not_decided(
    place: Place, maria: Person
) -> None:
    hidden = next(entry for entry in waiting.ENTRIES if entry.project == "acme/shop")
    fields = fields_of(maria.page(), LOGIN, answer="approve")
    text = shown(maria.send({**fields, "id": f"0123456789abcdef {hidden.id}"}).text)
    assert "or you may not see it" in text and hidden.title not in text
    assert maria.client.get(f"{place.url}/entry", params={"id": hidden.id}).status_code == 404
    assert not place.desk.taken


def test_lines_about_failures_name_no_repository_that_the_person_may_not_read(
    place: Place, maria: Person
) -> None:
    place.desk.partial = ("acme/secret: GitHub answered 502", "acme/decisions: GitHub answered 503")
    place.desk.changed()
    text = shown(eventually(maria.page, lambda page: "not complete" in page))
    assert "acme/secret" not in text and "acme/decisions: GitHub answered 503" in text
    assert "a source could not be read" in text


def test_two_people_at_once_and_the_second_is_told(place: Place, maria: Person) -> None:
    fields = fields_of(maria.page(), LOGIN, DEPENDENCIES, answer="approve")
    del place.desk.entries[LOGIN]  # before the server looks again
    text = shown(maria.send(fields).text)
    assert "@bob has decided it before you" in text and "1 decided, 1 not decided" in text


def test_no_token_stands_in_an_error(place: Place, maria: Person) -> None:
    answer = maria.send(fields_of(maria.page(), LOGIN, answer="reject", reason="fail"))
    assert "GitHub did not answer" in answer.text
    assert not any(
        token in answer.text for token in place.github.tokens if token.startswith("gho_")
    )


def test_a_store_that_fails_is_said_and_empties_no_list(place: Place, maria: Person) -> None:
    maria.page()
    place.desk.error = HelixError("the database is locked")
    place.desk.changed()
    text = shown(eventually(maria.page, lambda page: "not complete" in page))
    assert "the database is locked" in text and "Replace RabbitMQ" in text


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Host": "evil.example"}, 421), ({"Host": "127.0.0.1"}, 421), ({"X-Forwarded-Host": "evil.example"}, 200), ({"X-Forwarded-Prefix": "/evil"}, 200)],
)  # fmt: skip
def test_a_host_that_is_not_ours_gets_nothing(
    place: Place, headers: dict[str, str], status: int
) -> None:
    answer = httpx.get(f"{place.url}/", headers=headers)
    assert answer.status_code == status and "evil" not in answer.text


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST", "[::1]"])
def test_another_name_of_this_machine_leads_to_the_server(place: Place, name: str) -> None:
    port = place.origin.rpartition(":")[2]
    headers = {"Host": f"{name}:{port}"}
    answer = httpx.get(f"{place.url}/entry?id=acme/decisions%2312", headers=headers)
    assert answer.status_code == 307
    assert answer.headers["location"] == f"{place.url}/entry?id=acme/decisions%2312"
    assert httpx.get(f"{place.url}/", headers={"Host": name}).status_code == 421
    posted = httpx.post(f"{place.url}/decide", headers=headers, data={"answer": "approve"})
    assert posted.status_code == 421


def test_a_body_without_end_is_refused(place: Place, maria: Person) -> None:
    url = f"{place.url}/decide"
    assert maria.client.post(url, content=b"x" * 200_001).status_code == 413
    assert maria.client.post(url, content=iter([b"x"])).status_code == 413


def test_each_answer_forbids_frames_scripts_and_caches(place: Place, maria: Person) -> None:
    for path in ("/", f"/entry?id={KAFKA}", "/nothing", "/decide"):
        headers = maria.client.get(f"{place.url}{path}").headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "http" not in policy
        assert (headers["cache-control"], headers["x-frame-options"]) == ("no-store", "DENY")


# Links that propose an answer.


@pytest.mark.parametrize(("proposed", "other"), [("approve", "reject"), ("reject", "approve")])
def test_a_link_proposes_an_answer_and_decides_nothing(
    proposed: str, other: str, place: Place, maria: Person
) -> None:
    page = maria.page(f"/entry?id={quote(KAFKA)}&answer={proposed}")
    assert f"A link proposes to {proposed}. Press the button to decide." in shown(page)
    assert f'value="{proposed}"' in page and f'value="{other}"' not in page
    assert place.desk.taken == []
    fields = fields_of(page, KAFKA, answer=proposed, reason="as agreed")
    assert "1 decided" in shown(maria.send({**fields, "from": "entry"}).text)
    (choice,) = place.desk.taken
    assert choice.answer.approves == (proposed == "approve")


def test_a_proposed_answer_is_there_after_the_sign_in(place: Place) -> None:
    person = Person(place)
    page = person.page(f"/entry?id={quote(KAFKA)}&answer=approve")
    (link,) = re.findall(r'href="[^"]*(/?sign-in[^"]*)"', page)
    place.github.oauth.login = "maria"
    after = person.page(f"/{html.unescape(link).lstrip('/')}")
    assert "A link proposes to approve." in shown(after) and place.desk.taken == []


def test_a_link_proposes_nothing_else(maria: Person) -> None:
    page = maria.page(f"/entry?id={quote(KAFKA)}&answer=%3Cscript%3E")
    assert "A link proposes" not in page and 'value="reject"' in page


# Behind a proxy, and without sign-in.


def behind_proxy(place: Place, user: str | None, **headers: str) -> httpx.Response:
    named = {"X-User": user} if user is not None else {}
    return httpx.get(f"{place.url}/", headers={**named, **headers})


def test_a_proxy_names_the_person_and_pull_requests_are_links(place: Place) -> None:
    desk = Desk()
    desk.roles = {("acme/shop", "maria"): "maintain", ("acme/decisions", "maria"): "maintain"}
    with served(desk, user_header="X-User", proxies=("127.0.0.1",)) as server:
        proxied = place._replace(url=server.url, desk=desk)
        person = Person(proxied)
        person.client.headers["X-User"] = "maria"
        page = person.page()
        request = waiting.ENTRIES[6].id
        assert KAFKA in page and f' {KAFKA}"' not in page  # no box
        entry = person.page(f"/entry?id={KAFKA.replace('#', '%23')}")
        assert 'href="https://github.com/acme/decisions/pull/12#issue-comment-box"' in entry
        assert "1 decided" in shown(person.decide(request, "approve").text)
        assert [(choice.login, choice.token) for choice in desk.taken] == [("maria", "")]
        other = waiting.ENTRIES[-1].id
        stolen = fields_of(person.opened(other), other, answer="approve")
        person.client.headers["X-User"] = "mallory"
        assert person.send(stolen).status_code == 401 and len(desk.taken) == 1
        assert behind_proxy(proxied, None).status_code == 403
        assert behind_proxy(proxied, "maria\tx").status_code == 403
        assert behind_proxy(proxied, "").status_code == 403
        assert (
            "/shop/style.css"
            in behind_proxy(proxied, "maria", **{"X-Forwarded-Prefix": "/shop"}).text
        )
        assert "evil" not in behind_proxy(proxied, "maria", **{"X-Forwarded-Prefix": "//evil"}).text


def test_who_is_not_the_proxy_gets_nothing(place: Place) -> None:
    with served(Desk(), user_header="X-User", proxies=("10.0.0.0/8",)) as server:
        answer = behind_proxy(place._replace(url=server.url), "maria")
        assert answer.status_code == 403 and "Kafka" not in answer.text


def test_without_sign_in_the_pages_only_show(place: Place) -> None:
    with served(Desk()) as server:
        page = httpx.get(server.url).text
        assert "Kafka" in page and '<form method="post"' not in page and "read-only" in page
        answer = httpx.post(
            f"{server.url}/decide", data={"answer": "approve"}, headers={"Origin": server.url}
        )
        assert answer.status_code == 401


def test_figures_are_those_of_repositories_that_the_person_may_read(
    place: Place, maria: Person
) -> None:
    asked: list[object] = []

    class Counted(Desk):
        def figures(self, projects: tuple[str, ...] | None) -> QueueFigures:
            asked.append(projects and set(projects))
            return queue_figures(())

    desk = Counted(())
    desk.projects = ("acme/decisions", "acme/secret", "folder")
    app = place.github.oauth
    environment = {
        "HELIX_OAUTH_CLIENT_ID": app.client_id,
        "HELIX_OAUTH_CLIENT_SECRET": app.client_secret,
        "GITHUB_SERVER_URL": place.github.url.removesuffix("/api/v3"),
    }
    with served(desk, environment) as server:
        person = Person(place._replace(url=server.url))
        person.sign_in("maria")
        assert "Figures" in person.page("/figures")
    with served(desk) as server:
        assert httpx.get(f"{server.url}/figures").status_code == 200
    assert asked == [{"acme/decisions"}, None]
