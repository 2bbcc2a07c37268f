"""Tell what a criterion says about its files: that they are there, or gone. Pure.

The names in the text are marks, one private character each. A mention is not a claim: where a
sentence speaks of a removal in other words than the plain ones below, it is open which of its files
must be there. Nothing is created or deleted because of such a sentence.
"""

import re

THERE, GONE, OPEN = "there", "gone", "open"
"""The claims of a criterion about a name. `open`: a removal is mentioned, but not plainly of it."""

FIRST_MARK, LAST_MARK = "\ue000", "\uf8ff"
MARKS = f"[{FIRST_MARK}-{LAST_MARK}]"

_LIST = rf"(?:(?:the|die|der|das) )?{MARKS}(?:(?:,|,? (?:and|or|und|oder)) {MARKS})*"
_IS = r"(?:(?:is|are|was|were|has been|have been|must be|ist|sind|wird|werden|wurden?) )?"
_PLAINLY_GONE = re.compile(
    rf"{_LIST} {_IS}(?:gone|removed|deleted|entfernt|gelöscht|weg)"
    rf"|{_LIST} (?:no longer exists?|(?:does|do|must) not exist|gibt es nicht mehr)"
    rf"|(?:remove|delete|removed:|deleted:|entferne|lösche) {_LIST}"
    rf"|there (?:is|are) no (?:longer )?{_LIST}",
    re.IGNORECASE,
)
_ACTS = re.compile(
    rf"({_LIST}) (?:removes|deletes|drops|replaces|supersedes|löscht|ersetzt) ", re.IGNORECASE
)
"""A file that removes something is there."""
_HINT = re.compile(
    r"\b(?:remov|delet|gone\b|drop|eras|elimin|purg|retir|replac|supersed|renam|"
    r"mov(?:e[sd]?|ing)\b|no longer|no more|any ?more\b|not? exist|ceas|absent|vanish|disappear|"
    r"obsolet|discard|abolish|abandon|"
    r"rid of|taken? out|thrown? (?:away|out)|merged? into|folded|inlined|"
    r"split into|was once|(?:is|are) (?:missing|unused)|"
    r"entfern|gelöscht|lösch|weg\b|fort\b|entf[aä]ll|f[aä]llt? weg|ersetz|umbenannt|umbenenn|"
    r"verschoben|verschieb|nicht (?:mehr|länger)|existiert nicht|verschw|abgeschafft|gestrichen|"
    r"ausgebaut|abgelöst|heißt (?:jetzt|nun)|überflüssig|"
    r"supprim|rimoss|borrad|ya no|no existe|non esiste|não existe|verwijder)|"
    r"n[’']t (?:exist|there)|n[’']existe|→|->|=>|"
    r"\b(?:no|without|instead of|in place of|keine?n?|ohne|statt|anstelle)\b"
    rf"(?: [\w-]+){{0,2}} {MARKS}",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"[*~\"`“”„]+|^\W*x\] ")
_ENDS = re.compile(r"[.;!?](?:\s|$)")


def claims_in(marked: str) -> dict[str, str]:
    """Return what a criterion says about each mark in it: `THERE`, `GONE` or `OPEN`."""
    text = " ".join(_EMPHASIS.sub("", marked).split())
    sentences = [sentence.strip() for sentence in _ENDS.split(text)]
    # "It is removed." says nothing about which file.
    is_open = any(_HINT.search(item) for item in sentences if not re.search(MARKS, item))
    claims: dict[str, str] = {}
    for sentence in sentences:
        claims |= _in_sentence(sentence, is_open=is_open)
    return claims


def _in_sentence(sentence: str, *, is_open: bool) -> dict[str, str]:
    marks = re.findall(MARKS, sentence)
    if _PLAINLY_GONE.fullmatch(sentence):
        return dict.fromkeys(marks, GONE)
    if not (is_open or _HINT.search(sentence)):
        return dict.fromkeys(marks, THERE)
    claims = dict.fromkeys(marks, OPEN)
    acting = _ACTS.match(sentence)
    if acting:
        claims |= dict.fromkeys(re.findall(MARKS, acting[1]), THERE)
    return claims
