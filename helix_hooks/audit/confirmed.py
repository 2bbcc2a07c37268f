"""Compare a recorded decision with GitHub today: confirmed, changed since, or unknown. Pure.

A role that was removed or a comment that was deleted does not invalidate a decision. A comment with
another content than the record does.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..decision.chain import OTHER, UNCHECKED, UNSIGNED, VALID, WRONG, Chain, Link, Tip, is_on
from ..decision.pull_request import Comment, PullRequest, Review, Status
from ..decision.states import APPROVED, BLOCKED, BROKEN, CONCLUSIONS, FAILED, PENDING, REJECTED
from ..decision.votes import votes_in, votes_of
from ..pull.check_run import states_before

CONFIRMED, CHANGED, UNKNOWN, DENIED = (
    "confirmed",
    "no longer so",
    "can't be confirmed",
    "contradicted",
)
GREEN = ("approved", "auto_approved")
_STATES = {
    "approved": APPROVED, "auto_approved": APPROVED, "rejected": REJECTED, "pending": PENDING,
    "expired": BLOCKED, "failed": FAILED, "broken": BROKEN,
}  # fmt: skip


class Fact(NamedTuple):
    """A fact in the record, and whether GitHub confirms it."""

    state: str
    text: str


class Today(NamedTuple):
    """GitHub's current data about people and files.

    `accounts` are roles and numbers by login (None if unreadable), `members` the people in a
    deciding team (None if unreadable), and `files` the changed files with git's hashes of their
    contents (None if they can't be listed).
    """

    accounts: Mapping[str, tuple[str, int] | None]
    members: Mapping[str, bool | None]
    files: Mapping[str, str] | None


class Record(NamedTuple):
    """The decisions on the check run `status`.

    `end` is the end of the chain according to our comment; `key`: there is a key to check
    signatures.
    """

    chain: Chain
    links: tuple[Link, ...]
    status: Status
    end: Tip | None = None
    key: bool = False

    def taken(self, closed: int) -> Link | None:
        """Return the last decision; for a closed pull request the last one before it was closed."""
        last = None
        for link in self.links:
            fields = link.fields
            if not fields:
                continue
            if not closed or (not fields["closed"] and fields["decided_at"] <= closed):
                last = link
        return last


def person_now(vote: Mapping[str, Any], pull: PullRequest) -> str:
    """Return a voter's current login from a comment or review; else the recorded one."""
    authors = [*(item.by for item in pull.comments), *(item.by for item in pull.reviews)]
    return next((by.login for by in authors if by.id == vote["by_id"]), str(vote["by"]))


def denied(record: Record, pull: PullRequest) -> Iterator[str]:
    """Yield the contradictions of chain, signatures, check run and merge."""
    yield from (link.wrong for link in record.links if link.wrong)
    yield from _signatures(record)
    if record.end and is_on(record.end, record.chain) is False:
        yield (
            "the chain was cut or rewritten: the helix comment names "
            f"{record.end.length} decisions that end with a different hash"
        )
    newest = record.links[-1].fields
    if newest:
        yield from _check(newest, record.status, pull.number)
    if pull.merged:
        yield from _merge(record.taken(pull.closed), pull)


def _signatures(record: Record) -> Iterator[str]:
    has_signed = False
    for link in record.links:
        if link.signature == WRONG:
            yield f"the signature of decision {link.number} is wrong"
        elif link.signature == UNSIGNED and has_signed:
            yield f"decision {link.number} is not signed, and one before it is"
        has_signed |= link.signature != UNSIGNED
    if record.key:
        yield from _newest_signature(record.links[-1], has_signed)


def _newest_signature(newest: Link, has_signed: bool) -> Iterator[str]:
    """Yield where the signature of the newest decision contradicts the key."""
    if newest.signature == OTHER:
        yield (
            f"decision {newest.number} was signed with another key than the one in HELIX_RECORD_KEY"
        )
    elif not has_signed:
        yield f"decision {newest.number} is not signed, and HELIX_RECORD_KEY is set"


def _check(newest: Mapping[str, Any], status: Status, number: int) -> Iterator[str]:
    """Yield where the check run contradicts the newest decision."""
    state = _STATES[newest["status"]]
    states = states_before(status)
    noted = states.pop(number, "")
    # Other pull requests at the commit can make the check worse, but never better. Of a closed
    # pull request it may have nothing any more.
    if states and not noted:
        return
    if status.conclusion != CONCLUSIONS[state] and (status.conclusion == "success" or not states):
        yield f"the check run says {status.conclusion}, and the last decision is {newest['status']}"
    elif noted and noted != state:
        yield (
            f"the check run is about the state {noted}, and the last decision is {newest['status']}"
        )


def _merge(taken: Link | None, pull: PullRequest) -> Iterator[str]:
    if taken is None:
        yield "it was merged before anything was decided"
    elif taken.fields["status"] not in GREEN:
        yield f"it was merged although the decision was {taken.fields['status']}"
    elif not taken.fields["queue"] and taken.fields["commit"] != pull.head:
        yield (
            f"it was merged at {pull.head[:7]}, and the decision is about "
            f"{taken.fields['commit'][:7]}"
        )


def facts(taken: Mapping[str, Any], pull: PullRequest, today: Today) -> tuple[Fact, ...]:
    """Return for each part of a decision whether GitHub confirms it."""
    facts = [*_head(taken, pull), *_files(taken, pull, today)]
    for vote in taken["votes"]:
        facts += [_source(vote, pull), *_person(vote, pull, today)]
    return (*facts, *_unconfirmed(taken))


def _head(taken: Mapping[str, Any], pull: PullRequest) -> Iterator[Fact]:
    commit = taken["commit"][:7]
    if taken["queue"]:
        state = CONFIRMED if pull.merged == taken["commit"] else CHANGED
        yield Fact(
            state,
            f"{commit} is what the merge queue would merge, and it was merged as "
            f"{pull.merged[:7] or 'nothing yet'}",
        )
    elif pull.head == taken["commit"]:
        yield Fact(CONFIRMED, f"the head is {commit}")
    else:
        yield Fact(CHANGED, f"the head is {pull.head[:7]} now, and was {commit}")
    if pull.author.id != taken["requested_by_id"]:
        yield Fact(
            CHANGED,
            f"the pull request is by @{pull.author.login} now, and was by @{taken['requested_by']}",
        )


def _files(taken: Mapping[str, Any], pull: PullRequest, today: Today) -> Iterator[Fact]:
    if taken["queue"] or pull.head != taken["commit"]:
        return
    files = today.files or {}
    for path, hash in taken["files"].items():
        yield _file(path, hash, files)


def _file(path: str, hash: str, files: Mapping[str, str]) -> Fact:
    text = f"{path} is {hash[:12] or 'deleted'}"
    if path not in files:
        return Fact(UNKNOWN, f"{text}: GitHub does not list it")
    if files[path] == hash:
        return Fact(CONFIRMED, text)
    other = files[path][:12] or "a deleted file"
    return Fact(DENIED, f"{text}, and GitHub has {other} at this commit")


def _source(vote: Mapping[str, Any], pull: PullRequest) -> Fact:
    """Return whether the comment or review of a vote still has the same content."""
    commit = f" {vote['commit'][:7]}" if vote["commit"] else ""
    text = f"@{vote['by']} said {vote['said']}{commit}"
    number = vote["source"]["id"]
    if vote["source"]["kind"] == "review":
        review = next((item for item in pull.reviews if item.id == number), None)
        return _of_review(vote, review, f"{text} in review {number}")
    comment = next((item for item in pull.comments if item.id == number), None)
    return _of_comment(vote, comment, f"{text} in comment {number}")


def _of_comment(vote: Mapping[str, Any], comment: Comment | None, text: str) -> Fact:
    if comment is None:
        return Fact(CHANGED, f"{text}, which has since been deleted")
    if not comment.by.id:
        return Fact(UNKNOWN, f"{text}, whose account is gone")
    if comment.by.id != vote["by_id"]:
        return Fact(DENIED, f"{text}, which is by @{comment.by.login}")
    if comment.edited:
        return Fact(CHANGED, f"{text}, which has since been edited")
    recorded = (vote["said"], vote["commit"], vote["types"])
    current = [(item.kind, item.commit or None, [*item.types]) for item in votes_in(comment)]
    if recorded in current:
        return Fact(CONFIRMED, text)
    return Fact(DENIED, f"{text}, which says something else")


def _of_review(vote: Mapping[str, Any], review: Review | None, text: str) -> Fact:
    if review is None:
        return Fact(CHANGED, f"{text}, which no longer exists")
    if not review.by.id:
        return Fact(UNKNOWN, f"{text}, whose account is gone")
    if review.by.id != vote["by_id"]:
        return Fact(DENIED, f"{text}, which is by @{review.by.login}")
    if review.state == "DISMISSED":
        return Fact(CHANGED, f"{text}, which has since been dismissed")
    votes = votes_of(
        PullRequest(number=0, author=review.by, head="", base="", is_open=False, reviews=(review,))
    )
    if (vote["said"], vote["commit"]) in [(item.kind, item.commit or None) for item in votes]:
        return Fact(CONFIRMED, text)
    return Fact(CHANGED, f"{text}, which says {review.state} now")


def _person(vote: Mapping[str, Any], pull: PullRequest, today: Today) -> Iterator[Fact]:
    login = person_now(vote, pull)
    name = f"@{login}" if login == vote["by"] else f"@{login} (@{vote['by']} then)"
    yield _role(vote, login, name, today)
    giver = vote.get("delegate_of")
    if giver:
        yield Fact(UNKNOWN, f"{name} was a delegate of @{giver} in the settings at that time")
    elif vote["as"] == "team":
        yield _member(name, today.members.get(login))
    elif vote["as"] in ("name", "sole"):
        yield Fact(UNKNOWN, f"{name} was a decider according to the policy at that time")


def _role(vote: Mapping[str, Any], login: str, name: str, today: Today) -> Fact:
    """Return whether a voter still has the recorded role."""
    recorded = _a(vote["role"] or "no role")
    account = today.accounts.get(login)
    if account is None:
        return Fact(UNKNOWN, f"{name} had {recorded}: this token may not read it")
    role, number = account
    if not role:
        return Fact(UNKNOWN, f"{name} had {recorded}: the account no longer exists")
    if number and number != vote["by_id"]:
        return Fact(CHANGED, f"the name @{login} belongs to another account now")
    if role == vote["role"]:
        return Fact(CONFIRMED, f"{name} has {_a(role)}")
    return Fact(CHANGED, f"{name} has {_a(role)} now, and had {recorded}")


def _a(role: str) -> str:
    return role if role == "no role" else f"the role {role}"


def _member(name: str, is_in: bool | None) -> Fact:
    if is_in is None:
        return Fact(UNKNOWN, f"{name} was in a deciding team: this token can't read it")
    if is_in:
        return Fact(CONFIRMED, f"{name} is in a deciding team")
    return Fact(CHANGED, f"{name} is in no deciding team now")


def doubts(record: Record) -> tuple[Fact, ...]:
    """Return the decisions before which our comment named another end of the chain."""
    why = "two runs wrote at the same time, or the chain was truncated"
    facts = []
    for link in record.links:
        if link.fields and link.fields["doubt"]:
            text = f"decisions before decision {link.number} may be missing"
            facts.append(Fact(UNKNOWN, f"{text}: {why}"))
    return tuple(facts)


def _unconfirmed(taken: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the facts that are in the record only."""
    for judge in taken["judges"]:
        yield Fact(
            UNKNOWN,
            f"the verdict on {judge['approval_type']} ({judge['result']}): recorded only on "
            "the check run",
        )
    left = f" and {taken['files_left_out']} more files" if taken["files_left_out"] else ""
    yield Fact(
        UNKNOWN,
        f"settings {taken['settings'][:12] or '-'}, content {taken['content'][:12] or '-'}{left}: "
        "hashes, which can't be checked without the commits",
    )


def signature(record: Record) -> str:
    """Return the state of the signature of the newest decision, in words."""
    words = {
        VALID: "signed with this key",
        WRONG: "INVALID signature",
        OTHER: "signed with another key",
        UNCHECKED: "signed; HELIX_RECORD_KEY is not set, so it is not checked",
        UNSIGNED: "not signed: anyone who can write checks could have created it",
    }
    return words[record.links[-1].signature]
