"""Make untrusted text safe for a terminal, a log, a report or a page on GitHub.

A message may quote an ADR, or come from a model that read one. Everything that is printed, written
into a report or sent to GitHub passes through one of these functions. Each masks tokens. Patterns
are compiled at their first use, since a hook needs few of them.
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
"""Each match of `masking.TOKENS` has one of these parts. Other texts are not searched for it."""

_LONGEST_TOKEN = 300
"""Characters that are read after a cut, so that a token at the cut is recognised."""


def without_tokens(text: str) -> str:
    """Return a text with a mask in place of each secret token."""
    visible_text = without_invisible(text)
    for mark in TOKEN_MARKS:  # a plain loop: this runs for each text of a large report
        if mark in visible_text:
            from .masking import NO_SECRETS, masked

            return masked(text, NO_SECRETS)
    return text


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
        character if character.isprintable() or character in allowed else _escaped(character)
        for character in text
    )


def _escaped(character: str) -> str:
    if character == "\n":
        return "\\n"
    return character.encode("unicode_escape", "surrogatepass").decode()


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
    if not color:
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


_MOST_INDENTED = 5_000
"""Maximum number of entries for which a JSON text is indented."""


def dumped(value: object, entries: int = 0) -> str:
    """Return a JSON text without tokens, in ASCII, indented unless it has many entries."""
    import json

    # With an indent, Python's encoder takes eight times as long.
    indent = 2 if entries <= _MOST_INDENTED else None
    return json.dumps(json_value(value), indent=indent) + "\n"


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
        ticks = _leading_ticks(line)
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


def _leading_ticks(line: str) -> str:
    match = re.match(r"`{3,}", line)
    return match[0] if match else ""
