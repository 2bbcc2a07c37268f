"""The files of GitHub's runner: outputs, the summary, and the hand-over to the next step."""

import contextlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from .. import writing
from ..decision.handover import Handover
from ..decision.handover_from_json import read
from ..decision.handover_to_json import payload
from ..errors import HelixError
from ..repository import files
from ..text.sanitize import capped

if TYPE_CHECKING:
    from jsonschema_rs import Validator

MOST_BYTES = 20_000_000
"""Of a hand-over file."""

_END: list[str] = []
"""The word that ends the quoting, while there is one."""

_SUMMARY = 900_000
"""Characters of a summary; GitHub takes 1 MiB of a step."""


@contextlib.contextmanager
def quoted(environment: Mapping[str, str]) -> Iterator[None]:
    """Print everything within this context as plain text, which the runner reads no commands from.

    Otherwise a line from a pull request could set outputs (docs.github.com, "Workflow commands",
    stop-commands).
    """
    if environment.get("GITHUB_ACTIONS") != "true":
        yield
        return
    _END.append(f"end-{secrets.token_hex(16)}")
    print(f"::stop-commands::{_END[-1]}", flush=True)
    try:
        yield
    finally:
        print(f"::{_END.pop()}::", flush=True)


def annotate(commands: str) -> None:
    """Print workflow commands, which are escaped, from within `quoted`."""
    around = (f"::{_END[-1]}::\n", f"::stop-commands::{_END[-1]}\n") if _END else ("", "")
    print(f"{around[0]}{commands}{around[1]}", end="", flush=True)


def put(environment: Mapping[str, str], values: Mapping[str, str]) -> None:
    """Write the outputs of a step.

    A value ends with a random word, so that no value can add an output of its own.
    """
    path = environment.get("GITHUB_OUTPUT")
    if not path:
        return
    end = f"end-{secrets.token_hex(16)}"
    _append(path, "".join(f"{name}<<{end}\n{value}\n{end}\n" for name, value in values.items()))


def summarise(environment: Mapping[str, str], page: str) -> None:
    """Write the page of the job."""
    path = environment.get("GITHUB_STEP_SUMMARY")
    if path:
        _append(path, capped(page, "*There is more than fits here.*", _SUMMARY) + "\n")


def _append(path: str, text: str) -> None:
    try:
        writing.append(path, text.encode(errors="replace"))
    except OSError as error:
        raise HelixError(
            f"{os.path.basename(path)} of the runner can't be written: {error.strerror}"
        ) from None


def save(path: str, handover: Handover) -> None:
    """Write a hand-over that no other user of the machine can read. Raises HelixError."""
    write(path, json.dumps(payload(handover)), mode=0o600)


def write(path: str, text: str, mode: int = 0o666) -> None:
    """Write a file in one move, so that nobody reads half of it. `mode` limits its permissions.
    Raises HelixError.
    """
    try:
        writing.replace(path, text.encode(), mode=mode)
    except OSError as error:
        raise HelixError(
            f"{os.path.basename(path)} could not be written: {error.strerror}"
        ) from None


def load(path: str) -> Handover:
    """Read the hand-over of the steps before. Raises HelixError if it does not have their form."""
    try:
        if os.path.getsize(path) > MOST_BYTES:
            raise HelixError(f"the hand-over is larger than {MOST_BYTES // 1_000_000} MB")
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except FileNotFoundError:
        raise HelixError(
            "there is no hand-over of the steps before, so nothing is known; `--mode "
            "snapshot` comes first"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise HelixError(
            f"the hand-over is not what the steps before write: {str(error)[:200]}"
        ) from None
    return checked(data)


def checked(data: object) -> Handover:
    """Return a hand-over read from JSON. Raises HelixError if it does not fit the schema."""
    from jsonschema_rs import ValidationError

    try:
        _validator().validate(data)
    except (ValidationError, ValueError, RecursionError) as error:
        reason = error.message if isinstance(error, ValidationError) else str(error)
        raise HelixError(
            f"the hand-over is not what the steps before write: {reason[:200]}"
        ) from None
    if not isinstance(data, dict):
        raise HelixError("the hand-over is not what the steps before write: no object")
    return read(data)


@cache
def _validator() -> "Validator":
    """Return the compiled schema of a hand-over, which takes longer than to use it."""
    from jsonschema_rs import validator_for

    return validator_for(json.loads(files.packaged("schemas/handover.json") or b"{}"))
