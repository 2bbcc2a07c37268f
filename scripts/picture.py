"""Draw the blocked commit of the demo as it looks at a terminal: `make picture` writes
docs/blocked-commit.svg.

Runs the demo on a pseudo-terminal, keeps the part between two of its headlines, and turns colours
into an SVG.
"""

import os
import pty
import re
import sys
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).parent.parent
COLUMNS, LINE, CHARACTER = 112, 20, 8.4
COLORS = {
    "31": "#ff7b72",
    "33": "#e3b341",
    "36": "#79c0ff",
    "41": "#ff7b72",
    "42": "#7ee787",
    "2": "#8b949e",
    "1": "#ffffff",
}
PLAIN = "#c9d1d9"
_LINK = re.compile(r"\x1b\]8;[^\x1b\x07]*(?:\x1b\\|\x07)")
"""The beginning or the end of a link at a terminal (OSC 8), which an SVG can't have."""


def main() -> None:
    captured = bytearray()

    def read(descriptor: int) -> bytes:
        data = os.read(descriptor, 4096)
        captured.extend(data)
        return data

    code = pty.spawn([str(ROOT / "scripts" / "demo.sh")], read)
    if code:
        sys.exit("the demo failed")
    text = _LINK.sub("", captured.decode().replace("\r\n", "\n"))
    start = text.index("\x1b[2m$", text.index("git commit: blocked"))
    lines = [
        line
        for line in text[start : text.index("# The author")].split("\n")
        if "[INFO]" not in line
    ]
    shown = [piece for line in lines for piece in _wrapped(_pieces(line))]
    while shown and not "".join(text for text, _ in shown[-1]).strip():
        shown.pop()
    (ROOT / "docs" / "blocked-commit.svg").write_text(_svg(shown), encoding="utf-8")


def _pieces(line: str) -> list[tuple[str, str]]:
    """A line as (text, colour)."""
    found = []
    color = PLAIN
    for part in re.split(r"(\x1b\[[\d;]*m)", line):
        code = re.fullmatch(r"\x1b\[([\d;]*)m", part)
        if code:
            known = [COLORS[number] for number in code[1].split(";") if number in COLORS]
            color = known[-1] if known else PLAIN
        elif part:
            found.append((part, color))
    return found


def _wrapped(pieces: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """A line broken between words, what follows indented."""
    lines: list[list[tuple[str, str]]] = [[]]
    width = 0
    for text, color in pieces:
        for word in re.findall(r"\S+\s*|\s+", text):
            if width and width + len(word.rstrip()) > COLUMNS:
                lines.append([("    ", color)])
                width = 4
            lines[-1].append((word, color))
            width += len(word)
    return lines


def _svg(lines: list[list[tuple[str, str]]]) -> str:
    width, height = round(COLUMNS * CHARACTER) + 48, len(lines) * LINE + 64
    rows = []
    for number, pieces in enumerate(lines):
        spans = "".join(f'<tspan fill="{color}">{escape(text)}</tspan>' for text, color in pieces)
        rows.append(f'<text x="24" y="{60 + number * LINE}" xml:space="preserve">{spans}</text>')
    dots = "".join(
        f'<circle cx="{24 + 18 * number}" cy="22" r="6" fill="{color}"/>'
        for number, color in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'role="img" aria-label="git commit is blocked by helix-adr">'
        f'<rect width="{width}" height="{height}" rx="10" fill="#0d1117"/>{dots}'
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" '
        'font-size="14">\n' + "\n".join(rows) + "\n</g></svg>\n"
    )


if __name__ == "__main__":
    main()
