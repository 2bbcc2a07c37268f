import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import takewhile

from ....finding import Finding, Severity
from ...blank import is_blank
from ...corpus import CLOSED
from ...model import HELIX, Adr, Edit, Files, Fix, RuleResult, fix_of, fixed_by, lines_of, rule
from ...names import Field, comparable, nearest_name, says_value

_USUAL = {
    "change_scope": ("major", "minor", "patch", "hotfix", "config", "docs"),
    "classification": ("NEW", "UPDATE", "FIX", "REFACTOR", "DEPRECATE"),
    "component_type": (
        *("TOOL", "SERVICE", "PROCESS", "LIBRARY", "NODE", "AGENT", "SKILL", "PROMPT"),
        *("CONFIG", "DOCS", "MISC"),
    ),
}
"""Values of the fields of the helix template, beside those that the rules file names."""
_MIN_SIMILARITY = 0.75
_WORD = r"[\s*_`\"']*([^\W\d_]+)(.*)"
"""The first word of a status, and the text after it."""
_DATE = r"[\W\d_]*"
_REMARK = r"\s*[(\[;.–—-]\W*([^\W\d_]+).*"
"""A remark after the word, as in `Accepted (by vote)`; its first word."""


_LONGEST = 1000
"""Maximum characters of a line that is fixed; longer lines are not headers."""
_MIN_LETTERS = 5
"""Shorter words are similar to too many others."""
_SIMILARITY = 0.8
"""Least similarity: one typo in a word of five letters, two in a word of ten."""


def meant(word: str, options: Mapping[str, str], *, same_end: bool = True) -> str:
    """Return the only option that a word nearly is, "" if none or several could be meant.

    `options` are lowercase words with their meanings. The first letter must agree, because a
    prefix may negate the word (`unaccepted`); with `same_end` the last one too, because another
    form may mean the opposite (`supersedes` is not `superseded`).
    """
    plain = word.casefold()
    if not _MIN_LETTERS <= len(plain) <= _LONGEST or plain in options:
        return ""
    alike = [
        option
        for option in options
        if option[0] == plain[0] and (option[-1] == plain[-1] or not same_end)
    ]
    close = get_close_matches(plain, alike, len(alike) or 1, _SIMILARITY)
    if len({options[option] for option in close}) != 1:
        return ""
    # The usual word is written like its meaning.
    usual = options[close[0]].casefold()
    return usual if usual in close else close[0]


def respelt(finding: Finding, text: str | None, kind: str, word: str, correct: str) -> Fix | None:
    """Return the fix that corrects a word; its capitals stay.

    `kind` is that of the word, such as "status". None unless the line of the finding has the word
    exactly once; in a table, one of the rows from that line on.
    """
    lines = lines_of(text or "")[finding.line - 1 :]
    if lines and "|" in lines[0].text:
        lines = list(takewhile(lambda line: "|" in line.text, lines))
    else:
        lines = lines[:1]
    places: list[int] = []
    for line in lines:
        words = re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", line.text[:_LONGEST])
        places += (line.start + match.start() for match in words)
    if not correct or len(places) != 1:
        return None
    if word.isupper():
        correct = correct.upper()
    elif word.istitle():
        correct = correct.title()
    elif word[:1].isupper():
        correct = correct[:1].upper() + correct[1:]
    edit = Edit(finding.path, places[0], places[0] + len(word), correct)
    return fix_of(finding, f"{kind} {word!r} -> {correct!r}", edit)


def _respelt(finding: Finding, files: Files, adr: Adr) -> Fix | None:
    """Return the fix of a one-word value that only one known value can mean."""
    name, _, value = finding.subject.partition(" ")
    word = value.strip(" \t*_`\"'")
    # A value with other markup has no certain place in the line.
    if comparable(word) != word.casefold():
        return None
    known = {value: value for value in adr.vocabulary.values.get(name, ())}
    correct = meant(word, known, same_end=False)
    return respelt(finding, files.text(adr.doc.path), name, word, correct)


def respelt_status(finding: Finding, files: Files, adr: Adr) -> Fix | None:
    """Return the fix of a status that only one known status can mean; header-invalid reports it."""
    status = adr.header.text("status")
    match = re.match(_WORD, status, re.DOTALL)
    # A text with several choices is a hint of a template.
    if finding.subject != f"status {status}" or not match or "|" in status:
        return None
    names = {name: status for name, status in adr.statuses.names.items() if " " not in name}
    name = meant(match[1], names)
    if names.get(name) not in adr.template.statuses:
        return None
    # Other words after the status could change its meaning.
    remark = re.fullmatch(_REMARK, match[2], re.DOTALL)
    is_certain = (
        re.fullmatch(_DATE, match[2])
        or (names[name] in CLOSED and re.match(r"\s+by\b", match[2]))
        or (remark and not adr.statuses.read(remark[1]))
    )
    if not is_certain:
        return None
    return respelt(finding, files.text(adr.doc.path), "status", match[1], name)


@fixed_by(_respelt)
@rule("value-misspelt", "structure", "warning")
def value_misspelt(adr: Adr) -> Iterator[RuleResult]:
    """A header value is unknown, or looks like a known value with a typo.

    No rule takes `change_scope: majro` for a major change, so no rule on major changes checks the
    ADR. The rule compares header values with the values that contextual rules use. It reports a
    near miss. Text after the value does not matter: `Major (all services)` is major. It is an error
    if a rule with severity error uses the field. A misspelt status is reported by header-invalid.

    In the helix template, `change_scope`, `classification` and `component_type` have a list of
    usual values, beside those that the rules file names. Any other value, such as `large`, is an
    error in a new ADR, and information in an old one. Correct the value.
    """
    is_helix = adr.template.name == HELIX.name
    for name, values in adr.vocabulary.values.items():
        field = adr.header.fields.get(name)
        is_held = is_helix and adr.is_new and name in _USUAL
        severity: Severity = "error" if is_held or name in adr.vocabulary.error_fields else ""
        for text in field.texts if field else ():
            near = nearest_name(comparable(text), values, _MIN_SIMILARITY)
            if near and field and not says_value(text, values):
                script = "" if text.isascii() else " (it has non-Latin letters)"
                hint, help = f"{script}; did you mean {near!r}?", f"write `{name}: {near}`"
                yield _unknown(field, name, text, hint, help, severity)
    for name, usual in _USUAL.items() if is_helix else ():
        named = adr.vocabulary.values.get(name, ())
        all_values = {value.casefold(): value for value in (*named, *usual)}
        field = adr.header.fields.get(name)
        texts = field.texts if field else ()
        # Neither usual nor named by a rule, nor nearly one of these.
        if field and texts and not any(_is_known(text, named, (*all_values,)) for text in texts):
            help = f"write one of: {', '.join(all_values.values())}"
            yield _unknown(field, name, field.text, "", help, "error" if adr.is_new else "info")


def _unknown(
    field: Field, name: str, text: str, hint: str, help: str, severity: Severity
) -> RuleResult:
    return RuleResult(
        line=field.line,
        message=f"unknown {name} {text!r}{hint}",
        help=help,
        severity=severity,
        column=field.column,
        words=text,
        subject=f"{name} {text}",
    )


def _is_known(text: str, named: tuple[str, ...], values: tuple[str, ...]) -> bool:
    """Return whether a value is known, or is reported by another finding."""
    return (
        says_value(text, values)
        or bool(nearest_name(comparable(text), named, _MIN_SIMILARITY))
        or is_blank(text)
    )
