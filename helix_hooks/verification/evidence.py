"""The evidence for a contract: the state of a repository now, and before the approval."""

from collections.abc import Mapping
from typing import NamedTuple

from ..adr.promises import Named

FILE, FOLDER, NOTHING, ELSEWHERE = "file", "folder", "nothing", "elsewhere"
"""The kinds of a path. `elsewhere` is a submodule, or a path outside the repository."""


class PathFact(NamedTuple):
    """The kind of a path `now`, and `before` the approval.

    `changed`: the content differs; for a folder, that of a file in it. `is_empty`: the file has no
    visible character. `ignored`: git leaves the file out of commits. `unseen`: git has a bit set by
    which it ignores changes of the file. `astray`: why a path that was in this repository before
    the approval leads out of it now. `is_stub`: the file has no code but comments. `syntax` is a
    syntax error in the file; `unread` is why it could not be compared.
    """

    now: str = NOTHING
    before: str = NOTHING
    changed: bool = False
    is_empty: bool = False
    ignored: bool = False
    unseen: bool = False
    astray: str = ""
    syntax: str = ""
    unread: str = ""
    is_stub: bool = False


class DefinitionFact(NamedTuple):
    """The facts of a test: its definition is `there`."""

    there: bool = False
    unread: str = ""


PASSED, SKIPPED, FAILED, UNKNOWN = "passed", "skipped", "failed", "unknown"
"""The outcomes of a test's run. `unknown`: the report of the runner does not have the test."""


class RunFact(NamedTuple):
    """The outcome of a test that ran here, and the reason for any but `passed`."""

    outcome: str
    reason: str = ""


class CommandFact(NamedTuple):
    """The run of a command: `passed`, or the reason why it failed.

    `ran` is False for a command that was not started, `is_broken` True for one that could not
    start.
    """

    passed: bool
    reason: str = ""
    ran: bool = True
    is_broken: bool = False


class Evidence(NamedTuple):
    """All evidence: paths as the contract writes them, tests by file and name, commands by text.

    `runs` are the tests that ran. `problem` is why they could not be run.
    """

    paths: Mapping[str, PathFact]
    tests: Mapping[tuple[str, str], DefinitionFact]
    commands: Mapping[str, CommandFact]
    runs: Mapping[Named, RunFact] = {}
    problem: str = ""
