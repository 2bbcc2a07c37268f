"""Measure the cost of the GitHub Action: requests for many findings, and its set-up beside a plain
pip install.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.conftest import Repository  # noqa: E402 -- found by the line above
from tests.fakes.runner import Job, hub  # noqa: E402

Row = tuple[str, str, float, float]
FEW, MANY, SET_UPS = 100, 1_000, 3
MOST_REQUESTS, MOST_AGAIN = 15, 8
BODY = f"\n## Status\n\nProposed\n\n## Context\n\n{'A sentence of the context. ' * 5}\n"


def rows(scratch: Path) -> list[Row]:
    """Requests are counted as they arrive; a set-up is the median of some, each in a new folder."""
    return [*_requests(scratch), _set_up(scratch)]


def _requests(scratch: Path) -> list[Row]:
    counts = {}
    for findings in (FEW, MANY):
        place = scratch / f"server-{findings}" / "acme" / "decisions"
        repository = _repository(place, findings)
        with hub(repository) as fake:
            fake.open_pull(1)
            Job(fake, repository, scratch / f"first-{findings}").steps()
            counts[findings] = len(fake.requests)
            fake.requests.clear()
            Job(fake, repository, scratch / f"again-{findings}").steps()
            again = [f"{seen.verb} {seen.path}" for seen in fake.requests]
            writes = [line for line in again if not line.startswith("GET")]
    print(
        f"requests: {FEW} findings {counts[FEW]}, {MANY:,} findings {counts[MANY]}; "
        f"nothing changed {len(again)}, of them writes: {len(writes)}"
    )
    return [
        (
            f"requests for {MANY:,} findings",
            f"{MOST_REQUESTS} requests",
            max(counts.values()) / MOST_REQUESTS,
            1.0,
        ),
        (
            "requests when nothing changed",
            f"{MOST_AGAIN} requests, one write",
            max(len(again) / MOST_AGAIN, len(writes)),
            1.0,
        ),
    ]


def _repository(place: Path, findings: int) -> Repository:
    """Each ADR has two errors."""
    place.mkdir(parents=True)
    repository = Repository(place)
    for name, mail in (("user.name", "bench"), ("user.email", "bench@example.org")):
        repository.git("config", name, mail)
    repository.stage("README.md", "# Decisions\n")
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "change")
    for number in range(1, findings // 2 + 1):
        repository.write(
            f"docs/adr/{number:04}-x.md",
            (
                f"# {number}. Title\n\n## Status\n\nProposed\n\n## "
                f"Context\n\n{'A sentence of the context. ' * 5}\n"
            ),
        )
    repository.git("add", ".")
    repository.commit()
    return repository


def _set_up(scratch: Path) -> Row:
    ours, plain = [], []
    for number in range(SET_UPS):
        plain.append(_timed(_plain(scratch / f"plain-{number}")))
        ours.append(_timed(_action(scratch / f"runner-{number}")))
    one, other = statistics.median(plain), statistics.median(ours)
    print(
        f"set-up of the Action: pip install {one:.1f} s, action.sh install {other:.1f} "
        f"s (medians of {SET_UPS})"
    )
    return "set-up of the Action, without a judge", "pip install of its packages", other / one, 1.2


def _timed(run: "tuple[list[str], dict[str, str]]") -> float:
    start = time.perf_counter()
    subprocess.run(run[0], env=run[1], check=True, capture_output=True)
    return time.perf_counter() - start


def _plain(place: Path) -> "tuple[list[str], dict[str, str]]":
    install = (
        f"{sys.executable} -m venv {place} && {place}/bin/pip install --quiet "
        f"--disable-pip-version-check -r {ROOT}/requirements.txt"
    )
    return ["bash", "-c", install], dict(os.environ)


def _action(place: Path) -> "tuple[list[str], dict[str, str]]":
    place.mkdir()
    given = {
        "RUNNER_TEMP": str(place),
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(place / "output"),
    }
    inputs = {
        f"INPUT_{name}": ""
        for name in ("WORK", "AGENT", "MODEL", "TYPES", "FAIL_ON", "MAX_COST_USD", "CONFIG")
    }
    return ["bash", str(ROOT / "action.sh"), "install"], {
        **os.environ,
        **given,
        **inputs,
        "INPUT_MODE": "check",
    }
