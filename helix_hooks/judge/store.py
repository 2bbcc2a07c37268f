"""What is kept of reviews, in the git directory that all work trees of a repository share: one record a run, and answers for the same question.

Neither is in the repository, so no change brings one along. An answer that was kept is accepted anew each time, like one that just came.
"""

import contextlib
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from typing import Any

from .. import __version__
from ..errors import HelixError
from ..repository.git import COMMON
from ..repository.runner import run
from .question import Question

_RECORDS = "runs.jsonl"
_FOLDER = "helix-hooks"
_UNFINISHED = ".new"
_READ = "each line read"
"""What is asked of an answer beside its question: kept answers of which it was not asked are not used again."""
_OLD = 3600
"""Seconds in which an answer has been written for sure."""


def folder(root: str) -> str:
    """Where a repository's runs are kept."""
    place = run(COMMON, root).stdout.decode(errors="surrogateescape").rstrip("\n")
    return os.path.join(place, _FOLDER)


def key(question: Question, environment: Mapping[str, str]) -> str:
    """The same for the same question: contents, rubric, briefs, settings, model, and every file that a judge may read."""
    type = question.type
    parts = [
        __version__, _READ, _tree(question), type.name, list(type.run), list(type.codebase), list(question.agent), question.rubric,
        [list(brief) for brief in question.briefs], {path: _hash(data) for path, data in question.skills.items()}, question.files,
        question.concepts, [list(finding) for finding in question.findings], _hash(question.diff or b""), question.schema,
        environment.get("ANTHROPIC_BASE_URL", ""),
    ]  # fmt: skip
    return _hash(json.dumps(parts, sort_keys=True).encode())


def _tree(question: Question) -> str:
    return _hash("".join(f"{item.kind} {item.object} {item.path}\0" for item in question.entries).encode(errors="surrogateescape"))


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def recall(place: str, key: str) -> dict[str, Any] | None:
    """The entry of a question that was answered before; None where there is none that can be read."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        with open(os.path.join(place, "cache", f"{key}.json"), encoding="utf-8") as file:
            found = json.load(file)
        if isinstance(found, dict) and isinstance(found.get("model"), str):
            return found
    return None


def remember(place: str, key: str, entry: dict[str, Any]) -> None:
    """Keep an accepted answer. That it can't be kept costs money, and no verdict."""
    cache = os.path.join(place, "cache")
    with contextlib.suppress(OSError):
        os.makedirs(cache, mode=0o700, exist_ok=True)
        _tidy(cache)
        opened, name = tempfile.mkstemp(dir=cache, suffix=_UNFINISHED)
        with open(opened, "w", encoding="utf-8") as file:
            json.dump(entry, file)
        os.replace(name, os.path.join(cache, f"{key}.json"))


def _tidy(cache: str) -> None:
    """Remove what runs have left that were killed while they wrote."""
    for name in os.listdir(cache):
        path = os.path.join(cache, name)
        with contextlib.suppress(OSError):
            if name.endswith(_UNFINISHED) and time.time() - os.lstat(path).st_mtime > _OLD:
                os.unlink(path)


def kept(place: str) -> dict[str, dict[str, Any]]:
    """All answers that are kept, by the key of their question."""
    with contextlib.suppress(FileNotFoundError):
        names = [name.removesuffix(".json") for name in os.listdir(os.path.join(place, "cache")) if name.endswith(".json")]
        return {name: entry for name in sorted(names) if (entry := recall(place, name))}
    return {}


def record(place: str, entry: dict[str, Any]) -> None:
    """Add a run to the records, in one write, so that runs at the same time do not mix. Raises OSError."""
    os.makedirs(place, exist_ok=True)
    opened = os.open(os.path.join(place, _RECORDS), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(opened, json.dumps(entry, separators=(",", ":")).encode() + b"\n")
    finally:
        os.close(opened)


def records(place: str) -> Iterator[dict[str, Any] | None]:
    """The runs, oldest first; None for a line that can't be read."""
    try:
        file = open(os.path.join(place, _RECORDS), "rb")  # noqa: SIM115 -- closed below; only that it is not there is caught
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise HelixError(f"{os.path.join(place, _RECORDS)} can't be read: {error.strerror}") from None
    with file:
        for line in file:
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                found = None
            yield found if isinstance(found, dict) else None
