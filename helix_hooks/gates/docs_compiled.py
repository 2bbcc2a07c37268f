"""`docs_compiled`: documents that a command writes are up to date in the tree.

The command runs in a copy of the files that git knows, so that it changes nothing here.
"""

import os
import shutil
import tempfile
from typing import NamedTuple

from ..change.readable import MOST_BYTES
from ..config.gates import Gate
from ..errors import HelixError
from ..finding import Finding
from ..globs import matches
from ..phases.gate_result import GateResult
from ..repository.git import slashes
from ..repository.links import FILE
from ..repository.trees import walk
from ..text.plural import counted
from . import results
from .command import end_of, last_line
from .content import Content, opened
from .trusted import reason_not_to_run
from .work import GateWork

_LONG_AGO = 1_000_000_000
"""Time of all copied files, in seconds since 1970; a file that was written has another one."""
_ADVICE = "run the command of the gate, and commit what it writes"


class _Run(NamedTuple):
    """Files that a command wrote: content by path, paths it did not touch, and its failure."""

    written: dict[str, bytes]
    untouched: tuple[str, ...]
    problem: str
    is_started: bool = True


def docs_compiled(gate: Gate, work: GateWork) -> GateResult:
    refused = reason_not_to_run(gate, work)
    if refused:
        return results.failed(gate, refused)
    with opened(work) as content:
        known = content.tree.folder("")
        now = {path: content.tree.content(path) for path in known if matches(path, gate.outputs)}
        run = _run(gate, work, content, without=())
        if not run.problem and run.untouched:
            run = _run(gate, work, content, without=run.untouched)
    if not run.is_started:
        return results.failed(gate, run.problem)
    if run.problem:
        message = f"the command failed: {run.problem}"
        return results.rejected(gate, message, (results.error(gate, message),))
    if not run.written:
        wrong = f"the command wrote nothing that matches {', '.join(gate.outputs)}"
        return results.rejected(gate, wrong, (results.error(gate, wrong),))
    findings = _compared(gate, now, run.written)
    details = {"outputs": sorted(run.written)}
    if findings:
        message = f"{counted(len(findings), 'document')} out of date"
        return results.rejected(gate, message, findings, details)
    count = counted(len(run.written), "document")
    return results.approved(gate, f"{count} up to date", details)


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
        ended = end_of(gate, work, folder)
        if ended.problem:
            return _Run({}, (), f"{ended.problem}{last_line(ended.output)}", ended.is_started)
        names = {slashes(os.path.relpath(name, folder)): name for name in walk(folder)}
        outputs = {path: name for path, name in names.items() if matches(path, gate.outputs)}
        plain = {path: name for path, name in outputs.items() if not os.path.islink(name)}
        untouched = [path for path, name in plain.items() if os.stat(name).st_mtime == _LONG_AGO]
        return _Run({path: _content(name) for path, name in plain.items()}, tuple(untouched), "")


def _content(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read()


def _copy(content: Content, folder: str, without: frozenset[str]) -> None:
    """Copy the files that git knows, as they are on the disk. Raises HelixError."""
    left = MOST_BYTES
    for path in content.tree.folder(""):
        place = content.tree.place(path)
        if path in without or place.kind != FILE:
            continue
        source, copy = os.path.join(content.root, place.path), os.path.join(folder, path)
        left -= os.path.getsize(source)
        if left < 0:
            raise HelixError(f"the files have more than {MOST_BYTES // 1_000_000} MB")
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copyfile(source, copy)
        shutil.copymode(source, copy)
        os.utime(copy, (_LONG_AGO, _LONG_AGO))
