"""Recognise a decision that is stated outside of a section Decision."""

import re

from .blank import is_blank
from .heading import Meanings
from .status import Statuses

_LABEL = r"(?m)^[^\w\n]{0,12}([^\W\d_][^\n:：]{2,40})[:：](?!//)(?:[^\w\n]{0,9}\n)?([^\n]{1,200})"
"""A label and its text: `Decision: use Kafka`, `- **Outcome**: Kafka`."""
_DECIDED = re.compile(
    r"(?i)\b(?:we|team|i)(?:['’](?:ve|ll)|\s+(?:have|has|had|are|were|will))?(?:\s+\w+)?\s+"
    r"(?:decided?|chose|chosen|opt(?:ed)?|agreed?|selected|settled|adopt(?:ed)?)\b"
    r"|\b(?:we|team)(?:['’]ll|\s+will|\s+shall|\s+are\s+going\s+to)\b"
    r"|\bwe(?:['’]re|\s+are)\s+(?:implement|us|start|mov|adopt|introduc|switch|replac|keep)ing\b"
    r"|\b(?:was|were|is|are|be|been)\s+(?:\w+\s+)?(?:decided|chosen|agreed|selected)\b"
    r"|\bdecided\s+(?:to|that|on|upon|for|against|not)\b"
    r"|\b(?:wir\s+(?:haben\s+uns|entscheiden|werden|verwenden|nutzen|setzen)|entschieden)\b"
    r"|\b(?:nous\s+(?:avons|allons|utiliser\w*|choisi\w*|adopt\w*)|a\s+été\s+(?:décidé|choisi))\b"
    r"|\b(?:(?:hemos\s+)?decidi(?:do|mos)|se\s+(?:ha\s+)?decid\w+|vamos\s+a|usaremos|utilizaremos"
    r"|optamos|foi\s+(?:decidid|escolhid)[ao]|adotaremos|adoptaremos)\b"
    r"|\b(?:abbiamo\s+(?:deciso|scelto)|si\s+è\s+(?:deciso|scelto)|useremo|adotteremo)\b"
    r"|\b(?:besloten|gekozen|we\s+(?:gaan|kiezen|gebruiken))\b"
    r"|решил[иа]?\b|решено|决定|決定|采用|採用|결정|채택"
)

_PROPOSED = re.compile(
    r"(?i)\b(?:propos(?:es?|als?|ing)|suggest\w*|recommend\w*|should|vorschlag\w*|soll(?:te)?n?"
    r"|propon\w*|propuesta|proposta|devrait|debería\w*|deveria\w*|dovrebbe\w*|voorstel\w*)\b"
)


def is_labelled(text: str, meanings: Meanings, statuses: Statuses) -> bool:
    """Return whether a line of a text states the decision after a label.

    `Decision: accepted` is a status and does not count.
    """
    return any(
        "decision" in meanings.of(match[1])
        and not is_blank(match[2])
        and not statuses.read(match[2])
        for match in re.finditer(_LABEL, text)
    )


def mentions_decision(text: str, is_open: bool = False) -> bool:
    """Return whether a text says that something was decided, or what its authors will do.

    In an ADR whose status `is_open`, the words of a proposal count too.
    """
    return bool(_DECIDED.search(text) or (is_open and _PROPOSED.search(text)))
