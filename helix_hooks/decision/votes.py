"""Whose word counts: somebody who may decide, about what is there now, and who did not write what is decided.

An approval is bound to the commit that was looked at, never comes from the author, a committer or a co-author of a commit, nor from a bot
under whatever name, and is gone when the same person objects later. Nothing of this is stored: it is computed anew from what GitHub has.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..adr.rules.gate import GATE_RELAXED
from ..config.policy import CONTENT, ROLES, Deciders, wanted
from ..text.co_authors import co_authors
from .commands import APPROVE, OVERRIDE, REJECT
from .handover import Handover
from .pull_request import Commit, Person, PullRequest
from .run_state import Objection
from .statements import TAKEN_BACK, Statement, statements

_NOREPLY = re.compile(r"(?:(\d+)\+)?([^@+]+)@users\.noreply\.", re.IGNORECASE)


class Known(NamedTuple):
    """What GitHub knows of those who spoke: their roles by login, who is in a deciding team, and who wrote the commits; `complete` says that
    these are all. `contents` are hashes of what was reviewed at other commits, by how these are named in an approval, and `since` is from when
    an approval of one counts; `unread` are teams that the token can't read.
    """

    roles: dict[str, str]
    commits: tuple[Commit, ...]
    complete: bool
    members: frozenset[str] = frozenset()
    unread: tuple[str, ...] = ()
    contents: dict[str, str] = {}  # noqa: RUF012 - nobody changes it
    since: dict[str, int] = {}  # noqa: RUF012


DECIDER, AUTHOR, OTHER, STRANGER = "decider", "author", "other", "stranger"
"""Who speaks: somebody who may decide; one of those, who wrote part of the change; somebody with another role; somebody with none, or who may only
read, or a bot.
"""


class Vote(NamedTuple):
    """A statement, and why it does not count ("" where it does). An approval that does not count, since its author wrote part of the change,
    still `withdraws` what they objected to before. `speaker` says who that is of the four.
    """

    said: Statement
    refused: str = ""
    withdraws: bool = False
    speaker: str = DECIDER


class Ballot(NamedTuple):
    """What stands of all that was said; of each person the last word. `last` is when each of them, by number, has spoken last."""

    approvals: tuple[Statement, ...] = ()
    objections: tuple[Statement, ...] = ()
    overrides: tuple[Statement, ...] = ()
    refused: tuple[Vote, ...] = ()
    last: tuple[tuple[int, int], ...] = ()

    def remembered(self) -> tuple[Objection, ...]:
        """The last objection of each person, for the next run."""
        last = {said.by.id: said for said in sorted(self.objections, key=lambda said: said.at)}
        return tuple(Objection(said.source, said.at, said.by.id, said.by.login) for said in last.values())


def counted(given: Handover, pull: PullRequest, known: Known) -> tuple[Vote, ...]:
    """All that was said, in its order, each with the reason if it does not count."""
    found = statements(pull, given.kept.objections)
    return tuple(_vote(said, given, pull, known) for said in found)


def _vote(said: Statement, given: Handover, pull: PullRequest, known: Known) -> Vote:
    why = _refused(said, given, pull, known)
    return Vote(said, why, bool(why) and _withdraws(said, given, pull, known), _speaker(said, given.policy.deciders, pull, known))


def _speaker(said: Statement, deciders: Deciders, pull: PullRequest, known: Known) -> str:
    """Of somebody whose role was not asked for nothing is known, so they are a stranger."""
    if said.by.is_bot:
        return STRANGER
    if _of_role(said, deciders, known):
        return STRANGER if known.roles.get(said.by.login, "") in ("", "none", ROLES[0]) else OTHER
    is_sole = said.by.login.casefold() == deciders.sole.casefold()
    has_written = said.by.id == pull.author.id or any(wrote(said.by, commit) for commit in known.commits)
    return AUTHOR if has_written and not is_sole else DECIDER


def _withdraws(said: Statement, given: Handover, pull: PullRequest, known: Known) -> bool:
    if said.kind != APPROVE or said.by.is_bot or said.wrong:
        return False
    return not (_of_types(said, given) or _of_commit(said, given, pull, known) or _of_role(said, given.policy.deciders, known))


def ballot(votes: Iterable[Vote]) -> Ballot:
    """What stands at the end: a later word of the same person takes an earlier one back, where both are about the same."""
    approvals: dict[int, list[Statement]] = {}
    objections: dict[int, list[Statement]] = {}
    overrides: list[Statement] = []
    refused: dict[tuple[int, str, str], Vote] = {}
    last: dict[int, int] = {}
    for vote in votes:
        said, who = vote.said, vote.said.by.id
        if not said.wrong:
            last[who] = said.at
        if vote.refused:
            refused[who, said.kind, said.subject] = vote
            if vote.withdraws:
                objections[who] = [old for old in objections.get(who, []) if not _is_within(old, said)]
            continue
        refused.pop((who, said.kind, said.subject), None)
        if said.kind == OVERRIDE:
            overrides.append(said)
        elif said.kind == APPROVE:
            objections[who] = [old for old in objections.get(who, []) if not _is_within(old, said)]
            approvals.setdefault(who, []).append(said)
        else:
            approvals[who] = [old for old in approvals.get(who, []) if said.kind == REJECT and not _overlap(old, said)]
            objections.setdefault(who, []).extend([said] if said.kind == REJECT else [])
    return Ballot(_all(approvals), _all(objections), tuple(overrides), tuple(refused.values()), tuple(last.items()))


def _all(found: dict[int, list[Statement]]) -> tuple[Statement, ...]:
    return tuple(said for statements in found.values() for said in statements)


def _is_within(old: Statement, new: Statement) -> bool:
    """Whether all that an old word is about, a new one is about too."""
    return not new.types or (bool(old.types) and set(old.types) <= set(new.types))


def _overlap(old: Statement, new: Statement) -> bool:
    return not old.types or not new.types or bool(set(old.types) & set(new.types))


def _refused(said: Statement, given: Handover, pull: PullRequest, known: Known) -> str:
    """Why a statement does not count; an objection needs no more than the right to decide."""
    if said.kind == TAKEN_BACK:
        return ""
    if said.by.is_bot:
        return "a bot does not decide"
    if not said.by.id:
        return "the account is gone"
    checks: tuple[Callable[[], str], ...] = (
        lambda: said.wrong,
        lambda: "" if said.kind == REJECT else _of_types(said, given),
        lambda: "" if said.kind == REJECT else _of_commit(said, given, pull, known),
        lambda: _of_role(said, given.policy.deciders, known),
        lambda: "" if said.kind == REJECT else _of_author(said.by, given.policy.deciders, pull, known),
        lambda: _of_override(said, given),
    )
    return next((reason for check in checks if (reason := check())), "")


def _of_types(said: Statement, given: Handover) -> str:
    unknown = [name for name in said.types if name not in given.types]
    there = f"there are {', '.join(given.types)}" if given.types else "nothing is asked about a type"
    return f"there is no approval type {unknown[0]!r} here; {there}" if unknown else ""


def _of_role(said: Statement, deciders: Deciders, known: Known) -> str:
    """An objection that counted once outlives the name of its author, whom GitHub may know by another one now."""
    by = said.by
    role = known.roles.get(by.login, "") or "none"
    if said.is_remembered and not known.roles.get(by.login, ""):
        return ""
    if role in deciders.roles or deciders.are_named(by.login) or by.login.casefold() in known.members:
        return ""
    unread = f" (whether @{by.login} is in {', '.join(known.unread)} can't be read with this token)" if known.unread else ""
    return f"deciding needs {wanted(deciders)}, and @{by.login} has the role {role}{unread}"


def _of_author(by: Person, deciders: Deciders, pull: PullRequest, known: Known) -> str:
    if deciders.sole and by.login.casefold() == deciders.sole.casefold():
        return ""  # the policy says so, and the page says that it does
    if by.id == pull.author.id:
        return "the author of the pull request does not approve it"
    if not known.complete:
        return "not all commits could be listed, so nobody knows who wrote them"
    return f"@{by.login} has written part of the change" if any(wrote(by, commit) for commit in known.commits) else ""


def _of_commit(said: Statement, given: Handover, pull: PullRequest, known: Known) -> str:
    if said.commit and pull.head.startswith(said.commit):
        return _of_time(said, given, pull)
    same = known.contents.get(said.commit, "")
    if said.kind == APPROVE and given.policy.holds_for == CONTENT and same and same == given.subject.content:
        is_early = said.at < known.since.get(said.commit, 0)
        return f"it was given before {said.commit[:7]} was looked at for {given.subject.base_ref}" if is_early else ""
    shown = 7 if said.commit[:7] != pull.head[:7] else len(said.commit)
    return f"it was for {said.commit[:shown]}, and {pull.head[:shown]} was pushed since" if said.commit else "it names no commit"


def _of_time(said: Statement, given: Handover, pull: PullRequest) -> str:
    """Two commits may have names that begin alike, and whoever pushes can see to it; so a short name counts for what was there when it was said.
    And what was said when the pull request went to another branch was about that.
    """
    if said.at < given.kept.retargeted:
        return f"it was given when the pull request went to another branch than {given.subject.base_ref}"
    if len(said.commit) < len(pull.head) and said.at < given.kept.seen:
        return f"it says {said.commit} alone, from before the gate saw this commit; say all of {pull.head}"
    return ""


def _of_override(said: Statement, given: Handover) -> str:
    if said.kind != OVERRIDE:
        return ""
    if any(item.fingerprint.startswith(said.subject) for item in given.indicators):
        return f"{said.subject} is a sign that somebody steers the judge, which `/helix approve` answers"
    found = [item for item in given.findings if item.fingerprint.startswith(said.subject)]
    if len({item.fingerprint for item in found}) != 1:
        what = "the beginning of several findings" if found else "no finding of this commit"
        return f"{said.subject} is {what}; the comment of this gate names each"
    check = found[0].finding.check
    if check == GATE_RELAXED.id:
        return f"{check} is a question to people, which `/helix approve` answers"
    return "" if given.policy.may_override(check) else f"policy.overrides does not have {check!r}, so what it finds can only be fixed"


def wrote(by: Person, commit: Commit) -> bool:
    """Author, committer or co-author, by GitHub's number, by the address that GitHub gives to each user, or as the name of a co-author."""
    if any(person.id == by.id for person in commit.people):
        return True
    others = co_authors(commit.message)
    if any(by.login.casefold() == name.lstrip("@").casefold() for name, _ in others):
        return True
    addresses = (*commit.emails, *(address for _, address in others))
    return any(_is_address_of(by, address) for address in addresses)


def _is_address_of(by: Person, address: str) -> bool:
    found = _NOREPLY.match(address)
    if found is None:
        return False
    return found[1] == str(by.id) if found[1] else found[2].casefold() == by.login.casefold()
