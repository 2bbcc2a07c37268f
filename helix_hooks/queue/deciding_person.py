"""The person who decides: a user whom GitHub confirms, or an unconfirmed one at a terminal."""

import time
from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..decision.pull_request import Person
from ..decision.who_may import (
    Identity,
    VoterFacts,
    decider_right,
    giver_of,
    is_sole,
    needs_several,
    not_confirmed,
    refused,
    refused_without_github,
)
from ..errors import UsageError
from ..phases.run_state import Decider
from ..pull import identity
from ..pull.access import api_url
from ..pull.identity import token
from ..waiting.entry import FLOW, PULL_REQUEST, ProjectPolicy
from ..waiting.request import PROXY
from .place import QueuePlace
from .viewer import own_name


class QueueAnswer(NamedTuple):
    """A person's answer. `override` approves what a gate has rejected, which needs a reason."""

    approves: bool
    reason: str = ""
    override: bool = False

    @property
    def action(self) -> str:
        return "approve" if self.approves else "reject"


class DecidingPerson(NamedTuple):
    """The person who decides. `identity` is None for a person at a terminal, called `name`.

    `token` is theirs, "" where decisions on pull requests are links only. `via` is who confirmed
    them, "" for github.com and for nobody.
    """

    name: str
    identity: Identity | None = None
    token: str = ""
    via: str = ""


def deciding_person(
    place: QueuePlace,
    by: ProjectPolicy,
    environment: Mapping[str, str],
    sources: Collection[str] = (FLOW,),
) -> DecidingPerson:
    """Return the user of the token with role and teams, else the person that git names.

    `sources` are those of the entries that are decided. Of pull requests GitHub itself says who
    writes a comment. Raises UsageError where only a user may decide and there is no token,
    HelixError where GitHub can't be asked.
    """
    secret = token(environment) if place.repository or PULL_REQUEST in sources else ""
    local = DecidingPerson(own_name(place.root), token=secret)
    if {*sources} == {PULL_REQUEST}:
        return local
    if secret and place.repository:
        return of_token(place, by, secret, environment)
    why = refused_without_github(is_on_github=by.is_on_github, names_deciders=by.names_deciders)
    if why:
        raise UsageError(why)
    return local


def of_token(
    place: QueuePlace, by: ProjectPolicy, secret: str, environment: Mapping[str, str]
) -> DecidingPerson:
    """Return the user of a token with role and teams. Raises HelixError."""
    now = int(time.time())
    who = identity.identity_in(place.repository, secret, environment, by.policy.deciders, now)
    return DecidingPerson(who.person.login, who, secret, api_url(environment))


def named_decider(
    place: QueuePlace, by: ProjectPolicy, login: str, secret: str, environment: Mapping[str, str]
) -> DecidingPerson:
    """Return another person, by login; `secret` is a token to read their role and teams with.

    Raises:
        UsageError: There is no such user.
        HelixError: GitHub can't be asked.
    """
    if place.repository and secret:
        now, deciders = int(time.time()), by.policy.deciders
        who = identity.identity_of(login, place.repository, secret, environment, deciders, now)
        if not who.person.id:
            raise UsageError(f"there is no user @{login}")
        return DecidingPerson(login, who)
    return of_proxy(login)


def of_proxy(login: str) -> DecidingPerson:
    """Return a user whom a proxy names, for a project that is not on GitHub: without any role."""
    facts = VoterFacts(roles={}, commits=(), complete=True)
    return DecidingPerson(login, Identity(Person(login, 0), facts), via=PROXY)


def decider_in_run(
    person: DecidingPerson, by: ProjectPolicy, asked_by: Decider, *, approves: bool
) -> Decider:
    """Return who decides about a run. Raises UsageError where they may not."""
    is_proxied = person.via == PROXY
    if approves and (by.is_on_github or is_proxied) and (why := needs_several(by.policy)):
        raise UsageError(why)
    who, now = person.identity, int(time.time())
    if not who and approves and asked_by.verified:
        raise UsageError(not_confirmed(asked_by.name))
    if not who:
        return Decider(person.name, verified=False)
    if why := refused(who, by.policy, asked_by, approves=approves, at=now, is_proxied=is_proxied):
        raise UsageError(why)
    login = who.person.login
    right = decider_right(who, by.policy, asked_by, approves=approves, at=now)
    return Decider(
        login,
        verified=True,
        is_sole=is_sole(login, by.policy.deciders),
        delegate_of=giver_of(right.text),
        via=person.via if is_proxied else "",
    )
