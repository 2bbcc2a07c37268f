import re
from collections.abc import Iterator

from ....yaml_values import nearest
from ...model import Adr, Found
from ...names.field import comparable, says_value

_DENYING = ("non-", "not-", "no-", "nicht-", "sub-")


class ValueMisspelt:
    """A header value looks like one that the rules know, but is not it.

    `change_scope: majro` is no major change to any rule, so every rule about major changes falls
    silent, and the ADR passes. Values that the contextual rules ask for are compared with what the
    header says; a near miss and a first word that has the value as a part (`semver-major`) are
    reported, other values are free. What follows the word does not matter: `Major (all services)`
    is major. It is an error where an error rule asks for the value.
    """

    id = "value-misspelt"
    layer = "structure"
    severity = "warning"

    def __init__(
        self,
        known: dict[str, tuple[str, ...]] | None = None,
        grave: frozenset[str] = frozenset(("change_scope",)),
    ) -> None:
        self.known = known or {"change_scope": ("major",)}
        self.grave = grave

    def check(self, adr: Adr) -> Iterator[Found]:
        for name, values in self.known.items():
            field = adr.header.fields.get(name)
            for text in field.texts if field else ():
                near = "" if says_value(text, values) else _near(comparable(text), values)
                if field and near:
                    alike = "" if text.isascii() else ", which has letters that are not Latin"
                    yield Found(
                        line=field.line,
                        message=f"unknown {name} {text!r}{alike}; it looks like {near!r}",
                        help=f"write `{name}: {near}` if you meant that, else a value "
                        "without that word",
                        severity="error" if name in self.grave else "",
                        column=field.column,
                        words=text,
                    )


def _near(text: str, values: tuple[str, ...]) -> str:
    """The value that the first word has as a part, or that a text nearly is; most share too few
    letters to be worth a closer look.
    """
    first = text.split(" ", 1)[0]
    for value in values:
        if (
            value in first
            and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", first)
            and not first.startswith(_DENYING)
        ):
            return value
    close = [
        value
        for value in values
        if abs(len(value) - len(text)) <= 2 and len(set(value).symmetric_difference(text)) <= 3
    ]
    return nearest(text, close, 0.75) if close else ""
