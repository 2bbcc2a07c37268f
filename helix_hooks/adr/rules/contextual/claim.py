"""Decide whether a text claims a phrase of its own decision, or only mentions it.

`This is a breaking change` is a claim. These are not: a definition (`every renamed field is a
breaking change`), a rule (`a breaking change ships as a new version`), what others do, and what may
come later.
"""

import re

_BLOCK = r"\n\s*\n|\n- |\n \| "
_SENTENCE = r"(?<=[.!?])\s+"
_MARKS = " \t\n*_-|#>(⚠️✅❌🔴"
_GENERAL = (
    r"\b(?:every|each|any|all|always|typically|usually|generally|whenever|wherever|later|eventually"
    r"|someday|future|jede[rsnm]?|immer|später|künftig\w*|cada|qualquer|cualquier|toujours|chaque"
    r"|ogni|elke|altijd|semver|versioning)\b"
)
_RECONSIDER = r"\W*(?:revisit|review|reconsider|re-?open|re-?visited|major|minor|patch)\b"
_INDEFINITE = (
    r"(?:^|[,;:—–(]\s*|\b(?:that|so|and|but|because)\s+)"
    r"(?:an?|every|each|any|ein\w*|jede[rs]?|una?|une|um|uma)\s"
    r"[^,;:]{1,160}\b(?:is|are|counts?(?: as)?|becomes?|means|ist|gilt als|es|é|est|è)\s+"
    r"(?:(?:also|always|therefore)\s+)?(?:an?|ein\w*|una?|une|um|uma)?\s*$"
)
_WORDS = (
    r"(?:(?!that\b|whether\b|how\b|when\b|if\b|to\b|for\b|of\b|by\b|and\b|or\b|but\b)"
    r"[\w'’\u2011-]+[,:]?\s+){0,5}"
)
_VERBS = (
    r"(?:is|are|was|were|be|been|becomes?|means?|ist|sind|wird|werden|bedeutet|est|sont|sono"
    r"|são|è|é|introduc\w+|caus\w+|creat\w+|leads? to|results? in|brings?|contains?"
    r"|impl(?:y|ies)|involves?|entails?|constitutes?|represents?|makes? (?:it|this|that)|has|have"
    r"|had|comes? with|avoid|accept\w*"
    r"|verursach\w+|führ\w+ zu|bringt|enthält|enthalten|ohne|causa\w*|introduz\w*"
    r"|introduc\w*|provoca\w*|implica\w*|entraîne\w*|introduit|comporta\w*)"
)
_CLAIMED = rf"\b{_VERBS}\s+{_WORDS}$"
_LABEL = r"[*_)]*\s*(?:[:—–]|-\s|$|\n\s*\n)"
_LABELLED = r"[*_)]*\s+(?:for|to|für)\b"
_DOES = (
    r"s?[*_]*\s+(?:require|must|will|are|need|affect|have|has|is|apply|werden|sind|müssen"
    r"|betreffen)\b"
)
_ARTICLE = r"(?:^|[,;:]\s)an?\s+$"
_NEEDS = (
    r"\s+(?:that|which|ships|gets|requires?|needs?|must|is|means|can|cannot|may|should|has|takes"
    r"|lands)\b"
)


_QUANTIFIER = r"\b(?:every|each|any|jede[rs]?)\s+$"
_QUESTION = r"[^.!\n]{0,120}\?"
_DETERMINER = r"\b(?:the|these|those|our|its|this|die|diese|unsere)\s+$"
_COMES = r"\s+(?:follows?|is coming|comes|remains)\b"


def defines(before: str, after: str) -> bool:
    """Return whether the text around a phrase defines it, says what it needs, or asks about it.

    `before` and `after` are the text on both sides of the phrase.
    """
    sentence = re.split(_SENTENCE, _block(before))[-1]
    if re.search(_INDEFINITE, sentence) or re.search(_QUANTIFIER, sentence):
        return True
    if re.match(_QUESTION, after):
        return True
    return bool(re.search(_ARTICLE, sentence) and re.match(_NEEDS, after))


def claims(before: str, phrase: str, after: str) -> bool:
    """Return whether the text around a phrase claims it of the decision.

    `before` and `after` are the text on both sides of the phrase.
    """
    block = _block(before)
    sentence = re.split(_SENTENCE, block)[-1]
    if before.endswith("-") or re.match(_RECONSIDER, block) or re.search(_GENERAL, sentence):
        return False
    # Other phrases ("breaks compatibility") are claims without a frame around them.
    is_noun = phrase.casefold().rstrip("s").endswith("change")
    return not is_noun or _framed(sentence, phrase, after)


def _block(before: str) -> str:
    """Return the last paragraph, list item or cell of a text, on one line and in lower case."""
    return re.split(_BLOCK, before)[-1].replace("\n", " ").casefold()


def _framed(sentence: str, phrase: str, after: str) -> bool:
    """Return whether a noun is the object of a claim, a label, or names the coming change."""
    if not sentence.strip(_MARKS):
        is_singular = not phrase.casefold().endswith("s")
        return bool(re.match(_LABEL, after) or (is_singular and re.match(_LABELLED, after)))
    if re.search(_CLAIMED, sentence):
        return True
    if re.search(_DETERMINER, sentence) and re.match(_DOES, after):
        return True
    return bool(re.search(_ARTICLE, sentence) and re.match(_COMES, after))
