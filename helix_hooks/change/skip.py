"""Reasons for which an approval type needs no judge."""

from ..adr.names.heading import Meanings
from ..config.agents import MANUAL, SKIP
from ..config.approvals import ApprovalType
from ..verdict.skip import NOTHING, unneeded
from .change import Change

NOTHING_CHANGED = "no file of this type was changed that a judge could read"
"""The reason for an approval type that the change does not touch."""

NO_JUDGE = "agent: skip asks none, so the rules alone decide"
"""The reason for an approval type that nobody approves."""


def reason_to_skip(
    change: Change,
    type: ApprovalType,
    paths: list[str],
    meanings: Meanings,
    is_named: bool,
) -> str:
    """Return why a judge could say nothing about the files of a type; "" if one is needed.

    Without a base there is nothing to compare a file with; a named one is judged then.
    """
    if type.run.agent == SKIP and paths:
        return NO_JUDGE
    semantic = "true" if type.always else type.run.semantic
    if semantic == "false" and type.run.agent == MANUAL:
        semantic = "auto"
    if semantic == "false":
        return "semantic is false in the settings"
    if not paths:
        return NOTHING_CHANGED
    if semantic != "auto" or (is_named and not change.base):
        return ""
    reasons = dict.fromkeys(_unchanged(change, path, meanings) for path in paths)
    return "; ".join(reasons) if all(reasons) else ""


def _unchanged(change: Change, path: str, meanings: Meanings) -> str:
    """Return what alone was changed in an ADR, as a reason; "" for any other change."""
    before, old = change.merge_base_tree, change.names.get(path, path)
    if before is None or not path.endswith(".md") or not before.has(old):
        return ""
    if not change.tree.has(path) or change.tree.is_link(path):
        return ""
    reason = unneeded(before.document(old), change.tree.document(path), meanings)
    is_renamed = old != path and reason == NOTHING
    return "the file was only renamed" if is_renamed else reason
