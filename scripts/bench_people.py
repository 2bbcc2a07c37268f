"""Measure the cost of people and the clock: requests to GitHub for a command, and for a sweep over
many pull requests.
"""

import json
import sys
from datetime import timedelta
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.conftest import Repository  # noqa: E402 -- found by the line above
from tests.fakes.change import lay_out  # noqa: E402
from tests.fakes.github.server import FakeGitHub  # noqa: E402
from tests.fakes.runner import READER, WRITER, Job, hub, stand_in  # noqa: E402

Row = tuple[str, str, float, float]
OPEN, DUE, COMMENTS, COMMITS = 200, 3, 95, 60
MOST_BEFORE, MOST_DUE = 12, 12
POLICY = "policy: {deadlines: {uncertainty: 24h}}\n"


def rows(scratch: Path) -> list[Row]:
    """Requests are counted as they arrive."""
    root = scratch / "people" / "server" / "acme" / "decisions"
    root.mkdir(parents=True)
    repository = Repository(root)
    lay_out(repository)
    repository.git("checkout", "--quiet", "main")
    repository.stage("config/approvals.yaml", POLICY)
    repository.commit()
    repository.git("checkout", "--quiet", "change")
    repository.git("rebase", "--quiet", "main")
    with hub(repository) as fake:
        return [_command(fake, repository, scratch), *_sweep(fake, repository, scratch)]


def _asked(fake: FakeGitHub, repository: Repository, folder: Path, number: int = 1) -> None:
    """A run that ends with a question to people."""
    job = Job(fake, repository, folder, number)
    job.step("snapshot", GITHUB_TOKEN=READER)
    job.step("check")
    job.step("judge", **stand_in(folder / "programs", structured={"confidence": 0.5}))
    job.step("publish", GITHUB_TOKEN=WRITER)


def _command(fake: FakeGitHub, repository: Repository, scratch: Path) -> Row:
    """With many comments, commits and files of the pull request, and a second vote that is
    refused.
    """
    for number in range(COMMITS):
        repository.stage(f"src/{number}.txt", "x\n")
        repository.commit()
    fake.open_pull(1)
    _asked(fake, repository, scratch / "asked")
    for number in range(COMMENTS):
        fake.comment(1, "eve", f"A thought, number {number}.")
    head = fake.head(1)[:7]
    fake.comment(1, "eve", f"/helix approve {head}")
    comment = fake.comment(1, "max", f"/helix approve {head}")
    fake.requests.clear()
    Job.of_comment(fake, repository, scratch / "command", comment).step(
        "command", GITHUB_TOKEN=WRITER
    )
    seen = [f"{item.verb} {item.path}" for item in fake.requests]
    answered = next(
        number
        for number, line in enumerate(seen, 1)
        if line.startswith("PATCH") and "check-runs" in line
    )
    print(
        f"a command: answered by request {answered}, {len(seen)} in all; {COMMENTS} "
        f"comments, {COMMITS} commits"
    )
    return (
        "requests before a command is answered",
        f"{MOST_BEFORE} requests",
        answered / MOST_BEFORE,
        1.0,
    )


def _sweep(fake: FakeGitHub, repository: Repository, scratch: Path) -> list[Row]:
    fake.close_pull(1)
    base = repository.git("rev-parse", "change").stdout.strip()
    for number in range(2, OPEN + 2):
        repository.git("branch", f"b{number}", base if number < DUE + 2 else "main")
        fake.open_pull(number, head=f"b{number}")
    for number in range(2, DUE + 2):
        repository.git("checkout", "--quiet", f"b{number}")
        repository.stage(f"src/of-{number}.txt", "x\n")
        repository.commit()
        _asked(fake, repository, scratch / f"asked-{number}", number)
    _swept(
        fake, repository, scratch / "behind"
    )  # which sees what the runs wrote behind their reading
    waiting = _swept(fake, repository, scratch / "waiting")
    fake.now += timedelta(hours=25)
    due = _swept(fake, repository, scratch / "due")
    most = (due - waiting) / DUE + 1
    print(
        f"a sweep of {OPEN} open pull requests: {waiting} requests when none is due, "
        f"{due} when {DUE} are ({most:.1f} for each of these)"
    )
    pages = 1 + (OPEN - 1) // 100
    return [
        (
            f"requests to sweep {OPEN} that are not due",
            f"one for each, and {pages} pages",
            waiting / (OPEN + pages),
            1.0,
        ),
        ("requests to sweep one that is due", f"{MOST_DUE} requests", most / MOST_DUE, 1.0),
    ]


def _swept(fake: FakeGitHub, repository: Repository, folder: Path) -> int:
    fake.requests.clear()
    done = Job(fake, repository, folder, event="schedule").step("sweep", GITHUB_TOKEN=WRITER)
    if done.code:
        raise RuntimeError(json.dumps([done.out, done.err]))
    return len(fake.requests)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        for row in rows(Path(name)):
            print(row)
