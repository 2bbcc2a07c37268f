from collections.abc import Iterator

from ..rule import Adr, Found


class ValueMisspelt:
    """A header value looks like a misspelt one that the rules know.

    `change_scope: majro` is no major change to any rule, so every rule about major changes falls silent, and the ADR
    passes. Values that the contextual rules ask for are compared with what the header says; a near miss is reported,
    other values are free.
    """

    id = "value-misspelt"
    layer = "structure"
    severity = "warning"

    def __init__(self, known: dict[str, tuple[str, ...]] | None = None) -> None:
        self.known = known or {"change_scope": ("major",)}

    def check(self, adr: Adr) -> Iterator[Found]:
        for name, values in self.known.items():
            field = adr.header.fields.get(name)
            for text in field.texts if field else ():
                near = "" if text.casefold() in values else _near(text, values)
                if field and near:
                    yield Found(field.line, f"{text!r} is no {name} that a rule knows; {near!r} is", f"write `{name}: {near}`, if that is meant",
                                column=field.column)  # fmt: skip


def _near(text: str, values: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(text.casefold(), values, 1, 0.75)), "")
