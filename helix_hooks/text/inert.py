"""Text of others, made fit for a page on GitHub: it shows as it was written, and does nothing.

A message may quote the ADR or come from a model that read it. So it must not mention people, close issues, load images, link elsewhere,
hold a command or one of our marks, or show a secret (seed: security; github.com/advisories on comments that steer agents).
"""

import re
import unicodedata

from .invisible import CLASS
from .masking import SHOWN, TOKENS

MOST = 65_000
"""Characters of a body; GitHub refuses 65,536 and more."""

BREAK = "\u200b"
"""A space without width: whoever reads sees no difference, and GitHub sees no mention, no reference and no address."""

_UNSEEN = re.compile(f"[{CLASS}\u000c\u2028\u2029\ud800-\udfff]")
_LIVE = re.compile(
    r"(?<=[@#])(?=[\w-])|(?<=\b[Gg][Hh]-)(?=\d)|(?<=:)(?=//)|(?<=[Ww]{3})(?=\.)|(?<=<)(?=!--)|(?<=\])(?=[(\[:])"
    r"|(?<=[Mm][Aa][Ii][Ll][Tt][Oo])(?=:)|(?<=[Xx][Mm][Pp][Pp])(?=:)|(?<=##)(?=\[)"
)
"""Places in a mention, a reference, an address or a comment, behind the sign that makes it one."""

_COMMAND = re.compile(r"^(\s*)/(?=\w)", re.MULTILINE)
_MARKED = re.compile(r"([\\`*_{}\[\]<>|~$&])")


def plain(text: str) -> str:
    """A text in which nothing is live: for the places where GitHub reads no Markdown, such as the title of a check."""
    text = TOKENS.sub(SHOWN, _UNSEEN.sub("", unicodedata.normalize("NFC", text)))
    return _COMMAND.sub(rf"\1{BREAK}/", _LIVE.sub(BREAK, text))


def inline(text: str) -> str:
    """A text of one line that Markdown shows as it is; what stands between two backticks is code there, too."""
    parts = re.split(r"(?<!`)`([^`]+)`(?!`)", " ".join(text.split()))
    shown = (code(part) if number % 2 else _MARKED.sub(r"\\\1", plain(part)) for number, part in enumerate(parts))
    return "".join(shown)


def code(text: str) -> str:
    """A span of code on one line."""
    text = plain(" ".join(text.split())).replace("|", "\\|") or " "
    ticks = "`" * (_longest(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def fenced(text: str, language: str = "text") -> str:
    """A block of code, whose fence is longer than any in it."""
    text = plain(text).rstrip()  # before its runs of backticks are measured: it has other ones afterwards
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}\n"


def _longest(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def capped(text: str, note: str, most: int = MOST) -> str:
    """A body of at most so many characters: whole lines, what was open is closed, and a note says that there is more."""
    if _size(text) <= most:
        return text
    room = most - _size(note) - 100
    kept: list[str] = []
    for line in text.splitlines(keepends=True):
        room -= _size(line)
        if room < 0:
            break
        kept.append(line)
    return f"{''.join(kept)}{_ends(kept)}\n{note}\n"


def _size(text: str) -> int:
    """Characters as GitHub may count them: in UTF-16, where those beyond the first plane are two."""
    return len(text) + sum(character > "\uffff" for character in text)


def _ends(lines: list[str]) -> str:
    """What closes the fence and the folded parts that some lines leave open."""
    fence, folded = "", 0
    for line in lines:
        found = re.match(r"(`{3,})", line)
        if fence:
            fence = "" if found and line.rstrip() == found[1] and len(found[1]) >= len(fence) else fence
        elif found:
            fence = found[1]
        else:
            folded += line.count("<details>") - line.count("</details>")
    return (f"{fence}\n" if fence else "") + "\n</details>\n" * folded
