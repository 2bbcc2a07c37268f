"""The `policy` section of `config/approvals.yaml`: decisions for people, the deciders, and
deadlines.
"""

import re
from typing import NamedTuple

from ..globs import globs
from ..yaml_values import Value
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
"""The extent of an approval: the very commit, or any with the same reviewed files."""

ROUNDS, MOST_ROUNDS = 5, 50
"""Rejected rounds after which a person decides: without a setting, and at most."""

_UNITS = {"m": 60, "h": 3600, "d": 86400}
_LOGIN = rf"{LOGIN}(?:\[bot\])?"
_TEAM = r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+"


class Deciders(NamedTuple):
    """The people who may decide a pending pull request.

    `minimum` people with one of some roles, named, or in a team (`org/team`). `sole` is the user
    who may approve their own changes, since there is nobody else; "" for nobody. `delegates` decide
    in the place of others, on some days.
    """

    minimum: int = 1
    roles: tuple[str, ...] = ("maintain", "admin")
    users: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    sole: str = ""
    delegates: tuple[Delegate, ...] = ()

    def are_named(self, login: str) -> bool:
        return login.casefold() in map(str.casefold, self.users)

    @property
    def are_open(self) -> bool:
        """Return whether a role or a team may decide, so that the policy does not say how many
        people these are.
        """
        return bool(self.roles or self.teams)

    @property
    def people(self) -> tuple[str, ...]:
        """The named users, each once; bots do not decide."""
        names = {user.casefold(): user for user in self.users if not user.endswith("[bot]")}
        return tuple(names.values())

    def left_without(self, author: str) -> int | None:
        """Return how many may decide on what somebody wrote; None where the policy does not say."""
        if self.are_open:
            return None
        return sum(
            name.casefold() != author.casefold() or name.casefold() == self.sole.casefold()
            for name in self.people
        )


class Expiry(NamedTuple):
    """The action at a deadline, and to whom an escalation turns: users and teams (`org/team`)."""

    action: str = BLOCK
    to: tuple[str, ...] = ()


class Policy(NamedTuple):
    """`autonomy` is one of LEVELS, "" for none; `protected` are globs of what a person decides
    about; `overrides` the rules and briefs whose findings a person may override ("*" for any);
    `deadlines` are seconds by category; `budget` is in US dollars for a pull request, None for no
    limit, and `soft_budget` the part of it above which the page warns; `max_rounds` is after how
    many rejected rounds of an approval type no judge is asked. `agents` is what changes need that
    coding agents wrote. With `requests_reviews` the named deciders are called when they are asked.
    """

    autonomy: str = ""
    deciders: Deciders = Deciders()
    holds_for: str = HEAD
    overrides: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    deadlines: tuple[tuple[str, int], ...] = ()
    expiry: Expiry = Expiry()
    budget: float | None = None
    max_rounds: int = ROUNDS
    soft_budget: float | None = None
    agents: AgentPolicy = AgentPolicy()
    requests_reviews: bool = True

    def deciders_about(self, *, by_agents: bool) -> Deciders:
        """Return the deciders, of whom more must approve what agents wrote or ask for."""
        if not by_agents:
            return self.deciders
        return self.deciders._replace(minimum=max(self.deciders.minimum, self.agents.minimum))

    def may_override(self, check: str) -> bool:
        return check in self.overrides or "*" in self.overrides


def parse_policy(value: Value) -> Policy:
    """Parse the `policy` section.

    Raises: ConfigError for the first invalid value.
    """
    entries = value.mapping(_KEYS)
    soft, hard = _budget(entries.get("budget_per_pull_request_usd"))
    deciders = _deciders(entries)
    agents = parse_authors(entries.get("authors"), deciders.minimum)
    if agents.minimum:
        _enough(deciders, agents.minimum, entries["authors"])
    return Policy(
        autonomy=entries["autonomy"].choice(LEVELS) if "autonomy" in entries else "",
        deciders=deciders,
        holds_for=entries["approvals_hold_for"].choice((HEAD, CONTENT))
        if "approvals_hold_for" in entries
        else HEAD,
        overrides=entries["overrides"].texts() if "overrides" in entries else (),
        protected=globs(entries.get("protected_paths")),
        deadlines=_deadlines(entries.get("deadlines")),
        expiry=_on_expiry(entries.get("on_expiry")),
        budget=hard,
        max_rounds=_rounds(entries.get("max_rounds")),
        soft_budget=soft,
        agents=agents,
        requests_reviews="request_reviews" not in entries or entries["request_reviews"].boolean(),
    )


def _budget(value: Value | None) -> tuple[float | None, float | None]:
    """Return the limit that warns and the one that stops, None for none: a number stops."""
    if value is None:
        return None, None
    if not isinstance(value.data, dict):
        return None, value.number(0)
    entries = value.mapping(("soft", "hard"), ("soft",))
    soft = entries["soft"].number(0)
    hard = entries["hard"].number(0) if "hard" in entries else None
    if hard is not None and soft >= hard:
        raise entries["soft"].fail(
            f"{soft:g} is not below hard, which stops the judge at {hard:g}; it would never warn"
        )
    return soft, hard


def _rounds(value: Value | None) -> int:
    if value is None:
        return ROUNDS
    value.number(1, MOST_ROUNDS)
    return value.integer(1)


def names_deciders(value: Value) -> bool:
    """Return whether a `policy` section itself says who decides."""
    return not _ABOUT_DECIDERS.isdisjoint(value.mapping(_KEYS))


def _deciders(entries: dict[str, Value]) -> Deciders:
    given = (
        entries["approvers"].mapping(("roles", "users", "teams")) if "approvers" in entries else {}
    )
    found = Deciders(
        minimum=entries["minimum_approvals"].integer(1) if "minimum_approvals" in entries else 1,
        users=_names(given.get("users"), _LOGIN, "login, as in octocat"),
        teams=_names(given.get("teams"), _TEAM, "team, as in acme/architects"),
        sole=_login(entries["sole_maintainer"]) if "sole_maintainer" in entries else "",
        delegates=parse_delegates(entries.get("delegates")),
    )
    if given:
        found = found._replace(
            roles=tuple(role.choice(ROLES) for role in given["roles"].sequence())
            if "roles" in given
            else ()
        )
    place = entries.get("minimum_approvals", entries.get("approvers"))
    if place:
        _enough(found, found.minimum, place)
    return found


def _enough(deciders: Deciders, minimum: int, place: Value) -> None:
    """Raise ConfigError where fewer people may approve than must."""
    if deciders.are_open or len(deciders.people) >= minimum:
        return
    ones = f"{', '.join(deciders.people)} alone" if deciders.people else "nobody"
    raise place.fail(
        f"approvers name {ones}, and {minimum} must approve; name more users, or a role"
    )


def wanted(deciders: Deciders) -> str:
    """Describe the deciders in words."""
    roles = [f"the role {' or '.join(deciders.roles)}"] if deciders.roles else []
    named = [f"one of {', '.join(deciders.users)}"] if deciders.users else []
    teams = [f"a member of {' or '.join(deciders.teams)}"] if deciders.teams else []
    return " or ".join([*roles, *named, *teams]) or "somebody whom the policy names"


def cautions(deciders: Deciders) -> list[str]:
    """Return warnings about settings that may keep everybody from deciding."""
    if deciders.roles:
        return []
    if deciders.teams and not deciders.users:
        return [
            (
                "policy.approvers names teams alone, which the token of a workflow can't read; "
                "name a role or users too, or let an App of your own write"
            )
        ]
    if (
        not deciders.are_open
        and len(deciders.people) == deciders.minimum
        and deciders.sole.casefold() not in map(str.casefold, deciders.people)
    ):
        return [
            (
                f"nobody can approve what {' or '.join(deciders.people)} wrote: "
                "policy.approvers names nobody else"
            )
        ]
    return []


def _names(value: Value | None, pattern: str, kind: str) -> tuple[str, ...]:
    items = value.one_or_more() if value else []
    for item in items:
        if not re.fullmatch(pattern, item.text()):
            raise item.fail(f"{item.data!r} is no {kind}")
    return tuple(item.text() for item in items)


def _login(value: Value) -> str:
    value.text()
    return _names(value, _LOGIN, "login, as in octocat")[0]


def _deadlines(value: Value | None) -> tuple[tuple[str, int], ...]:
    return tuple(
        (category, _seconds(entry))
        for category, entry in (value.mapping(CATEGORIES) if value else {}).items()
    )


def _seconds(value: Value) -> int:
    found = re.fullmatch(r"([1-9][0-9]{0,4})([mhd])", value.text())
    if not found:
        raise value.fail(
            f"{value.data!r} is not a deadline; write minutes, hours or days, as in 30m, 24h or 3d"
        )
    return int(found[1]) * _UNITS[found[2]]


def _on_expiry(value: Value | None) -> Expiry:
    if not value:
        return Expiry()
    entries = value.mapping(("action", "escalate_to"), ("action",))
    action = entries["action"].choice((BLOCK, ESCALATE, AUTO_APPROVE))
    if action == ESCALATE and "escalate_to" not in entries:
        raise entries["action"].fail("escalate needs escalate_to: the user or team to turn to")
    return Expiry(
        action,
        _names(
            entries.get("escalate_to"),
            f"{_LOGIN}|{_TEAM}",
            "user or team, as in octocat or acme/architects",
        ),
    )


def duration(seconds: int) -> str:
    """Return a duration as a deadline is written, as in "2d"."""
    units = reversed(_UNITS.items())
    unit, size = next((unit, size) for unit, size in units if seconds % size == 0)
    return f"{seconds // size}{unit}"
