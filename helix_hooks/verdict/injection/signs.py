"""Signs that a change tries to steer its reviewer. Pure.

These are hidden text, comments to a reviewer, and instruction files. No sign is a proof, so they
are warnings; but a person must decide about a change with one.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from ...finding import Finding
from ...paths import (
    APPROVALS,
    APPROVALS_FILE,
    RULES_FILE,
    SETTINGS,
    is_named_instruction,
    is_result,
)
from ...text.invisible import without_invisible
from .invisible import COVERT, UNSEEN, needless
from .lookalike import LEET, LEET_WORDS, SQUEEZED, WORDS, Letters
from .phrases import SPOKEN
from .phrases import UNSEEN as AT_START
from .readings import PROSE, Reading, asides, comments, joined, readings, with_line_feeds
from .search import Match, is_short, is_whole, matches, speaks

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
_FAR = 100
"""Maximum number of blanks before a sentence."""
_ENOUGH = 200
"""Maximum number of phrases in one reading of a text."""
_LONG = 24
"""Minimum letters of a phrase that does not occur in noise."""
_BLOCK = 256
"""Number of characters whose letters are counted at once."""
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
    path, text = source.path, with_line_feeds(source.text)
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


_HIDDEN, _TO_REVIEWER = "hidden-text", "text-to-reviewer"


_COMMENT_TO_REVIEWER = "comment-to-reviewer"


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
    if any(_spoken(reading, SPOKEN) for reading in readings("", path)):
        message = "possible prompt injection in the name of the file"
        yield _finding(path, _Sign(0, _TO_REVIEWER, message, "rename it"))


def _signs(path: str, text: str) -> Iterator[_Sign]:
    if "\0" in text:
        yield from (_speaking(*item) for item in _in_bytes(text))
        return
    is_prose = path.casefold().endswith(PROSE)
    yield from _unseen(text, UNSEEN if is_prose else COVERT)
    steering = _steering_comments(text, is_prose)
    for offset, _ in steering:
        message = "possible prompt injection in a comment that readers of the page do not see"
        yield _Sign(offset, _COMMENT_TO_REVIEWER, message, "move it into the text, or delete it")
    if is_prose:
        yield from _in_asides(text)
    for offset, quote in _phrases(path, text, is_prose):
        if not any(start <= offset < stop for start, stop in steering):
            yield _speaking(offset, quote)
    if is_prose:
        yield from _hiding(text)


def _steering_comments(text: str, is_prose: bool) -> list[tuple[int, int]]:
    """Return the offsets and ends of the comments that address a reviewer."""
    hidden = comments(text, is_prose)
    steering = {*_unsaid(hidden)}
    spans = []
    for offset, comment in hidden:
        if offset in steering or (is_prose and speaks(comment.translate(WORDS))):
            spans.append((offset, offset + len(comment)))
    return spans


def _in_asides(text: str) -> Iterator[_Sign]:
    for offset in _unsaid(asides(text)):
        message = "possible prompt injection in an alternative text or a title"
        yield _Sign(offset, _COMMENT_TO_REVIEWER, message, "move it into the text, or delete it")


def _hiding(text: str) -> Iterator[_Sign]:
    """Yield the HTML elements whose style hides them."""
    for match in _TAG.finditer(text):
        if _HIDING.search(match[1]):
            message = "an HTML element hides its text from readers"
            yield _Sign(match.start(), _HIDDEN, message, "show it, or delete it")


def _speaking(offset: int, quote: str) -> _Sign:
    message = f"possible prompt injection: {quote!r}"
    return _Sign(offset, _TO_REVIEWER, message, "delete it")


def _in_bytes(text: str) -> Iterator[tuple[int, str]]:
    """Yield the long phrases in a binary file; short ones could be noise."""
    for start, stop in _spoken(Reading(text), SPOKEN, _LONG):
        yield start, _shown(text[start:stop])


def _shown(text: str) -> str:
    return " ".join(without_invisible(text).split())[:_QUOTED]


def _unseen(text: str, pattern: re.Pattern[str]) -> Iterator[_Sign]:
    for match in needless(text, pattern):
        codes = dict.fromkeys(f"U+{ord(character):04X}" for character in match[0][:3])
        message = f"this line has invisible characters ({', '.join(codes)})"
        yield _Sign(match.start(), _HIDDEN, message, "delete them")


def _phrases(path: str, text: str, is_prose: bool) -> Iterator[tuple[int, str]]:
    """Yield the offsets of phrases in all readings of a text, each with its quote."""
    token = _TOKEN_IN_PROSE if is_prose else _TOKEN
    for reading in readings(path, text):
        tokens = [match.span() for match in token.finditer(reading.text)]
        for start, stop in (*tokens, *_spoken(reading, SPOKEN)):
            yield reading.offset(start), _shown(reading.text[start:stop])


def _spoken(
    reading: Reading, phrases: Mapping[str, tuple[str, ...]], at_least: int = 0
) -> list[tuple[int, int]]:
    """Return the places of phrases in a text, once with digits as letters and once without them."""
    text = reading.text
    places: list[tuple[int, int]] = []
    last = ""
    for letters, words in ((LEET, LEET_WORDS), (SQUEEZED, WORDS)):
        squeezed = text.translate(letters)
        # Without digits both are the same.
        if squeezed == last:
            break
        last = squeezed
        offsets = _Places(text, letters)
        for match in matches(phrases, squeezed):
            if match.stop - match.start < at_least:
                continue
            start, stop = offsets.of(match.start), offsets.of(match.stop - 1) + 1
            if _is_sure(match, text, start, stop, words):
                # The quote includes the plural.
                places.append((start, stop + (text[stop : stop + 1] in ("s", "S"))))
            if len(places) >= _ENOUGH:
                return places
    return places


def _is_sure(match: Match, text: str, start: int, stop: int, words: Letters) -> bool:
    """Return whether a phrase is not part of other words by chance."""
    if not is_short(match):
        return True
    return _stands_alone(text, start, stop) and is_whole(match.phrase, text[start:stop], words)


class _Places:
    """The offsets of letters in a text, computed once for each block, when first needed."""

    def __init__(self, text: str, letters: Letters) -> None:
        self._text, self._letters = text, letters
        self._ends: list[int] = []
        self._sizes: dict[int, list[int]] = {}

    def of(self, number: int) -> int:
        """Return the offset of a letter, by its number from 0."""
        text = self._text
        if not self._ends:
            blocks = (text[start : start + _BLOCK] for start in range(0, len(text), _BLOCK))
            self._ends = list(accumulate(len(block.translate(self._letters)) for block in blocks))
        block = bisect_right(self._ends, number)
        start = block * _BLOCK
        if block not in self._sizes:
            part = text[start : start + _BLOCK]
            self._sizes[block] = list(accumulate(len(self._letters[ord(char)]) for char in part))
        before = self._ends[block - 1] if block else 0
        return start + bisect_right(self._sizes[block], number - before)


def _unsaid(pieces: Sequence[tuple[int, str]]) -> list[int]:
    """Return the offsets of hidden texts that address a reader.

    Some phrases count only at the start of a sentence.
    """
    reading = joined(pieces, moves=False)
    starts = [start for start, _ in _spoken(reading, SPOKEN)]
    for start, _ in _spoken(reading, AT_START):
        before = reading.text[max(0, start - _FAR) : start].rstrip()
        if not before[-1:].isalpha() or unicodedata.category(reading.text[start]) == "Lo":
            starts.append(start)
    return [reading.offset(start) for start in starts]


def _stands_alone(text: str, start: int, stop: int) -> bool:
    """Return whether a phrase or its plural is not part of longer words."""
    first, last = text[start], text[stop - 1]
    before = text[max(0, start - 1) : start]
    after = text[stop : stop + 2].removeprefix("s")[:1]
    # In `camelCase` a word ends at each capital.
    begins = _is_border(before, first) or (before.islower() and first.isupper())
    ends = _is_border(after, last) or (last.islower() and after.isupper())
    return begins and ends


def _is_border(outside: str, letter: str) -> bool:
    """Return whether a word ends at a letter. Scripts without case have no blanks between words."""
    return not outside.isalpha() or unicodedata.category(letter) == "Lo"
