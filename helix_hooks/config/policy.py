"""The section `policy` of `config/approvals.yaml`: what needs a person, who decides, and when.

The autonomy matrix is that of seed 4, "Approval Matrix".
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Annotated, NamedTuple

from ..codec import Amount, Positive
from ..text import listed
from ..yaml_reader import Value
from . import (
    BOOLEAN,
    DOLLARS,
    GLOBS,
    MOST_NAMES,
    TEXTS,
    Places,
    Type,
    added,
    another,
    covers_less,
    higher,
    integer,
    key,
    later,
    lost,
    lower,
    matching,
    nearest_place,
    one_of,
    seconds,
    section,
    several,
)

# What needs a person.

LEVELS = ("full_control", "milestone", "autonomous")
CRITICAL, MILESTONE, ROUTINE, UNCERTAINTY, EXPERTISE = (
    "critical",
    "milestone",
    "routine",
    "uncertainty",
    "expertise",
)
CATEGORIES = (CRITICAL, MILESTONE, ROUTINE, UNCERTAINTY, EXPERTISE)
"""Why a person must decide: always for this action; at the end of a stage; at a level where all
actions need a person; the judge is not confident enough; no judge could run.
"""

ARCHITECTURE, MERGE = "architecture_decision", "pr_merge"
MATRIX = {
    #                            full_control  milestone  autonomous
    "requirements_approval":     (True,        True,      True),
    ARCHITECTURE:                (True,        True,      True),
    "sprint_start":              (True,        True,      False),
    "story_implementation":      (True,        False,     False),
    MERGE:                       (True,        False,     False),
    "sprint_completion":         (True,        True,      False),
    "budget_threshold_exceeded": (True,        True,      True),
    "production_deployment":     (True,        True,      True),
}  # fmt: skip
"""For each action and level, true if a person must decide."""

_CATEGORIES = {
    (True, True, True): CRITICAL,
    (True, True, False): MILESTONE,
    (True, False, False): ROUTINE,
}
NEVER_BY_ITSELF = (CRITICAL, UNCERTAINTY, EXPERTISE)
"""Categories that a deadline never approves: critical changes, and changes that neither rules nor
judge could assess.
"""


def asks(action: str, level: str) -> bool:
    """Return whether an action needs a person at a level. Without a level ("") the judge suffices
    (seed 0).
    """
    return bool(level) and MATRIX[action][LEVELS.index(level)]


def category(action: str) -> str:
    """Return the category of an action, by its row in the matrix."""
    return _CATEGORIES[MATRIX[action]]


# Who decides.

ROLES = ("read", "triage", "write", "maintain", "admin")
LOGIN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,98}"
"""The login of a person; that of a bot ends in `[bot]`."""
_ANY_LOGIN = rf"{LOGIN}(?:\[bot\])?"
_TEAM = r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+"
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _person(value: Value) -> str:
    login = value.text()
    if login.endswith("[bot]"):
        raise value.fail(f"bots cannot approve: {login!r}; choose a person")
    if not re.fullmatch(LOGIN, login):
        raise value.fail(f"invalid login {login!r} (expected e.g. octocat)")
    return login


def _day(value: Value) -> str:
    text = value.text()
    try:
        # `fromisoformat` also reads a week, and a day without hyphens.
        if _DAY.fullmatch(text) and date.fromisoformat(text):
            return text
    except ValueError:
        pass
    raise value.fail(f"invalid date {text!r} (expected e.g. 2026-12-14)")


_PERSON = Type(_person, "login of a person")
_USER = matching(_ANY_LOGIN, "login", "e.g. octocat")
TEAMS = several(matching(_TEAM, "team", "e.g. acme/architects"))


class Delegate(NamedTuple):
    """A person who may decide for another one, from one day to another, such as 2026-12-14."""

    giver: str = key(_PERSON, "", name="from", required=True, example="alice")
    """The login of the person who delegates their right."""
    to: str = key(_PERSON, "", required=True, example="bob")
    """The login of the delegate."""
    since: Annotated[str, _DAY] = key(Type(_day, "day"), "", required=True, example="2026-12-01")
    """The first day, in UTC."""
    until: Annotated[str, _DAY] = key(Type(_day, "day"), "", required=True, example="2026-12-14")
    """The last day, in UTC."""

    def is_active(self, at: int) -> bool:
        """Return whether a time in seconds since 1970 is on one of the days."""
        return self.since <= datetime.fromtimestamp(at, UTC).date().isoformat() <= self.until

    def covers(self, other: "Delegate") -> bool:
        """Return whether the other delegation adds nothing to this one."""
        is_within = self.since <= other.since and other.until <= self.until
        return is_within and self.pair == other.pair

    @property
    def pair(self) -> tuple[str, str]:
        """Both logins in lowercase: GitHub ignores the case of a login."""
        return self.giver.casefold(), self.to.casefold()

    @property
    def as_json(self) -> dict[str, str]:
        """The keys of the settings, as in the record of a decision."""
        return {"from": self.giver, "to": self.to, "since": self.since, "until": self.until}

    @property
    def in_words(self) -> str:
        return f"@{self.to} for @{self.giver}, {self.since} to {self.until}"


def _checked_delegate(delegate: Delegate, entries: Mapping[str, Value]) -> Delegate:
    """Return a delegation. Raise ConfigError if it gives nothing to another person."""
    giver, to = delegate.pair
    if giver == to:
        raise entries["to"].fail(
            f"{delegate.to!r} cannot delegate to themselves; choose another person"
        )
    # Days of this form are in the order of their texts.
    if delegate.until < delegate.since:
        raise entries["until"].fail(
            f"`until` ({delegate.until}) is before `since` ({delegate.since}); it is the last day"
        )
    return delegate


DELEGATE = section(Delegate, _checked_delegate)


def _delegates(value: Value) -> tuple[Delegate, ...]:
    return tuple(map(DELEGATE.read, value.sequence()))


def _more_days(old: tuple[Delegate, ...], new: tuple[Delegate, ...]) -> str:
    """Return the delegations that are new. Past days count: a vote of such a day may exist."""
    more = [item.in_words for item in new if not any(was.covers(item) for was in old)]
    return f"adds {'; '.join(more)}" if more else ""


def givers_to(delegates: tuple[Delegate, ...], login: str, at: int) -> tuple[str, ...]:
    """Return the people for whom a user may decide at a time, in the order of the policy."""
    login = login.casefold()
    active = [item for item in delegates if item.to.casefold() == login and item.is_active(at)]
    return tuple(dict.fromkeys(item.giver for item in active))


class Deciders(NamedTuple):
    """The people who may decide on a pending pull request.

    `minimum` people must decide. Each has one of the roles, is one of the users, or is in one of
    the teams (`org/team`). `sole` is the user who may approve their own changes as the only
    maintainer; "" if there is none. `delegates` decide for others on some days.
    """

    minimum: Positive = 1
    roles: tuple[str, ...] = ("maintain", "admin")
    users: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    sole: str = ""
    delegates: tuple[Delegate, ...] = ()

    def are_named(self, login: str) -> bool:
        return login.casefold() in map(str.casefold, self.users)

    @property
    def are_open(self) -> bool:
        """True if a role or a team may decide, so that the number of deciders is not known."""
        return bool(self.roles or self.teams)

    @property
    def people(self) -> tuple[str, ...]:
        """The named users, each once; bots do not decide."""
        names = {user.casefold(): user for user in self.users if not user.endswith("[bot]")}
        return tuple(names.values())

    def left_without(self, author: str) -> int | None:
        """Return the number of deciders for a change of an author; None if it is not known."""
        if self.are_open:
            return None
        author = author.casefold()
        people = {name.casefold() for name in self.people}
        if author != self.sole.casefold():
            people.discard(author)
        return len(people)


def wanted(deciders: Deciders) -> str:
    """Describe the deciders, as in "the role maintain or one of octocat, hubot"."""
    parts = []
    if deciders.roles:
        parts.append(f"the role {' or '.join(deciders.roles)}")
    if deciders.users:
        several = "one of " if len(deciders.users) > 1 else ""
        parts.append(f"{several}{', '.join(deciders.users)}")
    if deciders.teams:
        parts.append(f"a member of {' or '.join(deciders.teams)}")
    return " or ".join(parts) or "a decider under the policy"


def cautions(deciders: Deciders) -> list[str]:
    """Return warnings about settings that may leave a change without a decider."""
    if deciders.roles:
        return []
    if deciders.teams and not deciders.users:
        message = "policy.approvers lists only teams, which the token of a workflow can't read"
        return [f"{message}; add a role or users, or use your own GitHub App"]
    people = deciders.people
    if deciders.are_open or len(people) != deciders.minimum:
        return []
    if deciders.sole.casefold() in map(str.casefold, people):
        return []
    message = (
        f"no one can approve changes by {' or '.join(people)}: policy.approvers lists no one else"
    )
    if len(people) == 1:
        message += f"; if that is meant, add `sole_maintainer: {people[0]}` to `policy`"
    return [message]


_ROLES = Type(
    lambda value: tuple(role.choice(ROLES) for role in value.sequence()),
    {"type": "array", "items": {"enum": ROLES}},
)


def _checked_approvers(deciders: Deciders, entries: Mapping[str, Value]) -> Deciders:
    # The default roles hold only without `approvers`.
    return deciders._replace(roles=()) if entries and "roles" not in entries else deciders


class _Approvers:
    roles = key(_ROLES, weaker=added)
    """Roles in the repository."""
    users = key(several(_USER), weaker=added, example=["octocat"])
    """Logins."""
    teams = key(TEAMS, weaker=added, example=["acme/architects"])
    """Teams. The workflow's GITHUB_TOKEN can't read their members."""


_APPROVERS = section(_Approvers, _checked_approvers)._replace(default=Deciders())


class _Deciders:
    minimum_approvals = key(integer(1), weaker=lower, field="minimum")
    """Number of people who must approve."""
    approvers = key(_APPROVERS, field=".")
    """Who may decide. Any value replaces the default roles."""
    sole_maintainer = key(
        _USER,
        weaker=another,
        field="sole",
        example="octocat",
    )
    """The only maintainer, who may approve their own changes."""
    delegates = key(
        Type(_delegates, {"type": "array", "items": DELEGATE}),
        weaker=_more_days,
    )
    """Delegates who decide for other people during some days."""


def _authors(value: Value) -> tuple[str, ...]:
    items = value.one_or_more()
    for item in items:
        if not re.fullmatch(r"[^\x00-\x1f<>]{1,100}", item.text()):
            raise item.fail("expected a name, a login or an e-mail address, without < and >")
    return tuple(item.text() for item in items)


class AgentPolicy(NamedTuple):
    """The approvals that changes by agents need; 0 for as many as any other change."""

    minimum: int = key(integer(1), 0, None, name="minimum_approvals", example=2, required=True)
    """Number of people who must approve; at least `policy.minimum_approvals`."""
    names: tuple[str, ...] = key(Type(_authors, {"one or more": "author"}), (), None)
    """Names, logins and addresses of further coding agents."""


class _Authors:
    agents = key(section(AgentPolicy), field=".", required=True)
    """Requirements for changes by coding agents."""


# Until when.

BLOCK, ESCALATE, AUTO_APPROVE = "block", "escalate", "auto_approve"
_milder_action = later((BLOCK, ESCALATE, AUTO_APPROVE))


def duration(seconds: int) -> str:
    """Return a duration in the form of a deadline, as in "2d"."""
    units = {"d": 86_400, "h": 3600, "m": 60}
    unit, size = next(item for item in units.items() if seconds % item[1] == 0)
    return f"{seconds // size}{unit}"


def _deadlines(value: Value) -> dict[str, int]:
    deadlines = {}
    for category, item in value.mapping(CATEGORIES).items():
        deadlines[category] = seconds(item.text(), "mhd") or 0
        if not deadlines[category]:
            raise item.fail(
                f"invalid deadline {item.data!r} (expected minutes, hours or days, e.g. 30m, "
                "24h or 3d)"
            )
    return deadlines


def _other_deadlines(old: Mapping[str, int], new: Mapping[str, int]) -> str:
    return "" if old == new else f"{_durations(old)} -> {_durations(new)}"


def _durations(deadlines: Mapping[str, int]) -> str:
    texts = [f"{category} {duration(seconds)}" for category, seconds in deadlines.items()]
    return listed(texts, MOST_NAMES) or "none"


class Expiry(NamedTuple):
    """The action at a deadline. `to` are users and teams (`org/team`)."""

    action: Annotated[str, (BLOCK, ESCALATE, AUTO_APPROVE)] = key(
        one_of((BLOCK, ESCALATE, AUTO_APPROVE)), BLOCK, required=True
    )
    """block: the request expires. escalate: other people are notified once. auto_approve: approved;
    not allowed for critical, uncertainty and expertise.
    """
    to: tuple[str, ...] = key(
        several(
            matching(f"{_ANY_LOGIN}|{_TEAM}", "user or team", "e.g. octocat or acme/architects")
        ),
        (),
        name="escalate_to",
        example=["octocat", "acme/board"],
    )
    """The users and teams to turn to."""


def _checked_expiry(expiry: Expiry, entries: Mapping[str, Value]) -> Expiry:
    if expiry.action == ESCALATE and "escalate_to" not in entries:
        raise entries["action"].fail("escalate requires escalate_to: a user or a team")
    return expiry


def _expires_milder(old: Expiry, new: Expiry) -> str:
    action = _milder_action(old.action, new.action)
    return action or ("changed" if old.to != new.to else "")


# The whole section.

HEAD, CONTENT = "head", "content"
"""The commits that an approval holds for: one, or all with the same reviewed files."""
ROUNDS, MOST_ROUNDS = 5, 50
"""Rejected rounds after which a person decides: the default and the maximum."""
_ABOUT_DECIDERS = frozenset(
    ("autonomy", "minimum_approvals", "approvers", "sole_maintainer", "delegates", "authors")
)


def _more_overrides(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    return "" if "*" in old else added(old, new)


def _higher_limit(old: float | None, new: float | None) -> str:
    if old is None or (new is not None and new <= old):
        return ""
    return f"{old:g} -> {'no limit' if new is None else format(new, 'g')}"


class _Budget:
    soft = key(DOLLARS, required=True)
    """US dollars above which the page warns; below hard."""
    hard = key(DOLLARS)
    """US dollars at which the judge stops."""


BUDGET = section(_Budget, also="dollars")


class Policy(NamedTuple):
    """The policy of a repository.

    `autonomy` may be "". `deadlines` are in seconds. Without a `budget` there is no limit; above
    `soft_budget` there is a warning.
    """

    autonomy: Annotated[str, ("", *LEVELS)] = key(one_of(LEVELS), "", later((*LEVELS, "")))
    """Which actions need a person: all (full_control), stages (milestone) or critical ones
    (autonomous). By default the judge alone can approve.
    """
    deciders: Deciders = key(section(_Deciders), Deciders(), inline=True)
    holds_for: Annotated[str, (HEAD, CONTENT)] = key(
        one_of((HEAD, CONTENT)),
        HEAD,
        later((HEAD, CONTENT)),
        name="approvals_hold_for",
    )
    """head: an approval is for this very commit. content: also for others with the same reviewed
    files.
    """
    overrides: tuple[str, ...] = key(TEXTS, (), _more_overrides, example=["migration"])
    """Rules and briefs whose findings a person may override; "*" for any."""
    protected: tuple[str, ...] = key(
        GLOBS, (), covers_less, name="protected_paths", example=["src/payments/**"]
    )
    """Files whose changes need a decision by a person."""
    deadlines: Mapping[str, Positive] = key(
        Type(
            _deadlines,
            {
                "type": "object",
                "properties": dict.fromkeys(CATEGORIES, "deadline"),
                "additionalProperties": False,
            },
        ),
        {},
        _other_deadlines,
    )
    """Time until the deadline, by category: minutes, hours or days."""
    expiry: Expiry = key(
        section(Expiry, _checked_expiry, conditions="escalation"),
        weaker=_expires_milder,
        name="on_expiry",
    )
    """The action at a deadline."""
    budget: Amount | None = key(
        Type(None, BUDGET), None, _higher_limit, name="budget_per_pull_request_usd", example=2.0
    )
    """Maximum cost of the judge for a pull request, in US dollars; or {soft, hard}: above soft the
    page shows a warning.
    """
    max_rounds: Annotated[int, range(1, MOST_ROUNDS + 1)] = key(
        integer(1, MOST_ROUNDS), ROUNDS, higher
    )
    """Maximum number of rejected rounds of an approval type. After that, a person decides."""
    soft_budget: Amount | None = None
    agents: AgentPolicy = key(section(_Authors), AgentPolicy(), name="authors")
    """Requirements for changes by some authors."""
    requests_reviews: bool = key(BOOLEAN, True, lower, name="request_reviews")
    """Mention the named users and teams when their approval is requested."""

    def deciders_about(self, *, by_agents: bool) -> Deciders:
        """Return the deciders. `by_agents`: agents wrote or requested it, which may need more
        approvals.
        """
        if not by_agents:
            return self.deciders
        return self.deciders._replace(minimum=max(self.deciders.minimum, self.agents.minimum))

    def may_override(self, check: str) -> bool:
        return check in self.overrides or "*" in self.overrides


def _checked_policy(policy: Policy, entries: Mapping[str, Value]) -> Policy:
    """Return a policy with its budget. Raise ConfigError if fewer people may approve than must."""
    deciders, of_agents = policy.deciders, policy.agents.minimum
    location = entries.get("minimum_approvals", entries.get("approvers"))
    if location:
        _check_number(deciders, deciders.minimum, location)
    if "authors" in entries:
        if of_agents < deciders.minimum:
            required = entries["authors"].mapping()["agents"].mapping()["minimum_approvals"]
            raise required.fail(
                f"{of_agents} is less than policy.minimum_approvals ({deciders.minimum})"
            )
        _check_number(deciders, of_agents, entries["authors"])
    soft, hard = _budget(entries.get("budget_per_pull_request_usd"))
    return policy._replace(soft_budget=soft, budget=hard)


def _check_number(deciders: Deciders, minimum: int, location: Value) -> None:
    if not deciders.are_open and len(deciders.people) < minimum:
        names = ", ".join(deciders.people) or "no one"
        raise location.fail(
            f"{minimum} must approve, but approvers lists only {names}; add users, or a role"
        )


def _budget(value: Value | None) -> tuple[float | None, float | None]:
    """Return the soft and the hard limit; None if not set. A plain number is the hard limit."""
    if value is None:
        return None, None
    if not isinstance(value.data, dict):
        return None, DOLLARS(value)
    entries = BUDGET.entries(value)
    soft = DOLLARS(entries["soft"])
    if "hard" not in entries:
        return soft, None
    hard = DOLLARS(entries["hard"])
    if soft >= hard:
        raise entries["soft"].fail(f"`soft` ({soft:g}) must be less than `hard` ({hard:g})")
    return soft, hard


POLICY = section(Policy, _checked_policy)


def names_deciders(value: Value) -> bool:
    """Return whether a `policy` section sets the deciders."""
    return not _ABOUT_DECIDERS.isdisjoint(POLICY.entries(value))


def fewer_approvals_for_agents(old: Policy, new: Policy, places: Places) -> Iterator[str]:
    """Yield a line for each relaxation of `authors`."""
    before, now = old.agents, new.agents
    old_minimum = old.deciders_about(by_agents=True).minimum
    new_minimum = new.deciders_about(by_agents=True).minimum
    # A lower minimum for agents has no effect if the minimum for all changes is as high.
    if now.minimum < before.minimum and new_minimum < old_minimum:
        key = "policy.authors.agents.minimum_approvals"
        at = nearest_place(places, key)
        yield f"{key} {before.minimum} -> {now.minimum or 'none'}{at}"
    names = lost(before.names, now.names)
    if now.minimum and names:
        key = "policy.authors.agents.names"
        yield f"{key} {names}{nearest_place(places, key)}"
