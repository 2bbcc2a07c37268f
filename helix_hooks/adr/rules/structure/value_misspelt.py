import re
from collections.abc import Iterator

from ....finding import Severity
from ....yaml_reader import nearest
from ...model import Adr, RuleResult, rule
from ...names.blank import is_blank
from ...names.field import Field, comparable, says_value
from ...template import HELIX

_USUAL = {
    "change_scope": ("major", "minor", "patch", "hotfix", "config", "docs"),
    "classification": ("NEW", "UPDATE", "FIX", "REFACTOR", "DEPRECATE"),
    "component_type": (
        *("TOOL", "SERVICE", "PROCESS", "LIBRARY", "NODE", "AGENT", "SKILL", "PROMPT"),
        *("CONFIG", "DOCS", "MISC"),
    ),
}
"""Values of the fields of the helix template, beside those that the rules file names."""
_NEGATIONS = ("non-", "not-", "no-", "nicht-", "sub-")
_NEGATION = rf"^(?:{'|'.join(_NEGATIONS)})"
_MIN_SIMILARITY = 0.75


@rule("value-misspelt", "structure", "warning")
def value_misspelt(adr: Adr) -> Iterator[RuleResult]:
    """A header value is unknown, or looks like a known value with a typo.

    No rule takes `change_scope: majro` for a major change, so no rule on major changes checks the
    ADR. The rule compares header values with the values that contextual rules use. It reports a
    near miss, and a first word that contains the value (`semver-major`). Text after the value does
    not matter: `Major (all services)` is major. It is an error if a rule with severity error uses
    the field.

    In the helix template, `change_scope`, `classification` and `component_type` have a list of
    usual values, beside those that the rules file names. Any other value, such as `large`, is an
    error in a new ADR, and information in an old one. Correct the value.
    """
    is_helix = adr.template.name == HELIX.name
    for name, values in adr.vocabulary.values.items():
        field = adr.header.fields.get(name)
        is_held = is_helix and adr.is_new and name in _USUAL
        severity: Severity = "error" if is_held or name in adr.vocabulary.error_fields else ""
        if field:
            yield from _misspelt(name, field, values, severity)
    if is_helix:
        yield from _unknown(adr)


def _unknown(adr: Adr) -> Iterator[RuleResult]:
    """Yield the values that are neither usual nor named by a rule, nor nearly one of these."""
    for name, usual in _USUAL.items():
        named = adr.vocabulary.values.get(name, ())
        values = {value.casefold(): value for value in (*named, *usual)}
        field = adr.header.fields.get(name)
        texts = field.texts if field else ()
        if field and texts and not any(_is_known(text, named, tuple(values)) for text in texts):
            yield RuleResult(
                line=field.line,
                message=f"unknown {name} {field.text!r}",
                help=f"write one of: {', '.join(values.values())}",
                severity="error" if adr.is_new else "info",
                column=field.column,
                words=field.text,
                subject=f"{name} {field.text}",
            )


def _is_known(text: str, named: tuple[str, ...], values: tuple[str, ...]) -> bool:
    """Return whether a value is known, negates a known one, or is reported by another finding."""
    plain = comparable(text)
    is_value = says_value(re.sub(_NEGATION, "", plain), values)
    return is_value or bool(_near(plain, named)) or is_blank(text)


def _misspelt(
    name: str, field: Field, values: tuple[str, ...], severity: Severity
) -> Iterator[RuleResult]:
    for text in field.texts:
        if says_value(text, values):
            continue
        near = _near(comparable(text), values)
        if not near:
            continue
        script = "" if text.isascii() else " (it has non-Latin letters)"
        yield RuleResult(
            line=field.line,
            message=f"unknown {name} {text!r}{script}; did you mean {near!r}?",
            help=f"write `{name}: {near}`, or another value without that word",
            severity=severity,
            column=field.column,
            words=text,
            subject=f"{name} {text}",
        )


def _near(text: str, values: tuple[str, ...]) -> str:
    """Return the value that the first word contains, or that a text nearly is; "" without one."""
    first = text.split(" ", 1)[0]
    contained = _contained(first, values)
    if contained:
        return contained
    close = [value for value in values if _is_close(value, text)]
    return nearest(text, close, _MIN_SIMILARITY) if close else ""


def _contained(word: str, values: tuple[str, ...]) -> str:
    """Return the value that a word contains between marks; "" without one, or in a negation."""
    if word.startswith(_NEGATIONS):
        return ""
    for value in values:
        if value in word and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", word):
            return value
    return ""


def _is_close(value: str, text: str) -> bool:
    """Return whether two words share most letters; a quick test before the slow comparison."""
    return abs(len(value) - len(text)) <= 2 and len(set(value).symmetric_difference(text)) <= 3
