"""Signs that a change tries to steer its reviewer. Pure.

These are hidden text, comments to a reviewer, and instruction files. No sign is a proof, so they
are warnings; but a person must decide about a change with one.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...adr.parse.visible import covers
from ...finding import Finding
from ...paths import (
    APPROVALS,
    APPROVALS_FILE,
    MARKDOWN,
    RULES_FILE,
    SETTINGS,
    is_named_instruction,
    is_result,
)
from ...text import BYTE_ORDER_MARK, without_invisible
from .invisible import COVERT, UNSEEN, needless
from .phrases import ORDERS, PHRASES, READERS

PROSE = (*MARKDOWN, ".txt", ".rst", ".adoc", ".asciidoc", ".org")
"""Extensions of texts that people read as a page; all other texts are code or data."""
_TOKEN = re.compile(
    r"</?(?:system-reminder|tool_result|function_results)>|\[/?INST\]|<\|im_(?:start|end)\|>",
    re.IGNORECASE,
)
_TOKEN_IN_PROSE = re.compile(rf"{_TOKEN.pattern}|</?(?:system|assistant|human)>", re.IGNORECASE)
"""Signs that a model may take for the border between instructions and data."""
_TAG = re.compile(r"<[a-z][a-z0-9-]*(?=[\s/])([^<>]{0,300})>", re.IGNORECASE)
_HIDING = re.compile(
    r"\shidden(?=[\s=/]|$)|display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size"
    r"|opacity)\s*:\s*0(?![\d.]*[1-9])",
    re.IGNORECASE,
)

_COMMENT = re.compile(
    r"<!--(.*?)(?:-->|\Z)|^ {0,3}\[[^\]\n]{0,200}\]:[ \t]*(?:#|<>)[ \t]*([^\n]*)$",
    re.DOTALL | re.MULTILINE,
)
"""A comment, or a link definition without a target, which serves as one."""
_VERDICT = re.compile(
    r"[\"'](?:decision|verdict|conclusion)[\"']\s{0,20}:\s{0,20}"
    r"[\"'](?:approved?|accept(?:ed)?|pass(?:ed)?)[\"']",
    re.IGNORECASE,
)
"""JSON that looks like the answer of a judge."""
_BETWEEN = r"[\W_]{1,20}"
"""Blanks, line ends, signs and markup between two words."""

INSTRUCTION_FOLDERS = frozenset(
    ".claude .cursor .codex .gemini .windsurf .agents .continue .roo .kiro .qwen .clinerules "
    ".junie .amazonq .augment .trae .opencode "
    ".kilocode".split()
)


def ours(folder: str = APPROVALS) -> tuple[str, ...]:
    """Return the paths of rubrics and settings; `folder` is that of rubrics and briefs."""
    return (f"{folder}/", APPROVALS_FILE, RULES_FILE, SETTINGS)


OURS = ours()
"""The paths without a setting for the folder."""

_HIDDEN, _TO_REVIEWER = "hidden-text", "text-to-reviewer"
_COMMENT_TO_REVIEWER = "comment-to-reviewer"
"""Names of findings."""

_NAMED = 10
"""Maximum number of paths in a message."""
_LONG = 24
"""Minimum letters of a phrase that does not occur in noise."""
_MOST = 20
"""Maximum number of signs of a kind in one file."""
_QUOTED = 120
"""Maximum characters of a phrase that are shown."""


class Text(NamedTuple):
    """A text of the change, by its path in the repository.

    `unsearched` is the reason why a file that a judge is shown can't be searched.
    """

    path: str
    text: str
    unsearched: str = ""


class _Sign(NamedTuple):
    """A sign at an offset of a text."""

    offset: int
    check: str
    message: str
    help: str


def is_instruction(path: str) -> bool:
    """Return whether a command-line agent may follow a file as instructions."""
    folders = path.casefold().split("/")
    return is_named_instruction(path) or not INSTRUCTION_FOLDERS.isdisjoint(folders)


def indicators(
    texts: Iterable[Text],
    touched: Sequence[str],
    reviewed: bool,
    withheld: Sequence[str] = (),
    goes_by: tuple[str, ...] = OURS,
) -> tuple[Finding, ...]:
    """Return the signs in texts, and among the paths that the change touches.

    There is one finding of a kind for each line, and at most _MOST of a kind in a file.
    """
    sources = list(texts)
    signs = _in_texts(sources)
    # Without a text nothing is under review, and names alone are no sign.
    if sources:
        for path in dict.fromkeys((*(source.path for source in sources), *touched)):
            signs += _in_name(path)
    rubrics = [path for path in touched if path.startswith(goes_by) and not is_result(path)]
    # Without a review by a judge, only instructions that a judge would not see are signs.
    others = touched if reviewed else [path for path in touched if path in withheld]
    return (*signs, *_in_touched(rubrics, others, withheld))


def _in_texts(sources: Iterable[Text]) -> list[Finding]:
    signs: list[Finding] = []
    for source in sources:
        signs += _in_file(source)
    return signs


def _in_touched(
    rubrics: list[str], others: Sequence[str], withheld: Sequence[str]
) -> Iterator[Finding]:
    instructions = [path for path in others if is_instruction(path) and path not in rubrics]
    deleted = [path for path in withheld if path not in instructions]
    if rubrics:
        help = "where --base names it, the version before the change counts; a person decides"
        yield _touched(rubrics, "the change modifies its own review rules", help)
    if instructions:
        help = "the judge does not see it; a person decides"
        yield _touched(instructions, "the change modifies agent instructions", help)
    if deleted:
        help = "a judge can't quote it; a person decides"
        message = "the change deletes files under review"
        yield _touched(deleted, message, help, check="deleted")


def _touched(
    paths: list[str], message: str, help: str, check: str = "instruction-file-changed"
) -> Finding:
    more = f", and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return Finding(
        severity="warning",
        check=check,
        layer="agent",
        message=f"{message}: {', '.join(paths[:_NAMED])}{more}",
        path=paths[0],
        help=help,
    )


def _in_file(source: Text) -> Iterator[Finding]:
    """Yield the signs in a text, on their lines."""
    path, text = source.path, _with_line_feeds(source.text)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    numbers: Counter[str] = Counter()
    reported: set[tuple[str, int]] = set()
    if source.unsearched:
        help = "a person decides, or remove the file from the change"
        message = f"a judge is shown this file, and {source.unsearched}"
        yield _finding(path, _Sign(0, "file-not-searched", message, help))
    for sign in _signs(path, text):
        line = bisect_right(starts, sign.offset)
        # A comment to a reviewer is also a text to a reviewer; one finding is enough.
        is_comment = sign.check == _TO_REVIEWER and (_COMMENT_TO_REVIEWER, line) in reported
        is_repeated = is_comment or (sign.check, line) in reported
        if not is_repeated and numbers[sign.check] < _MOST:
            reported.add((sign.check, line))
            numbers[sign.check] += 1
            yield _finding(path, sign, line)


def _finding(path: str, sign: _Sign, line: int = 1) -> Finding:
    return Finding(
        severity="warning",
        check=sign.check,
        layer="agent",
        message=sign.message,
        path=path,
        line=line,
        end_line=line,
        help=sign.help,
    )


def _in_name(path: str) -> Iterator[Finding]:
    """Yield the signs in a path, including its folders."""
    if any(needless(path, UNSEEN)):
        message = "the name of the file has invisible characters"
        yield _finding(path, _Sign(0, _HIDDEN, message, "rename it"))
    if phrases().search(path):
        message = "possible prompt injection in the name of the file"
        yield _finding(path, _Sign(0, _TO_REVIEWER, message, "rename it"))


def _signs(path: str, text: str) -> Iterator[_Sign]:
    if "\0" in text:
        for match in phrases().finditer(text):
            if len(match[0]) >= _LONG:
                yield _speaking(match)
        return
    is_prose = path.casefold().endswith(PROSE)
    yield from _unseen(text, UNSEEN if is_prose else COVERT)
    steering: list[tuple[int, int]] = []
    for comment in _COMMENT.finditer(text):
        words = comment[comment.lastindex or 0]
        if phrases().search(words) or (is_prose and _addresses(words)):
            steering.append(comment.span())
            message = "possible prompt injection in a comment that readers of the page do not see"
            help = "move it into the text, or delete it"
            yield _Sign(comment.start(), _COMMENT_TO_REVIEWER, message, help)
    token = _TOKEN_IN_PROSE if is_prose else _TOKEN
    for pattern in (token, phrases(), _VERDICT):
        for match in pattern.finditer(text):
            if not covers(steering, match.start()):
                yield _speaking(match)
    if is_prose:
        yield from _hiding(text)


@lru_cache(maxsize=1)
def phrases() -> re.Pattern[str]:
    """Return a pattern of all phrases."""
    return re.compile("|".join(map(_pattern, PHRASES)), re.IGNORECASE)


def _pattern(phrase: str) -> str:
    # Hangul is the first of the scripts that may have no blanks between words.
    if max(phrase) >= "\u1100":
        return phrase.replace(" * ", r"[\w ]{0,12}?").replace(" ", r"\s{0,5}")
    words = phrase.replace(" * ", rf"(?:{_BETWEEN}\w{{1,20}}){{0,4}}? ").replace(" ", _BETWEEN)
    return rf"(?<![^\W_]){words}(?![^\W_])"


def _addresses(comment: str) -> bool:
    """Return whether a comment names a reviewer and requests something."""
    words = set(re.findall(r"\w+", comment.casefold()))
    return not words.isdisjoint(READERS.split()) and not words.isdisjoint(ORDERS.split())


def _hiding(text: str) -> Iterator[_Sign]:
    """Yield the HTML elements whose style hides them."""
    for match in _TAG.finditer(text):
        if _HIDING.search(match[1]):
            message = "an HTML element hides its text from readers"
            yield _Sign(match.start(), _HIDDEN, message, "show it, or delete it")


def _speaking(match: re.Match[str]) -> _Sign:
    quote = " ".join(without_invisible(match[0]).split())[:_QUOTED]
    return _Sign(match.start(), _TO_REVIEWER, f"possible prompt injection: {quote!r}", "delete it")


def _unseen(text: str, pattern: re.Pattern[str]) -> Iterator[_Sign]:
    for match in needless(text, pattern):
        codes = dict.fromkeys(f"U+{ord(character):04X}" for character in match[0][:3])
        message = f"this line has invisible characters ({', '.join(codes)})"
        yield _Sign(match.start(), _HIDDEN, message, "delete them")


def decoded(data: bytes) -> str:
    """Return a file's bytes as text: UTF-16 with its mark, Latin-1 with a NUL byte, else UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if b"\0" in data:
        return data.decode("latin-1")
    return data.decode(errors="replace")


def _with_line_feeds(text: str) -> str:
    return text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
