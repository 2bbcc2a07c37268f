"""The decision with what people said to it, and the telling of it: what `publish`, `command` and `sweep` have in common."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..config.autonomy import EXPERTISE
from ..config.policy import CONTENT
from ..console.output import complain
from ..decision import chain, run_record, run_state
from ..decision.chain import Chain
from ..decision.commands import APPROVE, OVERRIDE, REJECT
from ..decision.counting import CountedVote, VoterFacts, count_votes
from ..decision.decide import Decision, decide
from ..decision.decision_record import DecisionInputs, continued
from ..decision.effective_votes import EffectiveVotes, effective_votes
from ..decision.facts import of_pull_request
from ..decision.handover import LINKED, Handover, RunTarget
from ..decision.pull_request import GITHUB_ACTIONS, UNKNOWN, PullRequest, Status
from ..decision.run_state import CarriedState, in_ledger
from ..decision.states import APPROVED, BLOCKED, FAILED, PENDING, REJECTED, Reason
from ..decision.votes import Vote, votes_of
from ..errors import HelixError, UsageError
from ..github import client, edits, fetch, runner
from ..github.send import Sender
from ..paths import READ_FIRST
from ..publish.check_run import states_before
from ..publish.links import Links, links
from ..publish.payloads import payloads
from ..publish.sticky import stickies_of, sticky_of
from ..repository import files
from ..verdict.injection.signs import ours

if TYPE_CHECKING:
    from github.Repository import Repository

_ACTIONS_APP = 15368
"""The number of the App GitHub Actions, in whose name a workflow's token writes."""

_UNSURE = UNKNOWN.partition("(")[0]

_ROUNDS = 3
_MOST_PEOPLE = 60
"""Whose roles are asked for, the last who spoke first: so many strangers can't speak before somebody that their objection is not heard."""

_MOST_REFUSED = 5
"""Of people none of whose votes can count: only the last ones, to know whether the page tells them."""

_OLDER = 5
"""Other commits at which an approval, or the decisions before, are looked up."""


class Access(NamedTuple):
    """A repository on GitHub, and in whose name is written there: the numbers of a user and of an App (0 for any App). `roles` are those that
    were asked for already, `server` is where people read it, and `record_key` signs decisions.
    """

    repository: "Repository"
    ours: int
    app: int
    roles: dict[str, str]
    record_key: bytes = b""
    server: str = ""

    def role(self, login: str) -> str:
        if login not in self.roles:
            self.roles[login] = fetch.role(self.repository, login)
        return self.roles[login]


def access(name: str, environment: Mapping[str, str]) -> Access:
    """Raises UsageError for an environment that does not say enough."""
    ours = bot(environment)
    app = _number(environment, "HELIX_APP_ID", _ACTIONS_APP if ours == GITHUB_ACTIONS else 0, "an App")
    url, token = environment.get("GITHUB_API_URL", ""), environment.get("GITHUB_TOKEN", "")
    key = environment.get("HELIX_RECORD_KEY", "").strip().encode()
    return Access(client.repository(name, token, url, client.pause(environment)), ours, app, {}, key, _server(environment))


def _server(environment: Mapping[str, str]) -> str:
    return environment.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")


def bot(environment: Mapping[str, str]) -> int:
    """The number of the user in whose name is written."""
    return _number(environment, "HELIX_BOT_ID", GITHUB_ACTIONS, "a user")


def _number(environment: Mapping[str, str], name: str, usual: int, whose: str) -> int:
    text = environment.get(name) or str(usual)
    if not (text.isascii() and text.isdigit()):
        raise UsageError(f"{name} is {text!r} (expected the number of {whose})")
    return int(text)


def recorded(number: int, status: Status | None, commit: str) -> Handover | None:
    """What the last run for a pull request at a commit (or one whose name begins so) has found; None where it left nothing that can be read, or it
    was about something else.
    """
    data = run_record.read(status.text, number) if status else None
    if not status or not data:
        return None
    try:
        given = runner.checked(data, json.loads(files.packaged("schemas/handover.json") or b"{}"))
    except HelixError:
        return None
    if not given.target.head.startswith(commit) or given.target.number != number:
        return None
    common = run_state.read(status.text)
    return given._replace(carried=given.carried._replace(spent=max(common.spent, given.carried.spent), sealed=common.sealed))


def memory(number: int, status: Status | None, last: Handover | None) -> CarriedState:
    """What the last run at a commit has kept of a pull request; `last` is its record. A check run is that of a commit, so what it keeps beside a
    record is believed where it is about this pull request alone.
    """
    if last or not status:
        return last.carried if last else CarriedState()
    found = run_state.read(status.text)
    return found if {*states_before(status)} <= {number} else found.without_people()


class Settled(NamedTuple):
    """What was decided, on which facts."""

    given: Handover
    outcome: Decision
    pull: PullRequest
    votes: tuple[CountedVote, ...] = ()


def settle(to: Access, given: Handover, pull: PullRequest, at_lines: bool = True, leave: Callable[[Settled], None] = lambda _: None,
           outdated: bool = False, before: str = "") -> Settled:  # fmt: skip
    """Decide, `leave` word of it on this machine, and tell GitHub. It looks once more behind that: of two runs at once, the one that read less may
    write last. What is `outdated`, since the settings have changed, is never approved. `before` is the head before a push.
    """
    found = evaluate(to, given, pull, outdated)
    leave(found)
    sender = tell(to, found, at_lines, before)
    rounds = _ROUNDS if not at_lines or _is_news(found) else 0
    comments = fetch.comments(to.repository, pull.number) if rounds or sender.created else ()
    if sender.created:
        sender.leave_one([item.id for item in stickies_of(comments, to.ours)])
        _complain(sender)
    for number in range(rounds):
        comments = fetch.comments(to.repository, pull.number) if number else comments
        seen = found.pull._replace(comments=comments, reviews=fetch.reviews(to.repository, pull.number))
        if votes_of(seen) == votes_of(found.pull):
            break
        found = evaluate(to, found.given, seen._replace(status=fetch.status(to.repository, pull.head, to.app)), outdated)
        tell(to, found, at_lines=False)
    return found


def _is_news(found: Settled) -> bool:
    before = states_before(found.pull.status) if found.pull.status else {}
    is_news = found.outcome.state in (APPROVED, PENDING, BLOCKED) or bool(found.outcome.asked)
    return is_news and found.given.applies and before.get(found.pull.number) != found.outcome.state


def evaluate(to: Access, given: Handover, pull: PullRequest, outdated: bool = False) -> Settled:
    """People are asked of GitHub only where one of them could change something. The clock of a question starts when it is first asked."""
    given = _remembering(to, given, pull)
    untouched = given._replace(carried=given.carried._replace(tampered=()))
    first = decide(
        of_pull_request(untouched, pull, EffectiveVotes(), given.carried.since or pull.now)
    )  # before any deadline, and before anybody spoke
    asked = bool(first.asked) and not given.target.draft
    given = given._replace(
        carried=given.carried._replace(since=(given.carried.since or pull.now) if asked else 0, escalated=given.carried.escalated and asked)
    )
    if not _may_change(given, first, pull):
        return Settled(_noting(to, given, pull), decide(of_pull_request(given, pull, EffectiveVotes(), pull.now)), pull)
    pull = pull._replace(reviews=pull.reviews or fetch.reviews(to.repository, pull.number))
    votes = _vouched_for(to, given, pull, _known(to, given, pull))
    said = effective_votes(votes)
    found = held(decide(of_pull_request(given, pull, said, pull.now)), outdated)
    if found.state == APPROVED and not given.target.merges:
        pull = pull._replace(siblings=fetch.siblings(to.repository, pull.number, pull.head))
    is_sure = not any(item.refused.startswith(_UNSURE) for item in votes)  # else the next sweep asks again
    noted = given.carried._replace(objections=said.remembered(), looked=given.carried.looked if is_sure else 0)
    return Settled(given._replace(carried=noted), found, pull, votes)


def _noting(to: Access, given: Handover, pull: PullRequest) -> Handover:
    """With the objections that were said while no vote changes anything. They are remembered for the run that can count them."""
    is_here = pull.head == given.target.head and not given.target.merges
    if not is_here or not any(said.kind == REJECT and not said.by.is_bot for said in votes_of(pull)):
        return given
    said = effective_votes(count_votes(given, pull, _known(to, given, pull)))
    noted = {item.source: item for item in (*given.carried.objections, *said.remembered())}
    return given._replace(carried=given.carried._replace(objections=tuple(noted.values())))


def _vouched_for(to: Access, given: Handover, pull: PullRequest, known: VoterFacts) -> tuple[CountedVote, ...]:
    """All that was said, without the approvals in comments of which GraphQL does not say that they are as they were written. It is asked only about
    those that would count.
    """
    votes = count_votes(given, pull, known)
    sources = {
        item.vote.source
        for item in votes
        if item.vote.kind in (APPROVE, OVERRIDE) and not item.vote.is_review and (item.withdraws or not item.refused)
    }
    asked = [item.node for item in pull.comments if item.id in sources and item.node]
    doubts = edits.doubts(to.repository, asked) if asked else {}
    if not any(doubts.values()):
        return votes
    comments = tuple(item._replace(doubt=doubts.get(item.node, item.doubt)) for item in pull.comments)
    return count_votes(given, pull._replace(comments=comments), known)


def held(found: Decision, outdated: bool) -> Decision:
    """Return the outcome of a run. Nothing is approved by settings that have changed since."""
    if not outdated or found.state != APPROVED:
        return found
    why = Reason(PENDING, "the settings of the base have changed since the last run", "`/helix review` starts a new run", EXPERTISE)
    return Decision(PENDING, (why,), found.refused, found.handover)


def _remembering(to: Access, given: Handover, pull: PullRequest) -> Handover:
    """With what is known by now, from whichever run: objections and tampering that others noted, and the clock only where it is of this question."""
    stickies = stickies_of(pull.comments, to.ours)
    if given.target.merges or pull.head != given.target.head:
        return given._replace(carried=given.carried._replace(looked=pull.now))
    last = recorded(pull.number, pull.status, pull.head)
    before = memory(pull.number, pull.status, last)
    noted = (*given.carried.objections, *before.objections, *(item for one in stickies for item in in_ledger(one.body)))
    own = {item.source: item for item in noted}
    same = last is not None and (last.target.base_ref, last.target.settings) == (given.target.base_ref, given.target.settings)
    came = given.carried.seen or pull.now
    elsewhere = last is not None and last.target.base_ref != given.target.base_ref
    return given._replace(
        carried=given.carried._replace(
            spent=max(given.carried.spent, before.spent),
            objections=tuple(own.values()),
            tampered=tuple(dict.fromkeys((*given.carried.tampered, *before.tampered))),
            since=given.carried.since if same else 0,
            escalated=given.carried.escalated and same,
            seen=came if elsewhere or not before.seen else min(came, before.seen),
            retargeted=came if elsewhere else max(given.carried.retargeted, before.retargeted),
            looked=pull.now,
        )
    )


def is_outdated(to: Access, given: Handover, pull: PullRequest, config: str) -> bool:
    """Whether what the gate goes by has changed at the base since the last run; where that can't be told, it has."""
    if given.target.base_ref != pull.base_ref:
        return True
    changed = fetch.changed_since(to.repository, given.target.base, pull.base_ref)
    if changed and given.target.settings.endswith(LINKED):
        return True  # any file may be one that a link leads to
    where = ours(given.target.approvals)
    return changed is None or any(path in (*READ_FIRST, config) or path.startswith(where) for path in changed)


def _may_change(given: Handover, first: Decision, pull: PullRequest) -> bool:
    if not given.applies or given.failure:
        return False
    if first.state in (APPROVED, PENDING) or first.asked:
        return True
    if first.state not in (REJECTED, FAILED):
        return False
    kinds = (REJECT, OVERRIDE) if given.policy.overrides else (REJECT,)
    return any(said.kind in kinds for said in votes_of(pull))  # an objection is remembered, though there is enough to fix without it


def _known(to: Access, given: Handover, pull: PullRequest) -> VoterFacts:
    """What must be known of those who spoke, and nothing of anybody else."""
    older = given.policy.holds_for == CONTENT
    spoken = [item for item in votes_of(pull, given.carried.objections) if not item.by.is_bot]
    said = [item for item in spoken if not item.wrong and (item.kind == REJECT or older or pull.head.startswith(item.commit or "-"))]
    if not spoken:
        return VoterFacts({}, (), complete=False)
    repository, deciders = to.repository, given.policy.deciders
    latest = dict.fromkeys(item.by.login for item in reversed(said))
    refused = [login for login in dict.fromkeys(item.by.login for item in reversed(spoken)) if login not in latest][:_MOST_REFUSED]
    before = {item.id for item in given.carried.objections}
    objectors = {item.by.login for item in said if item.by.id in before}  # what was counted is not lost in a crowd
    logins = [*sorted(latest, key=lambda login: (login not in objectors, not deciders.are_named(login))), *refused][:_MOST_PEOPLE]
    roles = {login: to.role(login) for login in logins}
    others = [login for login in logins if roles[login] not in deciders.roles and not deciders.are_named(login)]
    rows = [(team, login, fetch.is_member(repository, team, login)) for team in deciders.teams for login in others]
    members = frozenset(login.casefold() for _, login, is_in in rows if is_in)
    unread = tuple(dict.fromkeys(team for team, _, is_in in rows if is_in is None))
    commits, complete = fetch.commits(repository, pull.number) if any(item.kind != REJECT for item in said) else ((), False)
    contents = _contents(to, given, pull, said)
    hashes = {commit: content for commit, (content, _) in contents.items()}
    return VoterFacts(roles, commits, complete, members, unread, hashes, {commit: since for commit, (_, since) in contents.items()})


def _contents(to: Access, given: Handover, pull: PullRequest, said: list[Vote]) -> dict[str, tuple[str, int]]:
    """Return what was reviewed at other commits that were approved, where an approval holds for the same content, and from when one counts."""
    if given.policy.holds_for != CONTENT:
        return {}
    named = dict.fromkeys(item.commit for item in said if item.kind == APPROVE and not pull.head.startswith(item.commit))
    return {commit: _content(to, commit, pull) for commit in list(named)[-_OLDER:]}


def _content(to: Access, commit: str, pull: PullRequest) -> tuple[str, int]:
    found = recorded(pull.number, fetch.status(to.repository, commit, to.app), commit)
    if not found or found.target.base_ref != pull.base_ref:
        return "", 0
    is_whole = commit == found.target.head
    return found.target.content, found.carried.retargeted if is_whole else max(found.carried.retargeted, found.carried.seen)


def where(to: Access, found: Settled) -> Links:
    """Where people read about a pull request."""
    sticky, subject = sticky_of(found.pull.comments, to.ours), found.given.target
    return links(to.server, subject.repository, subject.number, subject.head, sticky.id if sticky else 0)


def chain_of(to: Access, subject: RunTarget, pull: PullRequest, before: str = "") -> Chain:
    """The decisions so far: those on the check run of this commit, else on that of the commit that our comment names, or of the head before a
    push. A merge queue goes on from those of the pull request.
    """
    at_head = subject.merges or pull.head == subject.head
    here = pull.status if at_head else fetch.status(to.repository, subject.head, to.app)
    found = chain.read(here.text if here else "", subject.number)
    sticky = sticky_of(pull.comments, to.ours)
    end = chain.in_comment(sticky.body) if sticky else None
    if found.lines or not at_head:
        return chain.compared(found, end) if at_head else found
    for commit in _before(to, pull, end.commit if end else "", before):
        there = fetch.status(to.repository, commit, to.app) if commit != pull.head else None
        last = chain.read(there.text if there else "", subject.number)
        if last.lines:
            return chain.compared(last, end)._replace(others=found.others)
    return chain.compared(found, end)


def _before(to: Access, pull: PullRequest, named: str, pushed: str) -> Iterator[str]:
    """Where decisions before those at the head may stand. The run for a push may have been left out, where another one came too soon."""
    yield from dict.fromkeys(filter(None, (named, pushed)))
    if pushed and not named:
        yield from [name for name in reversed(fetch.names(to.repository, pull.number)) if name not in (pull.head, pushed)][:_OLDER]


def tell(to: Access, found: Settled, at_lines: bool, before: str = "") -> Sender:
    """Return who has told it. Raises HelixError where the pull request does not show the decision."""
    sender = Sender(to.repository, found.pull, to.ours)
    taken = DecisionInputs(found.given, found.outcome, found.pull, found.votes, to.roles)
    decisions = continued(chain_of(to, found.given.target, found.pull, before), taken, to.record_key)
    try:
        sender.send(payloads(found.given, found.pull, found.outcome, to.ours, at_lines, decisions, to.server))
    finally:
        _complain(sender)
    return sender


def _complain(sender: Sender) -> None:
    while sender.left_out:
        complain(sender.left_out.pop(0))
