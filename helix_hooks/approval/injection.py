"""Signs in a change that someone tries to steer whoever reviews it: text that people don't see, comments for a reviewer, instruction files.

None of them proves anything, so they are warnings; but a change that has one is decided by a person.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..finding import Finding

_UNSEEN = re.compile(
    "[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u180e\u3164\uffa0\u115f\u1160\ufff9-\ufffb\U000e0000-\U000e01ef]+|(?<!^)\ufeff|[\u200c\u200d]"
)
_JOINER = "\u200c\u200d"
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)|^ {0,3}\[[^\]\n]*\]:\s*(?:#|<>)\s*([^\n]*)$", re.DOTALL | re.MULTILINE)
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
_HIDDEN_ELEMENT = re.compile(
    r"<[a-z][^>]{0,300}(?:\bhidden\b|display\s*:\s*none|font-size\s*:\s*0|visibility\s*:\s*hidden|opacity\s*:\s*0)", re.IGNORECASE
)

INSTRUCTION_NAMES = frozenset(
    "claude.md claude.local.md agents.md agents.override.md agent.md gemini.md .mcp.json .cursorrules .windsurfrules .clinerules .aider.conf.yml "
    "copilot-instructions.md .goosehints .rules qwen.md".split()
)
"""Files, in small letters, that a command-line agent reads as instructions from any folder."""

INSTRUCTION_FOLDERS = frozenset(".claude .cursor .codex .gemini .windsurf .agents .continue .roo .kiro .qwen".split())

_OURS = ("approvals/", "config/approvals.yaml", "config/adr-completeness-rules.yaml", ".helix-hooks.yaml")

_NAMED = 3


class Text(NamedTuple):
    """A text of the change, by its path in the repository."""

    path: str
    text: str


def is_instruction(path: str) -> bool:
    """Whether a command-line agent may take a file for instructions to itself."""
    *folders, name = path.casefold().split("/")
    return name in INSTRUCTION_NAMES or name.endswith(".instructions.md") or not INSTRUCTION_FOLDERS.isdisjoint((*folders, name))


def indicators(texts: Iterable[Text], touched: Sequence[str], reviewed: bool) -> tuple[Finding, ...]:
    """The signs in some texts, and among the paths that the change touches; one finding of a kind for each line.

    What steers this program is such a sign in any change, what steers other agents where something is `reviewed`.
    """
    found = [item for text in texts for item in _in_text(text)]
    ours = [path for path in touched if path.startswith(_OURS)]
    others = [path for path in touched if reviewed and is_instruction(path) and path not in ours]
    if ours:
        help = "where --base names it, the version before the change counts; a person decides"
        found.append(_touched(ours, "the change touches what it is measured by", help))
    if others:
        found.append(_touched(others, "the change touches what tells agents what to do", "the judge does not see it; a person decides"))
    return tuple({(finding.check, finding.path, finding.line): finding for finding in reversed(found)}.values())[::-1]


def _touched(paths: list[str], message: str, help: str) -> Finding:
    more = f", and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return Finding("warning", "instruction-file-changed", "agent", f"{message}: {', '.join(paths[:_NAMED])}{more}", paths[0], help=help)


def _in_text(given: Text) -> Iterator[Finding]:
    path, text = given
    for match in _UNSEEN.finditer(text):
        if match[0] not in _JOINER or not _joins(text, match.start()):
            names = ", ".join(dict.fromkeys(f"U+{ord(character):04X}" for character in match[0][:3]))
            yield _at(path, text, match.start(), "hidden-text", f"characters that nobody sees ({names}) stand here", "delete them")
    for match in _COMMENT.finditer(text):
        comment = match[1] or match[2] or ""
        if re.search(_READER, comment, re.IGNORECASE) and re.search(_ORDER, comment, re.IGNORECASE):
            yield _at(path, text, match.start(), "comment-to-reviewer", "a comment that a reader of the page does not see speaks to a reviewer",
                      "say it in the text, or delete it")  # fmt: skip
    for match in _PLAIN.finditer(text):
        yield _at(
            path, text, match.start(), "text-to-reviewer", f"the text speaks to whoever reviews it: {' '.join(match[0].split())!r}", "delete it"
        )
    for match in _HIDDEN_ELEMENT.finditer(text):
        yield _at(path, text, match.start(), "hidden-text", "an HTML element hides its text from readers", "show it, or delete it")


def _joins(text: str, at: int) -> bool:
    """Whether a joiner stands where scripts and emoji need one: between two letters that are no Latin ones, or two symbols."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return bool(before and after) and all(unicodedata.category(one) in ("Lo", "Mn", "Mc", "So", "Sk") for one in (before, after))


def _at(path: str, text: str, offset: int, check: str, message: str, help: str) -> Finding:
    line = text.count("\n", 0, offset) + 1
    return Finding("warning", check, "agent", message, path, line, line, 1, help)
