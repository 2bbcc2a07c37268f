"""Conditions of contextual rules: what the header says, and what the text asserts. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ...model import Adr
from ...names import says_value, words
from ...parse.visible import CODE, PICTURE, QUOTE, SPAN, STRUCK, indexes, offset_in, text

_SUBJECT = 1 << 20
"""A mark for text that names a subject and asserts nothing about it; `visible` uses lower bits."""
_NOT_ASSERTED = CODE | SPAN | QUOTE | STRUCK | PICTURE | _SUBJECT
"""Text that asserts nothing.

Text that only some renderers hide is not among it: hiding it must not avoid a rule.
"""


class FieldIs(NamedTuple):
    """A header field has one of the values.

    Values are compared without case and markup. Text after the value does not matter.
    """

    field: str
    values: tuple[str, ...]

    def line(self, adr: Adr) -> int | None:
        field = adr.header.fields.get(self.field)
        if field and any(says_value(text, self.values) for text in field.texts):
            return field.line
        return None


class FieldNotEmpty(NamedTuple):
    """A header field has a value, or with `expected` False has none."""

    field: str
    expected: bool

    def line(self, adr: Adr) -> int | None:
        field = adr.header.fields.get(self.field)
        has_value = bool(field and field.texts)
        if has_value is not self.expected:
            return None
        return field.line if field else adr.header.line


class ContentContains(NamedTuple):
    """The prose asserts one of the phrases.

    Code, comments, quotes and negations do not count. Neither do the title, which names a subject,
    and considered options, since most of them are not chosen. With `must_assert`, definitions do
    not count.
    """

    phrases: tuple[str, ...]
    must_assert: bool = False

    def line(self, adr: Adr) -> int | None:
        doc = adr.doc
        subjects = [
            (section.start, section.stop)
            for section in doc.sections
            if "options" in adr.meanings.of(section.title)
        ]
        if doc.title:
            subjects.append((doc.title.heading_start, doc.title.start))
        runs = list(doc.shown.runs)
        for start, stop in subjects:
            for index in range(*indexes(runs, start, stop)):
                begin, end, piece, kind = runs[index]
                runs[index] = (begin, end, piece, kind | _SUBJECT)
        size = len(doc.data)
        place = says(text(runs, 0, size, _NOT_ASSERTED), self.phrases, self.must_assert)
        if place is None:
            return None
        return doc.line_at(offset_in(runs, 0, size, place, _NOT_ASSERTED))


class All(NamedTuple):
    """All conditions are true. Without any condition it is always true."""

    conditions: tuple["Condition", ...]

    def line(self, adr: Adr) -> int | None:
        lines = []
        for condition in self.conditions:
            line = condition.line(adr)
            if line is None:
                return None
            lines.append(line)
        return next(filter(None, lines), adr.title_line)


class AnyOf(NamedTuple):
    """At least one condition is true."""

    conditions: tuple["Condition", ...]

    def line(self, adr: Adr) -> int | None:
        for condition in self.conditions:
            line = condition.line(adr)
            if line is not None:
                return line
        return None


Condition = FieldIs | FieldNotEmpty | ContentContains | All | AnyOf
"""`line(adr)` is the line that makes the condition true; None if it is false."""


def fields_asked(condition: Condition) -> Iterator[FieldIs | FieldNotEmpty]:
    """Yield the conditions on header fields in a condition, at any depth."""
    if isinstance(condition, FieldIs | FieldNotEmpty):
        yield condition
    elif isinstance(condition, All | AnyOf):
        for inner in condition.conditions:
            yield from fields_asked(inner)


# Where a text asserts a phrase: `neu` does not match `erneut`, `API` does not match `Kapitel`, and
# "keine Breaking Changes" negates the phrase.

_ENDINGS = "(?:s|es|e|en|er|em|n)?"
_GAP = "[\\s*_\u2010\u2011-]+"
_NEGATORS = words("denials", "negators")
_AVOIDERS = words("denials", "avoiders")
_DENYING = _NEGATORS | _AVOIDERS | words("denials", "hedges")
_EMPHATIC = words("denials", "emphatic")
_CLAUSE_END = r"[.!?;:|\n](?=\s|$)|\n"
_CONDITION = r"(?:^|\W)(?:if|unless|whenever|when|wenn|falls|sofern)\W[^,]*$"
_UNTICKED = r"\s*(?:[-*+]|\d+[.)])\s+\[ \]"
_NONE_AFTER = (
    r"(?i)[*_\s]*(?:[:|=–—?-]|\n)[*_\s|]*(?:none|nothing|no|not|keine?[rsnm]?|nein|nicht|n/a|0|[–—-])"
    r"(?=[*_]*\s*(?:[.,;!)(|\n]|$|(?:are|is|expected|known|planned|for|in|sind|ist|bekannt|geplant)"
    r"\b))"
)
"""`Breaking changes: none`"""
_DENIED_AFTER = (
    r"(?i)[*_\s]*\n[*_\s]*(?:there|it|this|we|es|wir)\b[^.\n]{0,40}"
    r"\b(?:none|no such|not expect|keine?)\b"
    r"|[*_]*(?:\s+\w+)?\s+(?:are|is|were|will be|do|does|will|sind|ist|werden|wird|gibt es"
    r"|entstehen)\s+(?:not|never|avoided|nicht|keine|vermieden|ausgeschlossen)\b"
)
"""`Breaking changes are not expected`; below a heading: `There are none`."""
_DEFINED = (
    r"(?:^|[,;:—–(]\s*|\b(?:that|so|and|but|because)\s+)"
    r"(?:an?|every|each|any|ein\w*|jede[rs]?)\s"
    r"[^,;:]{1,160}\b(?:is|are|counts?(?: as)?|becomes?|means|ist|gilt als)\s+"
    r"(?:(?:also|always|therefore)\s+)?(?:an?|ein\w*)?\s*$"
)
"""The beginning of a definition: `a renamed field of the API is a …`."""
_PARAGRAPH_END = r"\n\s*\n|\n- |\n \| "
_SENTENCE_END = r"(?<=[.!?])\s+"
_REACH = 3
"""Words before a phrase among which a negation counts."""
_REACH_JOINED = 9
_JOINING = words("denials", "joining")
_CLAUSE = 80
"""Characters around a phrase in which a negation is read."""
_SENTENCE = 240
"""Characters before a phrase in which a definition is read."""


def says(text: str, phrases: tuple[str, ...], must_assert: bool = False) -> int | None:
    """Return the offset at which a text first asserts one of some phrases in lower case.

    None if it does not, or only negated or as a possibility. With `must_assert`, a definition does
    not count.

    Words are matched whole, in any case, with German and English endings, across line breaks and
    emphasis. A negation counts up to three words before the phrase in the same clause, further back
    before the last item of a list, and directly after the phrase (`Breaking changes: none`). A word
    such as "would" counts as a negation. A condition asserts nothing either.
    """
    offsets: list[int] = []
    for phrase in phrases:
        for match in _pattern(phrase).finditer(text):
            start, stop = match.span()
            before, after = text[max(0, start - _SENTENCE) : start], text[stop : stop + _CLAUSE]
            if _is_denied(before[-_CLAUSE:], after) or (must_assert and _is_defined(before)):
                continue
            offsets.append(start)
            break
    return min(offsets, default=None)


@lru_cache(maxsize=256)
def _pattern(phrase: str) -> re.Pattern[str]:
    words = _GAP.join(re.escape(word) for word in phrase.split())
    return re.compile(rf"(?<!\w){words}{_ENDINGS}(?!\w)", re.IGNORECASE)


def _is_denied(before: str, after: str) -> bool:
    if re.match(_NONE_AFTER, after) or re.match(_DENIED_AFTER, after):
        return True
    clause = re.split(_CLAUSE_END, before.replace("’", "'"))[-1].casefold()
    if re.search(_CONDITION, clause):
        return True
    words = re.findall(r"[\w']+", clause)
    words = words[-(_REACH if _JOINING.isdisjoint(words[-1:]) else _REACH_JOINED) :]
    denying = [index for index, word in enumerate(words) if word in _DENYING]
    if not denying:
        return re.match(_UNTICKED, clause) is not None
    if not _EMPHATIC.isdisjoint(words[denying[-1] + 1 :]):
        return False
    # "cannot avoid" and "nicht ohne" say that it comes.
    return _NEGATORS.isdisjoint(words) or _AVOIDERS.isdisjoint(words)


def _is_defined(before: str) -> bool:
    paragraph = re.split(_PARAGRAPH_END, before)[-1].replace("\n", " ").casefold()
    return re.search(_DEFINED, re.split(_SENTENCE_END, paragraph)[-1]) is not None
