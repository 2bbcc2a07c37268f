"""A run that one user asks for and another decides, each known to GitHub by their token."""

import subprocess

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub, Token
from tests.fakes.program import PROGRAM
from tests.stories.flow.examples import ADR, FlowScene, adr

pytestmark = pytest.mark.slow


def call(scene: FlowScene, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the program itself: the one that is kept warm has our fake in the place of PyGithub."""
    return subprocess.run(
        [str(PROGRAM), *arguments],
        cwd=scene.repository.root,
        env=scene.environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.further
def test_the_asker_does_not_approve_and_a_maintainer_does(
    scene: FlowScene, repository: Repository
) -> None:
    """Attack on the queue: approve with the token of the asker, of a bot, of the one who started its job, of a delegate of the asker, of nobody.
    Answer: refused.
    Shown by: `test_the_asker_does_not_approve_and_a_maintainer_does`, `test_who_approves`, `test_the_delegate_of_the_asker_does_not_approve`.
    """
    repository.git("remote", "add", "origin", "git@github.com:acme/decisions.git")
    scene.writes(consultant=adr(text=f"{ADR}\nUNSURE whether it pays.\n"))
    with FakeGitHub(repository.root) as github:
        github.people.update(alice="admin", max="maintain")
        github.tokens.update({name: Token(name, {}) for name in ("alice", "max")})
        scene.environment.update(GITHUB_API_URL=github.url, GITHUB_TOKEN="alice")
        repository.write("phases.yaml", scene.example("seed1-gate.yaml"))
        assert call(scene, "run", "phases.yaml").returncode == 4
        assert scene.status()["asked_by"] == {"name": "alice", "verified": True}
        own = call(scene, "flow", "approve")
        assert (
            own.returncode == 2 and "@alice requested this run and can't approve it" in own.stderr
        )
        scene.environment["GITHUB_TOKEN"] = "max"
        done = call(scene, "flow", "approve")
    assert done.returncode == 0, done.stderr
    (phase,) = scene.status()["phases"]
    assert phase["decided"].startswith("approved by @max, ")
