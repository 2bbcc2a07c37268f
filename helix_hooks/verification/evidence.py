"""The evidence for a contract: what a repository has now, and what it had before the approval."""

from collections.abc import Mapping

from ..records import NamedTuple

FILE, FOLDER, NOTHING, ELSEWHERE = "file", "folder", "nothing", "elsewhere"
"""What is at a path. `elsewhere` is a submodule, or a place outside of the repository."""


class PathFact(NamedTuple):
    """The facts of a path: what is there `now`, and what was there `before` the approval.

    `changed` says that the content differs, for a folder that a file in it does. `is_empty` is a
    file without a visible character. `ignored` is a file that git leaves out of commits, `unseen`
    one at whose changes it was told not to look. `astray` says why a path that was in this
    repository before leads out of it now.
    `syntax` says what is wrong with the text of a file; `unread` why it could not be compared.
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
    first_folder: bool = True


class DefinitionFact(NamedTuple):
    """The facts of a test: whether its definition is `there`, in a file that was `touched`."""

    there: bool = False
    touched: bool = False
    unread: str = ""


class CommandFact(NamedTuple):
    """The run of a command: `passed`, or the reason why it did not.

    `ran` is False for one that nobody started, `is_broken` True for one that could not be started.
    """

    passed: bool
    reason: str = ""
    ran: bool = True
    is_broken: bool = False


class Evidence(NamedTuple):
    """What is known: paths as a contract writes them, tests by file and name, commands by text."""

    paths: Mapping[str, PathFact]
    tests: Mapping[tuple[str, str], DefinitionFact]
    commands: Mapping[str, CommandFact]
