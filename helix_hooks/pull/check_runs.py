"""Write the check run of a commit: edit ours, or create one, with annotations in portions."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..decision.pull_request import PullRequest, Status
from .check_run import CheckRun
from .fetch import named_check_runs
from .reading import one
from .write import Stored, Writer, is_limit, not_stored

if TYPE_CHECKING:
    from github.Repository import Repository

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
