"""`docs_compiled`: the documents that a command writes are up to date in the tree.

The command runs in a copy of the tracked files, so that it changes nothing in the working tree.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator

from ..check.trees import FILE, walk
from ..config.gates import Gate
from ..errors import HelixError
from ..finding import Finding
from ..git import slashes
from ..judge.change import MOST_BYTES
from ..paths import matches
from ..phases.gate_result import GateResult
from ..text import counted
from ..verify.agent_run import RunEnd
from . import results
from .command import end_of, last_line, reason_not_to_run
from .content import Content, opened
from .work import GateWork

_LONG_AGO = 1_000_000_000
"""The time of all copied files, in seconds since 1970. A file with another time was written."""
_ADVICE = "run the gate's command, and commit its output"


def docs_compiled(gate: Gate, work: GateWork) -> GateResult:
    refused = reason_not_to_run(gate, work)
    if refused:
        return results.failed(gate, refused)
    with opened(work) as content:
        paths = [path for path in content.tree.folder("") if matches(path, gate.outputs)]
        current = {path: content.tree.content(path) for path in paths}
        end, written, untouched = _run(gate, work, content, without=())
        if untouched:
            # A program may skip a document that is up to date. Without the old one it must write.
            end, written, _ = _run(gate, work, content, without=untouched)
    if not end.is_started:
        return results.failed(gate, end.problem, is_started=False)
    wrong = ""
    if end.problem:
        wrong = f"the command failed: {end.problem}{last_line(end.output)}"
    elif not written:
        wrong = f"the command wrote nothing that matches {', '.join(gate.outputs)}"
    if wrong:
        return results.rejected(gate, wrong, (results.error(gate, wrong),))
    findings = list(_compared(gate, current, written))
    details = {"outputs": sorted(written)}
    if findings:
        message = f"{counted(len(findings), 'document')} out of date"
        return results.rejected(gate, message, findings, details)
    return results.approved(gate, f"{counted(len(written), 'document')} up to date", details)


def _compared(gate: Gate, now: dict[str, bytes], written: dict[str, bytes]) -> Iterator[Finding]:
    """Yield a finding for each document that differs from what the command wrote."""
    for path in sorted({*now, *written}):
        if path not in written:
            message = "the command does not write it; remove it, or narrow `outputs`"
            yield results.error(gate, message, path)
        elif path not in now:
            yield results.error(gate, "it is not in the tree", path, help=_ADVICE)
        elif now[path] != written[path]:
            yield results.error(gate, "it is out of date", path, help=_ADVICE)


def _run(
    gate: Gate, work: GateWork, content: Content, without: tuple[str, ...]
) -> tuple[RunEnd, dict[str, bytes], tuple[str, ...]]:
    """Run the command in a copy that lacks some files.

    Return how it ended, its outputs by path, and those among them that it did not write.
    """
    written: dict[str, bytes] = {}
    untouched: list[str] = []
    with tempfile.TemporaryDirectory(prefix="helix-docs-") as folder:
        _copy(content, folder, frozenset(without))
        end = end_of(gate, work, folder)
        for name in walk(folder) if not end.problem else ():
            path = slashes(os.path.relpath(name, folder))
            # A link could lead to any file of the machine.
            if os.path.islink(name) or not matches(path, gate.outputs):
                continue
            with open(name, "rb") as file:
                written[path] = file.read()
            if os.stat(name).st_mtime == _LONG_AGO:
                untouched.append(path)
    return end, written, tuple(untouched)


def _copy(content: Content, folder: str, without: frozenset[str]) -> None:
    """Copy the tracked files, as they are on disk. Raise HelixError if they are too large."""
    remaining = MOST_BYTES
    for path in content.tree.folder(""):
        place = content.tree.place(path)
        if path in without or place.kind != FILE:
            continue
        source, copy = os.path.join(content.root, place.path), os.path.join(folder, path)
        remaining -= os.path.getsize(source)
        if remaining < 0:
            raise HelixError(f"the files have more than {MOST_BYTES // 1_000_000} MB")
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copyfile(source, copy)
        shutil.copymode(source, copy)
        os.utime(copy, (_LONG_AGO, _LONG_AGO))
