"""Send payloads to GitHub.

If one place can't be written, the text goes to the next: line comments, the summary comment, the
check run, a commit status, the log of the job. The exit code is that of the decision; only if
neither check run nor status can be written, the step fails. A check run of ours is edited, else one
is created, with annotations in portions.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ..decision.handover import Hunks, hunks, marked
from ..decision.pull_request import PullRequest, Status
from ..errors import HelixError
from .check_run import CheckRun, noted
from .client import error_text, listed, one
from .fetch import named_check_runs
from .line_comments import ReviewPayload, folded
from .payloads import Payloads
from .summary_comment import STICKY, with_outdated_note, with_status
from .turn import Call
from .write import Stored, Writer, is_limit, not_stored

if TYPE_CHECKING:
    from github.Repository import Repository

EDIT, DELETE = "updatePullRequestReviewComment", "deletePullRequestReviewComment"


def mutation(changes: list[tuple[str, dict[str, str]]]) -> tuple[str, Stored]:
    """Return a GraphQL mutation with many changes, and its variables. GitHub runs them in order."""
    types = ", ".join(
        f"$i{number}: {name[0].upper()}{name[1:]}Input!" for number, (name, _) in enumerate(changes)
    )
    calls = " ".join(
        f"c{number}: {name}(input: $i{number}) {{ clientMutationId }}"
        for number, (name, _) in enumerate(changes)
    )
    variables = {
        f"i{number}": {**body, "clientMutationId": str(number)}
        for number, (_, body) in enumerate(changes)
    }
    return f"mutation({types}) {{ {calls} }}", variables


_REFUSED = (403, 404, 422)
"""Status codes for a check run of another App, or a deleted one: GitHub keeps 1,000 of a name."""

_OLDER = "A newer check run of this name counts at this commit."

Portions = tuple[tuple[dict[str, Any], ...], ...]
"""Annotations in portions: GitHub accepts 50 in one request."""


class CheckRunWriter:
    """Writes the check run of one run of the gate.

    `attempt` sends something that may fail: it reports a failure by name and returns False.
    """

    def __init__(
        self,
        repository: "Repository",
        writer: Writer,
        pull: PullRequest,
        attempt: Callable[[str, Callable[[], object]], bool],
    ) -> None:
        self._repository, self._writer = repository, writer
        self._facts, self._try = pull, attempt

    def write(self, run: CheckRun) -> None:
        """Write the check run. If GitHub refuses annotations, put them into the summary."""
        from github import GithubException

        try:
            self._edit_or_create(run)
        except GithubException as error:
            if error.status != 422 or not run.annotations:
                raise
            self._edit_or_create(run._replace(annotations=(), summary=run.whole))

    def _edit_or_create(self, run: CheckRun) -> None:
        """Edit our check run at this commit, or create one."""
        before = self._before(run)
        older: list[tuple[int, str]] = []
        if before is not None:
            older = [(before.id, before.conclusion), *before.older]
        portions = run.annotations
        is_same = before is not None and _has_same_annotations(before, run)
        if is_same:
            portions = ()
        number = 0
        # GitHub can only add annotations to a check run. Other ones need a new check run.
        if before is not None and (is_same or not before.annotations):
            number = self._edit_check_run(before.id, run, portions[:1])
        if not number:
            number = self._create_check_run(run, portions[:1], {id for id, _ in older})
        self._annotate(number, run, portions)
        self._align_older(number, run, older)

    def _before(self, run: CheckRun) -> Status | None:
        """Return our check run of this name at this commit; None if there is none yet."""
        status = self._facts.status
        if status is None or run.head != self._facts.head or run.name != status.name:
            return None
        return status

    def _annotate(self, number: int, run: CheckRun, portions: Portions) -> None:
        """Add the portions of annotations after the first one, which is stored already."""
        stored = sum(map(len, portions[:1]))
        for portion in portions[1:]:
            stored += len(portion)
            body = {"output": _output(run, (portion,))}
            if not self._try("an annotation", partial(self._patch_run, number, body, stored)):
                break

    def _align_older(self, number: int, run: CheckRun, older: list[tuple[int, str]]) -> None:
        """Give older check runs the same conclusion: GitHub may show any of them."""
        output = {"title": run.title, "summary": _OLDER}
        body = {**_completion(run), "output": output}
        for id, conclusion in older:
            if id != number and conclusion != run.conclusion:
                patch = partial(self._writer.patch, f"/check-runs/{id}", body)
                self._try("an older check run", patch)

    def _edit_check_run(self, number: int, run: CheckRun, portions: Portions) -> int:
        """Edit a check run and return its number; 0 if GitHub does not let us change it."""
        from github import GithubException

        output = _output(run, portions)
        body = {**_completion(run), "external_id": run.external_id, "output": output}
        try:
            self._patch_run(number, body, sum(map(len, portions)))
        except GithubException as error:
            if error.status not in _REFUSED or is_limit(error):
                raise
            return 0
        return number

    def _patch_run(self, number: int, body: Stored, annotations: int) -> None:
        """Edit a check run, which has `annotations` annotations in total after that."""
        path = f"/check-runs/{number}"
        look: Callable[[], Stored | None] = not_stored
        if annotations:
            # GitHub would store the same annotations twice.
            look = partial(self._annotated_run, path, annotations)
        self._writer.patch(path, body, look)

    def _annotated_run(self, path: str, annotations: int) -> Stored | None:
        """Return a check run if it has a number of annotations."""
        run: Stored = one(self._repository, path)
        if run["output"]["annotations_count"] < annotations:
            return None
        return run

    def _create_check_run(self, run: CheckRun, portions: Portions, earlier: set[int]) -> int:
        identity = {"name": run.name, "head_sha": run.head, "external_id": run.external_id}
        body = {**identity, **_completion(run), "output": _output(run, portions)}
        look = partial(self._new_check_run, run, earlier)
        return int(self._writer.post("/check-runs", body, look)["id"])

    def _new_check_run(self, run: CheckRun, earlier: set[int]) -> Stored | None:
        """Return the check run if it is stored and not one of the earlier ones."""
        for item in named_check_runs(self._repository, run.head, run.name):
            if item["id"] not in earlier and item["external_id"] == run.external_id:
                return item
        return None


def _has_same_annotations(status: Status, run: CheckRun) -> bool:
    """Return whether a check run has all annotations of this one; its digest is in the id."""
    count = sum(map(len, run.annotations))
    return status.annotations == count and status.external_id.endswith(run.digest)


def _completion(run: CheckRun) -> Stored:
    return {"status": "completed", "conclusion": run.conclusion}


def _output(run: CheckRun, portions: Portions) -> Stored:
    """Return the texts of a check run, with the first portion of annotations."""
    output: Stored = {"title": run.title, "summary": run.summary, "text": run.text}
    if portions:
        output["annotations"] = list(portions[0])
    return output


_STATES = {"success": "success", "action_required": "pending"}
"""States of a commit status, by conclusion; any other conclusion is a failure."""

_DESCRIPTION = 140
"""Maximum number of characters that GitHub accepts as the description of a commit status."""

_AT_ONCE = 100
"""Maximum number of comments that one GraphQL request changes."""


class Sender:
    """Sends the payloads of one run.

    `left_out` has a message for each text that could not be written. `created` is the number of a
    new summary comment, 0 for none. `ours` is the number of the user who writes.
    """

    def __init__(self, repository: "Repository", pull: PullRequest, ours: int) -> None:
        self._repository, self._facts, self.ours = repository, pull, ours
        self._writer = Writer(repository)
        self._check_runs = CheckRunWriter(repository, self._writer, pull, self._try)
        self.left_out: list[str] = []
        self.created, self._body = 0, ""

    def send(self, payloads: Payloads) -> None:
        """Send all payloads.

        Raises:
            HelixError: Neither a check run nor a commit status could be written.
        """
        if payloads.review:
            self._try("the review", partial(self._review, payloads.review))
        unchanged = self._edit_line_comments(payloads)
        has_comment = self._write_sticky(payloads, unchanged)
        for number in payloads.spare:
            self._try("a second comment", partial(self._delete, number))
        if payloads.escalation:
            self._try("the escalation", partial(self._escalate, payloads.escalation))
        if payloads.turn:
            self._try("the call to the deciders", partial(self._call, payloads.turn))
        run = payloads.check_run
        if run and not has_comment:
            # Without the comment, the summary of the check run must have all texts.
            run = run._replace(summary=run.whole)
        if run:
            self._conclude(run, payloads)

    def _edit_line_comments(self, payloads: Payloads) -> int:
        """Edit and delete line comments; return how many fixed ones could not be edited."""
        changes = self._changes(payloads)
        edited = _AT_ONCE
        if changes and not self._try(
            "what is fixed, at the lines,", lambda: self._writer.change(*mutation(changes))
        ):
            edited = 0
        return max(0, len(payloads.fixed) - edited)

    def _write_sticky(self, payloads: Payloads, unchanged: int) -> bool:
        """Write the summary comment if its text changes; return False if that failed."""
        sticky = payloads.sticky
        if unchanged and payloads.page:
            sticky = with_outdated_note(payloads.page, unchanged)
        if sticky is None or sticky == payloads.before:
            return True
        return self._try("the comment", partial(self._sticky, sticky, payloads.sticky_id))

    def _conclude(self, run: CheckRun, payloads: Payloads) -> None:
        """Write the check run, or else a commit status.

        An earlier run may have written a status instead of a check run. It must agree with this
        check run, since branch protection may require either.
        """
        self._writer.reset_wait()
        earlier = None
        if payloads.looks:
            earlier = self._status_before(run)
        shown = run
        if earlier:
            shown = noted(run)
        if self._try("the check run", partial(self._check_runs.write, shown)):
            if earlier and earlier != _status_of(run):
                self._try("the commit status", partial(self._status, run))
            return
        if not self._try("the commit status", partial(self._status, run)):
            raise HelixError(
                "neither a check run nor a commit status could be written, so the pull "
                "request does not show the decision"
            )
        if self._facts.status and payloads.sticky_id and payloads.page:
            page = with_status(payloads.page)
            self._try("the comment", partial(self._sticky, page, payloads.sticky_id))

    def _try(self, name: str, send: Callable[[], Any]) -> bool:
        """Send something; after a failure add a line to `left_out` and return False."""
        from github import GithubException

        try:
            send()
        except HelixError as error:
            self.left_out.append(f"{name} could not be written: {error}")
            return False
        except (GithubException, OSError) as error:
            self.left_out.append(f"{name} could not be written: {error_text(error)}")
            return False
        return True

    def _review(self, review: ReviewPayload) -> None:
        """Post a review.

        If GitHub refuses a line (422), post only the lines that its own diff shows, and put the
        other comments into the body of the review.
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
        path = f"/pulls/{self._facts.number}/reviews"
        self._writer.post(path, body, lambda: self._stored_review(review))

    def _stored_review(self, review: ReviewPayload) -> Stored | None:
        """Return a review if it is stored. GitHub stores all of its comments or none."""
        if review.comments:
            marks = {marked(comment["body"]) for comment in review.comments}
            if marks <= {marked(item["body"]) for item in self._written_by_us("comments")}:
                return {}
            return None
        for item in self._written_by_us("reviews"):
            has_text = item["body"].strip() == review.body.strip()
            if item["commit_id"] == review.commit and has_text:
                return item
        return None

    def _written_by_us(self, kind: str) -> Iterator[Stored]:
        """Fetch our reviews, or our comments in the diff."""
        for item in listed(self._repository, f"/pulls/{self._facts.number}/{kind}"):
            if _is_by(item, self.ours):
                yield item

    def _changes(self, payloads: Payloads) -> list[tuple[str, dict[str, str]]]:
        """Return the edits of line comments and the deletions of duplicates, for one request.

        The summary comment has the number of the remaining ones, which the next run changes.
        """
        nodes = {item.id: item.node for item in self._facts.line_comments}
        edits = [
            (EDIT, {"pullRequestReviewCommentId": nodes[number], "body": body})
            for number, body in payloads.fixed
        ]
        deletions = [(DELETE, {"id": nodes[number]}) for number in payloads.twice]
        return [*edits, *deletions][:_AT_ONCE]

    def _sticky(self, body: str, number: int) -> None:
        """Edit the summary comment; create one if there is none, or if it was deleted meanwhile."""
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
        """Keep the oldest summary comment of concurrent runs, and give it our text."""
        if numbers and self.created != numbers[0]:
            self._try("the comment", partial(self._edit, numbers[0], self._body))
        for number in numbers[1:]:
            self._try("a second comment", partial(self._delete, number))

    def _edit(self, number: int, body: str) -> None:
        self._writer.patch(f"/issues/comments/{number}", {"body": body})

    def _delete(self, number: int) -> None:
        self._writer.delete(f"/issues/comments/{number}")

    def _comment(self, body: str, mark: str) -> int:
        """Write a comment whose last line is `mark`, and return its number."""
        path = f"/issues/{self._facts.number}/comments"
        earlier = {item.id for item in self._facts.comments}
        stored = self._writer.post(path, {"body": body}, lambda: self._new_comment(mark, earlier))
        return int(stored["id"])

    def _new_comment(self, mark: str, earlier: set[int]) -> Stored | None:
        """Return our comment with a mark if it is stored and not one of the earlier comments."""
        for item in listed(self._repository, f"/issues/{self._facts.number}/comments"):
            if item["id"] in earlier or not _is_by(item, self.ours):
                continue
            if (item["body"] or "").rstrip().endswith(mark):
                return item
        return None

    def _escalate(self, calls: Call) -> None:
        """Write the comment that calls people, request their review and assign them."""
        self._call(calls)
        if calls.people:
            path = f"/issues/{self._facts.number}/assignees"
            # A failure here must not repeat the comment, which has called the people already.
            self._try(
                "the assignment",
                lambda: self._writer.post(path, {"assignees": [*calls.people]}, not_stored),
            )

    def _call(self, calls: Call) -> None:
        """Write the comment that calls people, then request their review."""
        self._comment(calls.body, calls.mark)
        path = f"/pulls/{self._facts.number}/requested_reviewers"
        people, teams = [*calls.people], [*calls.teams]
        requests = [{"reviewers": people, "team_reviewers": teams}]
        if people and teams:
            # GitHub refuses all reviewers because of the teams: a workflow token can't read teams.
            requests.append({"reviewers": people})
        for body in requests:
            post = partial(self._writer.post, path, body, not_stored)
            if self._try("the request for a review", post):
                break

    def answer(self, body: str) -> None:
        """Write a reply to a comment. A failure changes nothing about the decision."""
        self._try("the answer", partial(self._comment, body, body.rstrip().splitlines()[-1]))

    def react(self, comment: int, content: str) -> None:
        """React to a comment. GitHub stores the same reaction only once."""
        path = f"/issues/comments/{comment}/reactions"
        self._try("the reaction", lambda: self._writer.post(path, {"content": content}, not_stored))

    def _status_before(self, run: CheckRun) -> tuple[str, str] | None:
        """Return state and text of our commit status; None if there is none."""
        from github import GithubException

        try:
            return self._stored_status(run)
        except (GithubException, HelixError, OSError):
            # A token that can't read statuses has written none.
            return None

    def _stored_status(self, run: CheckRun) -> tuple[str, str] | None:
        for item in listed(self._repository, f"/commits/{run.head}/status", "statuses"):
            if item["context"] == run.name:
                return item["state"], item["description"] or ""
        return None

    def _status(self, run: CheckRun) -> None:
        state, description = _status_of(run)
        body = {"state": state, "description": description, "context": run.name}

        def look() -> Stored | None:
            if self._stored_status(run) == (state, description):
                return {}
            return None

        self._writer.post(f"/statuses/{run.head}", body, look)


def _is_by(item: dict[str, Any], user: int) -> bool:
    # The user of a deleted account is null.
    return bool(item["user"] and item["user"]["id"] == user)


def _status_of(run: CheckRun) -> tuple[str, str]:
    """Return state and description of the commit status for a check run."""
    title = run.title
    if len(title) > _DESCRIPTION:
        title = f"{title[: _DESCRIPTION - 1]}…"
    return _STATES.get(run.conclusion, "failure"), title
