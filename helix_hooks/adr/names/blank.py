"""Recognise blanks: the places in a template that the author must fill in.

They are recognised by their marks and by the words of templates in each supported language. Each
function takes the visible text of one block: a paragraph, list item, cell, heading or field. "n/a",
"none" and "not applicable" are answers, not blanks.
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
"""Maximum characters of a blank; hints of templates are shorter."""
_SHOWN = 60
"""Maximum characters of a blank in a message."""
_LONGEST_HINT = 70
"""Maximum words of a hint without marks."""
_LONGEST_WORDS = 60
"""Maximum characters of a blank without marks around it, except for hints."""
_FEW = 4
"""Maximum words around a blank that is the only content of its block."""
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
"""Words of a blank row `name | date` below the head of a table. One of them is a date."""

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
    """Return whether a whole block is a blank.

    It is a text in the brackets of a template, a phrase for "not yet written", dots, or the words
    of a template without content between them.
    """
    plain = composed(text.strip())
    if not emphasised and is_plain_start(plain):
        return False
    if len(plain) > _most_characters(plain, emphasised):
        return plain[:_LONGEST_WORDS].strip(_MARKS).casefold().startswith(_LOREM)
    if is_ellipsis(plain):
        return True
    core = plain.strip(_MARKS).casefold()
    if _is_open_end(core) or (emphasised and _asks(core)):
        return True
    return _is_in_marks(plain)


def _most_characters(plain: str, emphasised: bool) -> int:
    """Return the maximum characters of a blank, which may have more of them in marks."""
    if emphasised or plain[:1] in _PARENTHESES or _few_before(plain):
        return _LONGEST
    return _LONGEST_WORDS


def _is_open_end(core: str) -> bool:
    """Return whether a text without marks is a phrase such as "to do", or the letters of a date."""
    if core.startswith(_LOREM):
        return True
    return " ".join(core.split()) in OPEN_ENDS or is_date(core)


def is_ellipsis(text: str) -> bool:
    """Return whether a block has only dots; in a list or table they may mean "and so on"."""
    return ("..." in text or "…" in text) and not any(map(str.isalnum, text))


def is_left_over(text: str) -> bool:
    """Return whether a block between real text is a blank of a template, by its marks alone."""
    plain = text.strip()
    return len(plain) <= _LONGEST and _few_before(plain) and _is_in_marks(plain)


def is_label(text: str) -> bool:
    """Return whether a block begins with a mark such as `TODO:`, which makes all of it a task."""
    return re.match(_LABEL, text[:_LONGEST_WORDS]) is not None


def markers(text: str) -> list[str]:
    """Return the marks such as TODO in a text, without such words inside a sentence."""
    if not any(label in text for label in _LABELS):
        return []
    return re.findall(_MARKER, text)


def is_hint(text: str) -> bool:
    """Return whether a text without marks is the hint of a template.

    Call it only for text that is alone in its section.
    """
    if len(text) > _LONGEST:
        return False
    plain = " ".join(text.replace("’", "'").casefold().split()).strip(_MARKS + _OPENING)
    words = plain.split(" ", _LONGEST_HINT)
    if len(words) > _LONGEST_HINT or is_plain_start(plain):
        return False
    if plain.startswith((*HINTS, *ASKING_STARTS)):
        return True
    if plain.rstrip("。.）)」").endswith(ASKING_ENDS):
        return True
    return _instructs(words)


def _instructs(words: list[str]) -> bool:
    """Return whether words begin with an instruction and the object of one."""
    content = [word.strip(_MARKS) for word in words if word not in SMALL_WORDS]
    if not content or content[0] not in INSTRUCTIONS:
        return False
    return not OBJECTS.isdisjoint(content[1:3])


def is_blank_title(text: str) -> bool:
    """Return whether a title without its number is a blank or names no decision."""
    number = re.match(_NUMBER, text[:_LONGEST_WORDS].translate(DASHES))
    without_number = text[number.end() :] if number else text
    for title in (without_number, text):
        if " ".join(re.findall(_WORD, title[:_LONGEST].casefold())) in TITLES:
            return True
    return is_blank(without_number)


def is_blank_row(cells: Sequence[str]) -> bool:
    """Return whether a row of a table has only blanks, or names of columns such as a date."""
    texts = [cell for cell in cells if cell.strip()]
    if texts and all(map(is_blank, texts)):
        return True
    names = {cell.strip().casefold() for cell in texts}
    if len(texts) < 2 or len(names) < len(texts):
        return False
    return names <= _ROW and not _DATES.isdisjoint(names)


def is_blank_value(text: str) -> bool:
    """Return whether the value of a header field is a blank.

    `todo` in lowercase may be the name of a component; braces may contain names of people, which
    begin with capitals.
    """
    if text == "todo" or text[-1:].isdigit() or not is_blank(text):
        return False
    inner = text.strip(" {}") if text[:1] == "{" else ""
    return _may_ask(inner)


def is_lower_phrase(inner: str) -> bool:
    """Return whether the inside of a YAML mapping asks for a text: `{list everyone involved}`.

    Names of people begin with capitals.
    """
    plain = inner.strip()
    return _is_phrase(plain) and _may_ask(plain)


def _may_ask(inner: str) -> bool:
    """Return whether a text in braces is not a name."""
    return not inner[:1].isupper() or is_date(inner) or _asks(inner)


def is_date(text: str) -> bool:
    """Return whether a text begins with the letters of a date: YYYY-MM-DD, TT.MM.JJJJ,
    2024-xx-xx.
    """
    first = text.split(" ", 1)[0].strip(_MARKS + _OPENING).casefold()
    if len(first) > _LONGEST_DATE:
        return False
    parts = first.rstrip("]})>日").translate(_DATE_SIGNS).split("-")
    return len(parts) == 3 and all(parts) and _are_parts_of_date(*parts)


def _are_parts_of_date(first: str, middle: str, last: str) -> bool:
    one, month, other = map(frozenset, (first, middle, last))
    if not month <= _MONTH:
        return False
    year_is_first = one <= _YEAR or first.isdigit()
    if year_is_first and other <= _DAY:
        return True
    return one <= _DAY and other <= _YEAR


def _asks(text: str) -> bool:
    """Return whether a text in brackets begins with a word that asks the author for text."""
    plain = text.strip().casefold()
    first = re.search(_WORD, plain[:_LONGEST_WORDS])
    if first and first[0] in ASKING:
        return True
    return plain.startswith(ASKING_STARTS) or plain.rstrip("。.）)」").endswith(ASKING_ENDS)


def _few_before(text: str) -> bool:
    """Return whether a text has a bracket with only a few words before it."""
    places = [place for place in map(text.find, _BRACKETS) if place >= 0]
    if not places:
        return False
    return len(text[: min(places)].split()) <= _FEW


def _is_in_marks(text: str) -> bool:
    """Return whether a block is in brackets, or has only joining words around such parts."""
    if text[:1] in _PARENTHESES and text[-1:] in ")）":
        return len(text.split()) > 2 and _asks(text[1:-1])
    if not _few_before(text):
        return len(text) <= _LONGEST_WORDS and _has_no_content(text)
    if text.count("{") > 1:
        text = re.sub(_NESTED, r"\1\2\3", text)
    return _is_bracketed(text) or _joins_blanks(text)


def _is_bracketed(text: str) -> bool:
    """Return whether a whole text is in braces, or in brackets that are not a link."""
    plain = text.strip(" \t\n*_\"'“”.:;,")
    if brace := re.fullmatch(_BRACES, plain):
        return _asks_in_braces(brace[1])
    if angle := re.fullmatch(_ANGLES, plain):
        return "=" not in angle[1]
    square = re.fullmatch(_SQUARES, plain)
    return square is not None and _asks_in_squares(square[1])


def _asks_in_squares(inner: str) -> bool:
    """Return whether a text in square brackets is a blank, not a remark or a reference."""
    plain = inner.strip().casefold()
    words = re.findall(_WORD, plain)
    if not words or words[0] in ANSWERS:
        return False
    if plain in NOUNS or plain in OPEN_ENDS or is_date(plain):
        return True
    if not _has_words(words, plain):
        return False
    return _begins_in_lowercase(inner) or _asks(plain)


def _has_words(words: list[str], plain: str) -> bool:
    # Some scripts put no blanks between words.
    return len(words) > 1 or (not plain.isascii() and len(plain) > _FEW)


def _begins_in_lowercase(text: str) -> bool:
    return text[0].isalpha() and not text[0].isupper()


def _joins_blanks(text: str) -> bool:
    """Return whether the words around the blanks of a block only join them.

    An example is `Chosen option: "{title of option 1}", because {justification}`.
    """
    outside = re.findall(_WORD, re.sub(_BLANKS, " ", text).casefold())
    braces = re.findall(_BRACES, text)
    phrases = [inner.split() for inner in filter(_is_phrase, braces)]
    if phrases and len(outside) <= min(_FEW, sum(map(len, phrases))):
        return True
    squares = list(map(_asks_in_squares, re.findall(_SQUARES, text)))
    if not outside:
        parts = [*squares, *map(_asks_in_braces, braces)]
        return parts != [] and all(parts)
    if not JOINING.issuperset(outside):
        return False
    return outside[-1] in DANGLING or phrases != [] or any(squares)


def _has_no_content(text: str) -> bool:
    """Return whether a short text has only joining words and no content.

    Examples are `Chosen option: "", because`, `Good, because` and `Chosen option: TBD`.
    """
    words = re.findall(_WORD, text.casefold())
    content = [word for word in words if word not in JOINING]
    if content:
        return len(content) < len(words) and " ".join(content) in OPEN_ENDS
    if not words:
        return False
    return words[-1] in DANGLING or re.search(_EMPTY_QUOTES, text) is not None


def _asks_in_braces(inner: str) -> bool:
    """Return whether a text in braces is a blank, not the members of a set or code."""
    words = inner.split()
    if len(words) > 1 and all(word.endswith(",") for word in words[:-1]):
        return False
    start = inner.strip(" ¿¡")[:1]
    return (start.isalpha() or start == "…") and not re.search(_CODE, inner)


def _is_phrase(inner: str) -> bool:
    return len(inner.split()) > 1 and _asks_in_braces(inner)


def quoted(text: str) -> str:
    """Return a blank for a message: in one line, shortened and in quotes."""
    plain = " ".join(text.split())
    if len(plain) > _SHOWN:
        plain = plain[: _SHOWN - 1] + "…"
    return repr(plain)
