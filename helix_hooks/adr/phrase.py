"""Does a text say something, or say that it is not so?

`neu` is not in `erneut`, `API` not in `Kapitel`, and "keine Breaking Changes" is not a breaking change.
"""

import re
from functools import lru_cache

_ENDINGS = "(?:s|es|e|en|er|em|n)?"
_NEGATORS = frozenset(
    "no not non never without none neither nor zero avoid avoids avoided avoiding isn't aren't doesn't don't "
    "kein keine keinen keiner keinem keines keinerlei nicht ohne nie niemals weder vermeidet vermeiden "
    "pas sans aucun aucune ningún ninguna sin nenhum nenhuma sem nessun nessuna senza non geen niet zonder".split()
)
_EMPHATIC = frozenset(("only", "nur", "just", "merely", "bloß"))
_CLAUSE_END = re.compile(r"[.!?;:|\n](?=\s|$)|\n")
_WORD = re.compile(r"[\w']+")
_DENIED_AFTER = re.compile(
    r"[*_\s]*(?:[:|=–—-]|\n)[*_\s|]*(?:none|no|not|nothing|keine?[rsnm]?|nein|nicht|n/a|0|false|aucune?|ningun[oa]|nenhum|nessun[oa]?|geen)\b"
    r"|[*_]*\s+(?:are|is|were|will be|sind|ist|werden|wird)\s+(?:not|never|avoided|nicht|vermieden|ausgeschlossen)\b",
    re.IGNORECASE,
)
_REACH = 3


def says(text: str, phrase: str) -> int | None:
    """The offset at which a text asserts a phrase; None when it does not, or only in a negation.

    Words are matched whole, in any case, with German and English endings, across line breaks and emphasis. A negation
    counts up to three words before the phrase in the same clause, and right behind it (`Breaking changes: none`).
    """
    for match in _pattern(phrase).finditer(text):
        if not _denied_before(text[max(0, match.start() - 80) : match.start()]) and not _DENIED_AFTER.match(text, match.end()):
            return match.start()
    return None


@lru_cache(maxsize=256)
def _pattern(phrase: str) -> re.Pattern[str]:
    words = r"[\s*_-]+".join(re.escape(word) for word in phrase.split())
    return re.compile(rf"(?<!\w){words}{_ENDINGS}(?!\w)", re.IGNORECASE)


def _denied_before(before: str) -> bool:
    words = _WORD.findall(_CLAUSE_END.split(before)[-1].casefold())[-_REACH:]
    denied = [index for index, word in enumerate(words) if word in _NEGATORS]
    return bool(denied) and not _EMPHATIC.intersection(words[denied[-1] + 1 :])
