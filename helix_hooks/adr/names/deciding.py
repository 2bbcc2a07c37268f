"""Recognise the words of a decision, in English and German. Pure."""

import re

_DECIDED = re.compile(
    r"(?i)\b(?:we|team|i)(?:['’](?:ve|ll)|\s+(?:have|has|had|are|were|will))?(?:\s+\w+)?\s+"
    r"(?:decided?|chose|chosen|opt(?:ed)?|agreed?|selected|settled|adopt(?:ed)?)\b"
    r"|\b(?:we|team)(?:['’]ll|\s+will|\s+shall|\s+are\s+going\s+to)\b"
    r"|\bwe(?:['’]re|\s+are)\s+(?:implement|us|start|mov|adopt|introduc|switch|replac|keep)ing\b"
    r"|\b(?:was|were|is|are|be|been)\s+(?:\w+\s+)?(?:decided|chosen|agreed|selected)\b"
    r"|\bdecided\s+(?:to|that|on|upon|for|against|not)\b"
    r"|\b(?:the|our|a)\s+decision\s+(?:is|was|has\s+been)\s+(?:made\s+|taken\s+)?(?:to|that)\b"
    r"|\b(?:wir\s+(?:haben\s+uns|entscheiden|werden|verwenden|nutzen|setzen)|entschieden)\b"
)

_DENIED = re.compile(
    r"(?i)(?:\b(?:not|never|nothing|none|no\s+\w+|nobody|nicht|noch)|n['’]t)\s+"
    r"(?:(?:has|have|had|is|was|were|are|been|yet|nicht|formally|finally)\s+)*"
    r"(?:decided|chosen|agreed|selected|entschieden)\Z"
    r"|\b(?:to|should|must|can|could|may|might|will|cannot)\s+(?:be\s+)?(?:\w+\s+)?"
    r"(?:decided?|agreed?)\Z"
    r"|\bbe\s+(?:\w+\s+)?(?:chosen|selected)\Z"
    r"|\b(?:if|whether|until|unless)\s+(?:[\w-]+\s+){0,3}\w+\Z"
)
"""The end of a text up to a word of a decision that was not, or is not yet, taken."""
_LATER = re.compile(
    r"(?i)\s+(?:\w+\s+)?(?:decide|discuss|see)\b|\s+(?:\w+\s+){0,3}(?:entscheiden|besprechen)\b"
)
"""Words after "we will" that announce a later decision."""
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
        if _is_taken(text, *match.span()):
            return True
    return is_open and _PROPOSED.search(text) is not None


def _is_taken(text: str, start: int, stop: int) -> bool:
    """Return whether the words of a decision are not denied: "not yet decided", "we will see"."""
    if _DENIED.search(text[max(0, start - _BEFORE) : stop]):
        return False
    return not _LATER.match(text[stop : stop + _BEFORE])
