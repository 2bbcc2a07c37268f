"""The files of GitHub's runner: outputs, the job summary, and the hand-over to the next step."""

import contextlib
import os
import secrets
from collections.abc import Iterator, Mapping

from .. import writing
from ..decision import handover as handovers
from ..decision.handover import Handover
from ..errors import HelixError
from ..text import capped

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
