"""Draw the summary comment for the documentation: `make picture` writes docs/page-*.png.

The texts are those that the tests hold (tests/cases/pages), rendered as GitHub renders Markdown, in
a style that looks like GitHub's. The signs need a font: `apt-get install fonts-noto-color-emoji`.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import cmarkgfm  # noqa: E402
from cmarkgfm.cmark import Options  # noqa: E402
from playwright.sync_api import Browser  # noqa: E402

from tests.fakes import browser as browsers  # noqa: E402

CASES = ROOT / "tests" / "cases" / "pages"
STATES = (
    "pending-autonomy",
    "approved-by-a-person",
    "blocked",
    "findings-3",
    "judge-rejects",
    "judge-failed",
    "relaxed",
    "objection",
    "claim-unproven",
    "passed-the-budget",
)
"""Who must act, from a maintainer to the author; the first ones are those of most pull requests."""
STYLE = """
body { margin: 0; padding: 16px; background: #fff; color: #1f2328;
  font: 14px/1.5 "Noto Sans", "DejaVu Sans", "Noto Color Emoji", sans-serif; }
main { display: grid; grid-template-columns: repeat(%d, %dpx); gap: 16px; align-items: start; }
article { border: 1px solid #d1d9e0; border-radius: 6px; padding: 16px; overflow-wrap: anywhere; }
h3 { font-size: 1.25em; margin: 0 0 16px; } p, ul, pre, details { margin: 0 0 16px; }
ul { padding-left: 2em; } a { color: #0969da; } sub { color: #59636e; font-size: 12px; }
code { background: #818b981f; border-radius: 6px; padding: .2em .4em; font-size: 85%%; }
pre { background: #f6f8fa; border-radius: 6px; padding: 16px; overflow: auto; }
pre code { background: none; padding: 0; white-space: pre; }
"""


def main() -> None:
    with browsers.chromium() as browser:
        _draw(browser, "page-phone", STATES, columns=5, width=358)
        _draw(browser, "page-desktop", STATES[:4], columns=2, width=826)


def _draw(browser: Browser, name: str, states: tuple[str, ...], columns: int, width: int) -> None:
    """Draw the comments in columns of a width in pixels: 358 are left by a phone of 390."""
    articles = [
        "<article>"
        + cmarkgfm.github_flavored_markdown_to_html(
            (CASES / state / "page.md").read_text(encoding="utf-8"), Options.CMARK_OPT_UNSAFE
        )
        + "</article>"
        for state in states
    ]
    style = STYLE % (columns, width)
    content = f"<meta charset=utf-8><style>{style}</style><main>{''.join(articles)}</main>"
    page = browser.new_page(viewport={"width": columns * (width + 16) + 16, "height": 600})
    page.set_content(content)
    page.screenshot(path=ROOT / "docs" / f"{name}.png", full_page=True)
    page.close()


if __name__ == "__main__":
    main()
