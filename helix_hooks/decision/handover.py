"""What one step of the Action hands to the next: one JSON file, bound to the commit, to the settings, and to the run by its nonce.

A step that reads it takes nothing on trust: it must fit `schemas/handover.json` and be about the same head, in the same run.
"""

from typing import Any, NamedTuple

from ..config.autonomy import CRITICAL, UNCERTAINTY
from ..config.policy import Deciders, Expiry, Policy
from ..finding import SEVERITIES, Finding
from ..paths import APPROVALS
from ..verdict.verdict import AgentContext, ApprovalResult
from .assess import Assessment, assess, in_words
from .placement import Place
from .run_state import Kept, Objection, Tampering
from .states import PENDING

VERSION = 1
LARGEST_GRAPH = 20_000
"""Characters of a picture that is handed on."""

MOST_FILES = 50
"""Files that are handed on with their hashes."""


LINKED = "+links"
"""Behind the hash of settings that links lead to, so that a change of any file may be one of the settings."""


class Subject(NamedTuple):
    """What a run is about: `head` is judged by the settings of `base`, the tip of the branch `base_ref`; `merge_base` is where the two parted.

    `settings` is a hash of what the gate goes by at the base, "" while nobody has looked, with LINKED behind it where links lead to it.
    `content` is one of the changed files that it watches. `merges` says that `head` is not the pull request's
    own, but what a merge queue would put on the base. Of a `draft` no judge is asked, nor of what comes
    from a fork, unless somebody starts the run by hand. `approvals` is the folder of rubrics and briefs.
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


class Said(NamedTuple):
    """A finding, how it is known again, where the diff shows it (None for nowhere), and by whom: RULES, INDICATORS or an approval type."""

    finding: Finding
    fingerprint: str
    place: Place | None = None
    by: str = RULES


class Judged(NamedTuple):
    """The verdict of one approval type with the confidence that is asked for, and its findings with their places. `overridden` says that a
    person has overridden all errors of a verdict that does not approve: then it is for a person to approve.
    """

    verdict: ApprovalResult
    floor: float
    said: tuple[Said, ...] = ()
    overridden: bool = False

    def assessment(self, indicators: tuple[Finding, ...]) -> Assessment:
        """Return what the verdict means by itself; overridden errors are for a person to approve."""
        if self.overridden:
            signs = tuple(map(in_words, indicators))
            what = f"the judge says {self.verdict.result}, and what it found was overridden"
            return Assessment(PENDING, (what, *signs), CRITICAL if signs else UNCERTAINTY)
        return assess(self.verdict, self.floor, indicators)


BASE, CHANGE = "base", "change"
SETTINGS_BROKEN = "settings-broken"
"""What an error of the settings is called among findings."""


class Broken(NamedTuple):
    """An error of the settings, with its file, line and keys: on which `side` (BASE, CHANGE), and what to do about it."""

    side: str
    error: str
    advice: str


class Repair(NamedTuple):
    """A change that only repairs the broken settings of its base: the files that it touches, the errors that it takes away, and whose policy
    says who decides.
    """

    files: tuple[str, ...]
    errors: tuple[str, ...]
    whose: str


class ChangedAdr(NamedTuple):
    """An ADR that the change adds or edits: what people call it, its status at the head, and which ADRs it supersedes."""

    path: str
    name: str
    title: str
    status: str
    supersedes: tuple[str, ...] = ()


class Handover(NamedTuple):
    """All that the steps have found so far.

    `failure` is an exit code and a message, where a step could not do its work. `adrs` is the number of ADRs checked, `applies` whether the
    change touches anything that the gate watches. `judge` says why no judge was asked: "" where none was needed or one has answered, None
    before that step. `protected` are changed paths about which a person decides, `asks` approval types with the action of the autonomy matrix
    for which a person is asked, and `kept` is what the next run is left. `graph` is a picture of the decisions, in Mermaid. `files` are the
    changed files that the gate watches, as far as they are listed, each with git's name of its content ("" for a deleted one), and `changed`
    the first of the ADRs among them. `broken` says more of settings that are a `failure`, and `repair` that the change is one, about which a
    person decides and no judge is asked. `loosened` are the ways in which the change makes
    rules, rubric and policy milder, in words.
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
    asks: tuple[tuple[str, str], ...] = ()
    policy: Policy = Policy()
    kept: Kept = Kept()
    graph: str = ""
    files: tuple[tuple[str, str], ...] = ()
    files_left_out: int = 0
    broken: tuple[Broken, ...] = ()
    repair: Repair | None = None
    changed: tuple[ChangedAdr, ...] = ()
    loosened: tuple[str, ...] = ()
    protected_left_out: int = 0

    @property
    def cost(self) -> float:
        """What the judges of this run took, in US dollars, as far as they say it."""
        return sum(item.verdict.agent_context.cost_usd or 0 for item in self.judged)

    @property
    def findings(self) -> tuple[Said, ...]:
        """All of them, the worst first, the judges' behind the rules'."""
        found = (*self.said, *self.indicators, *(item for judged in self.judged for item in judged.said if item.finding.path))
        return tuple(sorted(found, key=lambda item: SEVERITIES.index(item.finding.severity)))

    @property
    def types(self) -> tuple[str, ...]:
        """The approval types that this run knows of."""
        return tuple(dict.fromkeys((*(item.verdict.approval_type for item in self.judged), *(item[0] for item in (*self.stated, *self.asks)))))

    @property
    def read(self) -> tuple[str, ...]:
        """The files that judges have read; one that is said to be unread is none of them."""
        unread = {text.partition(": ")[0] for text in self.skipped}
        paths = (path for judged in self.judged for path, _ in judged.verdict.files)
        return tuple(path for path in dict.fromkeys(paths) if path not in unread)

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
        "asks": [{"approval_type": name, "action": action} for name, action in given.asks],
        "policy": _policy(given.policy),
        "kept": given.kept._asdict(),
        "graph": given.graph,
        "changed": [{**item._asdict(), "supersedes": list(item.supersedes)} for item in given.changed],
        "files": [{"path": path, "hash": hash} for path, hash in given.files],
        "files_left_out": given.files_left_out,
        "broken": [item._asdict() for item in given.broken],
        "repair": given.repair and given.repair._asdict(),
        "loosened": list(given.loosened),
        "protected_left_out": given.protected_left_out,
    }


def _policy(given: Policy) -> dict[str, Any]:
    about = {"deadlines": dict(given.deadlines), "expiry": given.expiry._asdict(), "deciders": given.deciders._asdict()}
    return {**given._asdict(), **about, "protected": []}


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
        tuple(data["protected"]), tuple((item["approval_type"], item["action"]) for item in data["asks"]), _read_policy(data["policy"]),
        _read_kept(data["kept"]), data["graph"], tuple((item["path"], item["hash"]) for item in data.get("files", ())),
        data.get("files_left_out", 0), tuple(Broken(**item) for item in data["broken"]), _read_repair(data["repair"]),
        tuple(_read_changed(item) for item in data.get("changed", ())),
        tuple(data.get("loosened", ())), data.get("protected_left_out", 0),
    )  # fmt: skip


def _read_repair(data: dict[str, Any] | None) -> Repair | None:
    return Repair(tuple(data["files"]), tuple(data["errors"]), data["whose"]) if data else None


def _read_changed(data: dict[str, Any]) -> ChangedAdr:
    return ChangedAdr(**{**data, "supersedes": tuple(data["supersedes"])})


def _read_policy(data: dict[str, Any]) -> Policy:
    about = data["deciders"]
    names = {name: tuple(about[name]) for name in ("roles", "users", "teams")}
    own = {
        "deciders": Deciders(**{**about, **names}),
        "overrides": tuple(data["overrides"]),
        "protected": (),
        "deadlines": tuple(data["deadlines"].items()),
        "expiry": Expiry(data["expiry"]["action"], tuple(data["expiry"]["to"])),
    }
    return Policy(**{**data, **own})


def _read_kept(data: dict[str, Any]) -> Kept:
    lists = {"objections": tuple(Objection(*item) for item in data["objections"]), "tampered": tuple(Tampering(*item) for item in data["tampered"])}
    return Kept(**{**data, **lists})


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
