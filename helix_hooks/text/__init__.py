"""Text of others, made safe for a terminal, a log, a report or a page on GitHub. Pure.

A message may quote an ADR, or come from a model that read one. Everything that is printed, written
into a report or sent to GitHub passes through one of these functions. Each masks tokens. Patterns
are compiled at their first use, since a hook needs few of them.
"""

import re
from bisect import bisect_right
from collections.abc import Collection
from datetime import UTC, datetime
from typing import NamedTuple

# Characters that are invisible, or that change how other characters appear. Each name is the
# content of a character class of a regular expression. None of its characters is special there.

DIRECTION_CONTROLS = "\u202a-\u202e\u2066-\u2069"
"""Embeddings, overrides and isolates, which change the order in which letters appear."""

DIRECTION_MARKS = "\u200e\u200f"
"""Invisible marks with a direction. Texts in Hebrew and Arabic need them."""

ARABIC_MARK = "\u061c"
DIRECTIONS = ARABIC_MARK + DIRECTION_MARKS + DIRECTION_CONTROLS
"""All characters that change the order in which letters appear."""

JOINERS = "\u200c\u200d"
"""Zero-width joiner and non-joiner, which shape letters and emoji."""

SELECTORS = "\ufe00-\ufe0f"
"""Variation selectors: they select the shape of a character."""

EMOJI_SELECTOR = "\ufe0f"
TAGS = "\U000e0000-\U000e0fff"
"""Tag characters. A whole text can be hidden in them."""

SOFT_HYPHEN = "\u00ad"
BYTE_ORDER_MARK = "\ufeff"
ZERO_WIDTH_SPACE = "\u200b"
"""An invisible character that ends a word for GitHub."""

FORM_FEED = "\x0c"
NEXT_LINE = "\x85"
WIDE_LINE_ENDS = "\u2028\u2029"
"""Line and paragraph separator of Unicode."""

ODD_LINE_ENDS = f"\x0b{FORM_FEED}\x1c-\x1e{NEXT_LINE}{WIDE_LINE_ENDS}"
"""Characters that end a line for some programs, but not for GitHub."""

SURROGATES = "\ud800-\udfff"
"""Halves of a UTF-16 character. Python uses them for bytes of a path that are not UTF-8."""

INVISIBLE = (
    (0x00, 0x08), (0x0B, 0x0B), (0x0E, 0x1F), (0x7F, 0x9F),  # controls
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""First and last code point of each range of invisible characters.

The ranges are Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt, Unicode 16), the
control characters except line ends and tabs, interlinear annotation marks, and three letters and
signs without a glyph. White space is not in it: it separates words.
"""

CLASS = "".join(f"{chr(low)}-{chr(high)}" for low, high in INVISIBLE)
"""All ranges of INVISIBLE."""


def without_invisible(text: str) -> str:
    """Return a text without invisible characters."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(f"[{CLASS}]", "", text)


# Secret tokens.

TOKENS = (
    r"gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|(?:(?<![^\W_])sk-|sk-ant-)[\w-]{16,}|(?:AKIA"
    r"|ASIA)[A-Z0-9]{16}|xox[abeoprs]-[\w-]{10,}"
    r"|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}|AIza[\w-]{30,}|glpat-[\w-]{20,}"
    r"|npm_[A-Za-z0-9]{30,}"
    r"|xapp-[\w-]{10,}|hf_[A-Za-z0-9]{30,}|pypi-[\w-]{50,}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"
    r"|ya29\.[\w-]{20,}"
    r"|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
)
"""Texts that look like a secret. No alternative backtracks, so the search is linear."""

SHOWN = "(a secret)"
"""The mask of a token."""

_LONGEST_TOKEN = 300
"""Characters that are read after a cut, so that a token at the cut is recognised."""


class CharacterView:
    """The characters of a text that match a pattern, each with its place in the text."""

    def __init__(self, text: str, pattern: str) -> None:
        matches = list(re.finditer(pattern, text))
        self.text = "".join(match[0] for match in matches)
        self._starts: list[int] = []
        self._places: list[int] = []
        length = 0
        for match in matches:
            self._starts.append(length)
            self._places.append(match.start())
            length += match.end() - match.start()

    def place(self, index: int) -> int:
        """Return the place of a character of the view in the text."""
        piece = bisect_right(self._starts, index) - 1
        return self._places[piece] + index - self._starts[piece]


class Span(NamedTuple):
    """A part of a text that is masked. `name` is that of a variable; "" for a token."""

    start: int
    end: int
    name: str


def without_tokens(text: str) -> str:
    """Return a text with a mask in place of each secret token."""
    visible_text = without_invisible(text)
    return with_masks(text, token_spans(text)) if re.search(TOKENS, visible_text) else text


def token_spans(text: str) -> list[Span]:
    """Return the parts of a text that look like a secret, also with invisible characters in it."""
    view = CharacterView(text, f"[^{CLASS}]+")
    return [
        Span(view.place(match.start()), view.place(match.end() - 1) + 1, "")
        for match in re.finditer(TOKENS, view.text)
    ]


def with_masks(text: str, spans: list[Span]) -> str:
    """Return a text with a mask in place of each span; spans that overlap or touch are joined."""
    parts: list[str] = []
    start, end, name = -1, -1, ""
    done = 0
    sentinel = Span(len(text) + 1, len(text) + 1, "")
    for span in [*sorted(spans), sentinel]:
        if span.start <= end:
            end, name = max(end, span.end), name or span.name
            continue
        if end >= 0:
            mask = f"({name})" if name else SHOWN
            parts += [text[done:start], mask, "\n" * text.count("\n", start, end)]
            done = end
        start, end, name = span
    return "".join([*parts, text[done:]])


# A terminal, and the log of a GitHub Actions runner.


def printable(text: str, limit: int = 0) -> str:
    """Return a text for a terminal, cut to `limit` characters if it is not 0.

    Control and direction characters are escaped: they could repaint or reorder the terminal.
    """
    if limit:
        # Before the search: many findings may quote one line of a megabyte.
        text = text[: limit + _LONGEST_TOKEN]
    text = without_tokens(text)
    if limit:
        text = text[: limit + 1]
    if not text.isprintable():
        text = _with_escapes(text.replace("\t", "    "))
    if not limit or len(text) <= limit:
        return text
    return text[: limit - 1] + "…"


def _with_escapes(text: str, allowed: str = "") -> str:
    """Return a text with escapes for the characters that are neither printable nor `allowed`."""
    return "".join(
        character
        if character.isprintable() or character in allowed
        else character.encode("unicode_escape", "surrogatepass").decode()
        for character in text
    )


_COLORS = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "path": "1",
    "rule": "2",
    "line": "36",
}


def painted(text: str, kind: str, color: bool) -> str:
    """Return a text in the colour of its kind: a severity, a path, a rule or a line."""
    if not (color and kind and text):
        return text
    return f"\x1b[{_COLORS[kind]}m{text}\x1b[0m"


def log_line(text: str) -> str:
    """Return a text for a line of a log.

    A runner reads `##[` anywhere in a line as a workflow command.
    """
    return printable(text).replace("##[", "## [")


def at_line_start(path: str) -> str:
    """Return a path for the start of a line, where a runner reads `::` as a workflow command."""
    if path.startswith("::"):
        path = f"./{path}"
    return printable(path)


def command_data(text: str) -> str:
    """Return the text of a workflow command, with its lines and tabs.

    The escapes are those of docs.github.com, "Workflow commands".
    """
    text = without_tokens(text)
    if not text.isprintable():
        text = _with_escapes(text, allowed="\t\r\n")
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """Return the value of a property of a workflow command."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


# Reports that programs read.

_ENTITIES = str.maketrans({"&": "&#38;", "<": "&#60;", ">": "&#62;", '"': "&#34;"})


def xml(text: str) -> str:
    """Return a text for an element or an attribute.

    XML 1.0 allows no control characters and no surrogates, so they are escaped.
    """
    return printable(text).translate(_ENTITIES).encode("ascii", "xmlcharrefreplace").decode()


def json_value(value: object) -> object:
    """Return a JSON value without tokens in its strings. Keys come from the program."""
    if isinstance(value, str):
        return without_tokens(value)
    if isinstance(value, dict):
        return {key: json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(item) for item in value]
    return value


def dumped(value: object) -> str:
    """Return an indented JSON text without tokens, in ASCII."""
    import json

    return json.dumps(json_value(value), indent=2) + "\n"


def sarif_message(text: str) -> str:
    """Return a message in which SARIF reads no `[text](target)` as a link."""
    return printable(text).replace("](", "] (")


# Markdown for any host.

_HOST_REFERENCES = (
    r"@|[#!$%~&^](?=[\w\"'`])|(?i:(?<=gh)-(?=\d))|:(?=[\w+-]*:|//)|(?i:(?<=www)(?=\.))"
)
"""The start of mentions, issue numbers, emoji and addresses, for GitHub and GitLab."""

_HOST_SIGNS = r"[\\|<>$`*\[\]~#]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)"
_MARKDOWN_ENTITIES = {
    "\\": "&#92;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "$": "&#36;",
    "&": "&amp;",
}
_LONGEST_CELL = 300


def markdown_cell(text: str) -> str:
    """Return a text that Markdown shows unchanged, also in a table cell or a link text."""
    return _without_signs(printable(text, _LONGEST_CELL))


def inert_cell(text: str) -> str:
    """Return a text for a table cell, without live mentions and references.

    Text in backticks is shown as code.
    """
    inert = re.sub(_HOST_REFERENCES, rf"\g<0>{BREAK}", printable(text, _LONGEST_CELL))
    inert = _without_signs(inert).replace(BREAK, "&#8203;")
    return re.sub(r"\\`(.+?)\\`", r"<code>\1</code>", inert)


def _without_signs(text: str) -> str:
    return re.sub(_HOST_SIGNS, lambda sign: _MARKDOWN_ENTITIES.get(sign[0], f"\\{sign[0]}"), text)


# A page on GitHub: comments, reviews, check runs. A text is shown unchanged and has no effect: it
# mentions no user, closes no issue, loads no image, and has no link, no command and none of our
# marks.

MOST = 65_000
"""Maximum characters of a body; GitHub refuses 65,536 and more."""

BREAK = ZERO_WIDTH_SPACE
"""An invisible character that breaks a mention, a reference or an address."""

_UNSEEN = f"[{CLASS}{FORM_FEED}{WIDE_LINE_ENDS}{SURROGATES}]"
_LIVE = (
    r"(?<=[@#])(?=[\w-])|(?<=\b[Gg][Hh]-)(?=\d)|(?<=:)(?=//)|(?<=[Ww]{3})(?=\.)|(?<=<)(?=!--)"
    r"|(?<=\])(?=[(\[:])"
    r"|(?<=[Mm][Aa][Ii][Ll][Tt][Oo])(?=:)|(?<=[Xx][Mm][Pp][Pp])(?=:)|(?<=##)(?=\[)"
)
"""Places after the characters that begin a mention, a reference, an address or a comment."""

_COMMAND = r"(?m)^(\s*)/(?=\w)"
_MARKED = r"([\\`*_{}\[\]<>|~$&])"


def plain(text: str) -> str:
    """Return a text without effect where GitHub reads no Markdown, such as the title of a check."""
    import unicodedata

    text = without_tokens(re.sub(_UNSEEN, "", unicodedata.normalize("NFC", text)))
    return re.sub(_COMMAND, rf"\1{BREAK}/", re.sub(_LIVE, BREAK, text))


def inline(text: str) -> str:
    """Return a text on one line that Markdown shows unchanged; text in backticks is code."""
    parts = []
    for number, part in enumerate(re.split(r"(?<!`)`([^`]+)`(?!`)", " ".join(text.split()))):
        # `re.split` returns the code at the odd numbers.
        parts.append(code(part) if number % 2 else re.sub(_MARKED, r"\\\1", plain(part)))
    return "".join(parts)


def code(text: str) -> str:
    """Return a code span on one line."""
    text = plain(" ".join(text.split())).replace("|", "\\|") or " "
    ticks = "`" * (_longest_run(text) + 1)
    if text.startswith("`") or text.endswith("`"):
        text = f" {text} "
    return f"{ticks}{text}{ticks}"


def fenced(text: str, language: str = "text") -> str:
    """Return a code block. Its fence is longer than any run of backticks in it."""
    # `plain` first: it may join runs of backticks.
    text = plain(text).rstrip()
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}\n"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def capped(text: str, note: str, most: int = MOST) -> str:
    """Return a body of at most `most` characters.

    A longer one is cut after a line; open fences and folded parts are closed, and `note` follows.
    """
    if _size(text) <= most:
        return text
    room = most - _size(note) - 100
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        room -= _size(line)
        if room < 0:
            break
        lines.append(line)
    return f"{''.join(lines)}{_ends(lines)}\n{note}\n"


def _size(text: str) -> int:
    """Count characters in UTF-16, where those outside the first plane count twice.

    GitHub does not document how it counts. This count is the largest.
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _ends(lines: list[str]) -> str:
    """Return the end of the fence and of the folded parts that are open after some lines."""
    fence, folded = "", 0
    for line in lines:
        ticks = (re.match(r"`{3,}", line) or [""])[0]
        if fence:
            # Only backticks end a fence, and at least as many as began it.
            if len(ticks) >= len(fence) and line.rstrip() == ticks:
                fence = ""
        elif ticks:
            fence = ticks
        else:
            folded += line.count("<details>") - line.count("</details>")
    if fence:
        fence += "\n"
    return fence + "\n</details>\n" * folded


# Numbers, times and texts of a limited size for messages.


def counted(number: int, noun: str) -> str:
    """Return `1 error`, `2 errors`, `no errors`."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def listed(names: Collection[str], most: int = 3) -> str:
    """Return the first names, and the number of the others."""
    text = ", ".join([*names][:most])
    return f"{text} and {len(names) - most} more" if len(names) > most else text


def moment(at: int) -> str:
    """Return a time in seconds since 1970 as a text, to the minute."""
    return datetime.fromtimestamp(at, UTC).strftime("%a, %d %b %Y %H:%M UTC")


def month_of(at: int) -> str:
    """Return the month of a time in seconds since 1970, as in 2026-01."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m")


def one_line(text: str, most: int) -> str:
    """Return a text on one line, without secrets, of at most `most` characters in JSON."""
    import json  # a hook does not load it

    text = plain(" ".join(text.split()))
    if len(json.dumps(text)) <= most + 2:
        return text
    size, start = 1, list[str]()
    for character in text:
        size += len(json.dumps(character)) - 2
        # An ellipsis takes six characters in JSON: `\u2026`.
        if size > most - 6:
            break
        start.append(character)
    return f"{''.join(start)}…"


# The width of a text in a terminal, in cells: East Asian letters and most emoji take two, combining
# marks none.


def width(text: str) -> int:
    """Return the cells of a text without control characters."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def beginning(text: str, most: int) -> str:
    """Return the longest beginning of a text that fits into `most` cells."""
    if text.isascii():
        return text[: max(most, 0)]
    room = most
    for index, character in enumerate(text):
        room -= _cells(character)
        if room < 0:
            return text[:index]
    return text


def ending(text: str, most: int) -> str:
    """Return the longest end of a text that fits into `most` cells."""
    if text.isascii():
        return text[max(len(text) - max(most, 0), 0) :]
    room = most
    for index in range(len(text) - 1, -1, -1):
        room -= _cells(text[index])
        if room < 0:
            return text[index + 1 :]
    return text


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` cells; a shorter one ends with an ellipsis."""
    if width(text) <= most:
        return text
    if most <= 0:
        return ""
    return f"{beginning(text, most - 1)}…"


def is_reordered(text: str) -> bool:
    """Return whether a terminal may draw a text from right to left."""
    if text.isascii():
        return False
    from unicodedata import bidirectional

    return any(bidirectional(character) in ("R", "AL", "AN") for character in text)


def _cells(character: str) -> int:
    if character.isascii():
        return 1
    from unicodedata import category, east_asian_width

    if category(character) in ("Mn", "Me"):
        return 0
    if east_asian_width(character) in ("W", "F"):
        return 2
    return 1
