"""The section `policy` of `config/approvals.yaml`: what needs a person, the deciders, and
deadlines.
"""

import re
from collections.abc import Mapping
from typing import Annotated, NamedTuple

from ..codec import Amount, Positive
from ..globs import globs
from ..yaml_reader import Value, optional
from .author_policy import AgentPolicy, parse_authors
from .autonomy import CATEGORIES, LEVELS
from .delegates import LOGIN, Delegate, parse_delegates

_KEYS = ("autonomy", "minimum_approvals", "approvers", "sole_maintainer", "delegates",
         "authors", "approvals_hold_for", "overrides", "protected_paths", "deadlines",
         "on_expiry", "budget_per_pull_request_usd", "max_rounds", "request_reviews")  # fmt: skip
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
    entries = value.mapping(_KEYS)
    soft, hard = _budget(entries.get("budget_per_pull_request_usd"))
    deciders = _deciders(entries)
    agents = parse_authors(entries.get("authors"), deciders.minimum)
    if agents.minimum:
        _enough(deciders, agents.minimum, entries["authors"])
    return Policy(
        autonomy=optional(entries, "autonomy", lambda item: item.choice(LEVELS), ""),
        deciders=deciders,
        holds_for=optional(
            entries, "approvals_hold_for", lambda item: item.choice((HEAD, CONTENT)), HEAD
        ),
        overrides=optional(entries, "overrides", Value.texts, ()),
        protected=globs(entries.get("protected_paths")),
        deadlines=_deadlines(entries.get("deadlines")),
        expiry=_on_expiry(entries.get("on_expiry")),
        budget=hard,
        max_rounds=_rounds(entries.get("max_rounds")),
        soft_budget=soft,
        agents=agents,
        requests_reviews=optional(entries, "request_reviews", Value.boolean, default=True),
    )


def _budget(value: Value | None) -> tuple[float | None, float | None]:
    """Return the soft and the hard limit in US dollars, None if not set.

    A plain number is the hard limit.
    """
    if value is None:
        return None, None
    if not isinstance(value.data, dict):
        return None, value.number(0)
    entries = value.mapping(("soft", "hard"), ("soft",))
    soft = entries["soft"].number(0)
    if "hard" not in entries:
        return soft, None
    hard = entries["hard"].number(0)
    if soft >= hard:
        raise entries["soft"].fail(f"`soft` ({soft:g}) must be less than `hard` ({hard:g})")
    return soft, hard


def _rounds(value: Value | None) -> int:
    if value is None:
        return ROUNDS
    value.number(1, MOST_ROUNDS)
    return value.integer(1)


def names_deciders(value: Value) -> bool:
    """Return whether a `policy` section sets the deciders."""
    return not _ABOUT_DECIDERS.isdisjoint(value.mapping(_KEYS))


def _deciders(entries: dict[str, Value]) -> Deciders:
    deciders = Deciders(
        minimum=optional(entries, "minimum_approvals", lambda item: item.integer(1), 1),
        sole=optional(entries, "sole_maintainer", _login, ""),
        delegates=parse_delegates(entries.get("delegates")),
    )
    approvers = {}
    if "approvers" in entries:
        approvers = entries["approvers"].mapping(("roles", "users", "teams"))
    if approvers:
        # The default roles hold only without `approvers`.
        deciders = deciders._replace(
            roles=_roles(approvers.get("roles")),
            users=_names(approvers.get("users"), _LOGIN, "login", "octocat"),
            teams=_names(approvers.get("teams"), _TEAM, "team", "acme/architects"),
        )
    location = entries.get("minimum_approvals", entries.get("approvers"))
    if location:
        _enough(deciders, deciders.minimum, location)
    return deciders


def _roles(value: Value | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(role.choice(ROLES) for role in value.sequence())


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


def _names(value: Value | None, pattern: str, kind: str, example: str) -> tuple[str, ...]:
    """Return a list of names that match a pattern; `kind` and `example` are for the message."""
    if value is None:
        return ()
    items = value.one_or_more()
    for item in items:
        if not re.fullmatch(pattern, item.text()):
            raise item.fail(f"invalid {kind} {item.data!r} (expected e.g. {example})")
    return tuple(item.text() for item in items)


def _login(value: Value) -> str:
    value.text()  # a list would be accepted by `_names`
    return _names(value, _LOGIN, "login", "octocat")[0]


def _deadlines(value: Value | None) -> dict[str, int]:
    entries = value.mapping(CATEGORIES) if value else {}
    return {category: _seconds(entry) for category, entry in entries.items()}


def _seconds(value: Value) -> int:
    match = re.fullmatch(r"([1-9][0-9]{0,4})([mhd])", value.text())
    if not match:
        raise value.fail(
            f"invalid deadline {value.data!r} (expected minutes, hours or days, e.g. 30m, "
            "24h or 3d)"
        )
    return int(match[1]) * _UNITS[match[2]]


def _on_expiry(value: Value | None) -> Expiry:
    if not value:
        return Expiry()
    entries = value.mapping(("action", "escalate_to"), ("action",))
    action = entries["action"].choice((BLOCK, ESCALATE, AUTO_APPROVE))
    if action == ESCALATE and "escalate_to" not in entries:
        raise entries["action"].fail("escalate requires escalate_to: a user or a team")
    return Expiry(
        action,
        _names(
            entries.get("escalate_to"),
            f"{_LOGIN}|{_TEAM}",
            "user or team",
            "octocat or acme/architects",
        ),
    )


def duration(seconds: int) -> str:
    """Return a duration in the form of a deadline, as in "2d"."""
    units = reversed(_UNITS.items())
    unit, size = next((unit, size) for unit, size in units if seconds % size == 0)
    return f"{seconds // size}{unit}"
