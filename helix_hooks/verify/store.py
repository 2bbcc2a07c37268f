"""Counters, feedback and questions in the git directory of a work tree.

A commit can't change them, and each linked work tree has its own. `state.json` is authoritative;
`feedback.md` and the copy in the work tree are written from it, for reading.
"""

import contextlib
import os
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple, TypeVar

from .. import writing
from ..errors import HelixError
from ..git import run
from ..verification.pending import Records, answered, from_json, shown, to_json
from ..verification.result import VerificationResult
from . import copy
from .lock import held

_FOLDER = os.path.join("helix-hooks", "verify")
_STATE = "state.json"
_FEEDBACK = "feedback.md"
_COPY = "copy-at"
_MOST_BYTES = 16_000_000
"""Maximum size of a file that is read."""
_PATIENCE = 10.0
"""Seconds to wait for the lock. Other processes hold it for a few milliseconds."""

_Value = TypeVar("_Value")


class Store(NamedTuple):
    """The folder of a work tree, and the path of the feedback's copy in it ("" for none)."""

    root: str
    folder: str
    copy: str = ""
    patience: float = _PATIENCE

    @property
    def feedback(self) -> str:
        """The path of the feedback."""
        return os.path.join(self.folder, _FEEDBACK)


def opened(root: str, copy_path: str = "") -> Store:
    """Return the store of a work tree.

    Raises:
        HelixError: The copy can't be written to its path.
    """
    if copy_path:
        copy.refuse(root, copy_path)
    place = run(["rev-parse", "--absolute-git-dir"], root).stdout.removesuffix(b"\n")
    return Store(root, os.path.join(os.fsdecode(place), _FOLDER), copy_path)


class DamagedError(HelixError):
    """The records can't be read."""


def read(store: Store) -> Records:
    """Return the records.

    Raises:
        DamagedError: The records can't be read.
    """
    place = os.path.join(store.folder, _STATE)
    try:
        data = _bytes(place)
        return () if data is None else from_json(data)
    except (HelixError, ValueError, OSError) as error:
        raise DamagedError(f"{place} can't be read: {error}") from None


def clear(store: Store, adrs: Collection[str] | None = None, *, is_person: bool = False) -> Records:
    """Remove feedback and questions, and return the previous records; none if damaged.

    `adrs` are the paths of some ADRs. With `is_person` a person has answered for certain.
    """

    def without(records: Records) -> tuple[Records, Records]:
        return answered(records, adrs, is_person=is_person), records

    try:
        return update(store, without)
    except DamagedError:
        # The first call put the damaged file aside, so the second one starts without records.
        return update(store, without)


def fulfil(store: Store, results: Iterable[VerificationResult]) -> Records:
    """Remove the feedback on verified ADRs, and return the open questions about the other ADRs.

    Raises:
        HelixError: The store can't be read or written.
    """

    def without_verified(records: Records) -> tuple[Records, Records]:
        remaining = answered(records, verified)
        return remaining, remaining

    verified = {result.path for result in results if result.success}
    records = read(store)
    # Without feedback to remove, nothing is locked or written.
    if verified & {item.attempts.key.adr for item in records if item.feedback}:
        records = update(store, without_verified)
    paths = {result.path for result in results}
    return tuple(item for item in records if item.is_question and item.attempts.key.adr in paths)


def update(store: Store, change: Callable[[Records], tuple[Records, _Value]]) -> _Value:
    """Replace the records by the first value of `change`, and return its second value.

    A lock excludes other processes. A killed process leaves either the old or the new records, and
    the next update writes the feedback again.

    Raises:
        DamagedError: The records can't be read. They are renamed, so the next update starts
            without records.
        HelixError: The files can't be written.
    """
    try:
        os.makedirs(store.folder, mode=0o700, exist_ok=True)
        lock = os.path.join(store.folder, "lock")
        with held(lock, store.patience, "another verification is running; try again"):
            _tidy(store.folder)
            records, value = change(_read_or_put_aside(store))
            # Feedback first: an attempt that the agent can't read about is not counted.
            _write_feedback(store, shown(records))
            data = to_json(records).encode()
            state = os.path.join(store.folder, _STATE)
            writing.replace(state, data, mode=0o600, is_record=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise HelixError(f"{error.filename or store.folder}: {reason}") from None
    return value


def _read_or_put_aside(store: Store) -> Records:
    try:
        return read(store)
    except DamagedError:
        place = os.path.join(store.folder, _STATE)
        os.replace(place, f"{place}.damaged")
        raise


def _bytes(place: str) -> bytes | None:
    """Return the bytes of a file, None if it does not exist. Raises HelixError."""
    if os.path.islink(place):
        raise HelixError("it is a symbolic link")
    try:
        with open(place, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if len(data) > _MOST_BYTES:
        raise HelixError("it is too large")
    return data


def _write_feedback(store: Store, text: str) -> None:
    _write_copy(store, text)
    if text:
        writing.replace(store.feedback, text.encode(errors="replace"), mode=0o600)
        return
    with contextlib.suppress(FileNotFoundError):
        os.unlink(store.feedback)


def _write_copy(store: Store, text: str) -> None:
    """Write the copy, and remove an earlier copy at another path.

    The path is stored in a file: the setting may have changed, and `feedback` reads no settings.
    """
    memory = os.path.join(store.folder, _COPY)
    last = os.fsdecode(_bytes(memory) or b"")
    beside = f"{store.feedback}{writing.UNFINISHED}"
    if last and last != store.copy and not copy.reason_against(store.root, last):
        copy.write(store.root, last, "", beside)
    if store.copy:
        if store.copy != last:
            writing.replace(memory, os.fsencode(store.copy), mode=0o600)
        copy.write(store.root, store.copy, text, beside)


def _tidy(folder: str) -> None:
    """Remove the unfinished files of killed processes. The caller has the lock, and none itself."""
    for name in os.listdir(folder):
        if name.endswith(writing.UNFINISHED):
            os.unlink(os.path.join(folder, name))
