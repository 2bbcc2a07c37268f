"""What people have said on a pull request, in the order in which they said it: reviews of GitHub and commands in comments, as one list.

It is read anew each time from what GitHub has, so nothing that was said can be lost (as in Prow). A comment that was edited never approves:
GitHub does not tell by whom. An objection in it stands, from when it was edited.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .commands import APPROVE, OVERRIDE, REJECT, VOTES, Command, commands
from .pull_request import EDITED, Comment, Person, PullRequest, Review
from .run_state import Objection

TAKEN_BACK = "taken back"
"""A review that was dismissed: what its author approved before is approved no more."""

_GONE = "(what said why was edited, deleted or dismissed)"
_STATES = {"APPROVED": APPROVE, "CHANGES_REQUESTED": REJECT, "DISMISSED": TAKEN_BACK}
_ORDER = (OVERRIDE, APPROVE, TAKEN_BACK, REJECT)
"""Of what is said in the same second, the strictest comes last and counts."""


class Vote(NamedTuple):
    """What somebody said, `at` seconds since 1970. `commit` is the commit that was looked at, or how its name begins; `source` is the id of the
    comment, or of the review if `is_review`.
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


def votes_of(pull: PullRequest, remembered: Iterable[Objection] = ()) -> tuple[Vote, ...]:
    """All that can be counted or must be refused, oldest first. An objection that counted once is remembered, and stands though its comment was
    edited or deleted: whoever did that is not known.
    """
    said = [said for comment in pull.comments for said in votes_in(comment)]
    said += _of_reviews(pull.reviews)
    whole = {item.source for item in said if item.kind == REJECT and not item.wrong}
    gone = [
        Vote(Person(old.login, old.id), REJECT, old.at, old.source, words=_GONE, is_remembered=True) for old in remembered if old.source not in whole
    ]
    found = [*said, *gone]
    return tuple(sorted(found, key=lambda said: (said.at, _ORDER.index(said.kind), said.is_review, said.source)))


def _of_reviews(reviews: tuple[Review, ...]) -> Iterator[Vote]:
    for review in reviews:
        if review.state in _STATES:
            yield Vote(review.by, _STATES[review.state], review.at, review.id, True, review.commit)


def votes_in(comment: Comment) -> Iterator[Vote]:
    """The votes of a comment. What a bot writes is none, whatever it quotes."""
    if comment.by.is_bot:
        return
    for command in commands(comment.body):
        if command.name in VOTES:
            yield _of_command(comment, command)


def _of_command(comment: Comment, command: Command) -> Vote:
    objects = command.name == REJECT
    at = max(comment.at, comment.changed) if objects else comment.at
    doubt = EDITED if comment.edited else comment.doubt
    wrong = command.wrong if objects else doubt or command.wrong
    return Vote(comment.by, command.name, at, comment.id, False, command.commit, command.types, command.argument, command.words, wrong)
