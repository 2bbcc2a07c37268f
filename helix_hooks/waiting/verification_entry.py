"""A verification that an agent gave up, as an entry of the queue. Pure.

Nobody approves it: the contract is fulfilled or not. A person looks what is missing, has the work
done or the decision changed, and clears the question.
"""

import shlex

from ..config.policy import EXPERTISE
from ..text import counted
from ..verification.attempts import UNCHANGED
from ..verification.naming import long_name
from ..verification.pending import Pending
from .entry import VERIFICATION, WAITING, ProjectPolicy, QueueEntry


def entry(item: Pending, by: ProjectPolicy) -> QueueEntry:
    """Return the entry of a question."""
    attempts = item.attempts
    path = attempts.key.adr
    name = long_name(item.adr_id, item.title, path)
    is_same = attempts.capped == UNCHANGED
    why = "the last two attempts left the same files" if is_same else "no attempt is left"
    return QueueEntry(
        id=f"verify:{path}",
        source=VERIFICATION,
        project=by.project,
        repository=by.repository,
        title=f"{name} is not fulfilled after {counted(attempts.number, 'attempt')}",
        category=EXPERTISE,
        state=WAITING,
        turn="Waiting for the author of the work",
        asked_by="an agent",
        asked_at=attempts.at,
        reasons=(f"an agent gave up: {why}", *item.errors),
        ways_on=(
            f"helix-hooks verify {shlex.quote(path)}",
            "helix-hooks feedback",
            "helix-hooks feedback --clear",
        ),
        deciders=by.policy.deciders,
        files=(path,),
        description=item.feedback,
        needs_login=False,
        asked_by_login=False,
    )
