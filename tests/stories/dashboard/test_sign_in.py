"""Signing in with GitHub: what a browser gets, and what a forged or old sign-in does not."""

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from helix_hooks.dashboard.sessions import IDLE, LONGEST
from tests.fakes.github.server import Fault
from tests.stories.dashboard.people import KAFKA, LOGIN, Person, Place, fields_of


def test_a_person_signs_in_and_sees_what_they_may_read(place: Place) -> None:
    person = Person(place)
    before = person.page()
    assert "Sign in with GitHub" in before and "Kafka" not in before
    page = person.sign_in("maria").text
    assert "@maria" in page and "Replace RabbitMQ by Kafka" in page
    assert "Deploy v1.2" not in page  # acme/shop does not exist for this token
    assert "Sprint 4" not in page


def test_the_token_is_in_no_page_cookie_or_address(place: Place) -> None:
    person = Person(place)
    answer = person.sign_in("maria")
    tokens = [name for name in place.github.tokens if name.startswith("gho_")]
    seen = [
        answer.text,
        person.page(f"/entry?id={KAFKA}"),
        str(person.client.cookies),
        str(answer.headers),
    ]
    assert tokens and not any(token in text for token in tokens for text in seen)


def test_github_leads_back_to_the_entry_that_was_asked_for(place: Place) -> None:
    answer = Person(place).sign_in("maria", "acme/decisions#12")
    assert str(answer.url).endswith("/entry?id=acme/decisions%2312")


@pytest.mark.parametrize(
    "entry", ["//evil.example", "https://evil.example", "/\\evil.example", "\r\nX: y", "a.b"]
)
def test_no_sign_in_leads_elsewhere(place: Place, entry: str) -> None:
    answer = Person(place).sign_in("maria", entry)
    assert str(answer.url).startswith(f"{place.url}/entry?id=")


def test_what_is_sent_to_github_has_a_state_and_a_challenge(place: Place) -> None:
    answer = httpx.get(f"{place.url}/sign-in")
    target = urlsplit(answer.headers["location"])
    query = dict(parse_qsl(target.query))
    assert answer.status_code == 303
    assert f"{target.scheme}://{target.netloc}/" in place.github.url + "/"
    assert query["code_challenge_method"] == "S256" and len(query["state"]) >= 32
    assert query["redirect_uri"] == f"{place.url}/sign-in/done"
    assert "client_secret" not in query


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(place: Place) -> None:
    made = httpx.get(f"{place.url}/sign-in").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(made.split("; "))


def begun(place: Place) -> tuple[Person, str]:
    """Return a browser that has been at GitHub, and the address that GitHub sends it to."""
    person = Person(place)
    place.github.oauth.login = "maria"
    person.client.follow_redirects = False
    to_github = person.client.get(f"{place.url}/sign-in").headers["location"]
    return person, person.client.get(to_github).headers["location"]


def test_an_answer_of_github_works_in_the_browser_that_asked_alone(place: Place) -> None:
    _, back = begun(place)
    answer = Person(place).client.get(back)
    assert answer.status_code == 400 and "was started in another browser" in answer.text


def test_another_state_is_refused(place: Place) -> None:
    person, back = begun(place)
    answer = person.client.get(re.sub("state=[^&]+", "state=forged", back))
    assert answer.status_code == 400 and "session" not in str(answer.headers.get("set-cookie"))


def test_a_code_is_taken_once(place: Place) -> None:
    person, back = begun(place)
    cookies = dict(person.client.cookies)
    assert person.client.get(back).status_code == 303
    again = httpx.get(back, cookies=cookies)
    assert again.status_code == 400 and "did not confirm" in again.text


def test_a_forged_cookie_of_the_state_is_refused(place: Place) -> None:
    _, back = begun(place)
    state = dict(parse_qsl(urlsplit(back).query))["state"]
    answer = httpx.get(back, cookies={"helix-sign-in": f"{state}.99999999999..{'0' * 64}"})
    assert answer.status_code == 400


def test_who_refuses_at_github_is_not_signed_in(place: Place) -> None:
    answer = Person(place).sign_in("")
    assert answer.status_code == 400 and "did not confirm" in answer.text


@pytest.mark.parametrize(
    "fault",
    [
        Fault("GET", "/user", 502, "<h1>Bad gateway</h1>"),
        Fault("GET", "/user", 401, {"message": "Bad credentials"}),
    ],
)
def test_a_github_that_fails_signs_nobody_in(place: Place, fault: Fault) -> None:
    place.github.faults.append(fault)
    answer = Person(place).sign_in("maria")
    assert answer.status_code == 400 and "gateway" not in answer.text


def test_a_cookie_that_somebody_planted_is_no_session_after_the_sign_in(place: Place) -> None:
    planted = Person(place)
    planted.sign_in("rob")
    victim = Person(place)
    victim.client.cookies.update(planted.client.cookies)
    victim.sign_in("maria")
    assert victim.client.cookies["helix-session"] != planted.client.cookies["helix-session"]
    assert "Sign in with GitHub" in planted.page()


@pytest.mark.parametrize("seconds", [IDLE + 1, LONGEST + 1])
def test_a_session_ends(place: Place, maria: Person, seconds: int) -> None:
    page = maria.page()
    place.clock.now += seconds
    answer = maria.send(fields_of(page, LOGIN, answer="approve"))
    assert answer.status_code == 401 and not place.desk.taken
    assert "Sign in with GitHub" in maria.page()


def test_a_session_that_is_used_ends_too(place: Place, maria: Person) -> None:
    for _ in range(5):
        place.clock.now += LONGEST / 4
        last = maria.page()
    assert "Sign in with GitHub" in last


def test_sign_out_ends_the_session_and_not_by_a_link(place: Place, maria: Person) -> None:
    token = re.search('sign-out"><input type="hidden" name="token" value="([^"]+)"', maria.page())
    assert token
    url = f"{place.url}/sign-out"
    assert maria.client.get(url).status_code == 405
    assert maria.client.post(url, data={"token": token[1]}).status_code == 403
    assert "@maria" in maria.page()
    maria.client.post(url, data={"token": token[1]}, headers={"Origin": place.origin})
    assert "Sign in with GitHub" in maria.page()


def test_a_token_that_github_takes_back_ends_the_session(place: Place) -> None:
    person = Person(place)
    place.github.faults.append(
        Fault("GET", "/repos/acme/decisions", 401, {"message": "Bad credentials"})
    )
    answer = person.sign_in("maria")
    assert answer.status_code == 401 and "sign in again" in answer.text
    assert "Sign in with GitHub" in person.page()


def test_a_sub_path_holds_for_links_cookies_and_the_way_back(opened: Callable[..., Place]) -> None:
    place = opened("/helix")
    person = Person(place)
    answer = person.sign_in("maria", "acme/decisions#12")
    assert str(answer.url) == f"{place.origin}/helix/entry?id=acme/decisions%2312"
    links = re.findall('(?:href|src|action)="(/[^"]*)"', answer.text)
    assert links and all(link.startswith("/helix/") for link in links)
    paths = {cookie.path for cookie in person.client.cookies.jar}
    assert paths == {"/helix"}
