"""Text of others, made fit for the place where it is shown or sent: one function for each place,
and each masks tokens.

A message may quote an ADR, or come from a model that read it. Whatever is printed, written into a
report or sent to GitHub goes through here. Patterns are compiled where they are first used, since a
hook needs few of them.
"""

import re

from .invisible import (
    CLASS,
    FORM_FEED,
    SURROGATES,
    WIDE_LINE_ENDS,
    ZERO_WIDTH_SPACE,
    without_invisible,
)

TOKEN_MARKS = (
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "sk-", "AKIA", "ASIA", "xox", "eyJ"),
    *("AIza", "glpat-", "npm_", "xapp-", "hf_", "pypi-", "k_live_", "k_test_", "ya29."),
    "PRIVATE KEY-----",
)
"""Parts of every text that `masking.TOKENS` finds, so that others are not searched for it."""

_LONGEST_TOKEN = 300
"""Characters that are read behind a cut, so that a token at the cut is recognised."""


def without_tokens(text: str) -> str:
    """Return a text in which whatever looks like a secret token is masked."""
    seen = without_invisible(text)
    for mark in TOKEN_MARKS:  # a loop, since this runs for each text of a large report
        if mark in seen:
            from .masking import NO_SECRETS, masked

            return masked(text, NO_SECRETS)
    return text


# A terminal, and a log that a runner of GitHub Actions reads.


def printable(text: str, limit: int = 0) -> str:
    """Return a text for a terminal: control and direction characters, which could repaint or
    reorder it, are escaped; long ones are cut.
    """
    if limit:  # many findings may quote one line of a megabyte
        text = text[: limit + _LONGEST_TOKEN]
    text = without_tokens(text)
    text = text[: limit + 1] if limit else text
    if not text.isprintable():
        spaced = text.replace("\t", "    ")
        text = "".join(c if c.isprintable() else _escaped(c) for c in spaced)
    return text if not limit or len(text) <= limit else text[: limit - 1] + "…"


def _escaped(character: str) -> str:
    return (
        "\\n" if character == "\n" else character.encode("unicode_escape", "surrogatepass").decode()
    )


def log_line(text: str) -> str:
    """Return a text for a line of a log.

    A runner takes `##[` anywhere in a line for a command to itself.
    """
    return printable(text).replace("##[", "## [")


def at_line_start(path: str) -> str:
    """Return a path as the first thing on a line, where a runner takes `::` for a command to
    itself.
    """
    return printable(f"./{path}" if path.startswith("::") else path)


def command_data(text: str) -> str:
    """Return the text of a workflow command, escaped as the runner undoes it (docs.github.com,
    "Workflow commands"). Its lines and tabs stay.
    """
    text = without_tokens(text)
    if not text.isprintable():
        text = "".join(c if c.isprintable() or c in "\t\r\n" else _escaped(c) for c in text)
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """Return the value of a property of a workflow command."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


# Reports that programs read.

_ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in '&<>"'}


def xml(text: str) -> str:
    """Return text for an element or an attribute.

    XML 1.0 has no control characters and no surrogates, so they are spelt out.
    """
    return printable(text).translate(_ENTITIES).encode("ascii", "xmlcharrefreplace").decode()


def json_value(value: object) -> object:
    """Return a value of JSON in whose texts no token stands. Keys are the program's own."""
    if isinstance(value, str):
        return without_tokens(value)
    if isinstance(value, dict):
        return {key: json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(item) for item in value]
    return value


def sarif_message(text: str) -> str:
    """Return a message in which SARIF takes no `[words](target)` for a link."""
    return printable(text).replace("](", "] (")


# Markdown that any host may render.

_HOST_REFERENCES = (
    r"@|[#!$%~&^](?=[\w\"'`])|(?i:(?<=gh)-(?=\d))|:(?=[\w+-]*:|//)|(?i:(?<=www)(?=\.))"
)
"""Beginnings of mentions, issue numbers, emoji and addresses, for GitHub and GitLab."""

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
    """Return text that Markdown takes as it is, also in a table's cell or as the words of a
    link.
    """
    return _without_signs(printable(text, _LONGEST_CELL))


def inert_cell(text: str) -> str:
    """Return text for a cell without live mentions and references; text in backticks looks like
    code.
    """
    words = re.sub(_HOST_REFERENCES, rf"\g<0>{BREAK}", printable(text, _LONGEST_CELL))
    words = _without_signs(words).replace(BREAK, "&#8203;")
    return re.sub(r"\\`(.+?)\\`", r"<code>\1</code>", words)


def _without_signs(text: str) -> str:
    return re.sub(_HOST_SIGNS, lambda sign: _MARKDOWN_ENTITIES.get(sign[0], f"\\{sign[0]}"), text)


# A page on GitHub: comments, reviews, check runs. It shows a text as it was written, and nothing in
# it does anything: nobody is mentioned, no issue closed, no image loaded; it holds no link, no
# command and none of our marks.

MOST = 65_000
"""Maximum characters of a body; GitHub refuses 65,536 and more."""

BREAK = ZERO_WIDTH_SPACE
"""A sign that keeps GitHub from seeing a mention, a reference or an address."""

_UNSEEN = f"[{CLASS}{FORM_FEED}{WIDE_LINE_ENDS}{SURROGATES}]"
_LIVE = (
    r"(?<=[@#])(?=[\w-])|(?<=\b[Gg][Hh]-)(?=\d)|(?<=:)(?=//)|(?<=[Ww]{3})(?=\.)|(?<=<)(?=!--)"
    r"|(?<=\])(?=[(\[:])"
    r"|(?<=[Mm][Aa][Ii][Ll][Tt][Oo])(?=:)|(?<=[Xx][Mm][Pp][Pp])(?=:)|(?<=##)(?=\[)"
)
"""Places in a mention, a reference, an address or a comment, behind the sign that makes it one."""

_COMMAND = r"(?m)^(\s*)/(?=\w)"
_MARKED = r"([\\`*_{}\[\]<>|~$&])"


def plain(text: str) -> str:
    """Return a text in which nothing is live, for places where GitHub reads no Markdown, such as
    the title of a check.
    """
    import unicodedata

    text = without_tokens(re.sub(_UNSEEN, "", unicodedata.normalize("NFC", text)))
    return re.sub(_COMMAND, rf"\1{BREAK}/", re.sub(_LIVE, BREAK, text))


def inline(text: str) -> str:
    """Return a text of one line that Markdown shows as it is; what stands between two backticks is
    code there, too.
    """
    parts = re.split(r"(?<!`)`([^`]+)`(?!`)", " ".join(text.split()))
    shown = (
        code(part) if number % 2 else re.sub(_MARKED, r"\\\1", plain(part))
        for number, part in enumerate(parts)
    )
    return "".join(shown)


def code(text: str) -> str:
    """Return a span of code on one line."""
    text = plain(" ".join(text.split())).replace("|", "\\|") or " "
    ticks = "`" * (_longest_run(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def fenced(text: str, language: str = "text") -> str:
    """Return a block of code, whose fence is longer than any in it."""
    text = plain(
        text
    ).rstrip()  # before its runs of backticks are measured: it has other ones afterwards
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}\n"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def capped(text: str, note: str, most: int = MOST) -> str:
    """Return a body of at most so many characters: whole lines, what was open is closed, and a note
    says that there is more.
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
    """Count characters as GitHub may count them: in UTF-16, where those beyond the first plane are
    two.
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _ends(lines: list[str]) -> str:
    """Return what closes the fence and the folded parts that some lines leave open."""
    fence, folded = "", 0
    for line in lines:
        match = re.match(r"(`{3,})", line)
        if fence:
            fence = (
                "" if match and line.rstrip() == match[1] and len(match[1]) >= len(fence) else fence
            )
        elif match:
            fence = match[1]
        else:
            folded += line.count("<details>") - line.count("</details>")
    return (f"{fence}\n" if fence else "") + "\n</details>\n" * folded
