"""`syntax`: each file can be parsed. A file of an unknown kind is an error."""

import re

from ..config.gates import Gate
from ..finding import Finding
from ..phases.gate_result import GateResult
from ..text.plural import counted
from ..verification.syntax import PARSED, is_parsed, syntax_error
from .content import files_of, opened
from .results import approved, error, rejected
from .work import GateWork

_LINE = re.compile(r"line (\d+): ")


def syntax(gate: Gate, work: GateWork) -> GateResult:
    with opened(work) as content:
        files = files_of(gate, content)
        errors = [(path, _error(path, content.tree.content(path))) for path in files.paths]
    findings = [*files.findings]
    findings += [_finding(gate, path, text) for path, text in errors if text]
    if findings:
        return rejected(gate, f"{counted(len(findings), 'file')} with an error", findings)
    details = {"files": [*files.paths]}
    return approved(gate, f"{counted(len(files.paths), 'file')} parsed", details)


def _error(path: str, data: bytes) -> str:
    if not is_parsed(path, data):
        return f"no parser for this kind of file; there are parsers for {', '.join(PARSED)}"
    return syntax_error(path, data)


def _finding(gate: Gate, path: str, text: str) -> Finding:
    match = _LINE.match(text)
    if not match:
        return error(gate, text, path)
    return error(gate, text[match.end() :], path, int(match[1]))
