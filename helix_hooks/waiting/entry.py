"""An entry of the queue: something that waits for a person, whatever its source."""

from typing import NamedTuple

from ..config.policy import Deciders, Policy
from ..decision.who_may import whose
from ..finding import Finding

PULL_REQUEST, FLOW, VERIFICATION, REQUEST = "pull_request", "flow", "verification", "request"
REVIEW = "review"
SOURCES = (PULL_REQUEST, FLOW, VERIFICATION, REQUEST, REVIEW)
UNDECIDED = (VERIFICATION, REVIEW)
"""Sources whose entries nobody approves: they end when the work or the decision was changed."""

WAITING, ESCALATED, EXPIRED, FAILED = "waiting", "escalated", "expired", "failed"
STATES = (WAITING, ESCALATED, EXPIRED, FAILED)
"""The states of an entry. `expired`: its deadline has passed, and it has to be asked again.
`failed`: a judge or a step failed, and a person may decide instead.
"""

_MOST_NAMES = 3


class Recommendation(NamedTuple):
    """The recommendation of a judge or the asker: "approve", "reject" or "" for nothing.

    `confidence` is from 0 to 1, None where it is not stated.
    """

    answer: str = ""
    confidence: float | None = None
    reasoning: str = ""
    by: str = ""


class QueueEntry(NamedTuple):
    """Something that waits for a person.

    `id` is what a person writes: OWNER/NAME#12 for a pull request, RUN/PHASE for a flow,
    verify:PATH for a capped verification, review:PATH for a decision that is due, and the UUID of a
    request. `project` is OWNER/NAME on
    GitHub, HOST/PATH on another forge, else the name of a folder; `repository` is OWNER/NAME, or ""
    where GitHub does not say who may decide. `turn` says whose turn it is, `reasons` why a person
    is asked, `ways_on` are lines to write or to run. Times are in seconds since 1970; `due_at` is
    when the state changes next, 0 for never.

    `deciders` are those that the policy names, `excluded` the logins that may not approve, since
    they asked or wrote part of the change, `escalated_to` the users and teams that were turned to.
    `head` is the commit of a pull request. `approvals` of `minimum` are there. `invalidated` are
    answers that do not count, each with its cause. `url` leads to the place of the answer, "" for
    none.

    With `needs_login` only a user whom GitHub confirms may decide. `asked_by_login` says that
    GitHub confirmed who asked: otherwise nobody's approval can be told from the asker's own.
    `approved_by` are those whose approval counts already, `answered` those who have answered on a
    pull request since the last run of the gate, which has not counted it yet. `needs_override` says
    that a gate has rejected it, so that an approval needs a reason. `notes` are questions to the
    requester and their replies; with `is_asked_back` the last one is a question to the logins of
    the `requester`, or to a person nobody has confirmed. `attempt` is the number of the task about
    which a flow asks. `handed_to` is the login whose turn it is since a decider handed it over.
    """

    id: str
    source: str
    project: str
    title: str
    category: str
    state: str
    turn: str
    asked_by: str
    asked_at: int
    action: str = ""
    due_at: int = 0
    reasons: tuple[str, ...] = ()
    ways_on: tuple[str, ...] = ()
    url: str = ""
    deciders: Deciders = Deciders()
    excluded: tuple[str, ...] = ()
    escalated_to: tuple[str, ...] = ()
    head: str = ""
    approvals: int = 0
    minimum: int = 1
    invalidated: tuple[str, ...] = ()
    recommendation: Recommendation = Recommendation()
    files: tuple[str, ...] = ()
    impact: str = ""
    description: str = ""
    findings: tuple[Finding, ...] = ()
    cost_usd: float = 0.0
    needs_login: bool = True
    asked_by_login: bool = True
    approved_by: tuple[str, ...] = ()
    needs_override: bool = False
    attempt: int = 0
    repository: str = ""
    notes: tuple[str, ...] = ()
    is_asked_back: bool = False
    requester: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    handed_to: str = ""


class ChangedDocument(NamedTuple):
    """A file under decision: its text before, "" for a new one, and after, "" for a deleted one."""

    path: str
    before: str
    after: str


class EntryDetail(NamedTuple):
    """An entry with what is read from GitHub or a work tree only when a person opens it.

    `left_out` says what could not be read, a line each.
    """

    entry: QueueEntry
    documents: tuple[ChangedDocument, ...] = ()
    left_out: tuple[str, ...] = ()


class Viewer(NamedTuple):
    """The person who reads the queue or decides in it.

    `login` is "" for a person whom GitHub has not confirmed, `name` what to call them. `roles` are
    the login's roles by project, `teams` those that the login is a member of. `at` is the time at
    which they look, in seconds since 1970; at that time they may stand in for others, whose roles
    are in `lent` with project, login and role. With `is_here` they sit at the machine of the work
    tree, where a project that is not on GitHub is decided. With `is_proxied` a proxy confirmed the
    login.
    """

    name: str
    login: str = ""
    roles: tuple[tuple[str, str], ...] = ()
    teams: tuple[str, ...] = ()
    at: int = 0
    lent: tuple[tuple[str, str, str], ...] = ()
    is_here: bool = False
    is_proxied: bool = False


class NotShown(NamedTuple):
    """Pending requests and entries beside those of a list.

    `other_projects` has the number of requests in the same database by project. `filtered` entries
    do not match the options, `unreadable` ones the viewer may not see. `sources` were not read.
    """

    other_projects: tuple[tuple[str, int], ...] = ()
    filtered: int = 0
    unreadable: int = 0
    sources: tuple[str, ...] = ()


class Queue(NamedTuple):
    """All pending entries at the time `now`. `partial` says what could not be read, a line each."""

    entries: tuple[QueueEntry, ...]
    now: int
    partial: tuple[str, ...] = ()
    not_shown: NotShown = NotShown()


class ProjectPolicy(NamedTuple):
    """The policy of a project's main branch.

    `project` is its name for people. `repository` is OWNER/NAME on the server of GitHub, "" for
    none. `names_deciders` says that the policy itself says who decides, and not only its defaults.
    """

    project: str
    policy: Policy = Policy()
    repository: str = ""
    is_on_github: bool = False
    names_deciders: bool = False

    @property
    def needs_login(self) -> bool:
        """Return whether only a user whom GitHub confirms may decide."""
        return self.is_on_github and self.names_deciders

    def whose(self, *, needs_login: bool) -> str:
        """Return who may decide, in words for people."""
        if needs_login:
            return whose(self.policy.deciders)
        users = self.policy.deciders.users if self.names_deciders else ()
        names = [f"@{name}" for name in users[:_MOST_NAMES]]
        return " or ".join([*names, "a person at a terminal"])
