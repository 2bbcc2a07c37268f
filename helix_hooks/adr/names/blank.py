"""Recognise blanks, the places in a template that the author must fill in, by their shape and by
the words of templates in each supported language.

Each function looks at the visible text of one block: a paragraph, list item, cell, heading or
field. "n/a", "none" and "not applicable" are answers, not blanks.
"""

import re
from collections.abc import Sequence

from .blank_words import (
    ANSWERS,
    ASKING,
    ASKING_ENDS,
    ASKING_STARTS,
    DANGLING,
    HINTS,
    INSTRUCTIONS,
    JOINING,
    NOUNS,
    OBJECTS,
    OPEN_ENDS,
    POLITE,
    SMALL_WORDS,
    TITLES,
)
from .heading import composed
from .number import DASHES

_LONGEST = 900
"""Characters of a block that may be a blank; hints of templates are shorter."""
_SHOWN = 60
"""Characters of a blank in a message."""
_LONGEST_HINT = 70
"""Words of a hint without marks."""
_LONGEST_WORDS = 60
"""Characters of the longest block that is a blank without marks around it, a hint apart."""
_FEW = 4
"""Most words around a blank that is still the whole of its block."""
_MARKS = " \t\n*_`~\"'“”„«»‘’#–—-+|.,;:!?…。：、，"
_OPENING = "¿¡([{<（【「［"
_WORD = r"[^\W_]+(?:['’.][^\W_]+)*"
_BRACKETS = "{[<"
_PARENTHESES = "(（"
_LOREM = "lorem ipsum"
_BRACES = r"(?<![$\\{#%\w}=])\{(?![{%#:])([^{}\n]{1,700})\}(?!\})"
_NESTED = r"(\{[^{}]{1,400})\{([^{}]{1,80})\}([^{}]{0,400}\})"
_ANGLES = r"<(?!https?:|mailto:)([^\W\d_][^<>\n]{0,400})>"
_INNER = r"(?:[^\[\]\n]|\[[^\[\]\n]{0,80}\](?:\([^()\n]{0,80}\))?){2,700}"
_SQUARES = rf"(?<![\w\]\[!])\[(?!\[)({_INNER})\](?![\[(:])"
_EMPTY_QUOTES = r"\"\s*\"|“\s*”|„\s*“|«\s*»|「\s*」"
_BLANKS = f"{_BRACES}|{_ANGLES}|{_SQUARES}|{_EMPTY_QUOTES}|\\.\\.\\.|…"
_CODE = r"[\"=;\\`]|\w:\s*['\d{\[]|->|\(\)"
_DATE_SIGNS = dict.fromkeys(map(ord, "./年月日"), "-")
_LONGEST_DATE = 16
_YEAR, _MONTH, _DAY = frozenset("yjaгx20"), frozenset("mмx"), frozenset("dtjgдx")
_LABELS = ("TODO", "FIXME", "TBD", "TBC")
_LABEL_ENDS = ("TODO", "XME", "TBD", "TBC")
"""Ends of the labels, to search for. `FI` is left out, since `I` has other lower-case letters."""
_LABEL = r"\W*(?:TODO|FIXME|TBD|TBC)\b\s*(?:[:：(–—-]|$)|\W*(?i:todo|fixme|tbd|tbc)\s*:"
_MARKER = r"(?<![\w`/-])(?:TODO|TBD|TBC|FIXME)(?=[:.)!?(]|\s*$|\s+[(–—-])"
_NUMBER = (
    r"(?i)\W*(?:adr[-_ #]*)?(?:\d+|n{2,}|0*x{2,}|number|nummer)\b\s*[-:.)]*\s*|\W*adr\s*[-:]\s*"
)

_ROW = frozenset(
    "name names date author role reason approver reviewer your name yyyy-mm-dd datum autor rolle "
    "nom rôle auteur nombre fecha nome data ruolo naam".split()
)
_DATES = frozenset("date datum fecha data yyyy-mm-dd".split())
"""Words of a blank row `name | date` below the head of a table."""

_FIRST_WORDS = (
    INSTRUCTIONS
    | POLITE
    | JOINING.difference(("and", "so", "that"))
    | {words.split(" ", 1)[0] for words in OPEN_ENDS}
    | {"lorem"}
)
_FIRST_PAIRS = {" ".join(hint.split()[:2]) for hint in HINTS}


def is_plain_start(line: str) -> bool:
    """Return whether a line cannot begin a blank, so that its block needs no closer look."""
    words = line[:_LONGEST_WORDS].lower().split(maxsplit=2)
    first = words[0].rstrip(",:;.") if words else ""
    return (
        first.isalpha()
        and first.isascii()
        and first not in _FIRST_WORDS
        and " ".join(words[:2]) not in _FIRST_PAIRS
        and not _few_before(line)
    )


def is_blank(text: str, emphasised: bool = False) -> bool:
    """Return whether a whole block is a blank: a text in the brackets of a template, words for "not
    yet written", dots, or the words of a template without content between them.
    """
    plain = composed(text.strip())
    if not emphasised and is_plain_start(plain):
        return False
    marked = emphasised or plain[:1] in _PARENTHESES or _few_before(plain)
    if len(plain) > (_LONGEST if marked else _LONGEST_WORDS):
        return plain[:_LONGEST_WORDS].strip(_MARKS).casefold().startswith(_LOREM)
    if is_ellipsis(plain):
        return True
    core = plain.strip(_MARKS).casefold()
    if core.startswith(_LOREM) or " ".join(core.split()) in OPEN_ENDS or is_date(core):
        return True
    return (emphasised and _asks(core)) or _marked(plain)


def is_ellipsis(text: str) -> bool:
    """Return whether a block is dots alone; in a list or table they may mean "and so on"."""
    return ("..." in text or "…" in text) and not any(map(str.isalnum, text))


def is_left_over(text: str) -> bool:
    """Return whether a block between real text is a blank of a template, by its marks alone."""
    plain = text.strip()
    return len(plain) <= _LONGEST and _few_before(plain) and _marked(plain)


def is_label(text: str) -> bool:
    """Return whether a block begins with a mark such as `TODO:`, which makes all of it a task."""
    beginning = text[:_LONGEST_WORDS]
    upper = beginning.upper()
    return any(label in upper for label in _LABEL_ENDS) and bool(re.match(_LABEL, beginning))


def markers(text: str) -> list[str]:
    """Return the marks such as TODO in a text, without the word inside a sentence."""
    return re.findall(_MARKER, text) if any(label in text for label in _LABELS) else []


def is_hint(text: str) -> bool:
    """Return whether a text without marks is the hint of a template; asked only of text that
    stands alone in its section.
    """
    if len(text) > _LONGEST:
        return False
    plain = " ".join(text.replace("’", "'").casefold().split()).strip(_MARKS + _OPENING)
    words = plain.split(" ", _LONGEST_HINT)
    if len(words) > _LONGEST_HINT or is_plain_start(plain):
        return False
    if plain.startswith((*HINTS, *ASKING_STARTS)) or (
        plain.rstrip("。.）)」").endswith(ASKING_ENDS)
    ):
        return True
    told = [word.strip(_MARKS) for word in words if word not in SMALL_WORDS]
    return bool(told) and told[0] in INSTRUCTIONS and not OBJECTS.isdisjoint(told[1:3])


def is_blank_title(text: str) -> bool:
    """Return whether a title, its number apart, is a blank or names no decision."""
    number = re.match(_NUMBER, text[:_LONGEST_WORDS].translate(DASHES))
    rest = text[number.end() :] if number else text
    names = {" ".join(re.findall(_WORD, part[:_LONGEST].casefold())) for part in (rest, text)}
    return not TITLES.isdisjoint(names) or is_blank(rest)


def is_blank_row(cells: Sequence[str]) -> bool:
    """Return whether a row of a table has only blanks, or names of columns such as a date."""
    texts = [cell for cell in cells if cell.strip()]
    if texts and all(map(is_blank, texts)):
        return True
    names = {cell.strip().casefold() for cell in texts}
    return len(texts) > 1 and len(names) == len(texts) and names <= _ROW and bool(names & _DATES)


def is_blank_value(text: str) -> bool:
    """Return whether the value of a header field is a blank.

    `todo` in small letters may be the name of a component; capitals in braces are people's names.
    """
    if text == "todo" or text[-1:].isdigit() or not is_blank(text):
        return False
    inner = text.strip(" {}") if text[:1] == "{" else ""
    return not inner[:1].isupper() or is_date(inner) or _asks(inner)


def is_lower_phrase(inner: str) -> bool:
    """Return whether the inside of a YAML mapping asks for a text, as `{list everyone involved}`;
    names of people begin with capitals.
    """
    plain = inner.strip()
    return _is_phrase(plain) and (not plain[0].isupper() or is_date(plain) or _asks(plain))


def is_date(text: str) -> bool:
    """Return whether a text begins with the letters of a date: YYYY-MM-DD, TT.MM.JJJJ,
    2024-xx-xx.
    """
    first = text.split(" ", 1)[0].strip(_MARKS + _OPENING).casefold()
    if len(first) > _LONGEST_DATE:
        return False
    parts = first.rstrip("]})>日").translate(_DATE_SIGNS).split("-")
    if len(parts) != 3 or not all(parts):
        return False
    one, month, other = map(frozenset, parts)
    from_year = (one <= _YEAR or parts[0].isdigit()) and other <= _DAY
    return month <= _MONTH and (from_year or (one <= _DAY and other <= _YEAR))


def _asks(text: str) -> bool:
    """Return whether a text in brackets begins with a word that asks the author for text."""
    plain = text.strip().casefold()
    first = re.search(_WORD, plain[:_LONGEST_WORDS])
    return (
        bool(first and first[0] in ASKING)
        or plain.startswith(ASKING_STARTS)
        or plain.rstrip("。.）)」").endswith(ASKING_ENDS)
    )


def _few_before(text: str) -> bool:
    """Return whether a text has a bracket with only a few words before it."""
    places = [place for sign in _BRACKETS if (place := text.find(sign)) >= 0]
    return bool(places) and len(text[: min(places)].split()) <= _FEW


def _marked(text: str) -> bool:
    """Return whether a block is in brackets, or has only joining words around such parts."""
    if text[:1] in _PARENTHESES and text[-1:] in ")）":
        return len(text.split()) > 2 and _asks(text[1:-1])
    if _few_before(text):
        flat = re.sub(_NESTED, r"\1\2\3", text) if text.count("{") > 1 else text
        return _in_marks(flat) or _around_marks(flat)
    return len(text) <= _LONGEST_WORDS and _around_nothing(text)


def _in_marks(text: str) -> bool:
    """Return whether a text as a whole stands in braces, or in brackets that are no link."""
    plain = text.strip(" \t\n*_\"'“”.:;,")
    if brace := re.fullmatch(_BRACES, plain):
        return _asks_in_braces(brace[1])
    if angle := re.fullmatch(_ANGLES, plain):
        return "=" not in angle[1]
    square = re.fullmatch(_SQUARES, plain)
    return bool(square) and _asks_in_squares(square[1] if square else "")


def _asks_in_squares(inner: str) -> bool:
    """Return whether a text in square brackets is a blank, not a remark or a reference."""
    plain = inner.strip().casefold()
    words = re.findall(_WORD, plain)
    if not words or words[0] in ANSWERS:
        return False
    if plain in NOUNS or plain in OPEN_ENDS or is_date(plain):
        return True
    several = len(words) > 1 or (not plain.isascii() and len(plain) > _FEW)
    small = inner[0].isalpha() and not inner[0].isupper()
    return several and (small or _asks(plain))


def _around_marks(text: str) -> bool:
    """Return whether the words around the blanks of a block only join them: `Chosen option: "{title
    of option 1}", because {justification}`.
    """
    outside = re.findall(_WORD, re.sub(_BLANKS, " ", text).casefold())
    phrases = [inner.split() for inner in re.findall(_BRACES, text) if _is_phrase(inner)]
    if phrases and len(outside) <= min(_FEW, sum(map(len, phrases))):
        return True
    squares = [_asks_in_squares(inner) for inner in re.findall(_SQUARES, text)]
    if not outside:
        asked = [*squares, *map(_asks_in_braces, re.findall(_BRACES, text))]
        return bool(asked) and all(asked)
    if not JOINING.issuperset(outside):
        return False
    return outside[-1] in DANGLING or bool(phrases) or any(squares)


def _around_nothing(text: str) -> bool:
    """Return whether a short text has only joining words and no content: `Chosen option:
    "", because`, `Good, because`, `Chosen option: TBD`.
    """
    words = re.findall(_WORD, text.casefold())
    rest = [word for word in words if word not in JOINING]
    if rest:
        return len(rest) < len(words) and " ".join(rest) in OPEN_ENDS
    return bool(words) and (words[-1] in DANGLING or bool(re.search(_EMPTY_QUOTES, text)))


def _asks_in_braces(inner: str) -> bool:
    """Return whether a text in braces is a blank, not the members of a set or code."""
    words = inner.split()
    members = len(words) > 1 and all(word.endswith(",") for word in words[:-1])
    starts = inner.strip(" ¿¡")[:1]
    return not members and not re.search(_CODE, inner) and (starts.isalpha() or starts == "…")


def _is_phrase(inner: str) -> bool:
    return len(inner.split()) > 1 and _asks_in_braces(inner)


def quoted(text: str) -> str:
    """Return a blank as messages show it: in one line, cut and in quotes."""
    plain = " ".join(text.split())
    return repr(plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…")
