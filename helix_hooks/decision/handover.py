"""The hand-over: all that the steps of a run in the Action have found, as values.

A step takes nothing on trust: a hand-over must be about the same head, in the same run (`nonce`),
by the same settings.
"""

from typing import NamedTuple

from ..config.autonomy import CRITICAL, EXPERTISE, UNCERTAINTY
from ..config.policy import Deciders, Policy
from ..finding import SEVERITIES, Finding
from ..paths import APPROVALS
from ..verdict.earlier import Decline, EarlierRound
from ..verdict.verdict import ApprovalResult
from .assess import Assessment, assess, in_words, of_judge
from .claimed import ClaimedAdr
from .placement import DiffPlace
from .run_state import CarriedState
from .states import PENDING

VERSION = 1
LARGEST_GRAPH = 20_000
"""Maximum characters of the picture of decisions in a hand-over."""

MOST_FILES = 50
"""Maximum number of files with their hashes in a hand-over."""

LINKED = "+links"
"""Follows the hash of settings that links lead to: then a change of any file may be one of the
settings.
"""


class RunTarget(NamedTuple):
    """The commits that a run is about, and by which settings it goes.

    `head` is judged by the settings of `base`, the tip of the branch `base_ref`; both share
    `merge_base`. `settings` is a hash of the settings at the base, "" before they are read; LINKED
    follows it where links lead to them. `content` is a hash of the changed files that the gate
    watches. `merges` says that `head` is what a merge queue would put on the base, and not the pull
    request's own. For a `draft`, and for a change from a fork, a judge runs only if somebody starts
    the run by hand. `approvals` is the folder of rubrics and briefs.
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

    The source `by` is RULES, INDICATORS or an approval type. `suggestion` is a text that a judge
    proposes for the lines of its place, "" for none. `decline` is the author's reply to it.
    """

    finding: Finding
    fingerprint: str
    place: DiffPlace | None = None
    by: str = RULES
    suggestion: str = ""
    decline: Decline | None = None


class Judged(NamedTuple):
    """The verdict of one approval type, its confidence floor, and its findings with their places.

    `overridden` says that a person has overridden all errors of a verdict that does not approve.
    Then it is for a person to approve.
    """

    verdict: ApprovalResult
    floor: float
    placed: tuple[PlacedFinding, ...] = ()
    overridden: bool = False

    def assessment(self, indicators: tuple[Finding, ...]) -> Assessment:
        """Return what the verdict means by itself."""
        if not self.overridden:
            return assess(self.verdict, self.floor, indicators)
        signs = tuple(map(in_words, indicators))
        reason = f"the judge says {self.verdict.result}, and what it found was overridden"
        asked = of_judge(self.verdict)
        category = EXPERTISE if asked else UNCERTAINTY
        return Assessment(PENDING, (reason, *signs, *asked), CRITICAL if signs else category)


BASE, CHANGE = "base", "change"
SETTINGS_BROKEN = "settings-broken"
"""The name of an error in the settings among findings."""


class Broken(NamedTuple):
    """An error in the settings, with file, line and keys: its `side` (BASE, CHANGE), and how to fix
    it.
    """

    side: str
    error: str
    advice: str


class Repair(NamedTuple):
    """A change that only repairs the broken settings of its base.

    `files` are those that it touches, `errors` those that it removes, and `whose` says by whose
    policy a person decides.
    """

    files: tuple[str, ...]
    errors: tuple[str, ...]
    whose: str


class ChangedAdr(NamedTuple):
    """An ADR that the change adds or edits: its name, title and status, and the ADRs that it
    supersedes.
    """

    path: str
    name: str
    title: str
    status: str
    supersedes: tuple[str, ...] = ()


class Handover(NamedTuple):
    """All that the steps have found so far.

    `failure` is an exit code and a message, where a step failed; `broken` says more of broken
    settings. `applies` says that the change touches anything that the gate watches. `adrs` is the
    number of ADRs checked.

    `rule_findings` are those of the deterministic rules, `indicators` signs that someone steers the
    judge. `judged` are verdicts; `unjudged` are approval types without a judge, each with a result
    and the reason. `no_judge` says why no judge ran: "" where none was needed or one has answered,
    None before that step. `asks` are approval types with the action of the autonomy matrix for
    which a person is asked.

    `files` are changed files that the gate watches, each with git's name of its content ("" for a
    deleted one), `changed` the first of the ADRs among them, `protected` the paths about which a
    person decides, and `graph` a picture of the decisions in Mermaid. `loosened` says in words how
    the change relaxes rules, rubric and policy. For a `repair` a person decides, and no judge is
    asked.

    `claims` are the ids of ADRs that the pull request's text and commits claim to implement, and
    `claimed` what the verification of all claims found, the worst first.

    `earlier` are the last rounds of judges on this pull request, with the replies that the judges
    of this run were told, and what they say of each finding. `is_requested`: a person who may has
    asked for this run, so that rounds do not count.

    `agents` are the coding agents that wrote part of the change, where the policy asks more of
    that. `carried` is the state that the next run reads.
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
        """The deciders about this change, of whom more must approve what agents wrote."""
        return self.policy.deciders_about(by_agents=bool(self.agents))

    @property
    def cost(self) -> float:
        """The cost of the judges of this run in US dollars, as far as they report it."""
        return sum(item.verdict.agent_context.cost_usd or 0 for item in self.judged)

    @property
    def findings(self) -> tuple[PlacedFinding, ...]:
        """All findings, the worst first; those of judges come after those of rules."""
        of_judges = (item for judged in self.judged for item in judged.placed if item.finding.path)
        findings = (*self.rule_findings, *self.indicators, *of_judges)
        return tuple(sorted(findings, key=lambda item: SEVERITIES.index(item.finding.severity)))

    @property
    def types(self) -> tuple[str, ...]:
        """The approval types that this run knows of."""
        judged = (item.verdict.approval_type for item in self.judged)
        others = (name for name, *_ in (*self.unjudged, *self.asks))
        return tuple(dict.fromkeys((*judged, *others)))

    @property
    def read(self) -> tuple[str, ...]:
        """The files that judges have read, without those that are reported as unread."""
        unread = {text.partition(": ")[0] for text in self.skipped}
        paths = (path for judged in self.judged for path, _ in judged.verdict.files)
        return tuple(path for path in dict.fromkeys(paths) if path not in unread)

    @property
    def looked(self) -> set[str]:
        """The sources of findings that have looked at the change in this run; older findings of
        others stand.
        """
        if self.failure or not self.target.settings:
            return set()
        judges = {item.verdict.approval_type for item in self.judged if not item.verdict.failed}
        signs = {INDICATORS} if self.judged or self.unjudged else set()
        return {RULES, *signs, *judges}
