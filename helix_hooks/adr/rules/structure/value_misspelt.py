import re
from collections.abc import Iterator

from ....yaml_reader import nearest
from ...model import Adr, RuleResult
from ...names.field import Field, comparable, says_value

_NEGATIONS = ("non-", "not-", "no-", "nicht-", "sub-")
_MIN_SIMILARITY = 0.75


class ValueMisspelt:
    """A header value looks like a known value with a typo.

    No rule takes `change_scope: majro` for a major change, so no rule on major changes checks the
    ADR. The rule compares header values with the values that contextual rules use. It reports a
    near miss, and a first word that contains the value (`semver-major`). Other values are not
    reported. Text after the value does not matter: `Major (all services)` is major. It is an error
    if a rule with severity error uses the field. Correct the value.
    """

    id = "value-misspelt"
    layer = "structure"
    severity = "warning"

    def __init__(
        self,
        known: dict[str, tuple[str, ...]] | None = None,
        error_fields: frozenset[str] = frozenset(("change_scope",)),
    ) -> None:
        """`known` are the values by field, `error_fields` the fields whose typos are errors."""
        self.known = known or {"change_scope": ("major",)}
        self.error_fields = error_fields

    def check(self, adr: Adr) -> Iterator[RuleResult]:
        for name, values in self.known.items():
            field = adr.header.fields.get(name)
            if field:
                yield from self._check_field(name, field, values)

    def _check_field(
        self, name: str, field: Field, values: tuple[str, ...]
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
                severity="error" if name in self.error_fields else "",
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
