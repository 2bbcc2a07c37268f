"""Debian's Chromium, driven by Playwright, and axe in its pages."""

import contextlib
import shutil
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

PHONE, DESKTOP = (390, 844), (1280, 900)
_RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


def program() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.skip("Chromium is missing: apt-get install chromium")
    return found


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@contextlib.contextmanager
def opened(
    browser: Browser,
    size: tuple[int, int] = DESKTOP,
    scheme: str = "light",
    *,
    scripts: bool = True,
) -> Iterator[Page]:
    """A page of a new profile. Whatever a script logs as an error fails the test."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=scripts,
        has_touch=size == PHONE,
        reduced_motion="reduce",
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if _is_wrong(said) else None)
    page.on("dialog", lambda dialog: wrong.append(f"a dialog: {dialog.message}"))
    yield page
    context.close()
    assert not wrong, wrong


def _is_wrong(said: ConsoleMessage) -> bool:
    """A form that comes back has the status 422, which Chromium calls an error."""
    return said.type == "error" and "status of 422" not in said.text


def violations(page: Page) -> list[str]:
    """What axe finds wrong, a line each."""
    found = Axe().run(page, options=_RULES)
    return [
        f"{item['id']}: {node['html'][:150]} {node['failureSummary']}"
        for item in found.response["violations"]
        for node in item["nodes"]
    ]


def is_wider_than_the_screen(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def small_targets(page: Page, least: int) -> list[str]:
    """Buttons, boxes and fields that are smaller than a finger."""
    found: list[str] = page.evaluate(
        """(least) => [...document.querySelectorAll("button, .button, input:not([type=hidden])")]
            .filter((item) => item.checkVisibility())
            .filter((item) => item.getBoundingClientRect().height < least)
            .map((item) => item.outerHTML)""",
        least,
    )
    return found
