"""Run records, and the cache of answers.

Both are stored in the git directory that all work trees of a repository share. They are not part of
the repository, so a change can't add one. A cached answer is validated each time, like a new one.
"""

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .. import __version__, writing
from ..errors import HelixError
from ..git import COMMON, run
from .model import addresses

if TYPE_CHECKING:
    from .question import Question

_RECORDS = "runs.jsonl"
_FOLDER = "helix-hooks"

_READ = "each line read"
"""A requirement for answers, as part of the key: older answers did not meet it."""

_OLD = 3600
"""Seconds after which an unfinished file belongs to a run that was killed."""


def folder(root: str) -> str:
    """Return the folder of a repository's run records and cached answers."""
    place = run(COMMON, root).stdout.decode(errors="surrogateescape").rstrip("\n")
    return os.path.join(place, _FOLDER)


def key(question: "Question", environment: Mapping[str, str]) -> str:
    """Return the cache key of a question: a hash of everything that an answer depends on.

    These are contents, rubric, briefs, settings, model, and every file that a judge may read.
    """
    type = question.type
    parts = [
        __version__,
        _READ,
        _tree(question),
        type.name,
        list(type.run),
        list(type.codebase),
        list(question.agent),
        list(question.light or ()),
        [list(agent) for agent in question.others],
        question.rubric,
        [list(brief) for brief in question.briefs],
        {path: _hash(data) for path, data in question.skills.items()},
        question.files,
        question.concepts,
        [list(finding) for finding in question.findings],
        _hash(question.diff or b""),
        question.earlier_text,
        _hash(question.since or b""),
        question.schema,
        addresses(environment),
    ]
    return _hash(json.dumps(parts, sort_keys=True).encode())


def _tree(question: "Question") -> str:
    rows = (f"{item.kind} {item.object} {item.path}\0" for item in question.entries)
    return _hash("".join(rows).encode(errors="surrogateescape"))


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def recall(place: str, key: str) -> dict[str, Any] | None:
    """Return the cached entry of a question; None if there is none, or it can't be read."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        with open(os.path.join(place, "cache", f"{key}.json"), encoding="utf-8") as file:
            entry = json.load(file)
        if isinstance(entry, dict) and isinstance(entry.get("model"), str):
            return entry
    return None


def remember(place: str, key: str, entry: dict[str, Any]) -> None:
    """Store an accepted answer. Errors are ignored: the next run asks the judge again."""
    cache = os.path.join(place, "cache")
    with contextlib.suppress(OSError):
        os.makedirs(cache, mode=0o700, exist_ok=True)
        _tidy(cache)
        writing.replace(os.path.join(cache, f"{key}.json"), json.dumps(entry).encode(), mode=0o600)


def _tidy(cache: str) -> None:
    """Remove unfinished files of runs that were killed."""
    for name in os.listdir(cache):
        path = os.path.join(cache, name)
        with contextlib.suppress(OSError):
            if name.endswith(writing.UNFINISHED) and time.time() - os.lstat(path).st_mtime > _OLD:
                os.unlink(path)


def answers(place: str) -> dict[str, dict[str, Any]]:
    """Return all stored answers by the key of their question."""
    with contextlib.suppress(FileNotFoundError):
        names = os.listdir(os.path.join(place, "cache"))
        keys = sorted(name.removesuffix(".json") for name in names if name.endswith(".json"))
        return {key: entry for key in keys if (entry := recall(place, key))}
    return {}


def record(place: str, entry: dict[str, Any]) -> None:
    """Add a run to the records.

    Raises:
        OSError: The file can't be written.
    """
    os.makedirs(place, exist_ok=True)
    # One write for a whole line, so that the lines of parallel runs do not mix.
    line = json.dumps(entry, separators=(",", ":")).encode() + b"\n"
    writing.append(os.path.join(place, _RECORDS), line, mode=0o644)


def records(place: str) -> Iterator[dict[str, Any] | None]:
    """Yield the runs, oldest first; None for a line that can't be read.

    Raises:
        HelixError: The file can't be opened.
    """
    path = os.path.join(place, _RECORDS)
    try:
        file = open(path, "rb")  # noqa: SIM115 -- closed below; only errors of opening are caught
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise HelixError(f"{path} can't be read: {error.strerror}") from None
    with file:
        for line in file:
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):
                entry = None
            yield entry if isinstance(entry, dict) else None
