"""The question to a judge, with what an earlier round on the pull request has found."""

from collections.abc import Iterable

from ..change.change import Change
from ..errors import GitError
from ..repository import snapshot
from ..repository.runner import run
from ..verdict.earlier import MOST, worst_first
from .options import ApproveOptions
from .question import Question

_MOST_DIFF = 300_000
"""Bytes of what was changed since; the judge can read the files for the rest."""


def with_earlier(question: Question, change: Change, options: ApproveOptions) -> Question:
    """Return the question with the findings of the last round of its type, if there are any.

    Those of a brief that the base no longer has are not asked about. No light judge answers what
    was found before.
    """
    name = question.type.name
    last = next((item for item in options.earlier if item.approval_type == name), None)
    names = {*question.names}
    known = [item for item in last.asked if item.finding.check in names] if last else []
    if last is None or not (known or last.settled):
        return question
    asked = tuple(worst_first(known)[:MOST])
    paths = [*question.paths, *question.concepts, *(item.finding.path for item in asked)]
    since = _since(change, last.commit, paths)
    is_open = options.is_requested or since is None
    has_changed = is_open or _tree(change, last.commit) != _tree(change, change.head)
    question = question._replace(earlier=last, since=since, has_changed=has_changed, light=None)
    return question.asking(asked)


def _since(change: Change, commit: str, paths: Iterable[str]) -> bytes | None:
    """Return what was changed in some files since a commit; None where the commit is not there."""
    if not _tree(change, commit):
        return None
    shown = change.with_links(list(dict.fromkeys(paths)))
    try:
        return snapshot.difference(change.root, commit, change.head, shown, _MOST_DIFF)
    except GitError:
        return None


def _tree(change: Change, commit: str) -> bytes:
    """Return git's name of the tree of a commit; nothing where it is not there."""
    arguments = ["rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}"]
    return run(arguments, change.root, check=False).stdout.strip()
