"""`syntax`: each file can be parsed. A file of an unknown kind is an error."""

import re

from ..config.gates import Gate
from ..finding import Finding
from ..phases.gate_result import GateResult
from ..text import counted
from ..verification.syntax import PARSED, is_parsed, syntax_error
from .content import files_of, opened
from .results import approved, error, rejected
from .work import GateWork

_LINE = re.compile(r"line (\d+): ")


def syntax(gate: Gate, work: GateWork) -> GateResult:
    with opened(work) as content:
        files = files_of(gate, content)
        findings = [*files.findings]
        for path in files.paths:
            data = content.tree.content(path)
            if not is_parsed(path, data):
                known = ", ".join(PARSED)
                message = f"no parser for this kind of file; there are parsers for {known}"
                findings.append(error(gate, message, path))
            elif syntax_error(path, data):
                findings.append(syntax_finding(gate, path, data))
    if findings:
        return rejected(gate, f"{counted(len(findings), 'file')} with an error", findings)
    details = {"files": [*files.paths]}
    return approved(gate, f"{counted(len(files.paths), 'file')} parsed", details)


def syntax_finding(gate: Gate, path: str, data: bytes) -> Finding:
    """Return the finding on the syntax error of a file, at its line."""
    text = syntax_error(path, data)
    match = _LINE.match(text)
    if not match:
        return error(gate, text, path)
    return error(gate, text[match.end() :], path, int(match[1]))
