"""Reasons why an approval type needs no judge."""

from collections.abc import Callable

from ..adr.rules.registry import Ruleset
from ..check.trees import GitTree
from ..config.agents import MANUAL, SKIP
from ..config.approvals import ApprovalType
from ..paths import is_markdown
from ..verdict.skip import NOTHING, NOTHING_CHANGED, is_decided, unneeded
from .change import Change

NO_JUDGE = "agent: skip runs no judge; only the rules decide"
"""The reason for an approval type without an approver."""


def reason_to_skip(
    change: Change,
    type: ApprovalType,
    paths: list[str],
    ruleset: Ruleset,
    is_named: bool,
    by_person: Callable[[str], bool],
) -> str:
    """Return why the files of a type need no judge; "" if they need one.

    `is_named`: a person named the files. Without a base they are always judged, since there is no
    other version to compare them with. `by_person` returns whether a person must decide about a
    file anyway.
    """
    if type.run.agent == SKIP and paths:
        return NO_JUDGE
    semantic = _semantic(type)
    if semantic == "false":
        return "semantic is false in the settings"
    if not paths:
        return NOTHING_CHANGED
    if semantic != "auto" or (is_named and not change.base):
        return ""
    reasons = dict.fromkeys(_unchanged(change, path, ruleset, by_person(path)) for path in paths)
    if not all(reasons):
        return ""
    return "; ".join(reasons)


def _semantic(type: ApprovalType) -> str:
    if type.always:
        return "true"
    # `semantic: false` turns a judge off, not a person.
    if type.run.semantic == "false" and type.run.agent == MANUAL:
        return "auto"
    return type.run.semantic


def _unchanged(change: Change, path: str, ruleset: Ruleset, by_person: bool) -> str:
    """Return why a change of an ADR needs no judge; "" if it needs one."""
    before, old = change.merge_base_tree, change.names.get(path, path)
    if before is None or not is_markdown(path) or not _is_in_both(change, before, path):
        return ""
    old_doc, doc = before.document(old), change.tree.document(path)
    was_decided = is_decided(old_doc, ruleset.meanings, ruleset.statuses)
    if not was_decided and is_decided(doc, ruleset.meanings, ruleset.statuses):
        return ""  # it is judged like a new ADR
    reason = unneeded(old_doc, doc, ruleset.meanings, by_person)
    if old == path or reason != NOTHING:
        return reason
    # A decided ADR has a new name: `accepted-changed` asks a person about it.
    return "the file was only renamed" if by_person or not was_decided else ""


def _is_in_both(change: Change, before: GitTree, path: str) -> bool:
    is_file = change.tree.has(path) and not change.tree.is_link(path)
    return is_file and before.has(change.names.get(path, path))
