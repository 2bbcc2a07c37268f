"""Draw the page of a report for the documentation: `make picture` writes docs/report-*.png.

The page is that of the command, about the dozen decisions of the tests.
"""

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser  # noqa: E402

from helix_hooks.cli.main import main as helix_hooks  # noqa: E402
from tests.conftest import Repository  # noqa: E402
from tests.fakes import browser as browsers  # noqa: E402
from tests.stories.report import decisions  # noqa: E402


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "shop")
        root.mkdir()
        decisions.build(Repository(root))
        os.chdir(root)
        os.environ["SOURCE_DATE_EPOCH"] = str(decisions.NOW)
        place = Path(folder, "report.html")
        helix_hooks(["report", "html", "--output", str(place)])
        with browsers.chromium() as browser:
            _draw(browser, "report-desktop", place, (1280, 3250))
            _draw(browser, "report-dark", place, (1280, 3250), scheme="dark")
            _draw(browser, "report-phone", place, (390, 1700), ratio=2)
        os.chdir(ROOT)


def _draw(
    browser: Browser,
    name: str,
    place: Path,
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
    page = context.new_page()
    page.goto(place.as_uri())
    page.screenshot(path=ROOT / "docs" / f"{name}.png")
    context.close()


if __name__ == "__main__":
    main()
