"""What one step of the Action hands to the next: one JSON file, bound to the commit, to the settings, and to the run by its nonce.

A step that reads it takes nothing on trust: it must fit `schemas/handover.json` and be about the same head, in the same run.
"""

from typing import Any, NamedTuple

from ..approval.decision import Decision, decide
from ..approval.people import Deciders
from ..approval.verdict import AgentContext, ApprovalResult
from ..finding import Finding
from .kept import Kept
from .place import Place

VERSION = 1
LARGEST_GRAPH = 20_000
"""Characters of a picture that is handed on."""


class Subject(NamedTuple):
    """What a run is about: `head` is judged by the settings of `base`, the tip of the branch `base_ref`; `merge_base` is where the two parted.

    `settings` is a hash of what the gate goes by at the base, "" while nobody has looked. `merges` says that `head` is not the pull request's
    own, but what a merge queue would put on the base. Of a `draft` no judge is asked, nor of what comes
    from a fork, unless somebody starts the run by hand.
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


RULES, INDICATORS = "rules", "indicators"


class Said(NamedTuple):
    """A finding, how it is known again, where the diff shows it (None for nowhere), and by whom: RULES, INDICATORS or an approval type."""

    finding: Finding
    fingerprint: str
    place: Place | None = None
    by: str = RULES


class Judged(NamedTuple):
    """The verdict of one approval type with the confidence that is asked for, and its findings with their places."""

    verdict: ApprovalResult
    floor: float
    said: tuple[Said, ...] = ()

    def decision(self, indicators: tuple[Finding, ...]) -> Decision:
        return decide(self.verdict, self.floor, indicators)


class Handover(NamedTuple):
    """All that the steps have found so far.

    `failure` is an exit code and a message, where a step could not do its work. `adrs` is the number of ADRs checked, `applies` whether the
    change touches anything that the gate watches. `judge` says why no judge was asked: "" where none was needed or one has answered, None
    before that step. `protected` are changed paths about which a person decides, `budget` is what may be spent on the pull request (US
    dollars, None for no limit), and `kept` is what the next run is left. `graph` is a picture of the decisions, in Mermaid.
    """

    subject: Subject
    failure: tuple[int, str] | None = None
    applies: bool = False
    adrs: int = 0
    fail_on: str = "error"
    said: tuple[Said, ...] = ()
    skipped: tuple[str, ...] = ()
    judge: str | None = None
    judged: tuple[Judged, ...] = ()
    stated: tuple[tuple[str, str, str], ...] = ()
    indicators: tuple[Said, ...] = ()
    protected: tuple[str, ...] = ()
    deciders: Deciders = Deciders()
    budget: float | None = None
    kept: Kept = Kept()
    graph: str = ""

    @property
    def cost(self) -> float:
        """What the judges of this run took, in US dollars, as far as they say it."""
        return sum(item.verdict.agent_context.cost_usd or 0 for item in self.judged)

    @property
    def looked(self) -> set[str]:
        """Who has looked at the change this time: of the others, what they said before still stands."""
        judged = {item.verdict.approval_type for item in self.judged if not item.verdict.failed}
        return set() if self.failure or not self.subject.settings else {RULES, *({INDICATORS} if self.judged or self.stated else ()), *judged}


def payload(given: Handover) -> dict[str, Any]:
    """As it is written."""
    return {
        "version": VERSION,
        **given.subject._asdict(),
        "failure": None if given.failure is None else {"exit": given.failure[0], "message": given.failure[1]},
        "applies": given.applies,
        "adrs": given.adrs,
        "fail_on": given.fail_on,
        "findings": [_said(item) for item in given.said],
        "skipped": list(given.skipped),
        "judge": given.judge,
        "judged": [_judged(item) for item in given.judged],
        "stated": [{"approval_type": name, "result": result, "reason": reason} for name, result, reason in given.stated],
        "indicators": [_said(item) for item in given.indicators],
        "protected": list(given.protected),
        "deciders": given.deciders._asdict(),
        "budget": given.budget,
        "kept": given.kept._asdict(),
        "graph": given.graph,
    }


def _said(given: Said) -> dict[str, Any]:
    place = given.place and {"first": given.place.first, "last": given.place.last}
    return {**given.finding._asdict(), "fingerprint": given.fingerprint, "place": place, "by": given.by}


def _judged(given: Judged) -> dict[str, Any]:
    verdict = given.verdict
    return {
        **verdict._asdict(),
        "findings": [_said(item) for item in given.said],
        "files": [{"path": path, "hash": hash} for path, hash in verdict.files],
        "recommendations": list(verdict.recommendations),
        "agent_context": verdict.agent_context._asdict(),
        "required_confidence": given.floor,
    }


def read(data: dict[str, Any]) -> Handover:
    """What was written, from JSON that fits the schema."""
    subject = Subject(*(data[name] for name in Subject._fields))
    failure = data["failure"] and (data["failure"]["exit"], data["failure"]["message"])
    return Handover(
        subject, failure, data["applies"], data["adrs"], data["fail_on"], _all_said(data["findings"]), tuple(data["skipped"]), data["judge"],
        tuple(_read_judged(item) for item in data["judged"]),
        tuple((item["approval_type"], item["result"], item["reason"]) for item in data["stated"]), _all_said(data["indicators"]),
        tuple(data["protected"]), _deciders(data["deciders"]), data["budget"], Kept(**data["kept"]), data["graph"],
    )  # fmt: skip


def _deciders(data: dict[str, Any]) -> Deciders:
    return Deciders(data["minimum"], tuple(data["roles"]), tuple(data["users"]))


def _all_said(data: list[dict[str, Any]]) -> tuple[Said, ...]:
    return tuple(_read_said(item) for item in data)


def _read_said(data: dict[str, Any]) -> Said:
    finding = Finding(**{name: data[name] for name in Finding._fields})
    return Said(finding, data["fingerprint"], data["place"] and Place(finding.path, data["place"]["first"], data["place"]["last"]), data["by"])


def _read_judged(data: dict[str, Any]) -> Judged:
    said = _all_said(data["findings"])
    fields = {name: data[name] for name in ApprovalResult._fields}
    own = {
        "findings": tuple(item.finding for item in said),
        "files": tuple((item["path"], item["hash"]) for item in data["files"]),
        "recommendations": tuple(data["recommendations"]),
        "agent_context": AgentContext(**data["agent_context"]),
    }
    return Judged(ApprovalResult(**{**fields, **own}), data["required_confidence"], said)
