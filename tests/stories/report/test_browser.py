"""The page of a report in a browser: sizes, colours, keyboard, no script, and hostile ADRs."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from helix_hooks.cli.main import main
from tests.conftest import Repository
from tests.fakes import browser as browsers
from tests.fakes.browser import DESKTOP, PHONE
from tests.stories.report import decisions

pytestmark = pytest.mark.slow
HOSTILE = "<script>document.title=1</script><img src=https://evil.example/x onerror=alert(1)>"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browsers.chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page about the dozen decisions."""
    root = tmp_path_factory.mktemp("shop")
    decisions.build(Repository(root))
    return _written(root)


def _written(root: Path) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        patch.setenv("SOURCE_DATE_EPOCH", str(decisions.NOW))
        main(["--quiet", "report", "html"])
    return (root / "helix-report.html").as_uri()


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    with browsers.opened(chromium) as found:
        found.goto(address)
        yield found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_and_nothing_is_too_wide(
    chromium: Browser, address: str, size: tuple[int, int], scheme: str
) -> None:
    fetched: list[str] = []
    with browsers.opened(chromium, size, scheme) as page:
        page.on("request", lambda request: fetched.append(request.url))
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach((item) => item.open = true)")
        assert browsers.violations(page) == []
        assert not browsers.is_wider_than_the_screen(page)
    assert [url for url in fetched if url not in (address, "data:,")] == []


def test_the_page_is_whole_without_scripts(chromium: Browser, address: str) -> None:
    with browsers.opened(chromium, PHONE, scripts=False) as page:
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_have_text("6 errors, 2 warnings")
        expect(page.locator("#filter")).to_be_hidden()
        expect(page.locator(".file .findings > li")).to_have_count(8)
        expect(page.locator("#adr-table tbody tr")).to_have_count(12)
        expect(page.locator(".relations > li")).to_have_count(8)
        rule = page.get_by_role("link", name="header-invalid").first
        expect(rule).to_have_attribute("href", re.compile(r"docs/rules\.md#header-invalid$"))


def test_the_keyboard_filters_and_clears(page: Page) -> None:
    page.keyboard.press("/")
    expect(page.locator("#filter-text")).to_be_focused()
    page.keyboard.type("adr-018")
    expect(page.locator("#filter-count")).to_have_text("2 of 8 findings")
    expect(page.locator(".file:visible")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".file:visible")).to_have_count(3)
    page.get_by_label("warning").uncheck()
    expect(page.locator("#filter-count")).to_have_text("6 of 8 findings")
    page.locator("#filter-rule").select_option("accepted-changed")
    expect(page.locator(".findings > li:visible")).to_have_count(2)


def test_tab_goes_in_the_order_of_the_page(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    names = []
    for _ in range(12):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.textContent.slice(0, 40)"))
    assert names[:3] == ["Findings", "ADRs", "Relations"]


def test_a_link_to_a_finding_that_is_filtered_away_shows_it(page: Page) -> None:
    page.get_by_label("warning").uncheck()
    page.locator("#filter-rule").select_option("accepted-changed")
    page.get_by_role("link", name="Move search to its own service").first.click()
    expect(page.locator("li:target")).to_be_in_viewport()


def test_the_table_is_sorted(page: Page) -> None:
    first = page.locator("#adr-table tbody tr").first
    errors = page.get_by_role("button", name="Errors")
    errors.click()
    errors.click()
    expect(first).to_contain_text("ADR-008")
    expect(page.get_by_role("columnheader", name="Errors")).to_have_attribute(
        "aria-sort", "descending"
    )


def test_a_relation_leads_to_the_row_of_its_adr(page: Page) -> None:
    kafka = page.locator(".relations > li", has=page.locator("strong", has_text="ADR-007"))
    expect(kafka.locator("li")).to_have_text(
        ["supersedes ADR-003 Queue jobs with RabbitMQ", "depends on ADR-001 Use PostgreSQL"]
    )
    kafka.get_by_role("link", name="ADR-003").click()
    expect(page.locator("tr:target")).to_contain_text("Queue jobs with RabbitMQ")


def test_paper_shows_everything(page: Page) -> None:
    page.locator(".file summary").first.click()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("details:not([open])")).to_have_count(0)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("details:not([open])")).to_have_count(1)


def test_a_hostile_repository_runs_nothing(chromium: Browser, tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    text = decisions.adr(1, f"'{HOSTILE}'").replace("title: Use", f'title: "{HOSTILE}" #')
    repository.stage(".helix-hooks.yaml", "template: nygard\n")
    body = text.replace("# ADR-001: Use", f"# ADR-001: {HOSTILE} \u202e\u0007")
    repository.stage("docs/adr/001-<img src=x onerror=alert(2)>.md", body)
    repository.stage("docs/adr/002-x.md", decisions.adr(2, "Accepted") + "\n[x](javascript:x)\n")
    repository.commit(HOSTILE)
    fetched: list[str] = []
    with browsers.opened(chromium, PHONE) as page:
        page.on("request", lambda request: fetched.append(request.url))
        address = _written(tmp_path)
        page.goto(address)
        assert "helix-hooks" in page.title() and "\u202e" not in page.content()
        assert page.locator("script").count() == 1 and page.locator("img").count() == 0
        assert not browsers.is_wider_than_the_screen(page)
        expect(page.get_by_text("<script>").first).to_be_attached()
    assert [url for url in fetched if url not in (address, "data:,")] == []


def test_injected_markup_would_not_run(chromium: Browser, address: str, tmp_path: Path) -> None:
    """The policy holds even if a text were not escaped."""
    path = tmp_path / "injected.html"
    text = Path(address.removeprefix("file://")).read_text(encoding="utf-8")
    script = "<script>document.title='taken'</script><p onclick=x></p>"
    path.write_text(text.replace("<h1>", f"{script}<h1>"), encoding="utf-8")
    context = chromium.new_context()
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.title() != "taken"
    expect(page.locator("#filter")).to_be_visible()
    context.close()
