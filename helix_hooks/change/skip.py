"""Reasons why an approval type needs no judge."""

from ..adr.names.heading import Meanings
from ..config.agents import MANUAL, SKIP
from ..config.approvals import ApprovalType
from ..verdict.skip import NOTHING, unneeded
from .change import Change

NOTHING_CHANGED = "no file of this type was changed that a judge could read"
"""The reason for an approval type that the change does not touch."""

NO_JUDGE = "agent: skip runs no judge; only the rules decide"
"""The reason for an approval type without an approver."""


def reason_to_skip(
    change: Change,
    type: ApprovalType,
    paths: list[str],
    meanings: Meanings,
    is_named: bool,
) -> str:
    """Return why the files of a type need no judge; "" if they need one.

    `is_named`: a person named the files. Without a base they are always judged, since there is no
    other version to compare them with.
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
    reasons = dict.fromkeys(_unchanged(change, path, meanings) for path in paths)
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


def _unchanged(change: Change, path: str, meanings: Meanings) -> str:
    """Return why a change of an ADR needs no judge; "" if it needs one."""
    before, old = change.merge_base_tree, change.names.get(path, path)
    if before is None or not path.endswith(".md") or not before.has(old):
        return ""
    if not change.tree.has(path) or change.tree.is_link(path):
        return ""
    reason = unneeded(before.document(old), change.tree.document(path), meanings)
    if old != path and reason == NOTHING:
        return "the file was only renamed"
    return reason
