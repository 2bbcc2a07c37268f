"""Write the table of contents of each documentation page: `make docs`.

A table lists the second-level headings and stands before the first of them. A page with one
heading has none. Generated pages are written with theirs by their own scripts.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*sorted(ROOT.glob("docs/*.md")), ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md"]
GENERATED = ("commands.md", "rules.md", "settings.md")
FEWEST = 2

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_TABLE = re.compile(r"(?:^- \[.+\]\(#.+\)\n)+\n?", re.MULTILINE)


def main() -> int:
    for path in PAGES:
        if path.name not in GENERATED:
            text = path.read_text(encoding="utf-8")
            path.write_text(with_contents(text), encoding="utf-8")
    return 0


def with_contents(text: str) -> str:
    """Return a page with its table of contents, or without one if it has few headings."""
    titles = headings(text)
    beginning, first, rest = text.partition("\n## ")
    beginning = _TABLE.sub("", beginning).rstrip()
    if len(titles) < FEWEST:
        return f"{beginning}\n{first}{rest}"
    rows = "\n".join(f"- [{title}](#{anchor(title)})" for title in titles)
    return f"{beginning}\n\n{rows}\n{first}{rest}"


def headings(text: str) -> list[str]:
    """Return the second-level headings of a page; those in code blocks are not headings."""
    return _HEADING.findall(_FENCED.sub("", text))


def anchor(title: str) -> str:
    """Return the anchor that GitHub gives to a heading."""
    plain = re.sub(r"[^\w\- ]", "", title.lower())
    return plain.replace(" ", "-")


if __name__ == "__main__":
    sys.exit(main())
