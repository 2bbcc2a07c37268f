"""Payloads to GitHub. Whatever can't be said in one place is said in the next: lines, the comment, the check, a status, the job's log.

Nothing of it changes the exit code, which is the decision's; only that the check could not be written is a failure of its own.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import HelixError
from ..pull.escalation import Escalation
from ..pull.facts import PullRequest
from ..pull.fingerprint import marked
from ..pull.payloads import NAME, STICKY, CheckRun, Payloads, Review, folded
from ..pull.place import Hunks, hunks
from .client import once, said
from .fetch import listed

if TYPE_CHECKING:
    from github.Repository import Repository

_STATES = {"success": "success", "action_required": "pending"}
"""Of a commit status, by the conclusion; any other is a failure."""

_DESCRIPTION = 140


class Sender:
    """Sends the payloads of one run; `left_out` are lines on what could not be said where it belongs."""

    def __init__(self, repository: "Repository", pull: PullRequest, ours: int) -> None:
        self._repository, self._facts, self.ours = repository, pull, ours
        self._pull = repository.get_pull(pull.number)
        self.left_out: list[str] = []

    def send(self, payloads: Payloads) -> None:
        """Raises HelixError where neither a check run nor a status could be written."""
        if payloads.review:
            self._try("the review", partial(self._review, payloads.review))
        for number, body in payloads.fixed:
            self._try("a comment on what is fixed", partial(self._edit, number, body))
        is_told = payloads.sticky is None or self._try("the comment", partial(self._sticky, payloads.sticky, payloads.sticky_id))
        if payloads.escalation:
            self._try("the escalation", partial(self._escalate, payloads.escalation))
        run = payloads.check_run
        run = run._replace(summary=run.whole) if run and not is_told else run
        if run and not self._try("the check run", partial(self._concluded, run)) and not self._try("the commit status", partial(self._status, run)):
            raise HelixError("neither a check run nor a commit status could be written, so the pull request does not show the decision")

    def _try(self, what: str, send: Callable[[], Any]) -> bool:
        from github import GithubException

        try:
            send()
        except (GithubException, HelixError, OSError) as error:
            self.left_out.append(f"{what} could not be written: {error if isinstance(error, HelixError) else said(error)}")
            return False
        return True

    def _review(self, review: Review) -> None:
        """All at once; where GitHub refuses a line, once more with those that its own diff shows, and the others in the text above."""
        from github import GithubException

        try:
            self._post(review)
        except GithubException as error:
            if error.status != 422:
                raise
            self._post(folded(review, self._shown()))

    def _shown(self) -> dict[str, Hunks]:
        """What GitHub's own diff shows."""
        files = listed(self._repository, f"/pulls/{self._facts.number}/files")
        return {file["filename"]: hunks((file.get("patch") or "").encode()) for file in files}

    def _post(self, review: Review) -> None:
        commit = self._repository.get_commit(review.commit)
        comments: Any = list(review.comments)
        once(
            lambda: self._pull.create_review(commit=commit, body=review.body, event="COMMENT", comments=comments),
            lambda: self._posted(review),
        )

    def _posted(self, review: Review) -> Any:
        wanted = {marked(comment["body"]) for comment in review.comments}
        comments = listed(self._repository, f"/pulls/{self._facts.number}/comments")
        there = {marked(item["body"]) for item in comments if _is_by(item, self.ours)}
        return review if wanted and wanted <= there else None

    def _edit(self, number: int, body: str) -> None:
        self._pull.get_review_comment(number).edit(body)

    def _sticky(self, body: str, number: int) -> None:
        issue = self._repository.get_issue(self._facts.number)
        if number:
            issue.get_comment(number).edit(body)
        else:
            once(lambda: issue.create_comment(body), lambda: self._written(STICKY))

    def _escalate(self, calls: Escalation) -> None:
        """The comment calls them; that GitHub can't ask somebody for a review, or assign them, is no reason to call again."""
        issue = self._repository.get_issue(self._facts.number)
        once(lambda: issue.create_comment(calls.body), lambda: self._written(calls.mark))
        people: Any = list(calls.people)
        teams: Any = list(calls.teams)
        self._try("the request for a review", lambda: self._pull.create_review_request(reviewers=people, team_reviewers=teams))
        if people:
            self._try("the assignment", lambda: issue.add_to_assignees(*people))

    def _written(self, mark: str) -> Any:
        comments = listed(self._repository, f"/issues/{self._facts.number}/comments")
        return next((item for item in comments if _is_by(item, self.ours) and item["body"].rstrip().endswith(mark)), None)

    def answer(self, body: str) -> None:
        """A comment of its own, where somebody asked. Nothing is lost with it but the words."""
        issue = self._repository.get_issue(self._facts.number)
        self._try("the answer", lambda: once(lambda: issue.create_comment(body), lambda: self._written(body.rstrip().splitlines()[-1])))

    def react(self, comment: int, content: str) -> None:
        """To a comment; the same twice is one."""
        path = f"{self._repository.url}/issues/comments/{comment}/reactions"
        self._try("the reaction", lambda: self._repository.requester.requestJsonAndCheck("POST", path, input={"content": content}))

    def _concluded(self, run: CheckRun) -> None:
        """The conclusion counts more than annotations that GitHub refuses; the summary has what they say."""
        from github import GithubException

        try:
            self._check_run(run)
        except GithubException as error:
            if error.status != 422 or not run.annotations:
                raise
            self._check_run(run._replace(annotations=(), summary=run.whole))

    def _check_run(self, run: CheckRun) -> None:
        """One for a commit; a new one where other annotations stand there by now, since GitHub can only add some."""
        before = self._facts.status if run.head == self._facts.head else None
        ends: dict[str, Any] = {"status": "completed", "conclusion": run.conclusion, "external_id": run.external_id}
        same = before is not None and before.annotations == sum(map(len, run.annotations)) and before.external_id.endswith(run.digest)
        portions = () if same else run.annotations
        if before is not None and (same or not before.annotations):
            theirs = self._repository.get_check_run(before.id)
            theirs.edit(**ends, output=_output(run, portions[:1]))
        else:
            theirs = once(
                lambda: self._repository.create_check_run(NAME, run.head, **ends, output=_output(run, portions[:1])), lambda: self._begun(run)
            )
        for portion in portions[1:]:
            theirs.edit(output=_output(run, (portion,)))

    def _begun(self, run: CheckRun) -> Any:
        runs = listed(self._repository, f"/commits/{run.head}/check-runs", "check_runs", check_name=NAME, filter="latest")
        found = next((item for item in runs if item["external_id"] == run.external_id), None)
        return found and self._repository.get_check_run(found["id"])

    def _status(self, run: CheckRun) -> None:
        state = _STATES.get(run.conclusion, "failure")
        title = run.title if len(run.title) <= _DESCRIPTION else f"{run.title[: _DESCRIPTION - 1]}…"
        self._repository.get_commit(run.head).create_status(state, description=title, context=NAME)


def _is_by(item: dict[str, Any], user: int) -> bool:
    return bool(item["user"] and item["user"]["id"] == user)


def _output(run: CheckRun, portions: tuple[tuple[dict[str, Any], ...], ...]) -> dict[str, Any]:
    output: dict[str, Any] = {"title": run.title, "summary": run.summary, "text": run.text}
    return {**output, "annotations": list(portions[0])} if portions else output
