"""`docs_compiled`: the documents that a command writes are up to date in the tree.

The command runs in a copy of the tracked files, so that it changes nothing in the working tree.
"""

import os
import shutil
import tempfile
from typing import NamedTuple

from ..change.readable import MOST_BYTES
from ..check.trees import FILE, walk
from ..config.gates import Gate
from ..errors import HelixError
from ..finding import Finding
from ..git import slashes
from ..globs import matches
from ..phases.gate_result import GateResult
from ..text.plural import counted
from . import results
from .command import end_of, last_line
from .content import Content, opened
from .trusted import reason_not_to_run
from .work import GateWork

_LONG_AGO = 1_000_000_000
"""The time of all copied files, in seconds since 1970. A file with another time was written."""
_ADVICE = "run the gate's command, and commit its output"


class _Run(NamedTuple):
    """The outputs of a command by path, the paths that it did not write, and its failure."""

    written: dict[str, bytes]
    untouched: tuple[str, ...]
    problem: str
    is_started: bool = True


def docs_compiled(gate: Gate, work: GateWork) -> GateResult:
    refused = reason_not_to_run(gate, work)
    if refused:
        return results.failed(gate, refused)
    with opened(work) as content:
        paths = [path for path in content.tree.folder("") if matches(path, gate.outputs)]
        current = {path: content.tree.content(path) for path in paths}
        run = _run(gate, work, content, without=())
        if not run.problem and run.untouched:
            # A program may skip a document that is up to date. Without the old one it must write.
            run = _run(gate, work, content, without=run.untouched)
    return _failure(gate, run) or _answer(gate, current, run.written)


def _failure(gate: Gate, run: _Run) -> GateResult | None:
    """Return the result for a command that failed or wrote nothing; None if it wrote."""
    if not run.is_started:
        return results.failed(gate, run.problem)
    if run.problem:
        message = f"the command failed: {run.problem}"
        return results.rejected(gate, message, (results.error(gate, message),))
    if not run.written:
        wrong = f"the command wrote nothing that matches {', '.join(gate.outputs)}"
        return results.rejected(gate, wrong, (results.error(gate, wrong),))
    return None


def _answer(gate: Gate, current: dict[str, bytes], written: dict[str, bytes]) -> GateResult:
    findings = _compared(gate, current, written)
    details = {"outputs": sorted(written)}
    if findings:
        message = f"{counted(len(findings), 'document')} out of date"
        return results.rejected(gate, message, findings, details)
    return results.approved(gate, f"{counted(len(written), 'document')} up to date", details)


def _compared(gate: Gate, now: dict[str, bytes], written: dict[str, bytes]) -> list[Finding]:
    findings = []
    for path in sorted({*now, *written}):
        if path not in written:
            message = "the command does not write it; remove it, or narrow `outputs`"
            findings.append(results.error(gate, message, path))
        elif path not in now:
            findings.append(results.error(gate, "it is not in the tree", path, help=_ADVICE))
        elif now[path] != written[path]:
            findings.append(results.error(gate, "it is out of date", path, help=_ADVICE))
    return findings


def _run(gate: Gate, work: GateWork, content: Content, without: tuple[str, ...]) -> _Run:
    """Run the command in a copy that lacks some files, and read its outputs."""
    with tempfile.TemporaryDirectory(prefix="helix-docs-") as folder:
        _copy(content, folder, frozenset(without))
        end = end_of(gate, work, folder)
        if end.problem:
            return _Run({}, (), f"{end.problem}{last_line(end.output)}", end.is_started)
        written: dict[str, bytes] = {}
        untouched: list[str] = []
        for name in walk(folder):
            path = slashes(os.path.relpath(name, folder))
            # A link could lead to any file of the machine.
            if os.path.islink(name) or not matches(path, gate.outputs):
                continue
            written[path] = _content(name)
            if os.stat(name).st_mtime == _LONG_AGO:
                untouched.append(path)
        return _Run(written, tuple(untouched), "")


def _content(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read()


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
