"""Tell which files and tests a criterion says are gone. Pure.

The names in the text are marks, one private character each. A mention is not a claim: a sentence
about a removal that is not understood leaves it open whether its files must be there.
"""

import re
from collections.abc import Iterator

THERE, GONE, OPEN = "there", "gone", "open"
"""What a sentence says about a name. `open`: it speaks of a removal, and it is unclear of which."""

FIRST_MARK, LAST_MARK = "\ue000", "\uf8ff"
MARKS = f"[{FIRST_MARK}-{LAST_MARK}]"

_NOUN = (
    r"(?:(?:old|former|whole|entire|legacy|files?|modules?|scripts?|folders?|director(?:y|ies)|"
    r"tests?|an?|any|the|all|both|alten?|alles?|beiden?|dateien?|die|der|das|den|ordner|"
    r"module?)\s+)"
)
_GROUP = (
    rf"{MARKS}(?:(?:[\s,&/+()]|and\b|or\b|und\b|oder\b|sowie\b|as well as\b|{_NOUN})*+{MARKS})*+"
)
_HELPING = (
    r"(?:(?:is|are|was|were|be|been|being|has|have|had|gets?|got|will|shall|must|should|do|does|to|"
    r"which|that|now|then|also|all|both|already|completely|fully|entirely|finally|permanently|"
    r"files?|folders?|modules?|itself|ist|sind|wird|werden|wurden?|worden|sein|muss|müssen|"
    r"sollen?|darf|dürfen|jetzt|nun|auch|alle|beide|vollständig|komplett|ganz|endgültig|zu)\s+)*"
)
_THERE = r"(?:there|present|here|around|in (?:the|this) (?:repository|repo|tree|project))"
_DA = r"(?:da|vorhanden|im (?:repository|projekt))"
_REMOVED = (
    r"(?:gone|removed|deleted|dropped|eliminated|erased|purged|absent|replaced|superseded|"
    rf"(?:not|no longer) (?:exist|{_THERE})|(?:no longer|not any ?more) exists?|"
    r"exists? no (?:more|longer)|"
    r"(?:doesn't|don't|mustn't|shouldn't|doesn’t|don’t) exist|ceases? to exist|"
    rf"(?:isn't|aren't|isn’t|aren’t) {_THERE}|no more|"
    r"entfernt|entfernen|gelöscht|löschen|weg|fort|verschwunden|abgeschafft|gestrichen|entfällt|"
    rf"entfallen|ersetzt|fällt weg|fallen weg|nicht(?: mehr)? (?:{_DA}|existieren)|"
    r"existier(?:t|en) nicht|gibt es nicht(?: mehr)?|gibt es keine?n? mehr)"
)
_REST = (
    r"(?=\s*(?:$|[,)]|(?:and|or|und|oder|any ?more|any longer|again|now|completely|entirely|fully|"
    r"with|after|before|in (?:this|the|favou?r)|by|mehr|jetzt|nun|werden|worden|wird|wurde|sein|"
    r"ist|sind|mit|nach|from (?:the|this) (?:repository|repo|tree|code ?base|project|disk)|"
    r"remains?|is left|exists?|aus dem (?:repository|repo|projekt))\b))"
)
_START = (
    r"(?:^[^\w\ue000-\uf8ff]*(?:x\]\s*)?|[,:(]\s*|"
    r"\b(?:to|and|we|must|should|will|shall|then|und|wir)\s+)"
)
_VERB = (
    r"(?:remove|delete|drop|eliminate|erase|retire|purge|git rm|get rid of|"
    r"lösche|entferne|streiche|"
    r"remov(?:ed|ing)|delet(?:ed|ing)|dropp(?:ed|ing)|gelöscht|entfernt)"
)
_NONE = (
    r"\b(?:there (?:is|are|was|must be|should be|shall be|will be) (?:no longer|no|not) |"
    r"(?:the )?(?:removal|deletion) of |es gibt (?:keine?n?|nicht mehr) |no (?=[\ue000-\uf8ff]))"
)
_LISTED = (
    r"\b(?:gone|removed|deleted|dropped|obsolete|entfernt|gelöscht|removals?|deletions?)\s*:\s*"
)

_CHANGE = r"(?:replaced?|ersetzen?|move|moved|rename|renamed|git mv)"
_CHANGED = r"\b(?:ersetzt|ersetzen|verschoben|verschieben|umbenannt|umbenennen)\b"

_GONE = (
    rf"(?<!durch )(?P<gone>{_GROUP}),?\s*{_HELPING}{_REMOVED}{_REST}",
    rf"{_START}{_VERB}\s*:?\s*{_NOUN}*(?P<gone>{_GROUP}){_REST}",
    rf"{_NONE}\s*{_NOUN}*(?P<gone>{_GROUP})",
    rf"{_LISTED}{_NOUN}*(?P<gone>{_GROUP})",
    rf"{MARKS}\s+(?:replaces|supersedes|ersetzt)\s+{_NOUN}*(?P<gone>{_GROUP}){_REST}",
    rf"{_START}{_CHANGE}\s+{_NOUN}*(?P<gone>{_GROUP})\s+(?:with|by|through|durch|(?:in)?to|as)\b",
    rf"(?P<gone>{_GROUP})\s+{_HELPING}(?:moved|moves|move|renamed|relocated)\s+(?:in)?to\b",
    rf"(?P<gone>{_GROUP})\s+{_HELPING}(?:durch|nach|in|zu)\s[^,;]{{1,200}}?{_CHANGED}",
    rf"(?P<gone>{_GROUP})\s+heißt (?:jetzt|nun|künftig)\b",
)
_DOES = r"(?:removes|deletes|drops|replaces|supersedes|moves|renames|löscht|entfernt|ersetzt)"
_ACTS = (
    rf"(?P<there>{_GROUP})\s+(?:\w+ly\s+)?{_DOES}\s+(?=\S)",
    rf"(?P<there>{_GROUP})\s+(?:no longer|nicht mehr)\s+(?!exists)[a-z]{{2,30}}s\b",
    rf"\b(?:to|by|with|into|durch|nach)\s+{_NOUN}*(?P<there>{_GROUP})",
)
_HINT = (
    r"\b(?:remov|delet|gone\b|drop|eras|elimin|purg|retir|replac|supersed|renam|mov(?:e|es|ed|"
    r"ing)\b|"
    r"no longer|no more|any ?more\b|not? exist|ceas|absent|vanish|disappear|obsolet|discard|"
    r"abolish|"
    r"abandon|(?:get|gets|got|be) rid of|taken? out|thrown? (?:away|out)|merged? into|folded|"
    r"inlined|"
    r"split into|was once|(?:is|are) (?:missing|unused)|entfern|gelöscht|lösch|weg\b|fort\b|"
    r"entf[aä]ll|f[aä]llt? weg|ersetz|umbenannt|umbenenn|verschoben|verschieb|nicht mehr|"
    r"nicht länger|"
    r"existiert nicht|verschw|abgeschafft|gestrichen|ausgebaut|abgelöst|heißt (?:jetzt|nun)|"
    r"überflüssig|"
    r"supprim|rimoss|borrad|ya no|no existe|non esiste|não existe|verwijder)|n[’']t (?:exist|"
    r"there)|"
    r"n[’']existe|→|->|=>|\b(?:no|without|instead of|in place of|keine?n?|ohne|statt|anstelle)\b"
    rf"(?: [\w-]+){{0,2}} {MARKS}"
)
_CONDITION = (
    r"\b(?:if|when|once|unless|until|whether|in case|wenn|falls|sobald|solange|bis|cannot|can't)\b"
)
_BACK = r"^\W*(?:it|they|this|these|that|those|both|all|sie|es|er|diese\w*|beide|alle|the files?)\b"
_BOUNDARY = (
    r"[.;!?](?:\s|$)|\s[-\u2013\u2014]\s|\b(?:but|whereas|while|aber|sondern)\b|"
    rf"(?:,\s*(?:and|und)?|\b(?:and|und))\s+(?!\s|{_NOUN}*{MARKS}|"
    r"(?:and|und|or|oder|is|are|was|were|has|have|will|which|that|then|no|not|must|"
    r"ist|sind|wird|werden|wurde|wurden|die|der|das|gibt)\b)"
)
_EMPHASIS = re.compile(r"[*~\"`“”„]+")


def claims_in(marked: str) -> dict[str, str]:
    """Return what a criterion says about each mark in it: `THERE`, `GONE` or `OPEN`."""
    text = " ".join(_EMPHASIS.sub("", marked).split())
    clauses = _clauses(text)
    about_all = any(
        re.search(_HINT, clause, re.IGNORECASE) and re.match(_BACK, clause, re.IGNORECASE)
        for clause in clauses
    )
    claims: dict[str, str] = {}
    for clause in clauses:
        words = re.sub(rf"{MARKS}|\band\b|\bund\b|[\W_]", "", clause)
        is_open = about_all or re.search(_HINT, clause if words else text, re.IGNORECASE)
        claims.update(_in_clause(clause, OPEN if is_open else THERE))
    return claims


def _clauses(text: str) -> list[str]:
    """Split a text at the ends of sentences, and where another subject follows."""
    return [clause for clause in re.split(_BOUNDARY, text, flags=re.IGNORECASE) if clause.strip()]


def _in_clause(clause: str, otherwise: str) -> dict[str, str]:
    claims = dict.fromkeys(re.findall(MARKS, clause), otherwise)
    if otherwise == THERE:
        return claims
    claims.update(dict.fromkeys(_marked(_ACTS, clause, "there"), THERE))
    is_conditional = re.search(_CONDITION, clause, re.IGNORECASE)
    claims.update(dict.fromkeys(_marked(_GONE, clause, "gone"), OPEN if is_conditional else GONE))
    return claims


def _marked(patterns: tuple[str, ...], clause: str, group: str) -> Iterator[str]:
    """Yield the marks in a group of each match."""
    for pattern in patterns:
        for match in re.finditer(pattern, clause, re.IGNORECASE):
            yield from re.findall(MARKS, match[group])
