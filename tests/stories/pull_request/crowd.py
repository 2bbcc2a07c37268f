"""Many repositories with pull requests that wait for a person, made from the first run of one."""

from helix_hooks.decision import run_record
from helix_hooks.decision.handover import Handover
from helix_hooks.pull import fetch
from helix_hooks.pull.access import access
from helix_hooks.pull.earlier_runs import recorded
from helix_hooks.waiting.pull_entry import in_mark, mark
from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.github.state import Run

HEADS = 5


def crowd(
    github: FakeGitHub, repository: Repository, environment: dict[str, str], *, names: int
) -> list[str]:
    """Return the names of so many repositories with HEADS pull requests each.

    All have the commits of one repository. The run of pull request 1 there is copied to each.
    """
    to = access(github.place.name, environment)
    head = github.head(1)
    status = fetch.status(to.repository, head)
    record = recorded(1, status, head)
    assert record and status
    (run,) = github.runs.values()
    for number in range(2, HEADS + 1):
        repository.git(
            "branch", f"change-{number}", f"change-{number - 1}" if number > 2 else "change"
        )
        repository.git("checkout", "--quiet", f"change-{number}")
        repository.git("commit", "--quiet", "--allow-empty", "-m", f"commit {number}")
    hosts = [
        github,
        *(github.add(repository.root, f"acme/r{number}") for number in range(1, names)),
    ]
    for host in hosts:
        for number in range(1, HEADS + 1):
            if number > 1 or host is not github:
                branch = "change" if number == 1 else f"change-{number}"
                host.open_pull(number, head=branch, title=f"Change {number} of {host.place.name}")
                _add_run(host, run, number, record)
    return [host.place.name for host in hosts]


def _add_run(host: FakeGitHub, run: Run, number: int, record: Handover) -> None:
    head = host.head(number)
    target = record.target._replace(repository=host.place.name, number=number, head=head)
    entry = in_mark(run.output["text"], 1)
    text = run_record.text(record._replace(target=target), waits=mark(number, entry))
    id = host.next_id()
    states = run.external_id.partition("|")[2]
    host.runs[id] = run._replace(
        id=id,
        sha=head,
        external_id=f"helix1:{number}:pending|{states}",
        output={**run.output, "text": text},
    )
