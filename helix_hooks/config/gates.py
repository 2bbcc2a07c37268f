"""The section `gates` of `config/approvals.yaml`, and the gates of a `phases.yaml`, as values.

A gate asks one question about content. Kinds and keys come from the original design (sections 9 of
seed 0 and 4 of seed 1).
"""

from typing import NamedTuple

ADR_COMPLETE, APPROVAL, APPROVAL_PASSED = "adr_complete", "approval", "approval_passed"
VERIFIED, FILES_EXIST, SYNTAX = "verified", "files_exist", "syntax"
DOCS_COMPILED, DOCSTRINGS_COMPLETE, COMMAND = "docs_compiled", "docstrings_complete", "command"
GATE_KINDS = (
    ADR_COMPLETE,
    APPROVAL,
    APPROVAL_PASSED,
    VERIFIED,
    FILES_EXIST,
    SYNTAX,
    DOCS_COMPILED,
    DOCSTRINGS_COMPLETE,
    COMMAND,
)
"""The values of `type`."""

SKIP, MANUAL = "skip", "manual"
"""The approvers that are no agent: nobody, and a person."""


class Gate(NamedTuple):
    """A gate as configured. A field that its kind does not have is empty.

    `name` is its key below `gates`, or the id of its phase. `place` is the file and line for
    messages, as in "phases.yaml:12". `approver` is "skip", "manual", the name of an agent, or ""
    for what the kind and the approval type say.

    `files` are globs, of which each must match a file. `checks` are the briefs that are asked, all
    of them without any. `result` is the approval result that suffices, "approved" or
    "needs_revision". `result_file` is the path of an approval-result.json. `adrs` are ids or paths
    for `verified`. `command` are words, run without a shell; `outputs` are the globs of what it
    writes. `timeout` is in seconds, `percent` the share of docstrings that must be there.
    """

    name: str
    kind: str
    place: str = ""
    approver: str = ""
    files: tuple[str, ...] = ()
    concept: str = ""
    semantic: str = "auto"
    approval_type: str = ""
    checks: tuple[str, ...] = ()
    result: str = "approved"
    result_file: str = ""
    adrs: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    timeout: int = 300
    percent: float = 100.0
