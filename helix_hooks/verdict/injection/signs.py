"""Signs that a change tries to steer its reviewer: hidden text, comments to a reviewer, instruction
files.

No sign is a proof, so they are warnings; but a person decides a change with one.
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
from ...text.invisible import (
    BYTE_ORDER_MARK,
    CLASS,
    DIRECTION_CONTROLS,
    DIRECTION_MARKS,
    EMOJI_SELECTOR,
    JOINERS,
    SELECTORS,
    SOFT_HYPHEN,
    TAGS,
    without_invisible,
)
from .lookalike import LEET, LEET_WORDS, SQUEEZED, WORDS, Letters
from .phrases import SPOKEN, UNSEEN
from .readings import PROSE, Reading, asides, comments, joined, readings, with_line_feeds
from .search import is_short, is_whole, matches, speaks

_ONE_BY_ONE = JOINERS + DIRECTION_MARKS
_UNSEEN = re.compile(
    rf"[{_ONE_BY_ONE}]"
    rf"|(?:(?!\A{BYTE_ORDER_MARK}|[{SOFT_HYPHEN}{_ONE_BY_ONE}{SELECTORS}])[{CLASS}])+"
)
"""Invisible characters, without those that editors write: soft hyphens, emoji selectors, BOM."""
_FLAG = "\U0001f3f4"
"""The black flag; with tags behind it, it is the flag of a country."""
_COVERT = re.compile(rf"[{DIRECTION_CONTROLS}]|[{TAGS}]+|[{CLASS}]{{8,}}")
"""Invisible characters that no code needs: direction marks, tags, and many in a row."""
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
    """Return the paths of what this program goes by; `folder` is that of rubrics and briefs."""
    return (f"{folder}/", APPROVALS_FILE, RULES_FILE, SETTINGS)


OURS = ours()
"""The same, where no setting says otherwise."""

_NAMED = 10
_FAR = 100
"""Blanks before a sentence."""
_ENOUGH = 200
"""Maximum phrases in one reading of a text."""
_LONG = 24
"""Letters of a phrase that is too long to occur in noise."""
_BLOCK = 256
"""Characters whose letters are counted at once."""
_MOST = 20
"""Maximum signs of a kind in one file."""
_QUOTED = 120
"""Maximum characters of a phrase that are shown."""


class Text(NamedTuple):
    """A text of the change, by its path in the repository.

    `unsearched` says why a file that a judge is shown can't be searched.
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
    """Return whether a command-line agent may take a file for instructions to itself."""
    return is_named_instruction(path) or not INSTRUCTION_FOLDERS.isdisjoint(
        path.casefold().split("/")
    )


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
    given = list(texts)
    names = dict.fromkeys((*(text.path for text in given), *(touched if given else ())))
    found = [item for text in given for item in _in_file(text)] + [
        item for path in names for item in _in_name(path)
    ]
    own = [path for path in touched if path.startswith(goes_by) and not is_result(path)]
    others = [
        path
        for path in touched
        if (reviewed or path in withheld) and is_instruction(path) and path not in own
    ]
    unseen = [path for path in withheld if path not in others]
    if own:
        help = "where --base names it, the version before the change counts; a person decides"
        found.append(_touched(own, "the change touches what it is measured by", help))
    if others:
        found.append(
            _touched(
                others,
                "the change touches what tells agents what to do",
                "the judge does not see it; a person decides",
            )
        )
    if unseen:
        found.append(
            _touched(
                unseen,
                "the change removes what a judge was to review",
                "nothing of it can be quoted; a person decides",
                "deleted",
            )
        )
    return tuple(found)


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
    seen: Counter[str] = Counter()
    known: set[tuple[str, int]] = set()
    if source.unsearched:
        help = "a person looks at it, or it leaves the change"
        yield Finding(
            severity="warning",
            check="file-not-searched",
            layer="agent",
            message=f"a judge is shown this file, and {source.unsearched}",
            path=path,
            help=help,
        )
    for sign in _signs(path, text):
        line = bisect_right(starts, sign.offset)
        is_said = sign.check == "text-to-reviewer" and ("comment-to-reviewer", line) in known
        if not is_said and (sign.check, line) not in known and seen[sign.check] < _MOST:
            known.add((sign.check, line))
            seen[sign.check] += 1
            yield Finding(
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
    """Yield the signs in a path, all of whose folders count."""
    if any(not _is_needed(path, match) for match in _UNSEEN.finditer(path)):
        yield Finding(
            severity="warning",
            check="hidden-text",
            layer="agent",
            message="the name of the file has invisible characters",
            path=path,
            help="rename it",
        )
    if any(_spoken(reading, SPOKEN) for reading in readings("", path)):
        yield Finding(
            severity="warning",
            check="text-to-reviewer",
            layer="agent",
            message="the name of the file speaks to whoever reviews it",
            path=path,
            help="rename it",
        )


def _signs(path: str, text: str) -> Iterator[_Sign]:
    if "\0" in text:
        yield from (_speaking(*item) for item in _in_bytes(text))
        return
    is_prose = path.casefold().endswith(PROSE)
    yield from _unseen(text, _UNSEEN if is_prose else _COVERT)
    spans = []
    unshown = comments(text, is_prose)
    steering = {*_unsaid(unshown)}
    for offset, comment in unshown:
        if offset in steering or (is_prose and speaks(comment.translate(WORDS))):
            spans.append((offset, offset + len(comment)))
            message = "a comment that a reader of the page does not see speaks to a reviewer"
            yield _Sign(offset, "comment-to-reviewer", message, "say it in the text, or delete it")
    for offset in _unsaid(asides(text)) if is_prose else ():
        message = "a text that stands for an image, or in a title, speaks to a reviewer"
        yield _Sign(offset, "comment-to-reviewer", message, "say it in the text, or delete it")
    for offset, quote in _phrases(path, text, is_prose):
        if not any(start <= offset < stop for start, stop in spans):
            yield _speaking(offset, quote)
    for match in _TAG.finditer(text) if is_prose else ():
        if _HIDING.search(match[1]):
            yield _Sign(
                match.start(),
                "hidden-text",
                "an HTML element hides its text from readers",
                "show it, or delete it",
            )


def _speaking(offset: int, quote: str) -> _Sign:
    return _Sign(
        offset, "text-to-reviewer", f"the text speaks to whoever reviews it: {quote!r}", "delete it"
    )


def _in_bytes(text: str) -> Iterator[tuple[int, str]]:
    """Yield the long phrases in a binary file; short ones could be noise."""
    for start, stop in _spoken(Reading(text), SPOKEN, _LONG):
        yield start, _shown(text[start:stop])


def _shown(text: str) -> str:
    return " ".join(without_invisible(text).split())[:_QUOTED]


def _unseen(text: str, pattern: re.Pattern[str]) -> Iterator[_Sign]:
    for match in pattern.finditer(text):
        if not _is_needed(text, match):
            names = ", ".join(
                dict.fromkeys(f"U+{ord(character):04X}" for character in match[0][:3])
            )
            yield _Sign(
                match.start(),
                "hidden-text",
                f"this line has invisible characters ({names})",
                "delete them",
            )


def _phrases(path: str, text: str, is_prose: bool) -> Iterator[tuple[int, str]]:
    """Yield the offsets of phrases in a text, in whichever way it is read, each with its quote."""
    for reading in readings(path, text):
        found = [
            (match.start(), match.end())
            for match in (_TOKEN_IN_PROSE if is_prose else _TOKEN).finditer(reading.text)
        ]
        for start, stop in (*found, *_spoken(reading, SPOKEN)):
            yield reading.offset(start), _shown(reading.text[start:stop])


def _spoken(
    reading: Reading, phrases: Mapping[str, tuple[str, ...]], at_least: int = 0
) -> list[tuple[int, int]]:
    """Return the places of phrases in a text; digits are read as letters and as nothing."""
    found: list[tuple[int, int]] = []
    last = ""
    for letters, words in ((LEET, LEET_WORDS), (SQUEEZED, WORDS)):
        squeezed = reading.text.translate(letters)
        places = None
        for match in matches(phrases, squeezed) if squeezed != last else ():
            places = places or _Places(reading.text, letters)
            start, stop = places.of(match.start), places.of(match.stop - 1) + 1
            is_sure = not is_short(match) or (
                _stands_alone(reading.text, start, stop)
                and is_whole(match.phrase, reading.text[start:stop], words)
            )
            if is_sure and match.stop - match.start >= at_least:
                found.append((start, stop + (reading.text[stop : stop + 1] in ("s", "S"))))
            if len(found) >= _ENOUGH:
                return found
        last = squeezed
    return found


class _Places:
    """The places of letters in a text, looked up once for each block."""

    def __init__(self, text: str, letters: Letters) -> None:
        self._text, self._letters = text, letters
        blocks = (text[start : start + _BLOCK] for start in range(0, len(text), _BLOCK))
        self._ends = list(accumulate(len(block.translate(letters)) for block in blocks))
        self._sizes: dict[int, list[int]] = {}

    def of(self, number: int) -> int:
        """The place of a letter, by its number from 0."""
        block = bisect_right(self._ends, number)
        start = block * _BLOCK
        if block not in self._sizes:
            part = self._text[start : start + _BLOCK]
            self._sizes[block] = list(accumulate(len(self._letters[ord(char)]) for char in part))
        return start + bisect_right(
            self._sizes[block], number - (self._ends[block - 1] if block else 0)
        )


def _unsaid(pieces: Sequence[tuple[int, str]]) -> list[int]:
    """Return the offsets of requests to a reader, at the start of a sentence, in hidden texts."""
    reading = joined(pieces, moves=False)
    found = [start for start, _ in _spoken(reading, SPOKEN)]
    for start, _ in _spoken(reading, UNSEEN):
        before = reading.text[max(0, start - _FAR) : start].rstrip()
        if not before[-1:].isalpha() or unicodedata.category(reading.text[start]) == "Lo":
            found.append(start)
    return [reading.offset(start) for start in found]


def _stands_alone(text: str, start: int, stop: int) -> bool:
    """Return whether a phrase or its plural is not part of longer words.

    Scripts without case have no blanks between words.
    """
    first, last, before = text[start], text[stop - 1], text[max(0, start - 1) : start]
    after = text[stop : stop + 2].removeprefix("s")[:1]
    begins = (
        not before.isalpha()
        or unicodedata.category(first) == "Lo"
        or (before.islower() and first.isupper())
    )
    ends = (
        not after.isalpha()
        or unicodedata.category(last) == "Lo"
        or (last.islower() and after.isupper())
    )
    return begins and ends


def _is_needed(text: str, match: re.Match[str]) -> bool:
    """Return whether a script or a sign needs the character.

    It may be a joiner between letters that are not Latin or between symbols, a mark beside a letter
    that is written from right to left, or tags behind a flag.
    """
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if match[0] in JOINERS:
        return bool(before and after) and all(
            unicodedata.category(one) in ("Lo", "Mn", "Mc", "So", "Sk") or one == EMOJI_SELECTOR
            for one in (before, after)
        )
    if match[0] in DIRECTION_MARKS:
        return any(one and unicodedata.bidirectional(one) in ("R", "AL") for one in (before, after))
    return before == _FLAG and len(match[0]) <= 7
