"""The right of a viewer to decide about an entry of the queue, by the policy of its project. Pure.

It is the same right as for a vote on a pull request and an answer in a flow. The receiver of the
answer checks it again, because an entry may be older than a role.
"""

from collections.abc import Iterable, Mapping

from ..config.policy import Policy, givers_to
from ..decision.who_may import VoterFacts, is_sole, needs_several, right_of
from .entry import ESCALATED, FLOW, REQUEST, UNDECIDED, QueueEntry, Viewer


def refusal(viewer: Viewer, entry: QueueEntry, *, approves: bool = True) -> str:
    """Return why a viewer may not answer an entry, "" if they may."""
    if entry.source in UNDECIDED:
        return ""
    is_local = viewer.is_here and not entry.repository
    if is_local or not viewer.login:
        return _of_unconfirmed(entry)
    reason = _of_role(viewer, entry, approves=approves)
    if reason or not approves:
        return reason
    return _of_own(viewer, entry) or _of_number(viewer, entry)


def is_turn(viewer: Viewer, entry: QueueEntry) -> bool:
    """Return whether the viewer must act: approve, or reply where the requester was asked.

    Others than the person to whom an entry was handed over may decide it, but it is not their turn.
    """
    if entry.is_asked_back:
        return is_requester(viewer, entry)
    is_of_one = entry.handed_to and viewer.login and entry.state != ESCALATED
    if is_of_one and viewer.login.casefold() != entry.handed_to.casefold():
        return False
    answered = map(str.casefold, (*entry.approved_by, *entry.answered))
    has_answered = bool(viewer.login) and viewer.login.casefold() in answered
    return not refusal(viewer, entry) and not has_answered


def is_requester(viewer: Viewer, entry: QueueEntry) -> bool:
    """Return whether the viewer may speak for the requester: see `talk.speaker`."""
    if entry.asked_by_login:
        return viewer.login.casefold() in map(str.casefold, entry.requester)
    return viewer.is_here


def _of_unconfirmed(entry: QueueEntry) -> str:
    if not entry.needs_login:
        return ""
    return "GitHub must confirm who you are: set GITHUB_TOKEN, or log in with `gh auth login`"


def _of_role(viewer: Viewer, entry: QueueEntry, *, approves: bool) -> str:
    """Return why a login has no right to decide, neither its own nor as a delegate."""
    login, deciders = viewer.login, entry.deciders
    lent = {giver: role for project, giver, role in viewer.lent if project == entry.project}
    roles = {**lent, login: dict(viewer.roles).get(entry.project, "")}
    teams = {team.casefold() for team in viewer.teams}
    is_member = any(team.casefold() in teams for team in deciders.teams)
    members = frozenset([login.casefold()] if is_member else [])
    facts = VoterFacts(roles=roles, commits=(), complete=True, members=members)
    without = tuple(_excluded(viewer, entry)) if approves else ()
    return right_of(login, facts, deciders, deciders.delegates, viewer.at, without).refused


def _of_number(viewer: Viewer, entry: QueueEntry) -> str:
    """Return why one approval can't suffice; "" if it can, or if others are counted."""
    minimum = entry.deciders.minimum if _is_proxied(viewer, entry) else entry.minimum
    if entry.source != FLOW or minimum <= 1:
        return ""
    return needs_several(Policy(deciders=entry.deciders))


def _is_proxied(viewer: Viewer, entry: QueueEntry) -> bool:
    """Return whether a proxy alone confirms the viewer: the project is not on GitHub."""
    return viewer.is_proxied and not entry.repository


def _excluded(viewer: Viewer, entry: QueueEntry) -> list[str]:
    """Return who may not approve. Behind a proxy also the requester whom nobody confirmed."""
    unconfirmed = entry.requester if _is_proxied(viewer, entry) else ()
    names = map(str.casefold, (*entry.excluded, *unconfirmed))
    return [name for name in names if name != entry.deciders.sole.casefold()]


def _of_own(viewer: Viewer, entry: QueueEntry) -> str:
    """Return why an approval would be by the requester or an author."""
    login = viewer.login
    if is_sole(login, entry.deciders):
        return ""
    if login.casefold() in _excluded(viewer, entry):
        own = "the requester" if entry.source in (FLOW, REQUEST) else "an author"
        return f"@{login} is {own} and can't approve it"
    if entry.asked_by_login or _is_proxied(viewer, entry):
        return ""
    return (
        f"GitHub did not confirm the requester {entry.asked_by}, so self-approval can't be "
        "ruled out"
    )


def deciding_teams(
    entries: Iterable[QueueEntry], roles: Mapping[str, str], login: str
) -> tuple[str, ...]:
    """Return the deciding teams of the entries for which a login has no other right.

    `roles` are the roles of the login by project.
    """
    teams: set[str] = set()
    for entry in entries:
        has_role = roles.get(entry.project, "") in entry.deciders.roles
        if not has_role and not entry.deciders.are_named(login):
            teams.update(entry.deciders.teams)
    return tuple(sorted(teams))


def givers(entries: Iterable[QueueEntry], login: str, now: int) -> tuple[tuple[str, str], ...]:
    """Return project and login of each person for whom a login decides as a delegate now."""
    pairs = {
        (entry.project, giver)
        for entry in entries
        for giver in givers_to(entry.deciders.delegates, login, now)
    }
    return tuple(sorted(pairs))
