"""A repository in which an approved ADR promises two files, and a verification of it."""

import subprocess
from pathlib import Path

from helix_hooks.verification.result import (
    MISSING,
    SHOWN,
    UNMET,
    VERIFIED,
    Expectation,
    VerificationResult,
)
from tests.conftest import Repository

ADR = "docs/adr/014-use-kafka.md"
PROMISED = ("src/queue.py", "src/worker.py")


def approve_adr(repository: Repository) -> None:
    repository.stage(ADR, "# 14. Use Kafka\n\n## Status\n\nAccepted\n")
    repository.commit("Accept ADR-014")


def verified(root: Path, *promised: str) -> list[VerificationResult]:
    """Verify that the promised files are there and not empty."""
    expectations = []
    for path in promised or PROMISED:
        place = root / path
        is_there = place.is_file() and place.stat().st_size > 0
        expectations.append(
            Expectation("create", path, SHOWN)
            if is_there
            else Expectation("create", path, MISSING, 7, "the file is missing", f"create {path}")
        )
    command = ["git", "rev-list", "--max-parents=0", "HEAD"]
    first = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    is_whole = all(item.state == SHOWN for item in expectations)
    return [
        VerificationResult(
            adr_id="014",
            path=ADR,
            title="Use Kafka",
            state=VERIFIED if is_whole else UNMET,
            expectations=tuple(expectations),
            contract="c1",
            since=first.stdout.strip(),
        )
    ]
