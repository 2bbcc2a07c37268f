"""The hand-over: the results of all steps of a run in the Action, as values. Pure.

No step trusts it blindly: a hand-over must be about the same head, from the same run (`nonce`),
under the same settings.
"""

import re
from typing import NamedTuple

from ..config.autonomy import CRITICAL, EXPERTISE, UNCERTAINTY
from ..config.policy import Deciders, Policy
from ..finding import SEVERITIES, Finding
from ..paths import APPROVALS
from ..verdict.approval_result import ApprovalResult
from ..verdict.earlier import Decline, EarlierRound
from .assess import Assessment, assess, in_words, person_requests
from .claimed import ClaimedAdr
from .placement import DiffPlace
from .run_state import CarriedState
from .states import PENDING

VERSION = 1
LARGEST_GRAPH = 20_000
"""Maximum characters of the graph of decisions in a hand-over."""

MOST_FILES = 50
"""Maximum number of files with their hashes in a hand-over."""

LINKED = "+links"
"""Suffix of the hash of settings that symbolic links lead to.

Then a change of any file may change the settings.
"""


class RunTarget(NamedTuple):
    """The commits of a run, and the settings that apply to it.

    `head` is checked under the settings of `base`, the tip of the branch `base_ref`; `merge_base`
    is their common ancestor. `settings` is a hash of the settings at the base, "" before they are
    read; LINKED follows it if links lead to them. `content` is a hash of the changed files that the
    gate watches. `merges`: `head` is the merged commit of a merge queue, not of the pull request.
    For a `draft`, and for a change from a fork, a judge runs only if the run is started by hand.
    `approvals` is the folder of rubrics and briefs.
    """

    repository: str
    number: int
    head: str
    base: str
    merge_base: str
    nonce: str
    settings: str = ""
    merges: bool = False
    draft: bool = False
    from_fork: bool = False
    base_ref: str = ""
    content: str = ""
    approvals: str = APPROVALS


RULES, INDICATORS = "rules", "indicators"


class PlacedFinding(NamedTuple):
    """A finding with its fingerprint, its place in the diff (None for nowhere), and its source.

    The source `by` is RULES, INDICATORS or an approval type. `suggestion` is a judge's replacement
    for the lines of its place, "" for none. `decline` is the author's reply to it.
    """

    finding: Finding
    fingerprint: str
    place: DiffPlace | None = None
    by: str = RULES
    suggestion: str = ""
    decline: Decline | None = None


class Judged(NamedTuple):
    """The verdict of one approval type, its confidence floor, and its findings with their places.

    `overridden`: a person has overridden all errors of a verdict that does not approve. Then a
    person must approve.
    """

    verdict: ApprovalResult
    floor: float
    placed: tuple[PlacedFinding, ...] = ()
    overridden: bool = False

    def assessment(self, indicators: tuple[Finding, ...]) -> Assessment:
        """Return the assessment of the verdict, with its overrides."""
        if not self.overridden:
            return assess(self.verdict, self.floor, indicators)
        signs = tuple(map(in_words, indicators))
        requests = person_requests(self.verdict)
        category = UNCERTAINTY
        if signs:
            category = CRITICAL
        elif requests:
            category = EXPERTISE
        reason = f"the judge says {self.verdict.result}, but its findings were overridden"
        return Assessment(PENDING, (reason, *signs, *requests), category)


BASE, CHANGE = "base", "change"
SETTINGS_BROKEN = "settings-broken"
"""The name of an error in the settings in a list of findings."""


class Broken(NamedTuple):
    """An error in the settings of a `side` (BASE, CHANGE), with file and line, and its fix."""

    side: str
    error: str
    advice: str


class Repair(NamedTuple):
    """A change that only repairs the broken settings of its base.

    `files` are the files that it touches, `errors` the errors that it removes, and `whose` names
    the policy by which a person decides.
    """

    files: tuple[str, ...]
    errors: tuple[str, ...]
    whose: str


class ChangedAdr(NamedTuple):
    """An ADR that the change adds or edits: name, title and status, and the ADRs it supersedes."""

    path: str
    name: str
    title: str
    status: str
    supersedes: tuple[str, ...] = ()


class Handover(NamedTuple):
    """The results of all steps so far.

    `failure` is the exit code and message of a step that failed; `broken` has details on broken
    settings. `applies`: the change touches a file that the gate watches. `adrs` is the number of
    ADRs checked.

    `rule_findings` are those of the deterministic rules, `indicators` possible attempts to steer
    the judge. `judged` are verdicts; `unjudged` are approval types without a judge, each with a
    result and the reason. `no_judge` is the reason why no judge ran: "" if none was needed or one
    answered, None before that step. `asks` are approval types with the action of the autonomy
    matrix that requires a person.

    `files` are changed files that the gate watches, each with git's hash of its content ("" for a
    deleted one), `changed` the first ADRs among them, `protected` the paths that a person must
    approve, and `graph` a graph of the decisions in Mermaid. `loosened` has a line for each way in
    which the change relaxes rules, rubric and policy. A `repair` is decided by a person, without a
    judge.

    `claims` are the ids of ADRs that the text and commits of the pull request claim to implement,
    and `claimed` the results of their verification, worst first.

    `earlier` are the last rounds of judges on this pull request, with the replies that were shown
    to the judges of this run, and their answer to each finding. `is_requested`: a person with the
    right to do so requested this run, so that rounds do not count.

    `agents` are the coding agents that wrote part of the change, if the policy requires more
    approvals for that. `carried` is the state for the next run.
    """

    target: RunTarget
    failure: tuple[int, str] | None = None
    applies: bool = False
    adrs: int = 0
    fail_on: str = "error"
    rule_findings: tuple[PlacedFinding, ...] = ()
    skipped: tuple[str, ...] = ()
    no_judge: str | None = None
    judged: tuple[Judged, ...] = ()
    unjudged: tuple[tuple[str, str, str], ...] = ()
    indicators: tuple[PlacedFinding, ...] = ()
    protected: tuple[str, ...] = ()
    asks: tuple[tuple[str, str], ...] = ()
    policy: Policy = Policy()
    carried: CarriedState = CarriedState()
    graph: str = ""
    files: tuple[tuple[str, str], ...] = ()
    files_left_out: int = 0
    broken: tuple[Broken, ...] = ()
    repair: Repair | None = None
    changed: tuple[ChangedAdr, ...] = ()
    loosened: tuple[str, ...] = ()
    protected_left_out: int = 0
    claims: tuple[str, ...] = ()
    claims_left_out: int = 0
    claimed: tuple[ClaimedAdr, ...] = ()
    claimed_left_out: int = 0
    earlier: tuple[EarlierRound, ...] = ()
    is_requested: bool = False
    agents: tuple[str, ...] = ()

    @property
    def deciders(self) -> Deciders:
        """The deciders about this change; more of them must approve the work of agents."""
        return self.policy.deciders_about(by_agents=bool(self.agents))

    @property
    def cost(self) -> float:
        """The cost of the judges of this run in US dollars, as far as they report it."""
        return sum(item.verdict.agent_context.cost_usd or 0 for item in self.judged)

    @property
    def findings(self) -> tuple[PlacedFinding, ...]:
        """All findings, worst first; within a severity those of rules precede those of judges."""
        findings = [*self.rule_findings, *self.indicators]
        for judged in self.judged:
            findings += [item for item in judged.placed if item.finding.path]
        return tuple(sorted(findings, key=lambda item: SEVERITIES.index(item.finding.severity)))

    @property
    def types(self) -> tuple[str, ...]:
        """The approval types of this run, each once."""
        judged = (item.verdict.approval_type for item in self.judged)
        others = (name for name, *_ in (*self.unjudged, *self.asks))
        return tuple(dict.fromkeys((*judged, *others)))

    @property
    def read(self) -> tuple[str, ...]:
        """The files that judges have read, without those that are reported as unread."""
        unread: set[str] = set()
        for text in self.skipped:
            # A path may contain ": " too.
            unread.update(text[: end.start()] for end in re.finditer(": ", text))
        paths: dict[str, None] = {}
        for judged in self.judged:
            paths |= dict.fromkeys(path for path, _ in judged.verdict.files)
        return tuple(path for path in paths if path not in unread)

    @property
    def sources(self) -> set[str]:
        """The sources that checked the change in this run; older findings of others remain."""
        if self.failure or not self.target.settings:
            return set()
        sources = {item.verdict.approval_type for item in self.judged if not item.verdict.failed}
        if self.judged or self.unjudged:
            sources.add(INDICATORS)
        return {RULES, *sources}
