"""The options of a verification."""

from typing import NamedTuple

from .base import WorkBase


class VerifyOptions(NamedTuple):
    """The ADRs to verify by path or id; empty for those that the work claims to implement.

    `base` and `head` are revisions; "" means the main branch and the work tree. `claims` are more
    texts that may claim ADRs, such as the text of a pull request. Without `runs_commands` the
    commands of the settings do not run and are no evidence. With `judge` a judge reviews the
    criteria that are present or unchecked otherwise.

    `known_base` replaces `base` if the clone may lack the history to find it. Then `claims` also
    contain the commit messages. `config` is the path of another approvals file in the base. Without
    `counts_records` approvals that are recorded only in the clone do not count.
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
