"""The run: its options, its folder with the hand-over, and the files of GitHub's runner."""

import contextlib
import os
import secrets
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .. import writing
from ..decision import handover as handovers
from ..decision.handover import Failure, Handover, RunTarget
from ..decision.pull_request import PullRequest
from ..errors import HelixError, UsageError
from ..judge.options import ApproveOptions, Range, RunOptions
from ..text import capped
from .event import Event


class StepOptions(NamedTuple):
    """Inputs of the Action; each step reads its part.

    `types` are approval types, () for the enabled ones. The judges of the types in `fresh` are
    asked even if they have answered the same question. `config` is the path of an approvals file of
    the base, "" for the default. `gate` is the gate to evaluate. With `pinned_issue`, a sweep
    updates the issue that lists all pull requests waiting for a person.
    """

    types: tuple[str, ...] = ()
    agent: str | None = None
    model: str | None = None
    max_cost_usd: float | None = None
    fresh: tuple[str, ...] = ()
    config: str = ""
    fail_on: str = "error"
    gate: str = ""
    pinned_issue: bool = False


def range_of(target: RunTarget) -> Range:
    """Return the commits of a run."""
    # GitHub has computed the merge base: here the history to compute it may be missing.
    return Range(target.base, target.head, target.merge_base)


def approve_options(
    options: StepOptions,
    handover: Handover,
    secrets: Mapping[str, str],
) -> ApproveOptions:
    """Return the options of a review on a pull request. All settings come from the base."""
    return ApproveOptions(
        range=range_of(handover.target),
        base_decides=True,
        types=options.types,
        run=RunOptions(
            agent=options.agent,
            model=options.model,
            max_cost_usd=options.max_cost_usd,
        ),
        fail_on=options.fail_on,
        fresh=options.fresh,
        config=options.config,
        secrets=secrets,
        earlier=handover.earlier,
        is_requested=handover.is_requested,
    )


MOST_BYTES = 20_000_000
"""Maximum size of a hand-over file."""

_END: list[str] = []
"""The token that resumes workflow commands, within `quoted`."""

_SUMMARY = 900_000
"""Maximum characters of a summary; GitHub accepts 1 MiB for each step."""


@contextlib.contextmanager
def quoted(environment: Mapping[str, str]) -> Iterator[None]:
    """Print everything within this context as text in which the runner reads no commands.

    Without it, a line from a pull request could be a command (docs.github.com, "Workflow commands",
    stop-commands).
    """
    if environment.get("GITHUB_ACTIONS") != "true":
        yield
        return
    # Random, so that no text of a pull request can resume commands.
    _END.append(f"end-{secrets.token_hex(16)}")
    print(f"::stop-commands::{_END[-1]}", flush=True)
    try:
        yield
    finally:
        print(f"::{_END.pop()}::", flush=True)


def annotate(commands: str) -> None:
    """Print workflow commands, also within `quoted`. The caller has escaped their values."""
    if _END:
        commands = f"::{_END[-1]}::\n{commands}::stop-commands::{_END[-1]}\n"
    print(commands, end="", flush=True)


def put(environment: Mapping[str, str], values: Mapping[str, str]) -> None:
    """Write the outputs of a step."""
    path = environment.get("GITHUB_OUTPUT")
    if not path:
        return
    # A random delimiter, so that no value can end early and add another output.
    end = f"end-{secrets.token_hex(16)}"
    _append(path, "".join(f"{name}<<{end}\n{value}\n{end}\n" for name, value in values.items()))


def summarise(environment: Mapping[str, str], page: str) -> None:
    """Add a page to the job summary."""
    path = environment.get("GITHUB_STEP_SUMMARY")
    if path:
        _append(path, capped(page, "*The page is truncated.*", _SUMMARY) + "\n")


def _append(path: str, text: str) -> None:
    try:
        writing.append(path, text.encode(errors="replace"))
    except OSError as error:
        raise HelixError(
            f"{os.path.basename(path)} of the runner can't be written: {error.strerror}"
        ) from None


def save(path: str, handover: Handover) -> None:
    """Write a hand-over that no other user of the machine can read.

    Raises:
        HelixError: The file can't be written.
    """
    write(path, handovers.text(handover), mode=0o600)


def write(path: str, text: str, mode: int = 0o666) -> None:
    """Write a file and replace an earlier one atomically. `mode` limits its permissions.

    Raises:
        HelixError: The file can't be written.
    """
    try:
        writing.replace(path, text.encode(), mode=mode)
    except OSError as error:
        raise HelixError(
            f"{os.path.basename(path)} could not be written: {error.strerror}"
        ) from None


def load(path: str) -> Handover:
    """Read the hand-over of the earlier steps.

    Raises:
        HelixError: There is none, it is too large, or it is not what they write.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise HelixError(
            "there is no hand-over of the earlier steps; run `--mode snapshot` first"
        ) from None
    except OSError as error:
        raise _wrong_form(str(error)) from None
    if len(data) > MOST_BYTES:
        raise HelixError(f"the hand-over is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        return handovers.read(data)
    except ValueError as error:
        raise _wrong_form(str(error)) from None


def _wrong_form(reason: str) -> HelixError:
    return HelixError(f"the hand-over is not what the steps before write: {reason[:200]}")


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
        handover = load(self.file)
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
        save(self.file, handover)

    def save_log(self, environment: Mapping[str, str], log: str) -> None:
        """Write the findings for a later step of the workflow, as a SARIF log."""
        write(self.findings, log)
        put(environment, {"sarif-file": self.findings})


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
