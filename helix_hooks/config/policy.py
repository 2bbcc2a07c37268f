"""The section `policy` of `config/approvals.yaml`: what needs a person, the deciders, and
deadlines.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

from ..codec import Amount, Positive
from ..yaml_reader import Value
from .author_policy import AUTHORS, AgentPolicy
from .autonomy import CATEGORIES, LEVELS
from .declaration import (
    BOOLEAN,
    GLOBS,
    TEXTS,
    Key,
    Places,
    Type,
    added,
    changed,
    choice,
    covers_less,
    higher,
    integer,
    later,
    listed,
    lost,
    lower,
    matching,
    nearest_place,
    section,
    several,
)
from .delegates import DELEGATES, LOGIN, Delegate

_ABOUT_DECIDERS = frozenset(
    ("autonomy", "minimum_approvals", "approvers", "sole_maintainer", "delegates", "authors")
)
ROLES = ("read", "triage", "write", "maintain", "admin")
BLOCK, ESCALATE, AUTO_APPROVE = "block", "escalate", "auto_approve"
HEAD, CONTENT = "head", "content"
"""The commits that an approval holds for: one, or all with the same reviewed files."""

ROUNDS, MOST_ROUNDS = 5, 50
"""Rejected rounds after which a person decides: the default and the maximum."""

_UNITS = {"m": 60, "h": 3600, "d": 86400}
_LOGIN = rf"{LOGIN}(?:\[bot\])?"
_TEAM = r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+"


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


class Expiry(NamedTuple):
    """The action at a deadline. `to` are the users and teams (`org/team`) of an escalation."""

    action: Annotated[str, (BLOCK, ESCALATE, AUTO_APPROVE)] = BLOCK
    to: tuple[str, ...] = ()


class Policy(NamedTuple):
    """The policy of a repository.

    `autonomy` is one of LEVELS, or "". `protected` are globs of files that need a person.
    `overrides` are rules and briefs whose findings a person may override ("*" for all). `deadlines`
    are seconds by category. `budget` is the limit for a pull request in US dollars, None for no
    limit; above `soft_budget` there is a warning. After `max_rounds` rejected rounds of an approval
    type its judge is not run. `agents` are the requirements for changes by coding agents. With
    `requests_reviews`, users among the deciders are requested as reviewers.
    """

    autonomy: Annotated[str, ("", *LEVELS)] = ""
    deciders: Deciders = Deciders()
    holds_for: Annotated[str, (HEAD, CONTENT)] = HEAD
    overrides: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    deadlines: Mapping[str, Positive] = {}
    expiry: Expiry = Expiry()
    budget: Amount | None = None
    max_rounds: Annotated[int, range(1, MOST_ROUNDS + 1)] = ROUNDS
    soft_budget: Amount | None = None
    agents: AgentPolicy = AgentPolicy()
    requests_reviews: bool = True

    def deciders_about(self, *, by_agents: bool) -> Deciders:
        """Return the deciders. `by_agents`: agents wrote or requested it, which may need more
        approvals.
        """
        if not by_agents:
            return self.deciders
        return self.deciders._replace(minimum=max(self.deciders.minimum, self.agents.minimum))

    def may_override(self, check: str) -> bool:
        return check in self.overrides or "*" in self.overrides


def parse_policy(value: Value) -> Policy:
    """Parse the `policy` section.

    Raises:
        ConfigError: A value is invalid; the error has the first one.
    """
    policy: Policy = POLICY.read(value)
    entries = POLICY.entries(value)
    deciders = policy.deciders
    if "approvers" in entries and "roles" not in entries["approvers"].mapping():
        # The default roles hold only without `approvers`.
        is_empty = not entries["approvers"].data
        deciders = deciders._replace(roles=deciders.roles if is_empty else ())
    location = entries.get("minimum_approvals", entries.get("approvers"))
    if location:
        _enough(deciders, deciders.minimum, location)
    if "authors" in entries:
        minimum = policy.agents.minimum
        if minimum < deciders.minimum:
            required = entries["authors"].mapping()["agents"].mapping()["minimum_approvals"]
            raise required.fail(
                f"{minimum} is less than policy.minimum_approvals ({deciders.minimum})"
            )
        _enough(deciders, minimum, entries["authors"])
    soft, hard = _budget(entries.get("budget_per_pull_request_usd"))
    return policy._replace(deciders=deciders, soft_budget=soft, budget=hard)


def names_deciders(value: Value) -> bool:
    """Return whether a `policy` section sets the deciders."""
    return not _ABOUT_DECIDERS.isdisjoint(POLICY.entries(value))


def _enough(deciders: Deciders, minimum: int, location: Value) -> None:
    """Raise ConfigError if fewer people may approve than must."""
    if deciders.are_open or len(deciders.people) >= minimum:
        return
    names = ", ".join(deciders.people) or "no one"
    raise location.fail(
        f"{minimum} must approve, but approvers lists only {names}; add users, or a role"
    )


def wanted(deciders: Deciders) -> str:
    """Describe the deciders, as in "the role maintain or one of octocat, hubot"."""
    parts = []
    if deciders.roles:
        parts.append(f"the role {' or '.join(deciders.roles)}")
    if deciders.users:
        parts.append(f"one of {', '.join(deciders.users)}")
    if deciders.teams:
        parts.append(f"a member of {' or '.join(deciders.teams)}")
    return " or ".join(parts) or "a decider under the policy"


def cautions(deciders: Deciders) -> list[str]:
    """Return warnings about settings that may leave a change without a decider."""
    if deciders.roles:
        return []
    if deciders.teams and not deciders.users:
        return [
            (
                "policy.approvers lists only teams, which the token of a workflow can't "
                "read; add a "
                "role or users, or use your own GitHub App"
            )
        ]
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


def duration(seconds: int) -> str:
    """Return a duration in the form of a deadline, as in "2d"."""
    units = reversed(_UNITS.items())
    unit, size = next((unit, size) for unit, size in units if seconds % size == 0)
    return f"{seconds // size}{unit}"


# The declaration.


def _budget(value: Value | None) -> tuple[float | None, float | None]:
    """Return the soft and the hard limit in US dollars, None if not set.

    A plain number is the hard limit.
    """
    if value is None:
        return None, None
    if not isinstance(value.data, dict):
        return None, value.number(0)
    entries = BUDGET.entries(value)
    soft = entries["soft"].number(0)
    if "hard" not in entries:
        return soft, None
    hard = entries["hard"].number(0)
    if soft >= hard:
        raise entries["soft"].fail(f"`soft` ({soft:g}) must be less than `hard` ({hard:g})")
    return soft, hard


def _rounds(value: Value) -> int:
    value.number(1, MOST_ROUNDS)
    return value.integer(1)


def _deadlines(value: Value) -> dict[str, int]:
    entries = value.mapping(CATEGORIES)
    return {category: _seconds(entry) for category, entry in entries.items()}


def _seconds(value: Value) -> int:
    match = re.fullmatch(r"([1-9][0-9]{0,4})([mhd])", value.text())
    if not match:
        raise value.fail(
            f"invalid deadline {value.data!r} (expected minutes, hours or days, e.g. 30m, "
            "24h or 3d)"
        )
    return int(match[1]) * _UNITS[match[2]]


def _on_expiry(value: Value) -> Expiry:
    expiry: Expiry = EXPIRY.read(value)
    entries = EXPIRY.entries(value)
    if expiry.action == ESCALATE and "escalate_to" not in entries:
        raise entries["action"].fail("escalate requires escalate_to: a user or a team")
    return expiry


def _other_deadlines(old: Mapping[str, int], new: Mapping[str, int]) -> str:
    return "" if old == new else f"{_durations(old)} -> {_durations(new)}"


def _durations(deadlines: Mapping[str, int]) -> str:
    texts = [f"{category} {duration(seconds)}" for category, seconds in deadlines.items()]
    return listed(texts) or "none"


def _expires_milder(old: Expiry, new: Expiry) -> str:
    action = _milder_action(old.action, new.action)
    return action or ("changed" if old.to != new.to else "")


def _more_overrides(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    return "" if "*" in old else added(old, new)


def _more_days(old: tuple[Delegate, ...], new: tuple[Delegate, ...]) -> str:
    """Return the delegations that are new. Past days count: a vote of such a day may exist."""
    more = [item.in_words for item in new if not any(was.covers(item) for was in old)]
    return f"adds {'; '.join(more)}" if more else ""


def _another(old: str, new: str) -> str:
    return changed(old, new) if new else ""


def _higher_limit(old: float | None, new: float | None) -> str:
    if old is None or (new is not None and new <= old):
        return ""
    return f"{old:g} -> {'no limit' if new is None else format(new, 'g')}"


_milder_action = later((BLOCK, ESCALATE, AUTO_APPROVE))
_DOLLARS = Type(lambda value: value.number(0), "dollars")
_USER = matching(_LOGIN, "login", "octocat")
TEAMS = several(matching(_TEAM, "team", "acme/architects"))
_ANYBODY = matching(f"{_LOGIN}|{_TEAM}", "user or team", "octocat or acme/architects")
_DEADLINES = {
    "type": "object",
    "properties": dict.fromkeys(CATEGORIES, "deadline"),
    "additionalProperties": False,
}
_ROLES = Type(
    lambda value: tuple(role.choice(ROLES) for role in value.sequence()),
    {"type": "array", "items": {"enum": ROLES}},
)


class _Approvers:
    roles = Key(_ROLES, added)
    """Roles in the repository."""
    users = Key(several(_USER), added, example=["octocat"])
    """Logins."""
    teams = Key(TEAMS, added, example=["acme/architects"])
    """Teams. The workflow's GITHUB_TOKEN can't read their members."""


class _Expiry:
    action = Key(choice((BLOCK, ESCALATE, AUTO_APPROVE)), required=True)
    """block: the request expires. escalate: other people are notified once. auto_approve: approved;
    not allowed for critical, uncertainty and expertise.
    """
    escalate_to = Key(several(_ANYBODY), field="to", example=["octocat", "acme/board"])
    """The users and teams to turn to."""


class _Budget:
    soft = Key(_DOLLARS, required=True)
    """US dollars above which the page warns; below hard."""
    hard = Key(_DOLLARS)
    """US dollars at which the judge stops."""


EXPIRY = section(_Expiry, Expiry(), conditions="escalation")
BUDGET = section(_Budget, also="dollars")


class _Policy:
    autonomy = Key(choice(LEVELS), later((*LEVELS, "")))
    """Which actions need a person: all (full_control), stages (milestone) or critical ones
    (autonomous). By default the judge alone can approve.
    """
    minimum_approvals = Key(integer(1), lower, field="deciders.minimum")
    """Number of people who must approve."""
    approvers = Key(section(_Approvers, Deciders()), field="deciders")
    """Who may decide. Any value replaces the default roles."""
    sole_maintainer = Key(_USER, _another, field="deciders.sole", example="octocat")
    """The only maintainer, who may approve their own changes."""
    approvals_hold_for = Key(choice((HEAD, CONTENT)), later((HEAD, CONTENT)), field="holds_for")
    """head: an approval is for this very commit. content: also for others with the same reviewed
    files.
    """
    overrides = Key(TEXTS, _more_overrides, example=["migration"])
    """Rules and briefs whose findings a person may override; "*" for any."""
    protected_paths = Key(GLOBS, covers_less, field="protected", example=["src/payments/**"])
    """Files whose changes need a decision by a person."""
    deadlines = Key(Type(_deadlines, _DEADLINES), _other_deadlines)
    """Time until the deadline, by category: minutes, hours or days."""
    on_expiry = Key(Type(_on_expiry, EXPIRY), _expires_milder, field="expiry")
    """The action at a deadline."""
    budget_per_pull_request_usd = Key(
        Type(None, BUDGET), _higher_limit, field="budget", example=2.0
    )
    """Maximum cost of the judge for a pull request, in US dollars; or {soft, hard}: above soft the
    page shows a warning.
    """
    max_rounds = Key(Type(_rounds, {**integer(1).schema, "maximum": MOST_ROUNDS}), higher)
    """Maximum number of rejected rounds of an approval type. After that, a person decides."""
    delegates = Key(DELEGATES, _more_days, field="deciders.delegates")
    """Delegates who decide for other people during some days."""
    authors = Key(AUTHORS, field="agents")
    """Requirements for changes by some authors."""
    request_reviews = Key(BOOLEAN, lower, field="requests_reviews")
    """Mention the named users and teams when their approval is requested."""


POLICY = section(_Policy, Policy())


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
