"""The question to a judge, with the findings of an earlier round on the pull request."""

from collections.abc import Iterable

from ..errors import GitError
from ..git import run, snapshot
from ..verdict.earlier import MOST, EarlierRound, worst_first
from .change import Change
from .options import ApproveOptions
from .question import Question

_MOST_DIFF = 300_000
"""Maximum bytes of the diff since the last round. The judge can read the files for the rest."""


def with_earlier(question: Question, change: Change, options: ApproveOptions) -> Question:
    """Return the question with the findings of the last round of its type, if there are any.

    Findings of a brief that the base no longer has are left out. A light judge does not review
    earlier findings.
    """
    last = _last_round(question.type.name, options)
    if last is None:
        return question
    names = {*question.names}
    open_findings = [item for item in last.asked if item.finding.check in names]
    if not open_findings and not last.settled:
        return question
    asked = tuple(worst_first(open_findings)[:MOST])
    paths = [*question.paths, *question.concepts, *(item.finding.path for item in asked)]
    since = _since(change, last.commit, paths)
    # If nothing changed, the judge may not call a finding fixed, unless a person asked to look
    # again. If the old commit is gone, a change can't be ruled out.
    has_changed = options.is_requested or since is None
    if not has_changed:
        has_changed = _tree(change, last.commit) != _tree(change, change.head)
    question = question._replace(earlier=last, since=since, has_changed=has_changed, light=None)
    return question.asking(asked)


def _last_round(name: str, options: ApproveOptions) -> EarlierRound | None:
    """Return the last round of an approval type; None for a first round."""
    return next((item for item in options.earlier if item.approval_type == name), None)


def _since(change: Change, commit: str, paths: Iterable[str]) -> bytes | None:
    """Return the diff of some files since a commit; None if the clone lacks the commit."""
    if not _tree(change, commit):
        return None
    shown = change.with_links(list(dict.fromkeys(paths)))
    try:
        return snapshot.difference(change.root, commit, change.head, shown, _MOST_DIFF)
    except GitError:
        return None


def _tree(change: Change, commit: str) -> bytes:
    """Return the object id of the tree of a commit; empty if the clone lacks the commit."""
    arguments = ["rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}"]
    return run(arguments, change.root, check=False).stdout.strip()
