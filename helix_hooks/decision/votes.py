"""The votes on a pull request in their order: reviews, and commands in comments. Pure.

They are read again each time from GitHub, so no vote can be lost (as in Prow). A comment that was
edited never approves, because GitHub does not tell who edited it. An objection in it counts from
the time of the edit.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .commands import APPROVE, NO_REASON, OVERRIDE, REJECT, VOTES, Command, commands
from .pull_request import EDITED, Comment, Person, PullRequest, Review
from .run_state import Objection

TAKEN_BACK = "taken back"
"""A review that was dismissed: it withdraws the approvals of its author."""

_GONE = "(the reason was edited, deleted or dismissed)"
_STATES = {"APPROVED": APPROVE, "CHANGES_REQUESTED": REJECT, "DISMISSED": TAKEN_BACK}
_ORDER = (OVERRIDE, APPROVE, TAKEN_BACK, REJECT)
"""Order of votes in the same second: the strictest comes last and counts."""


class Vote(NamedTuple):
    """A person's vote, `at` seconds since 1970.

    `kind` is APPROVE, REJECT, OVERRIDE or TAKEN_BACK. `commit` is the reviewed commit, or the start
    of its hash. `types` are approval types, () for all; `finding` is the start of the fingerprint
    of an overridden finding, and `words` the reason. `source` is the id of the comment, or of the
    review if `is_review`. `wrong` is the reason why the vote can't count, "" if it can.
    `is_remembered`: an earlier run saw it. `stands_for` is the login that a delegate represents.
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
