"""Signs in a change that someone tries to steer whoever reviews it: text that people don't see, comments for a reviewer, instruction files.

None of them proves anything, so they are warnings; but a change that has one is decided by a person.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..finding import Finding
from ..places import APPROVALS, APPROVALS_FILE, RULES_FILE, SETTINGS, is_named_instruction
from ..text import CLASS

_UNSEEN = re.compile(rf"[\u200c-\u200f]|(?:(?!\A\ufeff|[\u00ad\u200c-\u200f\ufe00-\ufe0f])[{CLASS}])+")
"""Characters that nobody sees. Not the soft hyphen and the selectors of an emoji's form, which editors write, nor a mark at the start of the file."""
_MARKS = "\u200e\u200f"
_JOINERS = "\u200c\u200d"
_FLAG = "\U0001f3f4"
"""The black flag, which tags behind it make that of a country."""
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)|^ {0,3}\[[^\]\n]{0,200}\]:[ \t]*(?:#|<>)[ \t]*([^\n]*)$", re.DOTALL | re.MULTILINE)
_READER = r"\b(?:review(?:er|ing)|judge|llms?|ai|agents?|assistant|claude|gpt|chatgpt|gemini|copilot|model|bot|prüfer(?:in)?|gutachter|ki|agent)\b"
_ORDER = (
    r"\b(?:approve[ds]?|approval|accept this|pass(?:es|ed)? (?:this|all|every)|ignore|disregard|overlook|do not (?:report|flag|mention|reject)|"
    r"don't (?:report|flag|mention|reject)|instructions?|confidence|verdict|no findings|lgtm|must not be (?:reported|rejected)|"
    r"genehmig\w*|freigeben|freigabe|ignorier\w*|anweisung\w*|keine befunde|nicht (?:melden|bemängeln|ablehnen))\b"
)
_PLAIN = re.compile(
    r"\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|above|earlier|preceding)\s+(?:instructions?|rules|prompts?)\b"
    r"|\b(?:ignorier\w*|vergiss|vergessen\s+sie)\s+(?:alle\s+|sämtliche\s+)?(?:bisherigen|vorherigen|obigen|früheren)\s+(?:anweisungen|regeln)\b"
    r"|</?(?:system|assistant|human|system-reminder|tool_result|function_results)>|\[/?INST\]|<\|im_(?:start|end)\|>",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[a-z][a-z0-9-]*(?=[\s/])([^<>]{0,300})>", re.IGNORECASE)
_HIDING = re.compile(r"\shidden(?=[\s=/]|$)|display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![\d.]*[1-9])", re.IGNORECASE)

INSTRUCTION_FOLDERS = frozenset(
    ".claude .cursor .codex .gemini .windsurf .agents .continue .roo .kiro .qwen .clinerules .junie .amazonq .augment .trae .opencode "
    ".kilocode".split()
)


def ours(folder: str = APPROVALS) -> tuple[str, ...]:
    """Where lies what this program goes by; `folder` is that of rubrics and briefs."""
    return (f"{folder}/", APPROVALS_FILE, RULES_FILE, SETTINGS)


OURS = ours()
"""The same, where no setting says otherwise."""

_NAMED = 3
_MOST = 20
"""Signs of a kind in one file; more say no more."""
_LONGEST = 5000
"""Characters of a comment that are looked at."""


class Text(NamedTuple):
    """A text of the change, by its path in the repository."""

    path: str
    text: str


def is_instruction(path: str) -> bool:
    """Whether a command-line agent may take a file for instructions to itself."""
    return is_named_instruction(path) or not INSTRUCTION_FOLDERS.isdisjoint(path.casefold().split("/"))


def indicators(texts: Iterable[Text], touched: Sequence[str], reviewed: bool, withheld: Sequence[str] = (),
               goes_by: tuple[str, ...] = OURS) -> tuple[Finding, ...]:  # fmt: skip
    """The signs in some texts, and among the paths that the change touches; one finding of a kind for each line, and not more than some.

    `withheld` are paths that no judge can be shown, `goes_by` where lies what this program goes by. What steers this program is such a sign in
    any change, what steers other agents where something is `reviewed`.
    """
    found = [item for text in texts for item in _in_file(text)]
    own = [path for path in touched if path.startswith(goes_by)]
    others = [path for path in touched if (reviewed or path in withheld) and is_instruction(path) and path not in own]
    unseen = [path for path in withheld if path not in others]
    if own:
        help = "where --base names it, the version before the change counts; a person decides"
        found.append(_touched(own, "the change touches what it is measured by", help))
    if others:
        found.append(_touched(others, "the change touches what tells agents what to do", "the judge does not see it; a person decides"))
    if unseen:
        found.append(_touched(unseen, "the change takes away what a judge was to review", "nothing of it can be quoted; a person decides", "deleted"))
    return tuple(found)


def _touched(paths: list[str], message: str, help: str, check: str = "instruction-file-changed") -> Finding:
    more = f", and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return Finding("warning", check, "agent", f"{message}: {', '.join(paths[:_NAMED])}{more}", paths[0], help=help)


def _in_file(given: Text) -> Iterator[Finding]:
    """The signs in a text and in its name, on the lines where they stand."""
    starts = [0, *(match.end() for match in re.finditer("\n", given.text))]
    seen: Counter[str] = Counter()
    known: set[tuple[str, int]] = set()
    for offset, check, message, help in _signs(given):
        line = bisect_right(starts, offset)
        if (check, line) not in known and seen[check] < _MOST:
            known.add((check, line))
            seen[check] += 1
            yield Finding("warning", check, "agent", message, given.path, line, line, 1, help)


def _signs(given: Text) -> Iterator[tuple[int, str, str, str]]:
    text = given.text
    for match in _UNSEEN.finditer(text):
        if not _is_needed(text, match):
            names = ", ".join(dict.fromkeys(f"U+{ord(character):04X}" for character in match[0][:3]))
            yield match.start(), "hidden-text", f"characters that nobody sees ({names}) stand here", "delete them"
    for match in _COMMENT.finditer(text):
        comment = (match[1] or match[2] or "")[:_LONGEST]
        if re.search(_READER, comment, re.IGNORECASE) and re.search(_ORDER, comment, re.IGNORECASE):
            yield (
                match.start(),
                "comment-to-reviewer",
                "a comment that a reader of the page does not see speaks to a reviewer",
                "say it in the text, or delete it",
            )
    for match in _PLAIN.finditer(text):
        yield match.start(), "text-to-reviewer", f"the text speaks to whoever reviews it: {' '.join(match[0].split())!r}", "delete it"
    if _PLAIN.search(re.sub(r"[-_.]+", " ", given.path)):
        yield 0, "text-to-reviewer", "the name of the file speaks to whoever reviews it", "rename it"
    for match in _TAG.finditer(text):
        if _HIDING.search(match[1]):
            yield match.start(), "hidden-text", "an HTML element hides its text from readers", "show it, or delete it"


def _is_needed(text: str, match: re.Match[str]) -> bool:
    """Whether a script or a sign needs the character: a joiner between letters that are no Latin ones or between symbols, a mark beside a
    letter that is written from right to left, tags behind a flag.
    """
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if match[0] in _JOINERS:
        return bool(before and after) and all(
            unicodedata.category(one) in ("Lo", "Mn", "Mc", "So", "Sk") or one == "\ufe0f" for one in (before, after)
        )
    if match[0] in _MARKS:
        return any(one and unicodedata.bidirectional(one) in ("R", "AL") for one in (before, after))
    return before == _FLAG and len(match[0]) <= 7
