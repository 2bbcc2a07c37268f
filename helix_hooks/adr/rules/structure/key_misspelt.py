from collections.abc import Iterator
from functools import lru_cache

from ....yaml_reader import nearest
from ...model import Adr, RuleResult, rule
from ...names.aliases import FIELDS

_MIN_SIMILARITY = 0.85


@rule("key-misspelt", "structure", "warning")
def key_misspelt(adr: Adr) -> Iterator[RuleResult]:
    """A header key looks like a known key with a typo.

    No rule takes `chnage_scope: major` for a change scope, so no rule on major changes checks the
    ADR. The rule compares header keys with the keys that rules and the template use, and reports a
    near miss. Other keys are not reported. Case, hyphens and spaces do not matter: `Change-Scope`
    and `changeScope` are `change_scope`. It is an error if a rule with severity error uses the key.
    Correct the key.
    """
    known = (*adr.vocabulary.fields, *adr.template.fields)
    for key, field in adr.header.fields.items():
        if key in FIELDS or key in known:
            continue
        near = _near(key, known)
        if near and near not in adr.header.fields:
            yield RuleResult(
                line=field.line,
                message=f"unknown header key {key!r}; did you mean {near!r}?",
                help=f"write `{near}: {field.text}` if you meant that",
                severity="error" if near in adr.vocabulary.error_fields else "",
                column=field.column,
                subject=key,
            )


# The same keys recur from ADR to ADR.
@lru_cache(maxsize=1024)
def _near(key: str, known: tuple[str, ...]) -> str:
    """Return the known key that a key nearly is, "" without one."""
    letters = set(key)
    # A quick test before the slow comparison: most keys share too few letters with any other.
    same_length = [name for name in known if abs(len(name) - len(key)) <= 2]
    close = [name for name in same_length if len(letters.symmetric_difference(name)) <= 3]
    return nearest(key, close, _MIN_SIMILARITY) if close else ""
