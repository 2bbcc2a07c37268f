"""The votes on a pull request: which are there, which count, and which are in effect. Pure.

They are read again each time from GitHub, so no vote can be lost (as in Prow). A comment that was
edited never approves, because GitHub does not tell who edited it. An objection in it counts from
the time of the edit.

A vote counts if its voter may decide, it is about the current content, and the voter did not write
what is decided. An approval is bound to the reviewed commit. It never comes from an author,
committer or co-author of a commit, nor from a bot under any name. A later vote of a person replaces
an earlier one about the same. An overridden finding is still shown, but no longer blocks.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..config.policy import CONTENT, EXPERTISE, ROLES, Deciders, givers_to
from ..finding import SEVERITIES, Finding
from ..verdict.approval_result import APPROVED, ApprovalResult
from . import chain
from .authors import is_author, wrote
from .chain import fields_of
from .commands import APPROVE, NO_REASON, OVERRIDE, REJECT, VOTES, Command, commands
from .handover import Handover, Judged, PlacedFinding
from .pull_request import EDITED, Comment, Person, PullRequest, Review
from .run_state import Objection
from .states import PENDING, Reason
from .who_may import Right, VoterFacts, giver_of, right_of

TAKEN_BACK = "taken back"
"""A review that was dismissed: it withdraws the approvals of its author."""

_GONE = "(the reason was edited, deleted or dismissed)"
_STATES = {"APPROVED": APPROVE, "CHANGES_REQUESTED": REJECT, "DISMISSED": TAKEN_BACK}
_ORDER = (OVERRIDE, APPROVE, TAKEN_BACK, REJECT)
"""Order of votes in the same second: the strictest comes last and counts."""


DECIDER, AUTHOR, OTHER, STRANGER = "decider", "author", "other", "stranger"
"""Kinds of voters.

DECIDER: may decide. AUTHOR: may decide, and wrote part of the change. OTHER: has another role.
STRANGER: has no role or may only read, or is a bot.
"""


class Vote(NamedTuple):
    """A person's vote, `at` seconds since 1970.

    `kind` is APPROVE, REJECT, OVERRIDE or TAKEN_BACK. `commit` is the reviewed commit, or the start
    of its hash. `types` are approval types, () for all; `finding` is the start of the fingerprint
    of an overridden finding, and `words` the reason. `source` is the id of the comment, or of the
    review if `is_review`. `wrong` is the reason why the vote can't count, "" if it can.
    `is_remembered`: an earlier run saw it.

    The last fields hold the result of `count_votes`. `refused` is the reason why the vote does not
    count, "" if it does. An approval by an author does not count, but it still `withdraws` the
    author's earlier objection. `speaker` is the kind of the voter, and `stands_for` the login that
    a delegate represents.
    """

    by: Person
    kind: str
    at: int
    source: int
    is_review: bool = False
    commit: str = ""
    types: tuple[str, ...] = ()
    finding: str = ""
    words: str = ""
    wrong: str = ""
    is_remembered: bool = False
    refused: str = ""
    withdraws: bool = False
    speaker: str = DECIDER
    stands_for: str = ""

    @property
    def is_unexplained(self) -> bool:
        """Return whether it is a `/helix reject` without a reason."""
        return self.kind == REJECT and not (self.words or self.is_review)

    @property
    def right(self) -> str:
        """The lowercase login whose right the vote uses; each right counts once."""
        return (self.stands_for or self.by.login).casefold()


def votes_of(pull: PullRequest, remembered: Iterable[Objection] = ()) -> tuple[Vote, ...]:
    """Return all votes, oldest first, including those that must be refused.

    A remembered objection remains even if its comment was edited or deleted: it is unknown by whom.
    """
    votes: list[Vote] = []
    for comment in pull.comments:
        votes += votes_in(comment)
    votes += _of_reviews(pull.reviews)
    present = {vote.source for vote in votes if vote.kind == REJECT and not vote.wrong}
    votes += [_remembered(old) for old in remembered if old.source not in present]
    return tuple(sorted(votes, key=_rank))


def _rank(vote: Vote) -> tuple[int, int, bool, int]:
    return vote.at, _ORDER.index(vote.kind), vote.is_review, vote.source


def _remembered(old: Objection) -> Vote:
    person = Person(old.login, old.id)
    return Vote(
        by=person, kind=REJECT, at=old.at, source=old.source, words=_GONE, is_remembered=True
    )


def _of_reviews(reviews: tuple[Review, ...]) -> Iterator[Vote]:
    for review in reviews:
        if review.state in _STATES:
            yield Vote(
                by=review.by,
                kind=_STATES[review.state],
                at=review.at,
                source=review.id,
                is_review=True,
                commit=review.commit,
            )


def votes_in(comment: Comment) -> Iterator[Vote]:
    """Yield the votes of a comment. A bot has none, whatever it quotes."""
    if comment.by.is_bot:
        return
    for command in commands(comment.body):
        if command.name in VOTES:
            yield _of_command(comment, command)


def _of_command(comment: Comment, command: Command) -> Vote:
    at, wrong = comment.at, command.wrong
    if command.name == REJECT:
        at = max(comment.at, comment.changed)
        # Without a reason an objection holds the pull request too.
        wrong = wrong.removeprefix(NO_REASON)
    else:
        doubt = EDITED if comment.edited else comment.doubt
        wrong = doubt or command.wrong
    return Vote(
        by=comment.by,
        kind=command.name,
        at=at,
        source=comment.id,
        commit=command.commit,
        types=command.types,
        finding=command.argument,
        words=command.words,
        wrong=wrong,
    )


class _Facts(NamedTuple):
    """The facts that a vote is checked against."""

    handover: Handover
    pull: PullRequest
    voters: VoterFacts

    @property
    def deciders(self) -> Deciders:
        return self.handover.deciders


def count_votes(handover: Handover, pull: PullRequest, voters: VoterFacts) -> tuple[Vote, ...]:
    """Return all votes in their order, each with the reason if it does not count."""
    facts = _Facts(handover, pull, voters)
    return tuple(_counted(vote, facts) for vote in votes_of(pull, handover.carried.objections))


def _counted(vote: Vote, facts: _Facts) -> Vote:
    refused, speaker = _refused(vote, facts), _speaker(vote, facts)
    if refused:
        withdraws = _withdraws(vote, facts)
        return vote._replace(refused=refused, withdraws=withdraws, speaker=speaker)
    return vote._replace(stands_for=giver_of(_right(vote, facts).text), speaker=speaker)


def _speaker(vote: Vote, facts: _Facts) -> str:
    """Return the kind of a voter. A user whose role was not fetched is a stranger."""
    if vote.by.is_bot:
        return STRANGER
    if _role_reason(vote, facts):
        role = facts.voters.roles.get(vote.by.login, "")
        return STRANGER if role in ("", "none", ROLES[0]) else OTHER
    if _is_sole(vote.by.login, facts):
        return DECIDER
    is_opener = vote.by.id == facts.pull.author.id
    return AUTHOR if is_opener or _has_written(vote.by, facts) else DECIDER


def _is_sole(login: str, facts: _Facts) -> bool:
    """Return whether the policy names a user as the sole maintainer."""
    return login.casefold() == facts.deciders.sole.casefold()


def _has_written(person: Person, facts: _Facts) -> bool:
    return any(wrote(person, commit) for commit in facts.voters.commits)


def _withdraws(vote: Vote, facts: _Facts) -> bool:
    if vote.kind != APPROVE or vote.by.is_bot or vote.wrong:
        return False
    checks = (_type_reason, _commit_reason, _role_reason)
    return not any(check(vote, facts) for check in checks)


def _refused(vote: Vote, facts: _Facts) -> str:
    """Return why a vote does not count; an objection only needs the right to decide."""
    if vote.kind == TAKEN_BACK:
        return ""
    if vote.by.is_bot:
        return "bots cannot approve"
    if not vote.by.id:
        return "the account was deleted"
    if vote.wrong:
        return vote.wrong
    if vote.kind == REJECT:
        return _role_reason(vote, facts)
    reasons = (check(vote, facts) for check in _CHECKS)
    return next(filter(None, reasons), "")


def _type_reason(vote: Vote, facts: _Facts) -> str:
    types = facts.handover.types
    unknown = [name for name in vote.types if name not in types]
    if not unknown:
        return ""
    there = f"available: {', '.join(types)}" if types else "this pull request has no approval types"
    return f"unknown approval type {unknown[0]!r} ({there})"


def _role_reason(vote: Vote, facts: _Facts) -> str:
    """Return why the voter may not decide, "" if they may."""
    # The login of a remembered objection may have changed since. It counted once, so it stays.
    if vote.is_remembered and not facts.voters.roles.get(vote.by.login, ""):
        return ""
    return _right(vote, facts).refused


def _right(vote: Vote, facts: _Facts) -> Right:
    """Return the right of a voter at the time of the vote.

    A delegate can't approve with the right of an author of the change.
    """
    login, deciders = vote.by.login, facts.deciders
    delegates = deciders.delegates
    authors: list[str] = []
    if vote.kind != REJECT:
        givers = givers_to(delegates, login, vote.at)
        authors = [giver.casefold() for giver in givers if _is_writer(giver, facts)]
    return right_of(login, facts.voters, deciders, delegates, vote.at, without=authors)


def _is_writer(login: str, facts: _Facts) -> bool:
    """Return whether a user wrote part of the change and is not the sole maintainer."""
    if _is_sole(login, facts):
        return False
    is_opener = login.casefold() == facts.pull.author.login.casefold()
    return is_opener or any(is_author(login, commit) for commit in facts.voters.commits)


def _author_reason(vote: Vote, facts: _Facts) -> str:
    voter = vote.by
    if facts.deciders.sole and _is_sole(voter.login, facts):
        return ""  # policy.sole_maintainer allows it, and the summary comment shows that
    if voter.id == facts.pull.author.id:
        return "authors cannot approve their own pull request"
    if not facts.voters.complete:
        return "not all commits could be listed, so their authors are unknown"
    if _has_written(voter, facts):
        return f"@{voter.login} is an author of the change"
    return ""


def _commit_reason(vote: Vote, facts: _Facts) -> str:
    """Return why a vote for a commit is not about the head, "" if it is."""
    head = facts.pull.head
    if vote.commit and head.startswith(vote.commit):
        return _early_reason(vote, facts)
    if vote.kind == APPROVE and _is_same_content(vote, facts):
        if vote.at >= facts.voters.since.get(vote.commit, 0):
            return ""
        branch = facts.handover.target.base_ref
        return f"it was given before {vote.commit[:7]} was checked for {branch}"
    if not vote.commit:
        return "it has no commit"
    # Two different commits may share their first seven digits.
    length = 7 if vote.commit[:7] != head[:7] else len(vote.commit)
    return f"it was for {vote.commit[:length]}, but {head[:length]} was pushed later"


def _is_same_content(vote: Vote, facts: _Facts) -> bool:
    """Return whether an approval is still valid because the head has the same content."""
    handover = facts.handover
    content = facts.voters.contents.get(vote.commit, "")
    if not content or handover.policy.holds_for != CONTENT:
        return False
    return content == handover.target.content


def _early_reason(vote: Vote, facts: _Facts) -> str:
    """Return why a vote for the head came too early, "" if it did not.

    A vote from before the pull request moved to this base branch was about the other branch.
    """
    head, carried = facts.pull.head, facts.handover.carried
    if vote.at < carried.retargeted:
        branch = facts.handover.target.base_ref
        return f"it was given when the base branch was not {branch}"
    # Commits with the same first digits can be made on purpose. So a short name counts only for
    # the commit that was there when the vote was written, and if no earlier head has that name.
    if len(vote.commit) == len(head):
        return ""
    if vote.at < carried.seen:
        return f"the short SHA {vote.commit} was given before this commit; repeat it with {head}"
    if any(commit.startswith(vote.commit) for commit in _earlier_heads(facts.pull)):
        return f"the short SHA {vote.commit} fits an earlier commit too; repeat it with {head}"
    return ""


def _earlier_heads(pull: PullRequest) -> set[str]:
    """Return the other commits about which a decision of the pull request is recorded."""
    text = pull.status.text if pull.status else ""
    lines = map(fields_of, chain.read(text, pull.number).lines)
    return {str(line.get("commit", "")) for line in lines} - {pull.head}


def _override_reason(vote: Vote, facts: _Facts) -> str:
    if vote.kind != OVERRIDE:
        return ""
    handover, finding = facts.handover, vote.finding
    if any(item.fingerprint.startswith(finding) for item in handover.indicators):
        return f"{finding} is a possible prompt injection; use `/helix approve` instead"
    matches = [item for item in handover.findings if item.fingerprint.startswith(finding)]
    if len({item.fingerprint for item in matches}) != 1:
        which = "the beginning of several findings" if matches else "not a finding of this commit"
        return f"{finding} is {which}; the helix comment lists the IDs"
    return _finding_reason(matches[0].finding, handover)


def _finding_reason(finding: Finding, handover: Handover) -> str:
    """Return why a finding can't be overridden, "" if it can."""
    check = finding.check
    if finding.question:
        return f"{check} requires a human decision; use `/helix approve`"
    if handover.policy.may_override(check):
        return ""
    return f"policy.overrides does not list {check!r}, so its findings can only be fixed"


_CHECKS: tuple[Callable[[Vote, _Facts], str], ...] = (
    _type_reason,
    _commit_reason,
    _role_reason,
    _author_reason,
    _override_reason,
)
"""Checks of an approval and of an override, in the order in which reasons are reported."""


class EffectiveVotes(NamedTuple):
    """The votes that count, and those that do not; of each person the last one about the same.

    `last` is the time of each person's last vote, by the person's number.
    """

    approvals: tuple[Vote, ...] = ()
    objections: tuple[Vote, ...] = ()
    overrides: tuple[Vote, ...] = ()
    refused: tuple[Vote, ...] = ()
    last: tuple[tuple[int, int], ...] = ()

    def remembered(self) -> tuple[Objection, ...]:
        """Return the last objection of each person, for the next run."""
        last = {vote.by.id: vote for vote in sorted(self.objections, key=lambda vote: vote.at)}
        return tuple(
            Objection(vote.source, vote.at, vote.by.id, vote.by.login) for vote in last.values()
        )


def effective_votes(counted: Iterable[Vote]) -> EffectiveVotes:
    """Return the votes in effect, from all votes in their order."""
    tally = _Tally()
    refused: dict[tuple[int, str, str], Vote] = {}
    last: dict[int, int] = {}
    for vote in counted:
        person = vote.by.id
        if not vote.wrong:
            last[person] = vote.at
        key = (person, vote.kind, vote.finding)
        if vote.refused:
            refused[key] = vote
        else:
            refused.pop(key, None)
            tally.add(vote)
        if vote.withdraws:
            tally.withdraw_objections(vote)
    return EffectiveVotes(
        approvals=_all(tally.approvals),
        objections=_all(tally.objections),
        overrides=tuple(tally.overrides),
        refused=tuple(refused.values()),
        last=tuple(last.items()),
    )


class _Tally:
    """The votes in effect so far; approvals and objections by the number of the person."""

    def __init__(self) -> None:
        self.approvals: dict[int, list[Vote]] = defaultdict(list)
        self.objections: dict[int, list[Vote]] = defaultdict(list)
        self.overrides: list[Vote] = []

    def add(self, vote: Vote) -> None:
        person = vote.by.id
        if vote.kind == OVERRIDE:
            self.overrides.append(vote)
        elif vote.kind == APPROVE:
            self.withdraw_objections(vote)
            self.approvals[person].append(vote)
        elif vote.kind == REJECT:
            earlier = self.approvals[person]
            self.approvals[person] = [old for old in earlier if not _overlap(old, vote)]
            explained = [old for old in self.objections[person] if not old.is_unexplained]
            self.objections[person] = [*explained, vote]
        else:  # a review that was dismissed
            self.approvals[person] = []

    def withdraw_objections(self, vote: Vote) -> None:
        """Remove a person's objections about which they now approve."""
        earlier = self.objections[vote.by.id]
        self.objections[vote.by.id] = [old for old in earlier if not _is_within(old, vote)]


def _all(by_person: dict[int, list[Vote]]) -> tuple[Vote, ...]:
    return tuple(vote for votes in by_person.values() for vote in votes)


def _is_within(old: Vote, new: Vote) -> bool:
    """Return whether a new vote is about everything that an old one is about."""
    return not new.types or (bool(old.types) and set(old.types) <= set(new.types))


def _overlap(old: Vote, new: Vote) -> bool:
    """Return whether two votes have an approval type in common; () are all types."""
    return not old.types or not new.types or bool(set(old.types) & set(new.types))


_UNSEEN = Reason(
    state=PENDING,
    text="rule findings were overridden without a review by a judge",
    category=EXPERTISE,
)


def overridden(
    handover: Handover, overrides: tuple[Vote, ...]
) -> tuple[Handover, tuple[Reason, ...]]:
    """Return the hand-over with overridden findings as information, and the question to a person
    that replaces them.
    """
    rule_findings = tuple(_mild(item, overrides) for item in handover.rule_findings)
    judged = tuple(_judged(item, overrides) for item in handover.judged)
    has_overridden_rules = rule_findings != handover.rule_findings
    if not has_overridden_rules and judged == handover.judged:
        return handover, ()
    questions: tuple[Reason, ...] = ()
    # No judge runs on a change with errors of the rules, so no judge has reviewed this one.
    if has_overridden_rules and not handover.judged and not handover.unjudged:
        questions = (_UNSEEN,)
    return handover._replace(rule_findings=rule_findings, judged=judged), questions


def _mild(item: PlacedFinding, overrides: tuple[Vote, ...]) -> PlacedFinding:
    vote = next((vote for vote in overrides if item.fingerprint.startswith(vote.finding)), None)
    if vote is None:
        return item
    message = f"{item.finding.message} (overridden by {vote.by.login}: {vote.words})"
    return item._replace(
        finding=item.finding._replace(severity="info", message=message, question=False)
    )


def _judged(judged: Judged, overrides: tuple[Vote, ...]) -> Judged:
    """Return a verdict after overrides."""
    placed = tuple(_mild(item, overrides) for item in judged.placed)
    if placed == judged.placed:
        return judged
    verdict = judged.verdict._replace(findings=tuple(item.finding for item in placed))
    is_refusal = verdict.result != APPROVED and not verdict.failed
    overridden = is_refusal and not _has_worst(judged.verdict, verdict)
    return judged._replace(verdict=verdict, placed=placed, overridden=overridden)


def _has_worst(earlier: ApprovalResult, verdict: ApprovalResult) -> bool:
    """Return whether a verdict still has a finding of the worst severity that it had earlier."""
    worst = min((SEVERITIES.index(finding.severity) for finding in earlier.findings), default=0)
    return any(finding.severity == SEVERITIES[worst] for finding in verdict.findings)
