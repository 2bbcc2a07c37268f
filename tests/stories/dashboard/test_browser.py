"""The pages in a browser: on a phone and a desktop, with a screen reader's eyes, and by keyboard."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from helix_hooks.waiting.entry import Recommendation
from tests.fakes import browser as browsers
from tests.fakes import waiting
from tests.fakes.browser import DESKTOP, PHONE
from tests.stories.dashboard.people import KAFKA, LOGIN, Place

pytestmark = pytest.mark.slow
ENTRY = f"/entry?id={KAFKA.replace('#', '%23')}"
PATHS = {"list": "/", "entry": ENTRY, "figures": "/figures", "message": "/nothing"}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browsers.chromium() as browser:
        yield browser


def sign_in(page: Page, place: Place, login: str = "maria") -> None:
    place.github.oauth.login = login
    page.goto(place.url)
    page.get_by_role("link", name="Sign in with GitHub").click()
    page.get_by_text(f"@{login}").wait_for()


@pytest.fixture
def page(chromium: Browser, place: Place) -> Iterator[Page]:
    """Maria's browser at the list."""
    with browsers.opened(chromium) as found:
        sign_in(found, place)
        yield found


def test_a_phone_has_no_violation_no_wide_page_and_large_targets(
    chromium: Browser, place: Place
) -> None:
    with browsers.opened(chromium, PHONE) as page:
        sign_in(page, place)
        page.get_by_role("checkbox", name="Fix login").check()
        for path in ("/", ENTRY):
            page.goto(f"{place.url}{path}")
            assert browsers.violations(page) == []
            assert not browsers.is_wider_than_the_screen(page)
            assert browsers.small_targets(page, 44) == []


@pytest.mark.further
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("name", ["list", "entry", "figures", "message"])
def test_axe_finds_nothing(
    chromium: Browser, place: Place, name: str, size: tuple[int, int], scheme: str
) -> None:
    with browsers.opened(chromium, size, scheme, scripts=True) as page:
        sign_in(page, place)
        if name == "message":
            page.get_by_role("button", name="Sign out").click()
        else:
            page.goto(f"{place.url}{PATHS[name]}")
        if name == "list":
            page.get_by_role("checkbox", name="Fix login").check()
        if name == "entry":
            page.get_by_text("The document after the change").click()
        assert browsers.violations(page) == []
        assert not browsers.is_wider_than_the_screen(page)


def test_two_are_rejected_on_a_phone_without_scripts(chromium: Browser, place: Place) -> None:
    with browsers.opened(chromium, PHONE, scripts=False) as page:
        sign_in(page, place)
        bar = page.get_by_role("group", name="Decide")
        expect(bar).to_be_hidden()
        page.get_by_role("checkbox", name="Fix login").tap()
        page.get_by_role("checkbox", name="Update dependencies").tap()
        expect(bar).to_be_in_viewport()
        bar.get_by_label("Reason").fill("say who owns it")
        bar.get_by_role("button", name="Reject").tap()
        expect(page.get_by_role("heading", name="2 decided")).to_be_visible()
        expect(page.get_by_role("status").get_by_role("listitem")).to_have_count(2)
    assert {choice.entry.id for choice in place.desk.taken} == {LOGIN, "acme/shop#47"}


@pytest.mark.further
def test_the_bar_counts_what_is_selected(page: Page) -> None:
    for name in ("Fix login", "Add user", "Update dependencies"):
        page.get_by_role("checkbox", name=name).check()
    count = "getComputedStyle(document.querySelector('.approve .n'), '::after').content"
    assert "chosen" in page.evaluate(count)
    expect(page.locator("#chosen")).to_have_text("3 selected")


@pytest.mark.further
def test_a_rejection_without_a_reason_keeps_the_selection(page: Page, place: Place) -> None:
    page.get_by_role("checkbox", name="Fix login").check()
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("alert")).to_have_text(
        "To reject, write a reason. Nothing was decided."
    )
    expect(page.get_by_role("checkbox", name="Fix login")).to_be_checked()
    assert not place.desk.taken


def test_the_keyboard_decides(page: Page, place: Place) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Fix login").focus()
    for key in ("j", "k", "x"):
        page.keyboard.press(key)
    expect(page.locator("[name=id]:checked")).to_have_count(1)
    page.keyboard.press("r")
    page.keyboard.type("jax?")  # in a field these are letters
    expect(page.get_by_label("Reason")).to_have_value("jax?")
    expect(page.locator("[name=id]:checked")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Approve")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="1 decided")).to_be_visible()
    assert [choice.entry.id for choice in place.desk.taken] == [LOGIN]

    page.keyboard.press("j")  # the first entry is critical, so it is decided on its own page
    page.keyboard.press("a")
    page.wait_for_url(lambda url: "/entry?id=" in url)
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="1 decided")).to_be_visible()
    assert [choice.entry.id for choice in place.desk.taken] == [LOGIN, KAFKA]


def test_three_keys_approve_all_routine_entries(page: Page, place: Place) -> None:
    page.keyboard.press("s")
    page.wait_for_url(lambda url: "select=all" in url)
    number = page.locator("[name=id]:checked").count()
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=f"{number} decided")).to_be_visible()
    assert len(place.desk.taken) == number > 1


def test_decisions_of_a_list_are_undone_with_one_tap(
    chromium: Browser, opened: Callable[..., Place]
) -> None:
    place = opened(undo=30)
    with browsers.opened(chromium, PHONE) as page:
        sign_in(page, place)
        page.get_by_role("link", name=re.compile("Select [0-9]+ routine")).tap()
        page.wait_for_url(lambda url: "select=all" in url)
        number = page.locator("[name=id]:checked").count()
        page.get_by_role("button", name="Approve").tap()
        expect(page.get_by_role("heading", name=f"{number} can be undone")).to_be_visible()
        just = page.get_by_text("Decided just now; takes effect in some seconds")
        expect(just).to_have_count(number)
        assert browsers.violations(page) == [] and browsers.small_targets(page, 44) == []
        page.get_by_role("button", name=f"Undo all {number}").tap()
        expect(page.get_by_text("can be undone")).to_have_count(0)
        expect(page.locator("[name=id]")).to_have_count(number)
    assert number > 1 and not place.desk.taken


def test_a_decision_is_undone_with_one_tap(chromium: Browser, opened: Callable[..., Place]) -> None:
    place = opened(undo=30)
    with browsers.opened(chromium, PHONE) as page:
        sign_in(page, place)
        page.goto(f"{place.url}/entry?id={quote(LOGIN)}")
        page.get_by_role("button", name="Approve").tap()
        expect(page.get_by_role("heading", name="1 can be undone")).to_be_visible()
        assert browsers.violations(page) == [] and browsers.small_targets(page, 44) == []
        page.get_by_role("button", name="Undo").tap()
        expect(page.get_by_text("can be undone")).to_have_count(0)
        page.goto(f"{place.url}/entry?id={quote(LOGIN)}")
        expect(page.get_by_role("button", name="Approve")).to_be_visible()
    assert not place.desk.taken


def test_enter_in_a_box_decides_nothing_without_scripts(chromium: Browser, place: Place) -> None:
    with browsers.opened(chromium, PHONE, scripts=False) as page:
        sign_in(page, place)
        box = page.get_by_role("checkbox", name="Fix login")
        box.check()
        box.press("Enter")
        said = "Choose Approve or Reject. Nothing was decided."
        expect(page.get_by_role("alert")).to_have_text(said)
        expect(box).to_be_checked()
    assert not place.desk.taken


def test_enter_in_a_field_or_a_box_decides_nothing(page: Page, place: Place) -> None:
    box = page.get_by_role("checkbox", name="Fix login")
    box.check()
    box.press("Enter")
    page.get_by_label("Reason").fill("no")
    page.get_by_label("Reason").press("Enter")
    page.goto(f"{place.url}{ENTRY}")
    page.get_by_label("Reason").press("Enter")
    page.reload()
    assert not place.desk.taken


@pytest.mark.further
def test_the_keys_can_be_switched_off(page: Page) -> None:
    page.keyboard.press("?")
    page.get_by_label("Enable keyboard shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("[name=id]:checked")).to_have_count(0)
    page.reload()
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("[name=id]:checked")).to_have_count(0)


def test_a_new_entry_appears_by_itself(page: Page, place: Place) -> None:
    page.get_by_role("link", name="Fix login").focus()
    place.desk.put(waiting.KAFKA._replace(id="acme/decisions#99", title="ADR-099: New"))
    expect(page.get_by_role("link", name="ADR-099: New")).to_be_visible()
    expect(page.get_by_role("link", name="Fix login")).to_be_focused()


@pytest.mark.further
def test_nothing_moves_while_somebody_decides(page: Page, place: Place) -> None:
    page.get_by_role("checkbox", name="Fix login").check()
    place.desk.put(waiting.KAFKA._replace(id="acme/decisions#99", title="ADR-099: New"))
    expect(page.get_by_text("The queue has changed.")).to_be_visible()
    expect(page.get_by_role("link", name="ADR-099: New")).to_have_count(0)
    expect(page.get_by_role("checkbox", name="Fix login")).to_be_checked()


HOSTILE = """<script>document.title='taken'</script><img src=x onerror=alert(1)>"><svg onload=alert(2)> [x](javascript:alert(3)) ![p](https://evil.example/p.png) \u202eevil\u2066"""


def test_markup_of_others_is_inert(chromium: Browser, place: Place) -> None:
    hostile = waiting.KAFKA._replace(
        id="acme/decisions#66",
        title=HOSTILE,
        turn=HOSTILE,
        asked_by=HOSTILE,
        reasons=(HOSTILE, HOSTILE),
        description=f"{HOSTILE}\n\n<details open ontoggle=alert(4)>\n\n[link](data:text/html,x) <https://evil.example/{'x' * 300}>\n\n[rel](/sign-out)",
        impact=HOSTILE,
        action=HOSTILE,
        files=(HOSTILE,),
        url="javascript:alert(5)",
        invalidated=(HOSTILE,),
        recommendation=Recommendation(HOSTILE, 0.5, HOSTILE, HOSTILE),
    )
    place.desk.put(hostile)
    fetched: list[str] = []
    with browsers.opened(chromium, PHONE) as page:
        page.on("request", lambda request: fetched.append(request.url))
        sign_in(page, place)
        for path in ("/", "/entry?id=acme/decisions%2366"):
            page.goto(f"{place.url}{path}")
            expect(page.get_by_text("<script>document.title").first).to_be_visible()
            assert page.title() != "taken" and "\u202e" not in page.content()
            assert (
                page.locator(
                    "main img, main svg, main script, a[href^='javascript'], a[href^='data'], main details[ontoggle]"
                ).count()
                == 0
            )
            assert page.locator("main .text a[href^='/']").count() == 0
            assert not browsers.is_wider_than_the_screen(page)
        page.get_by_label("Reason").fill(HOSTILE)
        page.get_by_role("button", name="Reject").click()
        expect(page.get_by_role("heading", name="1 decided")).to_be_visible()
    assert not [url for url in fetched if "evil" in url]
    assert place.desk.taken[0].answer.reason == HOSTILE
