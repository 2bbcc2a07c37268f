"""What the fake GitHub answers about reviews and about the comments that stand in a diff."""

from collections.abc import Iterable, Mapping
from typing import Any

from tests.fakes.github import git, payloads
from tests.fakes.github.git import Change
from tests.fakes.github.payloads import Payload
from tests.fakes.github.state import (
    Answer,
    Call,
    Pull,
    RefusedError,
    Remark,
    Review,
    Route,
    State,
    Token,
)

LONGEST_BODY = 65_536
_TOO_LONG = f"ody is too long (maximum is {LONGEST_BODY} characters)"
_STATES = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}
_OWN = {
    "APPROVE": "Can not approve your own pull request",
    "REQUEST_CHANGES": "Can not request changes on your own pull request",
}


def _reviews(state: State, call: Call) -> Answer:
    pull = state.pull(call.values["pull_number"])
    found = [review for review in state.reviews.values() if review.pull == pull.number]
    return Answer([_review_payload(state, review) for review in found])


def _create_review(state: State, call: Call) -> Answer:
    """All of it or nothing. A review without an event, which its author alone sees, is not played."""
    pull, body = state.pull(call.values["pull_number"]), call.body or {}
    commit = body.get("commit_id") or state.tips(pull)[1]
    if commit not in {made.sha for made in state.commits(pull)}:
        raise _unprocessable("Commit is not part of the pull request")
    comments = body.get("comments") or []
    if reason := _no_review(state, pull, call.actor.login, body) or _unresolved(
        state, pull, commit, comments
    ):
        raise _unprocessable(reason)
    kind, text = _STATES[body["event"]], body.get("body") or ""
    review = add_review(state, pull, call.actor.login, kind, text, commit)
    for comment in comments:
        _add_remark(state, review, comment, commit)
    return Answer(_review_payload(state, review))


def _unprocessable(reason: str) -> RefusedError:
    return RefusedError(422, "Unprocessable Entity", [reason])


def _no_review(state: State, pull: Pull, login: str, body: Mapping[str, Any]) -> str | None:
    """Why GitHub does not take a review, whatever its comments say."""
    event, text = body.get("event"), body.get("body") or ""
    if event in _OWN and login == pull.author:
        return _OWN[event]
    if event == "APPROVE" and login == "github-actions[bot]" and not state.actions_may_approve:
        return "GitHub Actions is not permitted to approve pull requests."
    if (
        max(
            len(text), *(len(comment["body"]) for comment in body.get("comments") or [{"body": ""}])
        )
        > LONGEST_BODY
    ):
        return f"B{_TOO_LONG}"
    if not text and (
        event == "REQUEST_CHANGES" or (event == "COMMENT" and not body.get("comments"))
    ):
        return "Body can't be blank"
    return None


def _unresolved(
    state: State, pull: Pull, commit: str, comments: Iterable[Mapping[str, Any]]
) -> str | None:
    """What GitHub says of the comments that have no place in the diff: a sentence of all, without saying which."""
    reasons = [
        reason for comment in comments if (reason := _misplaced(state, pull, commit, comment))
    ]
    if len(reasons) < 3:
        return " and ".join(reasons) or None
    return f"{', '.join(reasons[:-1])}, and {reasons[-1]}"


def _misplaced(state: State, pull: Pull, commit: str, comment: Mapping[str, Any]) -> str | None:
    change = _change(state, pull, commit, comment["path"])
    if change is None:
        return "Path could not be resolved"
    return None if _spot(change, comment) else "Line could not be resolved"


def _change(state: State, pull: Pull, commit: str, path: str) -> Change | None:
    changes = git.changes(state.repository, _base(state, pull, commit), commit)
    return next((change for change in changes if change.filename == path), None)


def _base(state: State, pull: Pull, commit: str) -> str:
    return git.merge_base(state.repository, state.tips(pull)[0], commit)


def _spot(change: Change, comment: Mapping[str, Any]) -> git.Spot | None:
    """Where a comment ends in the diff. Its first line must stand above the last, in the same hunk."""
    spots = git.spots(change.patch or "")
    side = comment.get("side", "RIGHT")
    end = spots.get((side, comment.get("line", 0)))
    if "start_line" not in comment or end is None:
        return end
    start = spots.get((comment.get("start_side", side), comment["start_line"]))
    return end if start and start.hunk == end.hunk and start.position < end.position else None


def add_review(state: State, pull: Pull, author: str, kind: str, body: str, commit: str) -> Review:
    time = state.touch(pull.number)
    review = Review(state.next_id(), pull.number, author, kind, body, commit, time)
    state.reviews[review.id] = review
    return review


def _add_remark(state: State, review: Review, comment: Mapping[str, Any], commit: str) -> Remark:
    """A comment that is known to have a place."""
    time, side = state.touch(review.pull), comment.get("side", "RIGHT")
    remark = Remark(
        state.next_id(),
        review.pull,
        review.id,
        review.author,
        comment["path"],
        comment["body"],
        commit,
        time,
        time,
        side=side,
        line=comment["line"],
        start_side=comment.get("start_side", side) if "start_line" in comment else None,
        start_line=comment.get("start_line"),
    )
    state.remarks[remark.id] = remark
    return remark


def add_reply(state: State, remark: Remark, author: str, body: str) -> Remark:
    """A reply stands where the first comment of its thread stands."""
    first = state.remarks[remark.reply_to] if remark.reply_to else remark
    review = add_review(state, state.pulls[first.pull], author, "COMMENTED", "", first.commit)
    time = state.tick()
    reply = first._replace(
        id=state.next_id(),
        review=review.id,
        author=author,
        body=body,
        created=time,
        updated=time,
        reply_to=first.id,
    )
    state.remarks[reply.id] = reply
    return reply


def remark_on(
    state: State, pull: Pull, author: str, comment: Mapping[str, Any], commit: str
) -> Remark:
    """A single comment makes a review of its own, which holds nothing else."""
    return _add_remark(
        state, add_review(state, pull, author, "COMMENTED", "", commit), comment, commit
    )


def _remarks(state: State, call: Call) -> Answer:
    pull = state.pull(call.values["pull_number"])
    found = [remark for remark in state.remarks.values() if remark.pull == pull.number]
    return Answer([_remark_payload(state, remark) for remark in found])


def invalid(resource: str, field: str, message: str) -> RefusedError:
    return RefusedError(
        422,
        "Validation Failed",
        [{"resource": resource, "code": "custom", "field": field, "message": message}],
    )


def change_remark(state: State, remark: Remark, body: str) -> Remark:
    state.remarks[remark.id] = remark._replace(body=body, updated=state.touch(remark.pull))
    return state.remarks[remark.id]


def only_its_author(author: str, actor: Token) -> None:
    if author != actor.login:
        raise RefusedError(
            403,
            "Resource not accessible by integration"
            if payloads.is_bot(actor.login)
            else "Must have admin rights to Repository.",
        )


def _review_payload(state: State, review: Review) -> Payload:
    pull, url = (
        f"{state.place.root}/pulls/{review.pull}",
        f"{state.place.page}/pull/{review.pull}#pullrequestreview-{review.id}",
    )
    return {
        "id": review.id,
        "node_id": f"PRR_{review.id}",
        "user": state.user(review.author),
        "body": review.body,
        "state": review.state,
        "html_url": url,
        "pull_request_url": pull,
        "author_association": state.association(review.author),
        "_links": {"html": {"href": url}, "pull_request": {"href": pull}},
        "commit_id": review.commit,
        "submitted_at": review.submitted,
    }


def _remark_payload(state: State, remark: Remark) -> Payload:
    """A comment where it was made; that its line moves with the file is not played."""
    pull, url = (
        f"{state.place.root}/pulls/{remark.pull}",
        f"{state.place.root}/pulls/comments/{remark.id}",
    )
    page = f"{state.place.page}/pull/{remark.pull}#discussion_r{remark.id}"
    given = [
        reaction.content for reaction in state.reactions.values() if reaction.comment == remark.id
    ]
    found = {
        "url": url,
        "id": remark.id,
        "node_id": f"PRRC_{remark.id}",
        "pull_request_review_id": remark.review,
        "diff_hunk": "",
        "path": remark.path,
        "commit_id": remark.commit,
        "original_commit_id": remark.commit,
        "line": remark.line,
        "start_line": remark.start_line,
        "side": remark.side,
        "start_side": remark.start_side,
        "subject_type": "line",
        "user": state.user(remark.author),
        "body": remark.body,
        "created_at": remark.created,
        "updated_at": remark.updated,
        "html_url": page,
        "pull_request_url": pull,
        "author_association": state.association(remark.author),
        "_links": {"self": {"href": url}, "html": {"href": page}, "pull_request": {"href": pull}},
        "reactions": payloads.reactions(url, given),
    }
    return found | ({"in_reply_to_id": remark.reply_to} if remark.reply_to else {})


_READ, _WRITE = ("pull-requests:read",), ("pull-requests:write",)
ROUTES = {
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews": Route(_reviews, _READ),
    "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews": Route(_create_review, _WRITE),
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments": Route(_remarks, _READ),
}
