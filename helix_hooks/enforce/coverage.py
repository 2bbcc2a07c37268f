"""The numbers of accepted decisions that are enforced, and of overdue reviews."""

from datetime import date
from typing import NamedTuple

from ..adr.enforcement import enforcement_of
from ..adr.review_date import review_of
from ..check.trees import Revision
from ..config.settings import Settings
from ..errors import MissingExtraError
from . import checks
from .base_decisions import accepted_adrs
from .run import answers_of


class Coverage(NamedTuple):
    """The number of accepted ADRs, and of those with each kind of check.

    `enforced` ones have rules that were all proven just now, None if no engine is installed;
    `unproven` ones have a rule that was not. `named` ones only name a check, `explained` ones only
    say why there is none. `overdue` ones are due for a review. `unread` ADRs can't be read.
    """

    accepted: int
    enforced: int | None
    unproven: int
    named: int
    explained: int
    overdue: int
    unread: int


def coverage_of(tree: Revision, settings: Settings, today: date) -> Coverage:
    """Return the figures of a tree. Its rules are run on their snippets, not on the code.

    Raises:
        HelixError: The engine failed or took too long.
    """
    accepted, unread, _ = accepted_adrs(tree, settings)
    overdue = sum(review_of(adr, today, tree.paths).is_due for adr in accepted)
    found = {adr.doc.path: item for adr in accepted if (item := enforcement_of(adr.doc))}
    jobs = {
        key: job
        for path, item in found.items()
        for rule in item.rules
        for key, job in checks.proofs(f"{path}\0{rule.id}", rule)
    }
    with_rules = [path for path, item in found.items() if item.rules or item.defects]
    others = [item for item in found.values() if not (item.rules or item.defects)]
    named = sum(bool(item.named) for item in others)
    unproven, enforced = 0, None
    try:
        answers = answers_of(jobs, {})
    except MissingExtraError:
        pass
    else:
        unproven = sum(
            bool(item.defects)
            or any(any(checks.unproven(f"{path}\0{rule.id}", rule, answers)) for rule in item.rules)
            for path in with_rules
            for item in (found[path],)
        )
        enforced = len(with_rules) - unproven
    return Coverage(
        len(accepted), enforced, unproven, named, len(others) - named, overdue, len(unread)
    )
