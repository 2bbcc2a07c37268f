"""The hand-over: the results of all steps of a run in the Action, as values. Pure.

No step trusts it blindly: a hand-over must be about the same head, from the same run (`nonce`),
under the same settings.

GitHub accepts a comment only on lines of a hunk, and a range only within one hunk. It refuses a
whole review because of one wrong place (docs.github.com, "Create a review for a pull request").
Fingerprints identify a finding after a push: line numbers and the wording of a model are not part
of them, since both change.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from typing import Annotated, NamedTuple

from .. import codec
from ..codec import Commit, Count, Fingerprint, Positive, Share, TypeName
from ..config.policy import CRITICAL, EXPERTISE, UNCERTAINTY, Deciders, Policy
from ..config.workflows import CHECK
from ..finding import FAIL_ON, SEVERITIES, Finding
from ..paths import APPROVALS
from ..verdict.approval_result import RESULTS, ApprovalResult, ReviewedFile
from ..verdict.earlier import Decline, EarlierRound
from ..verification.naming import short_name
from ..verification.result import (
    FAILED,
    KINDS,
    UNAPPROVED,
    UNMET,
    UNPROVEN,
    VERIFIED,
    WORDS,
    Expectation,
    VerificationResult,
)
from ..verification.result import (
    in_words as promise_in_words,
)
from .run_state import CarriedState
from .states import PENDING, Assessment, assess, in_words, person_requests

Hunks = tuple[tuple[int, int], ...]
"""First and last line of each hunk in the new version of a file."""

_HEADER = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class DiffPlace(NamedTuple):
    """Lines of a file in the diff. GitHub shows the comment below the last one."""

    path: str
    first: Positive
    last: Positive


def hunks(patch: bytes) -> Hunks:
    """Return the hunks of a patch of one file, as `git diff` writes it.

    A hunk that only deletes shows no line of the new version.
    """
    headers = ((int(match[1]), int(match[2] or b"1")) for match in _HEADER.finditer(patch))
    return tuple((start, start + count - 1) for start, count in headers if count)


def within(path: str, first: int, last: int, hunks: Iterable[tuple[int, int]]) -> DiffPlace | None:
    """Return the place of a finding; None if the diff does not show it.

    A range that leaves its hunk is cut to its first line.
    """
    for start, end in hunks:
        if start <= first <= end:
            return DiffPlace(path, first, last if first < last <= end else first)
    return None


_MARK = re.compile(r"<!-- helix:f=([0-9a-f]{16}) by=([a-z][a-z0-9-]*) -->\s*\Z")


def fingerprints(findings: Iterable[Finding], by: str) -> list[str]:
    """Return the fingerprint of each finding, in their order.

    It is a hash of source, rule, path, subject, and the number of equal ones before it.
    """
    numbers: Counter[str] = Counter()
    digests = []
    for finding in findings:
        identity = _identity(finding, by)
        numbers[identity] += 1
        # A path may not be valid UTF-8; git's bytes come back as surrogates.
        numbered = f"{identity}\0{numbers[identity]}".encode(errors="surrogateescape")
        digests.append(hashlib.sha256(numbered).hexdigest()[:16])
    return digests


def _identity(finding: Finding, by: str) -> str:
    return f"{by}\0{finding.check}\0{finding.path}\0{finding.about}"


def mark(fingerprint: str, by: str) -> str:
    """Return the mark at the end of our comment that names its finding and source to later runs."""
    return f"<!-- helix:f={fingerprint} by={by} -->"


def marked(body: str) -> tuple[str, str]:
    """Return the fingerprint and the source in the mark of a comment; "" and "" without a mark."""
    match = _MARK.search(body)
    if not match:
        return "", ""
    return match[1], match[2]


MOST_CLAIMED = 20
"""Maximum number of ADRs in a hand-over."""

MOST_LISTED = 10
"""Maximum number of listed promises of one ADR in a hand-over."""

_LONGEST = 200
_ORDER = (FAILED, UNMET, UNAPPROVED, UNPROVEN, VERIFIED)
"""From worst to best."""


class ClaimedPromise(NamedTuple):
    """A promise that is neither shown nor judged: its kind, subject and state, and the reason."""

    kind: Annotated[str, KINDS]
    subject: str
    state: Annotated[str, WORDS]
    reason: str


class ClaimedAdr(NamedTuple):
    """An ADR that the change claims to implement, with the state of its verification.

    `reason` explains a state of unapproved or failed. The numbers are those of its promises with
    each state. `first` are the first that are neither shown nor judged, missing ones first. The ADR
    counts against the change only if it `blocks`.
    """

    name: str
    path: str
    title: str
    state: Annotated[str, _ORDER]
    blocks: bool = True
    reason: str = ""
    shown: Count = 0
    judged: Count = 0
    present: Count = 0
    unchecked: Count = 0
    missing: Count = 0
    first: tuple[ClaimedPromise, ...] = ()

    @property
    def promises(self) -> int:
        """The number of all promises."""
        return sum(getattr(self, word) for word in WORDS)

    @property
    def counts(self) -> str:
        """The numbers of promises by state, as in "4 shown, 2 present"."""
        return promise_in_words({word: getattr(self, word) for word in WORDS})


def claimed_adr(result: VerificationResult, blocks: bool) -> ClaimedAdr:
    """Return a verification in the form of the hand-over."""
    numbers = Counter(item.state for item in result.expectations)
    return ClaimedAdr(
        name=_short(short_name(result.adr_id, result.path)),
        path=_as_utf8(result.path),
        # The number of the ADR is in its name already.
        title=_short(re.sub(r"^\d+\s*[.:)-]\s*", "", result.title)),
        state=result.state,
        blocks=blocks,
        reason=_short(result.reason),
        **{word: numbers[word] for word in WORDS},
        first=tuple(map(_promise, (*result.missing, *result.open)))[:MOST_LISTED],
    )


def worst_first(claimed: list[ClaimedAdr]) -> list[ClaimedAdr]:
    """Return the claimed ADRs: first those that block the change, each group worst first."""
    return sorted(claimed, key=lambda item: (not item.blocks, _ORDER.index(item.state)))


def _promise(item: Expectation) -> ClaimedPromise:
    return ClaimedPromise(item.kind, _short(item.subject), item.state, _short(item.reason))


def _short(text: str) -> str:
    text = _as_utf8(text)
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - 1]}…"


def _as_utf8(text: str) -> str:
    """Return a text that JSON can hold: the name of a file in git may be invalid UTF-8."""
    return text.encode(errors="replace").decode()


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
