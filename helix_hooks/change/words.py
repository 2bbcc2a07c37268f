"""The words of a visible text: which of them count, which change its meaning, and which texts are
values of a label or belong to a status.
"""

import re

from ..adr.names import statuses

_MOST_FREE = 6
"""Maximum words of a label or field that may change; a longer one is text."""
_NAME = 4
"""Maximum words of a name in a list of names."""
_MOST_STATUS = 3
"""Maximum words of an unknown status."""
_MOST_TITLE = 16
"""Maximum words of the title of an ADR after its id."""
_URL = r"(?:https?://|www\.)[^\s)>]+"
_DATE = (
    r"\d{4}[-./]\d{1,2}[-./]\d{1,2}(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?"
    r"|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}"
)
_ADR_ID = r"(?i)\badrs?[-_ #]*\d+(?:[-_.]\d+)*|#\d+"
_BESIDE_STATUS = frozenset(
    "by with on in favor favour of at since as from date and the see new decision through via "
    "durch am seit von ab zum mit "
    "par en le depuis por el desde em da dal con op door sinds partially partly teilweise "
    "supersedes superseded superseding supersede supercedes superceded replaces replaced obsoletes "
    "obsoleted amends amended ersetzt löst ab "
    "abgelöst remplace remplacé remplacée reemplaza reemplazado sustituye sustituido substitui "
    "substituído sostituisce sostituito "
    "vervangt vervangen status adr adrs".split()
)
"""Words between a status, a date and a successor."""
ASSERTING = frozenset("proposal proposed rejected vorschlag lösungsvorschlag verworfene".split())
"""Words of known headings that give the state of their sections."""
_REPLACING = ("supers", "superc", "replac", "obsolet", "amend")
_SIGN = r"[?<>≤≥≠±%$€£✅❌✔✘✓✗]|!=|(?<=\w)(?:\+\+|#)|(?<![\w.])[-−](?=\d)"
"""Signs that reverse the meaning of a text, or give the unit of a number."""
_LETTERS = r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]"
"""A letter of a script without blanks between words; each is a word."""
_WORD = (
    rf"{_SIGN}|\d+(?:[.,:]\d+)*|{_LETTERS}|(?:(?!{_LETTERS})[^\W\d_])+(?:['’](?:"
    rf"(?!{_LETTERS})[^\W\d_])+)?"
)
_QUIET = r"\w\s.,;:!'\"’‘‚“”„«»‹›()\[\]{}#`/‐‑–—…·•、。，．：；！・（）「」『』【】《》〈〉-"
"""Words, blanks and the punctuation of prose, which may change; all other signs count."""
_JOINED = r"!(?=[\w(])|(?<=\d)[-–](?=\d)|(?<=\w)_(?=\w)"
"""Signs that are significant only in some places."""
_END = r"[.!](?=[\"'’”»)\]]*(?:\s|$))|[。！．]"
"""Signs that end a sentence."""
_ADDRESS = r"(?:https?://|www\.)[^\s<>]*[^\s<>.,;:!?'\")\]]"
"""A visible address, without the punctuation after it."""
_TOKEN = rf"{_ADDRESS}|{_JOINED}|{_END}|{_WORD}|[^{_QUIET}]"
_CODE_TOKEN = r"\n[ \t\n]*(?=[^ \t\n])|(?<![^\n])[ \t]+(?=\S)|\d+(?:[.,:]\d+)*|[^\W\d_]+|[^\w\s]|_"
"""In a code block each sign counts, and the indentation of its lines."""
_TELLING = frozenset(
    "must shall should may might can could will would required optional recommended never always "
    "only not no none nor neither without unless yes "
    "except cannot can't don't doesn't won't isn't aren't mustn't shouldn't one two three four "
    "five six seven eight nine ten twenty thirty sixty "
    "hundred thousand million k ms kb mb gb tb seconds minutes hours days weeks months years "
    "muss müssen soll sollen sollte darf dürfen kann können wird werden nicht kein keine keinen "
    "keiner keines nie niemals immer nur ohne außer "
    "zwei drei vier fünf sechs sieben acht neun zehn zwanzig dreißig hundert tausend sekunden "
    "minuten stunden tage wochen monate jahre "
    "doit doivent peut jamais toujours sans ne pas aucun aucune debe deben puede nunca siempre sin "
    "ningún "
    "deve devono devem può pode mai sempre senza sem não non nessun nenhum moet moeten mag kan "
    "niet geen nooit altijd zonder "
    "не нет без должен должна должны может нельзя никогда "
    "不 没 無 无 非 必 须 須 应 可 禁 勿".split()
)
"""Words that change the meaning of a sentence: modals, negations, numbers, units."""


def words_of(text: str) -> list[str]:
    """Return the words of a visible text, and the signs that change its meaning."""
    return re.findall(_WORD, re.sub(_URL, " ", text).replace("’", "'"))


def tokens_of(text: str, code: bool) -> list[str]:
    """Return the words of a visible text, and all signs that count."""
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFC", text)
    if code:
        lines = "\n".join(line.rstrip() for line in text.rstrip().split("\n")).lstrip("\n")
        return [re.sub(r"\n+", "\n", token) for token in re.findall(_CODE_TOKEN, lines)]
    return [token.replace("–", "-") for token in re.findall(_TOKEN, text.replace("’", "'"))]


def is_address(word: str) -> bool:
    """Return whether a word is a visible address."""
    return re.match(_ADDRESS, word) is not None


def is_term(word: str) -> bool:
    """Return whether a word is a known term: a status, a word that gives one, or a name with
    capitals inside, such as HTTPS.
    """
    if word[1:] != word[1:].lower():
        return True
    plain = word.casefold()
    return plain in statuses().names or plain in ASSERTING or plain.startswith(_REPLACING)


def free(text: str) -> bool:
    """Return whether a value of a label may change: it has only ids, names, dates, links and tags,
    and no word that changes a meaning.
    """
    if text.isascii() and text.isdigit():
        return True
    plain = re.sub(_ADR_ID, " ", re.sub(_DATE, " ", re.sub(_URL, " ", text)))
    if any(map(_changes_meaning, words_of(plain))):
        return False
    words = [word for word in plain.split() if any(map(str.isalnum, word))]
    return len(words) <= _MOST_FREE or _are_names(plain)


def _changes_meaning(word: str) -> bool:
    """Return whether a word is telling and not a number."""
    return is_telling(word) and not word[0].isdigit()


def _are_names(text: str) -> bool:
    """Return whether a text is a list of names."""
    items = re.split(r"[,;&\n]|\band\b|\bund\b", text)
    return all(_is_name(item.split()) for item in items)


def _is_name(words: list[str]) -> bool:
    return len(words) <= _NAME and all(map(_begins_a_name, words))


def _begins_a_name(word: str) -> bool:
    return word[0] in "@([<" or word[0].isupper() or word[0].isdigit()


def beside_status(text: str) -> str:
    """Return a status without status words, dates, and the ids and titles of other ADRs."""
    rest = re.sub(_DATE, " ", re.sub(_URL, " ", text))
    rest, *after_ids = re.split(_ADR_ID, rest)
    for part in after_ids:
        title = words_of(part)
        if len(title) > _MOST_TITLE or any(map(is_telling, title)):
            rest += f" {part}"
    names = statuses().names
    left: list[str] = []
    for word in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", rest):
        plain = word.casefold()
        if plain not in _BESIDE_STATUS and plain not in names and not word.isdigit():
            left.append(word)
    return " ".join(left)


def beside_status_value(text: str) -> str:
    """Return `beside_status` of the value of a status; a short unknown status counts as one."""
    words = [word.casefold() for word in words_of(text)]
    is_unknown = statuses().names.keys().isdisjoint(words) and len(words) <= _MOST_STATUS
    if is_unknown and not any(map(is_telling, words)):
        return ""
    return beside_status(text)


def is_telling(word: str) -> bool:
    """Return whether a sentence has another meaning without a word."""
    if word[0].isdigit() or word.casefold().replace("’", "'") in _TELLING:
        return True
    return re.fullmatch(_SIGN.replace(r"(?<=\w)", ""), word) is not None


def is_title(text: str) -> bool:
    """Return whether the text of a link may be the title of an ADR."""
    words = words_of(text)
    return len(words) <= _MOST_TITLE and not any(map(_changes_meaning, words))
