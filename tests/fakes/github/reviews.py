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
    """A review that is not submitted is seen by its author alone."""
    pull = state.pull(call.values["pull_number"])
    found = [review for review in state.reviews.values() if review.pull == pull.number]
    return Answer(
        [
            _review_payload(state, review)
            for review in found
            if review.submitted or review.author == call.actor.login
        ]
    )


def _create_review(state: State, call: Call) -> Answer:
    """All of it or nothing."""
    pull, body = state.pull(call.values["pull_number"]), call.body or {}
    commit = body.get("commit_id") or state.tips(pull)[1]
    if commit not in {made.sha for made in state.commits(pull)}:
        raise _unprocessable("Commit is not part of the pull request")
    comments = body.get("comments") or []
    if reason := _no_review(state, pull, call.actor.login, body) or _unresolved(
        state, pull, commit, comments
    ):
        raise _unprocessable(reason)
    review = add_review(
        state,
        pull,
        call.actor.login,
        _STATES.get(body.get("event", ""), "PENDING"),
        body.get("body") or "",
        commit,
    )
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
    if not event and any(
        review.pull == pull.number and review.author == login and not review.submitted
        for review in state.reviews.values()
    ):
        return "User can only have one pending review per pull request"
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
    review = Review(
        state.next_id(),
        pull.number,
        author,
        kind,
        body,
        commit,
        None if kind == "PENDING" else time,
    )
    state.reviews[review.id] = review
    return review


def _add_remark(state: State, review: Review, comment: Mapping[str, Any], commit: str) -> Remark:
    """A comment that is known to have a place; one on a whole file has no line."""
    pull, time = state.pulls[review.pull], state.touch(review.pull)
    base = _base(state, pull, commit)
    remark = Remark(
        state.next_id(),
        pull.number,
        review.id,
        review.author,
        comment["path"],
        comment["body"],
        commit,
        base,
        time,
        time,
    )
    change = _change(state, pull, commit, comment["path"])
    if (
        comment.get("subject_type") != "file"
        and change
        and change.patch
        and (spot := _spot(change, comment))
    ):
        side = comment.get("side", "RIGHT")
        start_side = comment.get("start_side", side) if "start_line" in comment else None
        remark = remark._replace(
            side=side,
            line=comment["line"],
            start_side=start_side,
            start_line=comment.get("start_line"),
        )
        remark = remark._replace(position=spot.position, hunk=git.excerpt(change.patch, spot))
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
    found = [
        remark
        for remark in state.remarks.values()
        if remark.pull == pull.number and _is_public(state, remark, call.actor)
    ]
    if sort := call.query.get("sort"):
        newest_first = call.query.get("direction", "desc") == "desc"
        found.sort(
            key=lambda remark: remark.updated if sort == "updated" else remark.created,
            reverse=newest_first,
        )
    return Answer(
        [
            _remark_payload(state, remark)
            for remark in found
            if remark.updated >= call.query.get("since", "")
        ]
    )


def _is_public(state: State, remark: Remark, actor: Token) -> bool:
    review = state.reviews[remark.review]
    return bool(review.submitted) or review.author == actor.login


def _create_remark(state: State, call: Call) -> Answer:
    pull, body = state.pull(call.values["pull_number"]), call.body
    _no_longer_than_allowed(body["body"])
    if "in_reply_to" in body:
        return _answered(state, _remark(state, str(body["in_reply_to"])), call)
    if body["commit_id"] not in {made.sha for made in state.commits(pull)}:
        raise invalid(
            "PullRequestReviewComment", "commit_id", "commit_id is not part of the pull request"
        )
    if body.get("subject_type") != "file" and "line" not in body:
        raise RefusedError(
            422, 'Invalid request.\n\nNo subschema in "oneOf" matched.\n"line" wasn\'t supplied.'
        )
    change = _change(state, pull, body["commit_id"], body["path"])
    if change is None:
        raise invalid(
            "PullRequestReviewComment",
            "pull_request_review_thread.path",
            "pull_request_review_thread.path is invalid",
        )
    if body.get("subject_type") != "file" and not _spot(change, body):
        message = "pull_request_review_thread.line must be part of the diff"
        raise invalid("PullRequestReviewComment", "pull_request_review_thread.line", message)
    return Answer(
        _remark_payload(state, remark_on(state, pull, call.actor.login, body, body["commit_id"])),
        201,
    )


def invalid(resource: str, field: str, message: str) -> RefusedError:
    return RefusedError(
        422,
        "Validation Failed",
        [{"resource": resource, "code": "custom", "field": field, "message": message}],
    )


def _no_longer_than_allowed(body: str) -> None:
    if len(body) > LONGEST_BODY:
        raise invalid("PullRequestReviewComment", "body", f"b{_TOO_LONG}")


def _reply(state: State, call: Call) -> Answer:
    _no_longer_than_allowed(call.body["body"])
    return _answered(state, _remark(state, call.values["comment_id"]), call)


def _answered(state: State, remark: Remark, call: Call) -> Answer:
    if remark.pull != state.pull(call.values["pull_number"]).number:
        raise RefusedError(404, "Not Found")
    return Answer(
        _remark_payload(state, add_reply(state, remark, call.actor.login, call.body["body"])), 201
    )


def _remark(state: State, number: str) -> Remark:
    if not number.isdigit() or int(number) not in state.remarks:
        raise RefusedError(404, "Not Found")
    return state.remarks[int(number)]


def _get_remark(state: State, call: Call) -> Answer:
    return Answer(_remark_payload(state, _remark(state, call.values["comment_id"])))


def _edit_remark(state: State, call: Call) -> Answer:
    remark = _remark(state, call.values["comment_id"])
    only_its_author(remark.author, call.actor)
    _no_longer_than_allowed(call.body["body"])
    return Answer(_remark_payload(state, change_remark(state, remark, call.body["body"])))


def change_remark(state: State, remark: Remark, body: str) -> Remark:
    state.remarks[remark.id] = remark._replace(body=body, updated=state.touch(remark.pull))
    return state.remarks[remark.id]


def _delete_remark(state: State, call: Call) -> Answer:
    remark = _remark(state, call.values["comment_id"])
    only_its_author(remark.author, call.actor)
    del state.remarks[remark.id]
    return Answer(None, 204)


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
    found = {
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
    }
    return found | ({"submitted_at": review.submitted} if review.submitted else {})


def _remark_payload(state: State, remark: Remark) -> Payload:
    """Where the comment is now, and where it was made (`original`)."""
    pull, url = (
        f"{state.place.root}/pulls/{remark.pull}",
        f"{state.place.root}/pulls/comments/{remark.id}",
    )
    page = f"{state.place.page}/pull/{remark.pull}#discussion_r{remark.id}"
    given = [
        reaction.content for reaction in state.reactions.values() if reaction.comment == remark.id
    ]
    found = {
        **_standing(state, remark),
        "url": url,
        "id": remark.id,
        "node_id": f"PRRC_{remark.id}",
        "pull_request_review_id": remark.review,
        "diff_hunk": remark.hunk,
        "path": remark.path,
        "original_commit_id": remark.commit,
        "original_line": remark.line,
        "original_start_line": remark.start_line,
        "original_position": remark.position,
        "side": remark.side,
        "start_side": remark.start_side,
        "subject_type": "file" if remark.line is None else "line",
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


def _standing(state: State, remark: Remark) -> Payload:
    """The line that a comment has moved to since; none once the line was touched or has left the diff."""
    pull = state.pulls[remark.pull]
    head = state.tips(pull)[1]
    if remark.line is None:
        return {"line": None, "start_line": None, "position": 1, "commit_id": head}
    line, start = _moved(state, remark, remark.line, remark.side), None
    if remark.start_line is not None:
        start = _moved(state, remark, remark.start_line, remark.start_side or remark.side)
    change = _change(state, pull, head, remark.path)
    spot = git.spots(change.patch or "").get((remark.side, line or 0)) if change else None
    if spot is None:
        return {"line": None, "start_line": None, "position": None, "commit_id": remark.commit}
    return {"line": line, "start_line": start, "position": spot.position, "commit_id": head}


def _moved(state: State, remark: Remark, line: int, side: str) -> int | None:
    base, head = state.range(state.pulls[remark.pull])
    before, after = (remark.commit, head) if side == "RIGHT" else (remark.base, base)
    return git.moved(state.repository, before, after, remark.path, line)


_READ, _WRITE = ("pull-requests:read",), ("pull-requests:write",)
ROUTES = {
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews": Route(_reviews, _READ),
    "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews": Route(_create_review, _WRITE),
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments": Route(_remarks, _READ),
    "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments": Route(_create_remark, _WRITE),
    "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies": Route(
        _reply, _WRITE
    ),
    "GET /repos/{owner}/{repo}/pulls/comments/{comment_id}": Route(_get_remark, _READ),
    "PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}": Route(_edit_remark, _WRITE),
    "DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}": Route(_delete_remark, _WRITE),
}
