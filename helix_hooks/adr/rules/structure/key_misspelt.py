import re
from collections.abc import Iterator

from ....finding import Finding
from ...enforcement import FIELD as ENFORCEMENT
from ...model import Adr, Files, Fix, RuleResult, fixed_by, rule
from ...names import FIELDS, field_name, nearest_name
from ...review_date import REVISIT_WHEN
from .value_misspelt import meant, respelt

_KEY = r"[\s>*_`\"'|+-]*([^\W\d_][\w -]*?)[\s*_`\"']*[:：|]"
_MIN_SIMILARITY = 0.85
_WITH_ERRORS = frozenset((ENFORCEMENT,))
_READ_ELSEWHERE = (ENFORCEMENT, REVISIT_WHEN)
"""Keys that `enforce` and the queue read; without the first one nothing checks the code."""


def _respelt(finding: Finding, files: Files, adr: Adr) -> Fix | None:
    """Return the fix of a key that only one known key can mean, in the style of the key."""
    written = re.match(_KEY, adr.doc.texts({finding.line})[finding.line])
    if not written or field_name(written[1]) != finding.subject:
        return None
    known = {name: name for name in (*adr.template.fields, *adr.vocabulary.fields)}
    correct = meant(finding.subject, known, same_end=False)
    if correct in adr.header.fields:
        return None
    separator = next((sign for sign in "_- " if sign in written[1]), "_")
    correct = correct.replace("_", separator)
    return respelt(finding, files.text(adr.doc.path), "key", written[1], correct)


@fixed_by(_respelt)
@rule("key-misspelt", "structure", "warning")
def key_misspelt(adr: Adr) -> Iterator[RuleResult]:
    """A header key looks like a known key with a typo.

    No rule takes `chnage_scope: major` for a change scope, so no rule on major changes checks the
    ADR. The rule compares header keys with the keys that rules and the template use, and reports a
    near miss, as in `enforcment`. Other keys are not reported. Case, hyphens and spaces do not
    matter: `Change-Scope` and `changeScope` are `change_scope`. It is an error for `enforcement`,
    and if a rule with severity error uses the key. Correct the key.
    """
    known = (*adr.vocabulary.fields, *adr.template.fields, *_READ_ELSEWHERE)
    for key, field in adr.header.fields.items():
        if key in FIELDS or key in known:
            continue
        near = nearest_name(key, known, _MIN_SIMILARITY)
        if near and near not in adr.header.fields:
            yield RuleResult(
                line=field.line,
                message=f"unknown header key {key!r}; did you mean {near!r}?",
                help=f"write `{near}: {field.text}` if you meant that",
                severity="error" if near in _WITH_ERRORS | adr.vocabulary.error_fields else "",
                column=field.column,
                subject=key,
            )
