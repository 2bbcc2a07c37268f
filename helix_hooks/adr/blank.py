"""Recognise blanks: the places of a template that the author must fill in. Pure.

Most blanks have marks, which count in any language: `{title}`, `<decision>`, dots, `YYYY-MM-DD`.
Without marks, a blank is known by the words of common English and German templates, such as TODO,
which `words.yaml` has.
"n/a", "none" and "not applicable" are answers, not blanks.

A section is blank if it has only blanks. A decision section is undecided if its words, such as "x"
or "not yet decided", decide nothing.
"""

import re
from collections.abc import Iterable, Iterator

from .model import DECISION, HELIX, Adr
from .names import comparable, composed, phrases, words
from .parse.document import Section
from .parse.prose import Block, blocks

# Blocks: each function takes the visible text of a paragraph, item, cell, heading or field.

_LONGEST = 900
"""Maximum characters of a blank; hints of templates are shorter."""
_LONGEST_WORDS = 60
"""Maximum characters of a blank that only its words show."""
_LONGEST_DECISION = 80
"""Maximum characters of a text that says that nothing is decided."""
_SHOWN = 60
"""Maximum characters of a blank in a message."""
_FEW = 4
"""Maximum words around a blank that is the only content of its block."""

_PUNCTUATION = " \t\n*_`~\"'“”„«»‘’#–—-+|.,;:!?…"
_WORD = r"[^\W_]+(?:['’.][^\W_]+)*"
_BRACES = r"(?<![$\\{#%\w}=])\{(?![{%#:])([^{}\n]{1,700})\}(?!\})"
_NESTED = r"(\{[^{}]{1,400})\{([^{}]{1,80})\}([^{}]{0,400}\})"
_ANGLES = r"<(?!https?:|mailto:)([^\W\d_][^<>\n=]{0,400})>"
_INNER = r"(?:[^\[\]\n]|\[[^\[\]\n]{0,80}\](?:\([^()\n]{0,80}\))?){2,700}"
_SQUARES = rf"(?<![\w\]\[!])\[(?!\[)({_INNER})\](?![\[(:])"
_EMPTY_QUOTES = r"\"\s*\"|“\s*”|„\s*“"
_MARKED = f"{_BRACES}|{_ANGLES}|{_SQUARES}|{_EMPTY_QUOTES}|\\.\\.\\.|…"
_CODE = r"[\"=;\\`]|\w:\s*['\d{\[]|->|\(\)"
_DATE = re.compile(
    r"[\W_]*(?:(?:y{4}|j{4}|[x20]{4}|\d{4})[-./](?:mm|xx)[-./](?:dd|tt|xx)"
    r"|(?:dd|tt)[-./]mm[-./](?:y{4}|j{4}))(?!\w)"
)
_LABEL = r"\W*(?:TODO|FIXME|TBD|TBC)\b\s*(?:[:(–—-]|$)|\W*(?i:todo|fixme|tbd|tbc)\s*:"
_MARKER = r"(?<![\w`/-])(?:TODO|TBD|TBC|FIXME)(?=[:.)!?(]|\s*$|\s+[(–—-])"
_NUMBER = (
    r"(?i)\W*(?:adr[-_ #]*)?(?:\d+|n{2,}|0*x{2,}|number|nummer)\b\s*[-–—:.)]*\s*"
    r"|\W*adr\s*[-–—:]\s*"
)


OPEN_ENDS = frozenset(phrases("blanks", "open_ends"))
HINTS = phrases("blanks", "hints")
_NOUNS = frozenset(phrases("blanks", "nouns"))
_ASKING = words("blanks", "asking")
_ANSWERS = words("blanks", "answers")
_JOINING = words("blanks", "joining")
_DANGLING = words("blanks", "dangling")
_FILLERS = words("blanks", "fillers")
_OPENNESS = words("blanks", "openness")
_AROUND = words("blanks", "around_openness")


def is_blank(text: str) -> bool:
    """Return whether a whole block is a blank.

    It is a text in the brackets of a template, a phrase for "not yet written", dots, or the words
    of a template without content between them.
    """
    plain = composed(text.strip())
    # Dots alone; in a list or table they may mean "and so on".
    has_only_dots = ("..." in text or "…" in text) and not any(map(str.isalnum, text))
    return has_only_dots or _is_open_end(plain) or _is_in_marks(plain)


def is_blank_alone(text: str) -> bool:
    """Return whether a block that is alone in its section is a blank.

    Then the hint of a template needs no marks, and a text that begins with `TODO:` is a blank.
    """
    if is_blank(text) or is_label(text):
        return True
    plain = " ".join(text[:_LONGEST].replace("’", "'").casefold().split())
    return len(text) <= _LONGEST and plain.lstrip(_PUNCTUATION).startswith(HINTS)


def is_left_over(text: str) -> bool:
    """Return whether a block between real text is a blank, by its brackets alone."""
    return any(map(text.__contains__, "{[<")) and _is_in_marks(text.strip())


def decides_nothing(text: str, has_options: bool) -> bool:
    """Return whether the whole text of a decision section decides nothing: "not yet decided", "x".

    "Yes.", "Kafka" and "option B" are decisions. A single letter or digit is one if the ADR
    `has_options`.
    """
    plain = composed(text).casefold().replace("’", "'")
    if len(plain) > _LONGEST_DECISION:
        return False
    words = re.findall(_WORD, plain)
    if not words:
        return True
    if len(words) == len(words[0]) == 1 and words[0].isascii():
        return not has_options
    content = [word for word in words if word not in _AROUND]
    return bool(content) and (_FILLERS.issuperset(content) or _OPENNESS.issuperset(content))


def is_label(text: str) -> bool:
    """Return whether a block begins with a mark such as `TODO:`, which makes all of it a task."""
    return re.match(_LABEL, text[:_LONGEST_WORDS]) is not None


def markers(text: str) -> list[str]:
    """Return the marks such as TODO in a text, without such words inside a sentence."""
    return re.findall(_MARKER, text)


def is_blank_title(text: str) -> bool:
    """Return whether a title without its number is a blank."""
    number = re.match(_NUMBER, text[:_LONGEST_WORDS])
    return is_blank(text[number.end() :] if number else text)


def is_blank_value(text: str) -> bool:
    """Return whether the value of a header field is a blank.

    `todo` in lowercase may be the name of a component; braces may contain names of people, which
    begin with capitals.
    """
    if text == "todo" or text[-1:].isdigit() or not is_blank(text):
        return False
    inner = text.strip(" {}") if text[:1] == "{" else ""
    return not inner[:1].isupper() or is_date(inner) or _asks(inner)


def is_date(text: str) -> bool:
    """Return whether a text begins with the letters of a date: YYYY-MM-DD, TT.MM.JJJJ,
    2024-xx-xx.
    """
    return _DATE.match(text[:_LONGEST_WORDS].casefold()) is not None


def quoted(text: str) -> str:
    """Return a blank for a message: in one line, shortened and in quotes."""
    plain = " ".join(text.split())
    if len(plain) > _SHOWN:
        plain = plain[: _SHOWN - 1] + "…"
    return repr(plain)


def _is_open_end(plain: str) -> bool:
    """Return whether a text is a phrase such as "to do", or the letters of a date."""
    core = plain[: _LONGEST_WORDS + 1].casefold().strip(_PUNCTUATION)
    if core.startswith("lorem ipsum"):
        return True
    if len(plain) > _LONGEST_WORDS:
        return False
    return " ".join(core.split()) in OPEN_ENDS or is_date(core)


def _asks(text: str) -> bool:
    """Return whether a text in marks begins with a word that asks the author for text."""
    first = re.search(_WORD, text[:_LONGEST_WORDS])
    return first is not None and first[0].casefold() in _ASKING


def _is_in_marks(text: str) -> bool:
    """Return whether a block is blanks in brackets, with at most joining words around them.

    Examples are `Chosen option: "{title of option 1}", because {justification}`, `Good, because`
    and `Chosen option: TBD`.
    """
    if len(text) > _LONGEST:
        return False
    if text.count("{") > 1:
        text = re.sub(_NESTED, r"\1\2\3", text)
    blanks = list(re.finditer(_MARKED, text))
    if not blanks and len(text) > _LONGEST_WORDS:
        return False
    words_in_braces = 0
    for match in blanks:
        if match[1] and not _asks_in_braces(match[1]):
            return False
        if match[3] and not _asks_in_squares(match[3]):
            return False
        words = (match[1] or "").split()
        words_in_braces += len(words) if len(words) > 1 else 0
    outside = re.findall(_WORD, re.sub(_MARKED, " ", text).casefold())
    content = [word for word in outside if word not in _JOINING]
    if not content:
        return bool(blanks) or (outside[-1:] != [] and outside[-1] in _DANGLING)
    if " ".join(content) in OPEN_ENDS:
        return len(content) < len(outside)
    return 0 < len(outside) <= min(_FEW, words_in_braces)


def _asks_in_braces(inner: str) -> bool:
    """Return whether a text in braces is a blank, not the members of a set or code."""
    words = inner.split()
    if len(words) > 1 and all(word.endswith(",") for word in words[:-1]):
        return False
    start = inner.strip(" ¿¡")[:1]
    return (start.isalpha() or start == "…") and not re.search(_CODE, inner)


def _asks_in_squares(inner: str) -> bool:
    """Return whether a text in square brackets is a blank, not a remark or a reference."""
    plain = inner.strip().casefold()
    words = re.findall(_WORD, plain)
    if not words or words[0] in _ANSWERS:
        return False
    if plain in _NOUNS or plain in OPEN_ENDS or is_date(plain):
        return True
    is_phrase = len(words) > 1 or (not plain.isascii() and len(plain) > _FEW)
    return is_phrase and (_asks(plain) or (inner[0].isalpha() and not inner[0].isupper()))


# Sections whose text says nothing yet.

_NO_TEXT = frozenset((".", "-", "--", "—", "_", "*", "?", "!", ":", "/", ","))
_MAX_UNDECIDED = 200
"""Maximum bytes of a decision section that may say that nothing is decided."""
_MAX_REMARK = 6
"""Maximum words of a remark that nothing is decided; the sentences of templates have more."""


def blank_in(adr: Adr, index: int) -> Block | None:
    """Return the first placeholder of a section that is blank as a whole, else None."""
    first: Block | None = None
    for block in _blocks_below(adr, index):
        if block.text in _NO_TEXT and not block.solid:
            continue
        if block.solid or not _is_placeholder(adr, block):
            return None
        first = first or block
    return first


def undecided_in(adr: Adr, index: int) -> Block | None:
    """Return the first block of a short decision section that decides nothing, else None."""
    section = adr.doc.sections[index]
    if section.stop - section.start > _MAX_UNDECIDED:
        return None
    if DECISION not in adr.meanings.of(section.title):
        return None
    below = list(_blocks_below(adr, index))
    if not below or any(block.solid for block in below):
        return None
    text = " ".join(block.text for block in below if not _is_placeholder(adr, block))
    return below[0] if decides_nothing(text, has_options="options" in adr.h2) else None


def still_blank(adr: Adr, sections: Iterable[Section]) -> bool:
    """Return whether each of some sections is blank or undecided."""
    starts = {section.heading_start for section in sections}
    return all(
        blank_in(adr, index) or undecided_in(adr, index)
        for index, section in enumerate(adr.doc.sections)
        if section.heading_start in starts
    )


def is_left_open(adr: Adr, text: str = "") -> bool:
    """Return whether a proposed ADR compares options and may leave its decision open.

    `text` is the text of its decision section, "" without one. The instruction of a template must
    be replaced. The result is false if the version before the change has a decision.
    """
    if adr.template.name == HELIX.name or adr.had_decision or not adr.h2.get("options"):
        return False
    if adr.status != "Proposed":
        return False
    is_instruction = text.startswith(("[", "{", "<")) or len(text.split()) > _MAX_REMARK
    return not is_instruction and not still_blank(adr, adr.h2["options"])


def _blocks_below(adr: Adr, index: int) -> Iterator[Block]:
    """Yield the blocks of a section and its subsections, without the heads of tables.

    Of the headings of subsections only placeholders count.
    """
    doc = adr.doc
    stop = doc.sections[index].stop
    for below in range(index, len(doc.sections)):
        section = doc.sections[below]
        if section.heading_start >= stop:
            return
        if below > index and is_blank(section.title):
            yield Block(start=section.heading_start, stop=section.start, text=section.title)
        for block in blocks(doc, section.start, section.own_stop):
            if not block.head:
                yield block


def _is_placeholder(adr: Adr, block: Block) -> bool:
    """Return whether a block of a section is a placeholder, or a text of the template file."""
    if block.cells:
        return all(map(is_blank, filter(None, block.cells)))
    if adr.norm and comparable(block.text) in adr.norm.hints:
        return True
    return is_blank_alone(block.text)
