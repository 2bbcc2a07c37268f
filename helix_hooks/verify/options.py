"""The options of a verification."""

from typing import NamedTuple

from .base import WorkBase


class VerifyOptions(NamedTuple):
    """The ADRs to verify by path or id, none for those that the work claims to implement.

    `base` and `head` are revisions: "" for the main branch, and for the work tree. `claims` are
    further texts that may claim ADRs, such as that of a pull request. Without `runs_commands`, the
    commands of the settings show nothing. With `judge`, a judge is asked about criteria that are
    unverifiable otherwise.

    `known_base` replaces `base` where the clone may lack the history that tells it; then `claims`
    also stand for what the messages of the commits claim. `config` is an
    approvals file of the base at another place. Without `counts_records`, no approval counts that
    is recorded in the clone.
    """

    adrs: tuple[str, ...] = ()
    base: str = ""
    head: str = ""
    claims: tuple[str, ...] = ()
    runs_commands: bool = True
    judge: bool = False
    known_base: WorkBase | None = None
    config: str = ""
    counts_records: bool = True
