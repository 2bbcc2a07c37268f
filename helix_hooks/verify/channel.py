"""The feedback to the agent of a work tree, for programs."""

import time

from .. import git
from ..verification.attempts import AttemptKey, Attempts
from ..verification.feedback import feedback_of_program
from ..verification.pending import Pending, Records, shown
from . import store


class FeedbackChannel:
    """The feedback to the agent in the work tree of the current folder.

    It is in the git directory, so no commit has it. `helix-hooks feedback` prints it, beside that
    on ADRs.
    """

    def __init__(self) -> None:
        """Open the channel.

        Raises:
            UsageError: The folder is not in a git repository.
        """
        self._store = store.opened(git.root_for("FeedbackChannel"))

    def send(self, message: str, attempt: int, runs: int = 3) -> None:
        """Write what is wrong for the agent, instead of an earlier message.

        `attempt` counts from 1, of `runs`. Nothing is counted.

        Raises:
            HelixError: The feedback can't be written.
        """
        now = int(time.time())
        item = Pending(
            attempts=Attempts(AttemptKey("", "", "", "program"), attempt, "", "", now),
            adr_id="",
            title="",
            errors=(message,),
            feedback=feedback_of_program(message, attempt, runs, now),
        )

        def sent(records: Records) -> tuple[Records, None]:
            others = (other for other in records if other.attempts.key != item.attempts.key)
            return (*others, item), None

        store.update(self._store, sent)

    def clear(self) -> None:
        """Remove all feedback and questions, as `helix-hooks feedback --clear` does.

        Raises:
            HelixError: The feedback can't be written.
        """
        store.clear(self._store)

    @property
    def pending(self) -> str:
        """The feedback that nobody has answered, as `helix-hooks feedback` prints it; "" for none.

        Raises:
            HelixError: The feedback can't be read.
        """
        return shown(store.read(self._store))
