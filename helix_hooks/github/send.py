"""Send payloads to GitHub.

What can't be said in one place is said in the next: lines, the comment, the check, a status, the
job's log. Nothing of it changes the exit code, which is the decision's; only that the check could
not be written is a failure of its own.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..decision.fingerprints import marked
from ..decision.placement import Hunks, hunks
from ..decision.pull_request import PullRequest
from ..errors import HelixError
from ..publish.check_run import NAME, CheckRun, noted
from ..publish.escalation import Escalation
from ..publish.line_comments import ReviewPayload, folded
from ..publish.payloads import Payloads
from ..publish.sticky import STICKY, unmarked, with_status
from ..publish.turn import Turn
from .client import said
from .fetch import listed
from .mutation import DELETE, EDIT, mutation
from .write import Stored, Writer, is_limit, not_stored

if TYPE_CHECKING:
    from github.Repository import Repository

_STATES = {"success": "success", "action_required": "pending"}
"""Of a commit status, by the conclusion; any other is a failure."""

_DESCRIPTION = 140
_AT_ONCE = 100
"""Comments that one request of GraphQL changes."""

_REFUSED = (403, 404, 422)
"""Answers for a check run of another App, or one that is gone: GitHub keeps 1,000 of a name."""

_OLDER = "A newer check run of this name counts at this commit."


class Sender:
    """Sends the payloads of one run.

    `left_out` are lines on what could not be said where it belongs, and `created` is the number of
    a new comment that stays, 0 for none.
    """

    def __init__(self, repository: "Repository", pull: PullRequest, ours: int) -> None:
        self._repository, self._facts, self.ours = repository, pull, ours
        self._writer = Writer(repository)
        self.left_out: list[str] = []
        self.created, self._body = 0, ""

    def send(self, payloads: Payloads) -> None:
        """Send all payloads. Raises HelixError if no check run and no status could be written."""
        if payloads.review:
            self._try("the review", partial(self._review, payloads.review))
        run = payloads.check_run
        changes = self._changes(payloads)
        is_told = not changes or self._try(
            "what is fixed, at the lines,", partial(self._changed, changes)
        )
        silent = max(0, len(payloads.fixed) - (_AT_ONCE if is_told else 0))
        sticky = unmarked(payloads.page, silent) if silent and payloads.page else payloads.sticky
        if sticky is not None and sticky != payloads.before:
            run = (
                run
                if self._try("the comment", partial(self._sticky, sticky, payloads.sticky_id))
                else run and run._replace(summary=run.whole)
            )
        for number in payloads.spare:
            self._try("a second comment", partial(self._delete, number))
        if payloads.escalation:
            self._try("the escalation", partial(self._escalate, payloads.escalation))
        if payloads.turn:
            self._try("the call to the deciders", partial(self._call, payloads.turn))
        if run:
            self._tell(run, payloads)

    def _tell(self, run: CheckRun, payloads: Payloads) -> None:
        """Write the check run, or else a status.

        A status that was written instead of an earlier check run says the same as this one.
        """
        self._writer.patient()
        stood = self._status_before(run) if payloads.looks else None
        if self._try("the check run", partial(self._concluded, noted(run) if stood else run)):
            if stood and stood != _said(run):
                self._try("the commit status", partial(self._status, run))
            return
        if not self._try("the commit status", partial(self._status, run)):
            raise HelixError(
                "neither a check run nor a commit status could be written, so the pull "
                "request does not show the decision"
            )
        if self._facts.status and payloads.sticky_id and payloads.page:
            self._try(
                "the comment", partial(self._sticky, with_status(payloads.page), payloads.sticky_id)
            )

    def _try(self, name: str, send: Callable[[], Any]) -> bool:
        from github import GithubException

        try:
            send()
        except (GithubException, HelixError, OSError) as error:
            reason = error if isinstance(error, HelixError) else said(error)
            self.left_out.append(f"{name} could not be written: {reason}")
            return False
        return True

    def _review(self, review: ReviewPayload) -> None:
        """Post a review at once.

        Where GitHub refuses a line, post it once more with the lines that its own diff shows, and
        the others in the text above.
        """
        from github import GithubException

        try:
            self._post(review)
        except GithubException as error:
            if error.status != 422:
                raise
            self._post(folded(review, self._shown()))

    def _shown(self) -> dict[str, Hunks]:
        """Return the lines that GitHub's own diff shows."""
        files = listed(self._repository, f"/pulls/{self._facts.number}/files")
        return {file["filename"]: hunks((file.get("patch") or "").encode()) for file in files}

    def _post(self, review: ReviewPayload) -> None:
        body = {
            "commit_id": review.commit,
            "body": review.body,
            "event": "COMMENT",
            "comments": [*review.comments],
        }
        self._writer.post(
            f"/pulls/{self._facts.number}/reviews", body, lambda: self._posted(review)
        )

    def _posted(self, review: ReviewPayload) -> Stored | None:
        """Return what is stored of a review. GitHub stores all of it or nothing.

        A review without comments is known by its text.
        """
        wanted = {marked(comment["body"]) for comment in review.comments}
        path = f"/pulls/{self._facts.number}/{'comments' if wanted else 'reviews'}"
        mine = [item for item in listed(self._repository, path) if _is_by(item, self.ours)]
        if wanted:
            return {} if wanted <= {marked(item["body"]) for item in mine} else None
        return next(
            (
                item
                for item in mine
                if item["commit_id"] == review.commit
                and item["body"].strip() == review.body.strip()
            ),
            None,
        )

    def _changes(self, payloads: Payloads) -> list[tuple[str, dict[str, str]]]:
        """Return what becomes of comments at lines: other texts, and deletion of doubles.

        There are as many as one request changes; the comment that stays has the number of the
        others, which the next run changes.
        """
        nodes = {item.id: item.node for item in self._facts.line_comments}
        edits = [
            (EDIT, {"pullRequestReviewCommentId": nodes[number], "body": body})
            for number, body in payloads.fixed
        ]
        return [*edits, *((DELETE, {"id": nodes[number]}) for number in payloads.twice)][:_AT_ONCE]

    def _changed(self, changes: list[tuple[str, dict[str, str]]]) -> None:
        self._writer.change(*mutation(changes))

    def _sticky(self, body: str, number: int) -> None:
        """Edit the comment that stays; if somebody has deleted it meanwhile, write it anew."""
        from github import GithubException

        if number:
            try:
                self._edit(number, body)
            except GithubException as error:
                if error.status != 404:
                    raise
            else:
                return
        self.created, self._body = self._comment(body, STICKY), body

    def leave_one(self, numbers: list[int]) -> None:
        """Keep the oldest comment of several runs at once, with the text of the newest."""
        if numbers and self.created != numbers[0]:
            self._try("the comment", partial(self._edit, numbers[0], self._body))
        for number in numbers[1:]:
            self._try("a second comment", partial(self._delete, number))

    def _edit(self, number: int, body: str) -> None:
        self._writer.patch(f"/issues/comments/{number}", {"body": body})

    def _delete(self, number: int) -> None:
        self._writer.delete(f"/issues/comments/{number}")

    def _comment(self, body: str, mark: str) -> int:
        path = f"/issues/{self._facts.number}/comments"
        known = {item.id for item in self._facts.comments}
        return int(
            self._writer.post(path, {"body": body}, lambda: self._written(mark, known))["id"]
        )

    def _written(self, mark: str, known: set[int]) -> Stored | None:
        comments = listed(self._repository, f"/issues/{self._facts.number}/comments")
        found = (item for item in comments if item["id"] not in known and _is_by(item, self.ours))
        return next((item for item in found if (item["body"] or "").rstrip().endswith(mark)), None)

    def _escalate(self, calls: Escalation) -> None:
        """Write the comment that calls people, then ask them for a review and assign them.

        If GitHub can't do the latter, that is no reason to call again.
        """
        self._call(calls)
        if calls.people:
            path = f"/issues/{self._facts.number}/assignees"
            self._try(
                "the assignment",
                lambda: self._writer.post(path, {"assignees": [*calls.people]}, not_stored),
            )

    def _call(self, calls: Escalation | Turn) -> None:
        """Write the comment that calls people, then ask them for a review; without the teams where
        GitHub refuses these, since the token of a workflow can't read them.
        """
        self._comment(calls.body, calls.mark)
        path = f"/pulls/{self._facts.number}/requested_reviewers"
        people, teams = [*calls.people], [*calls.teams]
        asked = {"reviewers": people, "team_reviewers": teams}
        for body in (asked, {"reviewers": people}) if people and teams else (asked,):
            post = partial(self._writer.post, path, body, not_stored)
            if self._try("the request for a review", post):
                break

    def answer(self, body: str) -> None:
        """Write a comment that answers somebody. If it fails, nothing is lost but the words."""
        self._try("the answer", partial(self._comment, body, body.rstrip().splitlines()[-1]))

    def react(self, comment: int, content: str) -> None:
        """React to a comment; the same reaction twice is one."""
        path = f"/issues/comments/{comment}/reactions"
        self._try("the reaction", lambda: self._writer.post(path, {"content": content}, not_stored))

    def _concluded(self, run: CheckRun) -> None:
        """Write the check run; without annotations, which the summary has too, if these fail."""
        from github import GithubException

        try:
            self._check_run(run)
        except GithubException as error:
            if error.status != 422 or not run.annotations:
                raise
            self._check_run(run._replace(annotations=(), summary=run.whole))

    def _check_run(self, run: CheckRun) -> None:
        """Write the one check run of a commit.

        It is a new one where other annotations stand there by now, since GitHub can only add some.
        All of ours say the same, whichever GitHub goes by.
        """
        before = self._facts.status if run.head == self._facts.head else None
        same = (
            before is not None
            and before.annotations == sum(map(len, run.annotations))
            and before.external_id.endswith(run.digest)
        )
        portions = () if same else run.annotations
        number = 0
        if before is not None and (same or not before.annotations):
            number = self._edited(before.id, run, portions[:1])
        older = [(before.id, before.conclusion), *before.older] if before is not None else []
        number = number or self._created(run, portions[:1], {one for one, _ in older})
        told = len(portions[0]) if portions else 0
        for portion in portions[1:]:
            told += len(portion)
            more = {"output": _output(run, (portion,))}
            if not self._try("an annotation", partial(self._annotated, number, more, told)):
                break
        output = {"title": run.title, "summary": _OLDER}
        for one, conclusion in older:
            if one != number and conclusion != run.conclusion:
                body = {**_ends(run), "output": output}
                self._try(
                    "an older check run", partial(self._writer.patch, f"/check-runs/{one}", body)
                )

    def _edited(
        self, number: int, run: CheckRun, portions: tuple[tuple[dict[str, Any], ...], ...]
    ) -> int:
        """Edit a check run and return its number; 0 where GitHub lets nobody change it any more."""
        from github import GithubException

        body = {**_ends(run), "external_id": run.external_id, "output": _output(run, portions)}
        try:
            self._annotated(number, body, len(portions[0]) if portions else 0)
        except GithubException as error:
            if error.status not in _REFUSED or is_limit(error):
                raise
            return 0
        return number

    def _annotated(self, number: int, body: Stored, told: int) -> None:
        """Add annotations to those that are there. What was stored is not sent again."""
        path = f"/check-runs/{number}"
        self._writer.patch(path, body, partial(self._has, path, told) if told else not_stored)

    def _has(self, path: str, told: int) -> Stored | None:
        found: Stored = self._repository.requester.requestJsonAndCheck(
            "GET", f"{self._repository.url}{path}"
        )[1]
        return found if found["output"]["annotations_count"] >= told else None

    def _created(
        self, run: CheckRun, portions: tuple[tuple[dict[str, Any], ...], ...], known: set[int]
    ) -> int:
        named = {"name": NAME, "head_sha": run.head, "external_id": run.external_id}
        body = {**named, **_ends(run), "output": _output(run, portions)}
        return int(self._writer.post("/check-runs", body, lambda: self._begun(run, known))["id"])

    def _begun(self, run: CheckRun, known: set[int]) -> Stored | None:
        runs = listed(
            self._repository,
            f"/commits/{run.head}/check-runs",
            "check_runs",
            check_name=NAME,
            filter="all",
        )
        return next(
            (
                item
                for item in runs
                if item["id"] not in known and item["external_id"] == run.external_id
            ),
            None,
        )

    def _status_before(self, run: CheckRun) -> tuple[str, str] | None:
        """Return state and text of our status. A token that can't read statuses wrote none."""
        from github import GithubException

        try:
            return self._status_of(run)
        except (GithubException, HelixError, OSError):
            return None

    def _status_of(self, run: CheckRun) -> tuple[str, str] | None:
        found = listed(self._repository, f"/commits/{run.head}/status", "statuses")
        return next(
            (
                (item["state"], item["description"] or "")
                for item in found
                if item["context"] == NAME
            ),
            None,
        )

    def _status(self, run: CheckRun) -> None:
        state, description = _said(run)
        body = {"state": state, "description": description, "context": NAME}
        self._writer.post(
            f"/statuses/{run.head}",
            body,
            lambda: {} if self._status_of(run) == (state, description) else None,
        )


def _is_by(item: dict[str, Any], user: int) -> bool:
    return bool(item["user"] and item["user"]["id"] == user)


def _said(run: CheckRun) -> tuple[str, str]:
    """Return state and description of a commit status."""
    title = run.title if len(run.title) <= _DESCRIPTION else f"{run.title[: _DESCRIPTION - 1]}…"
    return _STATES.get(run.conclusion, "failure"), title


def _ends(run: CheckRun) -> Stored:
    return {"status": "completed", "conclusion": run.conclusion}


def _output(run: CheckRun, portions: tuple[tuple[dict[str, Any], ...], ...]) -> Stored:
    output: Stored = {"title": run.title, "summary": run.summary, "text": run.text}
    return {**output, "annotations": list(portions[0])} if portions else output
