"""Recognise the words of a decision, in English and German. Pure."""

import re

_DECIDED = re.compile(
    r"(?i)\b(?:we|team|i)(?:['’](?:ve|ll)|\s+(?:have|has|had|are|were|will))?(?:\s+\w+)?\s+"
    r"(?:decided?|chose|chosen|opt(?:ed)?|agreed?|selected|settled|adopt(?:ed)?)\b"
    r"|\b(?:we|team)(?:['’]ll|\s+will|\s+shall|\s+are\s+going\s+to)\b"
    r"|\b(?:was|were|is|are|be|been)\s+(?:\w+\s+)?(?:decided|chosen|agreed|selected)\b"
    r"|\bdecided\s+(?:to|that|on|upon|for|against|not)\b"
    r"|\b(?:wir\s+(?:haben\s+uns|entscheiden|werden|verwenden|nutzen|setzen)|entschieden)\b"
)
_DENIED = re.compile(
    r"(?i)(?:\b(?:not|never|nothing|none|no\s+\w+|nobody|nicht|noch)|n['’]t)\s+"
    r"(?:(?:has|have|had|is|was|were|are|been|yet|nicht|formally|finally)\s+)*"
    r"(?:decided|chosen|agreed|selected|entschieden)\Z"
)
"""The end of a text up to a word of a decision that was not, or is not yet, taken."""
_BEFORE = 60
"""Characters before a word of a decision that may deny it."""
_PROPOSED = re.compile(
    r"(?i)\b(?:propos(?:es?|als?|ing)|suggest\w*|recommend\w*|should|vorschlag\w*|soll(?:te)?n?)\b"
)


def mentions_decision(text: str, is_open: bool = False) -> bool:
    """Return whether a text says that something was decided, or what its authors will do.

    In an ADR whose status `is_open`, the words of a proposal count too.
    """
    for match in _DECIDED.finditer(text):
        if not _DENIED.search(text[max(0, match.start() - _BEFORE) : match.end()]):
            return True
    return is_open and _PROPOSED.search(text) is not None
