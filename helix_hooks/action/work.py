"""What the steps of the Action have in common: the folder in which they leave things for each other, and how they look at a change."""

import contextlib
import hashlib
import json
import os
import secrets
from argparse import Namespace
from collections.abc import Iterable, Mapping

from ..change.change import Change
from ..decision.fingerprints import fingerprints
from ..decision.handover import LINKED, Handover, PlacedFinding, RunTarget
from ..decision.placement import DiffPlace, hunks, within
from ..errors import HelixError, UsageError
from ..finding import Finding
from ..github import runner
from ..github.event import Event
from ..paths import READ_FIRST
from ..repository import files
from ..repository.snapshot import hunks_of
from ..text.masking import NO_SECRETS, masked

_LONGEST, _QUOTED = 4_000, 1_500
"""Characters of a text, and of a quote, that are handed on: those of which a page shows some."""


class Work:
    """The folder of a run: the hand-over, and the commits as git objects."""

    def __init__(self, folder: str) -> None:
        if not os.path.isabs(folder):
            raise UsageError("--work: an absolute path is wanted, or RUNNER_TEMP in the environment")
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder} can't be made: {error.strerror}; --work or RUNNER_TEMP says where") from None
        self.objects = os.path.join(folder, "objects.git")
        self.file = os.path.join(folder, "handover.json")
        self.findings = os.path.join(folder, "findings.sarif")

    def load(self, environment: Mapping[str, str]) -> Handover:
        """What the steps before have found in this very run. Raises HelixError."""
        found = runner.load(self.file, json.loads(files.packaged("schemas/handover.json") or b"{}"))
        if found.target.repository != environment.get("GITHUB_REPOSITORY", found.target.repository):
            raise HelixError("the hand-over is about another repository")
        nonce = environment.get("HELIX_NONCE", "")
        if nonce and nonce != found.target.nonce:
            raise HelixError("the hand-over is of another run")
        return found

    def forget(self) -> None:
        """What another run has left is not this run's."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.file)

    def save(self, given: Handover) -> None:
        runner.save(self.file, given)

    def tell(self, environment: Mapping[str, str], log: str) -> None:
        """Leave the findings for a later step of the workflow, as a SARIF log."""
        runner.write(self.findings, log)
        runner.put(environment, {"sarif-file": self.findings})


def unseen(seen: Event) -> Handover:
    """What the event alone says: of a run that has looked at nothing yet."""
    nonce = secrets.token_hex(16)
    return Handover(RunTarget(seen.repository, seen.number, seen.head, seen.base, seen.base, nonce, base_ref=seen.base_ref, merges=seen.merges))


def arguments(given: Handover, options: Namespace) -> Namespace:
    """What `approve` is called with."""
    subject = given.target
    return Namespace(
        base=subject.base, head=subject.head, merge_base=subject.merge_base, from_base=True, paths=[], type=options.type, agent=options.agent,
        model=options.model, timeout=None, max_cost_usd=options.max_cost_usd, fail_on=options.fail_on, no_cache=False, fresh=options.fresh,
        secrets=options.secrets,
        keep_workspace=False,
        quiet=True, color="never", config=options.config,
    )  # fmt: skip


def settings_of(change: Change, config: str) -> str:
    """A hash of all that the gate goes by at the base; `config` is an approvals file at another place, "" for none."""
    paths = [path for path in change.rules.folder("") if path in (*READ_FIRST, config) or path.startswith(change.ours)]
    found = sorted((path, change.rules.blob(path)) for path in paths)
    linked = LINKED if any(change.rules.place(path).links for path in paths) else ""
    return hashlib.sha256(repr(found).encode(errors="surrogateescape")).hexdigest() + linked


def placed(findings: Iterable[Finding], change: Change, by: str) -> tuple[PlacedFinding, ...]:
    """Findings with their places in the diff, and how they are known again."""
    found = list(findings)
    shown = {path: hunks(hunks_of(change.root, change.parted, change.head, [path, change.names.get(path, path)]))
             for path in dict.fromkeys(finding.path for finding in found if finding.path)}  # fmt: skip
    marks = fingerprints(found, by)
    places = (within(finding.path, finding.line, max(finding.line, finding.end_line), shown.get(finding.path, ())) for finding in found)
    return tuple(PlacedFinding(_shown(finding, place), mark, place, by) for finding, mark, place in zip(found, marks, places, strict=True))


def _shown(finding: Finding, place: DiffPlace | None) -> Finding:
    """Return a finding with as much of it as a page shows, without what looks like a token. Only a comment at its place has the quote."""
    message, help, quote = (masked(text, NO_SECRETS) for text in (finding.message, finding.help, finding.evidence))
    evidence = quote[:_QUOTED] if place and quote == finding.evidence else ""
    return finding._replace(message=message[:_LONGEST], help=help[:_LONGEST], evidence=evidence)
