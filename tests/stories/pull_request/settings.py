"""Settings that break, and what a run says of them."""

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import READER, WRITER, Ended
from tests.stories.pull_request.scene import Runner, check

APPROVALS, SETTINGS, RULES = (
    "config/approvals.yaml",
    ".helix-hooks.yaml",
    "config/adr-completeness-rules.yaml",
)


UNREAD = "policy:\n  minimum_approvals: 1\n  aprovers: {roles: [admin]}\n"
"""A key that is misspelt, in line 3."""


SOUND = "policy:\n  approvers: {users: [eve]}\n"


def branch(
    github: FakeGitHub, repository: Repository, number: int = 2, start: str = "main"
) -> None:
    """A pull request of its own, that starts at the base as it is."""
    repository.git("checkout", "--quiet", "-b", f"branch-{number}", start)
    repository.git("commit", "--quiet", "--allow-empty", "-m", "begin")
    github.open_pull(number, head=f"branch-{number}")


def shown(github: FakeGitHub) -> str:
    return (
        str(check(github).output["title"])
        + "\n"
        + str(check(github).output["summary"]).replace("\\", "").replace("\u200b", "")
    )


def ran(runner: Runner, number: int = 1) -> Ended:
    """All steps, as the four jobs take them: no judge where the check has failed."""
    job = runner.job(number)
    job.step("snapshot", GITHUB_TOKEN=READER)
    if job.step("check").code == 0:
        job.step("judge", **runner.judge())
    return job.step("publish", GITHUB_TOKEN=WRITER)
