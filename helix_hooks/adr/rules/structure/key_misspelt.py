from collections.abc import Iterator
from functools import lru_cache

from ....yaml_values import nearest
from ...model import Adr, Found
from ...names.aliases import FIELDS


class KeyMisspelt:
    """A header key looks like a misspelt one that the rules ask for.

    `chnage_scope: major` is no change scope to any rule, so every rule about major changes falls
    silent, and the ADR passes. Keys that the rules or the template ask for are compared with those
    of the header; a near miss is reported, other keys are free. Case, hyphens and blanks do not
    matter: `Change-Scope` and `changeScope` are `change_scope`. It is an error where an error rule
    asks for the key.
    """

    id = "key-misspelt"
    layer = "structure"
    severity = "warning"

    def __init__(
        self,
        known: tuple[str, ...] = ("change_scope",),
        grave: frozenset[str] = frozenset(("change_scope",)),
    ) -> None:
        self.known, self.grave = known, grave

    def check(self, adr: Adr) -> Iterator[Found]:
        known = (*self.known, *adr.template.fields)
        for key, field in adr.header.fields.items():
            near = "" if key in FIELDS or key in known else _near(key, known)
            if near and near not in adr.header.fields:
                yield Found(
                    line=field.line,
                    message=f"unknown header key {key!r}, which looks like {near!r}",
                    help=f"write `{near}: {field.text}` if you meant that",
                    severity="error" if near in self.grave else "",
                    column=field.column,
                )


@lru_cache(maxsize=1024)
def _near(key: str, wanted: tuple[str, ...]) -> str:
    """Most keys share too few letters with any other to be worth a closer look; and keys recur from
    ADR to ADR.
    """
    letters = set(key)
    close = [
        name
        for name in wanted
        if abs(len(name) - len(key)) <= 2 and len(letters.symmetric_difference(name)) <= 3
    ]
    return nearest(key, close, 0.85) if close else ""
