"""Draw the pages of the queue for the documentation: `make picture` writes docs/queue-*.png.

The pages are those of the server, with the dozen entries of the tests; a route of the browser
stands in for the server.
"""

import sys
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, Route  # noqa: E402

from helix_hooks.dashboard.access import Visible  # noqa: E402
from helix_hooks.dashboard.rows import counts, rows  # noqa: E402
from helix_hooks.pages import entry, queue  # noqa: E402
from helix_hooks.pages.view import DecisionLine, FilledForm, QueuePage, Shell  # noqa: E402
from helix_hooks.waiting.entry import Viewer  # noqa: E402
from tests.fakes import browser as browsers  # noqa: E402
from tests.fakes.waiting import DETAIL, ENTRIES, NOW, QUEUE  # noqa: E402

PROJECTS = ("acme/decisions", "acme/shop")
TYPES = {".css": "text/css", ".js": "text/javascript"}
PAGES = ROOT / "helix_hooks" / "pages"


def main() -> None:
    with browsers.chromium() as browser:
        chosen = frozenset(item.id for item in ENTRIES[2:5])
        plain = _page(frozenset())
        some = queue.page(_page(chosen))
        kafka = plain.rows[0].entry
        soon = "will be approved in 10 seconds"
        undo = DecisionLine(kafka.id, kafka.title, soon, is_done=True, can_undo=True)
        first = queue.page(plain._replace(rows=plain.rows[1:], happened=(undo,)))
        one = entry.page(entry.EntryPage(plain.rows[1], DETAIL, plain))
        _draw(browser, "queue-desktop", some, (1280, 1700))
        _draw(browser, "queue-phone", first, (390, 844), ratio=2)
        _draw(browser, "queue-dark", first, (1280, 900), scheme="dark")
        _draw(browser, "queue-entry", one, (390, 844), ratio=2)


def _page(chosen: frozenset[str]) -> QueuePage:
    roles = tuple((name, "maintain") for name in PROJECTS)
    viewer = Viewer(name="maria", login="maria", roles=roles, at=NOW)
    found = rows(Visible(QUEUE, viewer), links_only=False)
    shell = Shell(viewer="maria", sign_out="x", has_figures=True)
    form = FilledForm("x", chosen)
    return QueuePage(rows=found, now=NOW, shell=shell, form=form, counts=counts(found))


def _draw(
    browser: Browser,
    name: str,
    content: str,
    size: tuple[int, int],
    scheme: str = "light",
    ratio: int = 1,
) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=ratio,
        reduced_motion="reduce",
    )

    def answer(route: Route) -> None:
        path = Path(urlsplit(route.request.url).path)
        if path.suffix in TYPES:
            route.fulfill(path=PAGES / path.name, content_type=TYPES[path.suffix])
        else:
            route.fulfill(body=content, content_type="text/html; charset=utf-8")

    page = context.new_page()
    page.route("**/*", answer)
    page.goto("http://queue.example/")
    page.screenshot(path=ROOT / "docs" / f"{name}.png")
    context.close()


if __name__ == "__main__":
    main()
