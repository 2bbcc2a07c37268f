"""`files_exist`: each pattern matches a file that can be read.

The default gate of a phase also asks whether its command wrote the files, and anything into them.
"""

from collections.abc import Iterator

from ..config.gates import Gate
from ..finding import Finding
from ..paths import matches
from ..phases.gate_result import GateResult
from ..text import counted
from ..verification.syntax import is_empty
from .content import Content, files_of, opened, unread
from .results import approved, error, rejected
from .work import FLOW, GateWork


def files_exist(gate: Gate, work: GateWork) -> GateResult:
    # A run has all files on its disk, and looks at them after each of many phases.
    with opened(work, asks_git=work.where != FLOW) as content:
        files = files_of(gate, content)
        if files.findings:
            return rejected(gate, unread(files), files.findings)
        findings: list[Finding] = []
        if gate.is_default:
            findings += empty_files(gate, files.paths, content)
            findings += _unwritten(gate, files.paths, work)
    if findings:
        return rejected(gate, f"{counted(len(findings), 'output')} not written", findings)
    return approved(gate, f"{counted(len(files.paths), 'file')} there", {"files": [*files.paths]})


def empty_files(gate: Gate, paths: tuple[str, ...], content: Content) -> Iterator[Finding]:
    """Yield a finding for each empty file, unless it may be empty by its name."""
    for path in paths:
        if is_empty(path, content.tree.content(path)):
            yield error(gate, "the file is empty", path)


def _unwritten(gate: Gate, paths: tuple[str, ...], work: GateWork) -> Iterator[Finding]:
    """Yield a finding for each output that was there before and that nobody has written."""
    for pattern in gate.files if work.written is not None else ():
        matching = [path for path in paths if matches(path, (pattern,))]
        if set(matching).isdisjoint(work.written or ()):
            message = "it was there before, and this attempt has not written it"
            help = "write it; if it may stay as it is, add quality_gate: {type: files_exist}"
            yield error(gate, message, matching[0], help=help)
