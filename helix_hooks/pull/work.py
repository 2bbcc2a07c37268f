"""The folder with the hand-over and other files that the steps of a run share."""

import contextlib
import os
import secrets
from collections.abc import Mapping

from ..decision.handover import Failure, Handover, RunTarget
from ..decision.pull_request import PullRequest
from ..errors import HelixError, UsageError
from . import runner
from .event import Event


class Work:
    """The folder of a run: the hand-over, and the commits as git objects.

    Raises:
        UsageError: The path is not absolute, or the folder can't be created.
    """

    def __init__(self, folder: str) -> None:
        if not os.path.isabs(folder):
            raise UsageError("--work requires an absolute path, or RUNNER_TEMP in the environment")
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            way_out = "choose another folder with --work or RUNNER_TEMP"
            message = f"{folder} can't be created: {error.strerror}; {way_out}"
            raise UsageError(message) from None
        self.objects = os.path.join(folder, "objects.git")
        self.file = os.path.join(folder, "handover.json")
        self.findings = os.path.join(folder, "findings.sarif")

    def load(self, environment: Mapping[str, str]) -> Handover:
        """Return the hand-over of the earlier steps of this run.

        Raises:
            HelixError: There is none, it is invalid, or it belongs to another run.
        """
        handover = runner.load(self.file)
        target = handover.target
        if target.repository != environment.get("GITHUB_REPOSITORY", target.repository):
            raise HelixError("the hand-over belongs to another repository")
        # A file of an earlier run may be left on a self-hosted runner.
        nonce = environment.get("HELIX_NONCE", "")
        if nonce and nonce != target.nonce:
            raise HelixError("the hand-over belongs to another run")
        return handover

    def forget(self) -> None:
        """Remove the hand-over of another run."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.file)

    def save(self, handover: Handover) -> None:
        runner.save(self.file, handover)

    def save_log(self, environment: Mapping[str, str], log: str) -> None:
        """Write the findings for a later step of the workflow, as a SARIF log."""
        runner.write(self.findings, log)
        runner.put(environment, {"sarif-file": self.findings})


def without_run(repository: str, pull: PullRequest, failure: str) -> Handover:
    """Return the hand-over of a pull request without a run for its head, with the reason."""
    event = Event(
        name="",
        repository=repository,
        number=pull.number,
        head=pull.head,
        base=pull.base,
        base_ref=pull.base_ref,
    )
    handover = unseen(event)
    return handover._replace(
        target=handover.target._replace(check=pull.check),
        failure=Failure(HelixError.exit_code, failure),
    )


def unseen(seen: Event) -> Handover:
    """Return the hand-over of a run that has only its event."""
    target = RunTarget(
        repository=seen.repository,
        number=seen.number,
        head=seen.head,
        base=seen.base,
        merge_base=seen.base,
        nonce=secrets.token_hex(16),
        base_ref=seen.base_ref,
        merges=seen.merges,
    )
    return Handover(target=target)
