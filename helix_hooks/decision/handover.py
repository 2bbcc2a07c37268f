"""The hand-over: the results of all steps of a run in the Action, as values. Pure.

No step trusts it blindly: a hand-over must be about the same head, from the same run (`nonce`),
under the same settings.
"""

import re
from typing import Annotated, NamedTuple

from .. import codec
from ..codec import Commit, Count, Fingerprint, Positive, Share, TypeName
from ..config.policy import CRITICAL, EXPERTISE, UNCERTAINTY, Deciders, Policy
from ..config.workflows import CHECK
from ..finding import FAIL_ON, SEVERITIES, Finding
from ..paths import APPROVALS
from ..verdict.approval_result import RESULTS, ApprovalResult, ReviewedFile
from ..verdict.earlier import Decline, EarlierRound
from .assess import Assessment, assess, in_words, person_requests
from .claimed import MOST_CLAIMED, ClaimedAdr
from .placement import DiffPlace
from .run_state import CarriedState
from .states import PENDING

VERSION = 2
"""The version of the JSON form. Raise it with each change of the types below."""

LARGEST_GRAPH = 20_000
"""Maximum characters of the graph of decisions in a hand-over."""

MOST_CHANGED = 20
"""Maximum number of changed ADRs in a hand-over."""

MOST_FILES = 50
"""Maximum number of files with their hashes in a hand-over."""

LINKED = "+links"
"""Suffix of the hash of settings that symbolic links lead to.

Then a change of any file may change the settings.
"""


class RunTarget(NamedTuple):
    """The commits of a run, and the settings that apply to it.

    For a draft, and for a change from a fork, a judge runs only if the run is started by hand.
    """

    repository: Annotated[str, re.compile(r"[\w.-]+/[\w.-]+")]
    number: Positive
    """The number of the pull request."""
    head: Commit
    """The commit that is checked, under the settings of `base`."""
    base: Commit
    """The commit at the tip of `base_ref`."""
    merge_base: Commit
    """The common ancestor of `head` and `base`."""
    nonce: Annotated[str, re.compile("[0-9a-f]{32}")]
    """A random text that all steps of a run share."""
    settings: Annotated[str, re.compile(r"([0-9a-f]{64}(\+links)?)?")] = ""
    """A hash of the settings at the base, "" before they are read.

    LINKED follows it if links lead to them.
    """
    merges: bool = False
    """`head` is the merged commit of a merge queue, not a commit of the pull request."""
    draft: bool = False
    from_fork: bool = False
    base_ref: str = ""
    """The branch into which the change is to be merged."""
    content: Annotated[str, re.compile("([0-9a-f]{64})?")] = ""
    """A hash of the changed files that the gate watches."""
    approvals: Annotated[str, re.compile("(?s:.+)")] = APPROVALS
    """The folder of rubrics and briefs."""
    check: Annotated[str, re.compile(r"helix( \(.+\))?")] = CHECK
    """The name of the check run."""


RULES, INDICATORS = "rules", "indicators"


class PlacedFinding(NamedTuple):
    """A finding with its place in the diff, its source, and the author's reply."""

    finding: Finding
    fingerprint: Fingerprint
    place: DiffPlace | None = None
    """None if no line of the diff shows it."""
    by: TypeName = RULES
    """The source: RULES, INDICATORS or an approval type."""
    suggestion: str = ""
    """A judge's replacement for the lines of `place`, "" for none."""
    decline: Decline | None = None
    """The author's reply to it."""


class Judged(NamedTuple):
    """The verdict of one approval type."""

    verdict: ApprovalResult
    floor: Share
    """The lowest confidence, from 0 to 1, with which the verdict counts."""
    placed: tuple[PlacedFinding, ...] = ()
    """The findings of the verdict."""
    overridden: bool = False
    """A person has overridden all errors of a verdict that does not approve.

    Then a person must approve.
    """

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
    """An error in the settings, and how to fix it."""

    side: Annotated[str, (BASE, CHANGE)]
    """BASE or CHANGE: whose settings have the error."""
    error: str
    """The message, with file and line."""
    advice: str


class Repair(NamedTuple):
    """A change that only repairs the broken settings of its base."""

    files: tuple[str, ...]
    """The files that it touches."""
    errors: tuple[str, ...]
    """The errors that it removes."""
    whose: str
    """The name of the policy by which a person decides."""


class ChangedAdr(NamedTuple):
    """An ADR that the change adds or edits: name, title and status, and the ADRs it supersedes."""

    path: str
    name: str
    title: str
    status: str
    supersedes: tuple[str, ...] = ()


class TakenId(NamedTuple):
    """The id of the new ADR `path` that another ADR, `by`, has on the branch since the last run."""

    key: str
    path: str
    by: str
    branch: str


class QueuedCommit(NamedTuple):
    """A pull request of a merge group, with the commit of it that is in the group."""

    number: Positive
    head: Commit


class Failure(NamedTuple):
    """The exit code and the message of a step that failed."""

    code: Annotated[int, (2, 3)]
    message: str


class Unjudged(NamedTuple):
    """An approval type without a judge, with a result and the reason."""

    approval_type: TypeName
    result: Annotated[str, RESULTS]
    reason: str


class Ask(NamedTuple):
    """An approval type, with the action of the autonomy matrix that requires a person."""

    approval_type: TypeName
    action: Annotated[str, re.compile("[a-z_]{1,60}")]


class Handover(NamedTuple):
    """The results of all steps so far."""

    target: RunTarget

    # The merge queue.
    group: Annotated[tuple[QueuedCommit, ...], range(251)] = ()
    unknown_commits: tuple[str, ...] = ()
    """A line for each commit of a group that belongs to none of them, or that is not listed."""

    # Errors of the run.
    failure: Failure | None = None
    broken: tuple[Broken, ...] = ()
    """Errors in the settings, which stop all checks."""
    repair: Repair | None = None
    """The change repairs broken settings. A person decides on it, without a judge."""

    # The change.
    applies: bool = False
    """The change touches a file that the gate watches."""
    files: Annotated[tuple[ReviewedFile, ...], range(MOST_FILES + 1)] = ()
    """Changed files that the gate watches. The hash of a deleted one is ""."""
    files_left_out: Count = 0
    """The number of such files beyond MOST_FILES."""
    changed: Annotated[tuple[ChangedAdr, ...], range(MOST_CHANGED + 1)] = ()
    """The first ADRs among the changed files, at most MOST_CHANGED."""
    taken: tuple[TakenId, ...] = ()
    """Ids of new ADRs that the base has given to others since this run. A sweep adds them."""
    graph: str = ""
    """A graph of the decisions in Mermaid."""
    agents: tuple[str, ...] = ()
    """The coding agents that wrote part of it, if the policy requires more approvals for that."""

    # Layers 1 to 3, the deterministic rules.
    adrs: Count = 0
    """The number of ADRs that were checked."""
    fail_on: Annotated[str, FAIL_ON] = "error"
    """The lowest severity of a finding that fails the check."""
    rule_findings: tuple[PlacedFinding, ...] = ()
    skipped: tuple[str, ...] = ()
    """Files that were not checked, as `file: reason`, and approval types that match no file."""

    # Layer 4, the judges.
    no_judge: str | None = None
    """The reason why no judge ran.

    "" if none was needed or one answered, None before that step.
    """
    judged: Annotated[tuple[Judged, ...], range(51)] = ()
    """The verdicts."""
    unjudged: tuple[Unjudged, ...] = ()
    indicators: tuple[PlacedFinding, ...] = ()
    """Possible attempts to steer the judge."""
    earlier: Annotated[tuple[EarlierRound, ...], range(51)] = ()
    """The last rounds of judges on this pull request.

    They have the replies that were shown to the judges of this run, and their answers.
    """
    is_requested: bool = False
    """A person with the right to do so requested this run, so that rounds do not count."""

    # The decision by people.
    policy: Policy = Policy()
    protected: tuple[str, ...] = ()
    """The paths that a person must approve."""
    protected_left_out: Count = 0
    """The number of further such paths."""
    loosened: tuple[str, ...] = ()
    """A line for each way in which the change relaxes rules, rubric and policy."""
    asks: tuple[Ask, ...] = ()

    # The ADRs that the pull request claims to implement.
    claims: tuple[str, ...] = ()
    """Their ids in the text and the commits of the pull request."""
    claims_left_out: Count = 0
    """The number of further ids."""
    claimed: Annotated[tuple[ClaimedAdr, ...], range(MOST_CLAIMED + 1)] = ()
    """The results of their verification, worst first."""
    claimed_left_out: Count = 0
    """The number of further results."""

    carried: CarriedState = CarriedState()
    """The state for the next run."""

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
    def files_read(self) -> tuple[str, ...]:
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
    def sources_that_ran(self) -> set[str]:
        """The sources that checked the change in this run; older findings of others remain."""
        if self.failure or not self.target.settings:
            return set()
        sources = {item.verdict.approval_type for item in self.judged if not item.verdict.failed}
        if self.judged or self.unjudged:
            sources.add(INDICATORS)
        return {RULES, *sources}


def text(handover: Handover) -> str:
    """Return a hand-over as JSON: the file between two steps, and the run record.

    It lacks what the rest of it repeats, and the globs of the policy, which a run reads at the
    base.
    """
    judged = tuple(
        item._replace(verdict=item.verdict._replace(findings=(), suggestions=()))
        for item in handover.judged
    )
    policy = handover.policy._replace(protected=())
    return codec.stored(handover._replace(judged=judged, policy=policy), VERSION)


def read(data: bytes | str) -> Handover:
    """Return a hand-over.

    Raises:
        ValueError: It is not what `text` writes.
    """
    handover = codec.loaded(data, Handover, VERSION)
    return handover._replace(judged=tuple(map(_complete, handover.judged)))


def _complete(judged: Judged) -> Judged:
    findings = tuple(item.finding for item in judged.placed)
    verdict = judged.verdict._replace(findings=findings, suggestions=())
    # Overrides are votes, which each run counts itself.
    return judged._replace(verdict=verdict, overridden=False)
