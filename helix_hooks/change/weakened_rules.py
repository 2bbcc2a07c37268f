"""*Weakened*: what accepted decisions no longer check in the code after a change. Pure.

More files and fewer exceptions are no weakening. Any other change of a rule is one, since it is not
known what the new rule misses.
"""

from collections.abc import Iterator, Sequence

from ..adr.enforcement import CodeRule, Enforcement, Exemption
from ..paths import is_pattern


def weakened(
    before: Enforcement, now: Enforcement | None, others: Sequence[Enforcement]
) -> Iterator[tuple[int, str, str]]:
    """Yield what the checks of an accepted decision lost: line, id, and the change.

    `now` is the accepted version after the change. `others` are the checks of other accepted ADRs,
    which may carry a rule on. The line is 0 for a check that is gone.
    """
    rules = {rule.id: rule for rule in now.rules} if now else {}
    for old in before.rules:
        new = rules.get(old.id) or _carried_on(old, others)
        if new is None:
            yield 0, old.id, f"the rule {old.id} is gone"
        else:
            yield from ((line, old.id, text) for line, text in _less(old, new))
    checks = {check.text for item in (now, *others) if item for check in item.named}
    for check in before.named:
        if check.text not in checks:
            yield 0, check.text, f"{check.text} is no longer named"


def _carried_on(old: CodeRule, others: Sequence[Enforcement]) -> CodeRule | None:
    rules = (rule for item in others for rule in item.rules)
    return next((rule for rule in rules if rule.check == old.check), None)


def _less(old: CodeRule, new: CodeRule) -> Iterator[tuple[int, str]]:
    """Yield the line and the kind of each difference by which a rule may report less."""
    if new.check != old.check:
        yield new.line, f"the rule {old.id} is another one"
    # Without globs, files with another suffix are no longer read.
    is_wider = set(old.files) <= set(new.files) if new.files else not old.exact
    is_first = bool(new.files) and not old.files
    if not is_wider or is_first or not set(new.ignores) <= set(old.ignores):
        yield new.line, f"the rule {old.id} reads fewer files"
    for item in new.exceptions:
        if not any(_is_within(item, older) for older in old.exceptions):
            globs = ", ".join(item.files)
            yield item.line, f"the rule {old.id} has a new exception for {globs} until {item.until}"


def _is_within(new: Exemption, old: Exemption) -> bool:
    """Return whether an exception covers no more files than an older one, and no longer."""
    covered = all(
        glob in old.files or (not is_pattern(glob) and old.covers(glob)) for glob in new.files
    )
    return covered and new.until <= old.until
