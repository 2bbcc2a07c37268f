"""The words of tests/cases/decisions/table.txt as frozen values; the head of that file says what each of them means."""

import hashlib
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from helix_hooks.config.policy import (
    BLOCK,
    CATEGORIES,
    AgentPolicy,
    Deciders,
    Delegate,
    Expiry,
    Policy,
    asks,
)
from helix_hooks.config.policy import HEAD as HOLDS_FOR_HEAD
from helix_hooks.decision.decide import Decision, decide, of_pull_request
from helix_hooks.decision.handover import (
    Ask,
    ClaimedAdr,
    Failure,
    Handover,
    Judged,
    PlacedFinding,
    RunTarget,
    Unjudged,
)
from helix_hooks.decision.pull_request import Comment, Commit, Person, PullRequest, Review, Status
from helix_hooks.decision.run_state import CarriedState, Objection, Tampering
from helix_hooks.decision.votes import count_votes, effective_votes
from helix_hooks.decision.who_may import VoterFacts
from helix_hooks.finding import Finding
from helix_hooks.verdict.approval_result import (
    APPROVED,
    NEEDS_REVISION,
    REJECTED,
    SKIPPED,
    AgentContext,
    ApprovalResult,
)
from tests.conftest import ROOT

TABLE = ROOT / "tests" / "cases" / "decisions" / "table.txt"
ASKED = 1_700_000_000
"""When people were first asked; all times of the table count from here."""

HEAD, OLD, SAME, OTHER, NEXT = "a1b2c3d" + "0" * 33, "0d" * 20, "5a" * 20, "07" * 20, "c" * 40
CONTENT = "f" * 64
COMMITS = {
    "head": HEAD[:7], "HEAD": HEAD[:7].upper(), "full": HEAD, "six": HEAD[:6], "none": "", "old": OLD[:7], "same": SAME[:7], "other": OTHER[:7],
    "beyond": HEAD[:7] + "f",
}  # fmt: skip
CAST = {
    name: Person(login, number, login.endswith("[bot]"))
    for number, (name, login) in enumerate(
        [("alice", "alice"), ("bob", "bob"), ("cora", "cora"), ("max", "max"), ("mia", "mia"), ("nils", "nils"), ("tom", "tom"), ("eve", "eve"),
         ("tim", "tim"), ("zoe", "zoe"), ("ci", "ci[bot]")], 1)
}  # fmt: skip
ROLES = {"alice": "admin", "bob": "admin", "cora": "maintain", "max": "maintain", "mia": "admin", "nils": "maintain", "tom": "read", "eve": "write",
         "tim": "triage", "ci[bot]": "admin"}  # fmt: skip
TRAILER = "Co-authored-by: Bob <2+bob@users.noreply.github.com>"
WRITTEN = (
    Commit((CAST["alice"],), ("alice@example.org",), f"a change\n\n{TRAILER}"),
    Commit((CAST["cora"],), (), "a fixup"),
)
TEAM = "acme/architects"

_UNITS = {"": 1, "m": 60, "h": 3600, "d": 86400}
_VOTE = re.compile(
    r"(?P<who>[a-z]+)(?P<what>\+\w+|-(?:mute)?|!\w+(?::\w+)?|\[\+\w+\]|\[[-x.]\])(?: for (?P<types>[a-z,]+))?(?: (?P<fate>edited|gone))?(?:@(?P<at>\S+))?"
)
_STATES = {"[+": "APPROVED", "[-": "CHANGES_REQUESTED", "[x": "DISMISSED", "[.": "COMMENTED"}


class Row(NamedTuple):
    """A line of the table; `bug` says why the program does not do so yet."""

    section: str
    number: int
    policy: str
    found: str
    votes: str
    now: str
    state: str
    code: str
    why: str
    bug: str = ""


def rows(text: str) -> Iterator[Row]:
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            section = line[3:]
        elif line and not line.startswith("#"):
            yield Row(section, number, *(cell.strip() for cell in line.split("|")))


class Facts(NamedTuple):
    """All that a decision rests on."""

    given: Handover
    pull: PullRequest
    known: VoterFacts
    now: int

    def decided(self) -> Decision:
        return decide(
            of_pull_request(
                self.given,
                self.pull,
                effective_votes(count_votes(self.given, self.pull, self.known)),
                self.now,
            )
        )


def facts(row: Row) -> Facts:
    policy, words = policy_of(row.policy), row.found.split()
    given, pull = (
        handover(words, policy),
        PullRequest(7, CAST["alice"], HEAD, "b" * 40, True, base_ref="main", now=ASKED),
    )
    reviews, comments, remembered = said(row.votes)
    given = given._replace(carried=given.carried._replace(objections=remembered))
    pull = pull._replace(reviews=reviews, comments=comments, status=_status(words))
    pull = pull._replace(
        head=NEXT if "moved" in words else HEAD,
        base_ref="mild" if "retargeted" in words else "main",
    )
    unread = "team-unread" in words
    members = frozenset({"tom"} if TEAM in policy.deciders.teams and not unread else set())
    contents = {
        **dict.fromkeys((SAME, SAME[:7]), CONTENT),
        **dict.fromkeys((OTHER, OTHER[:7]), "e" * 64),
    }
    known = VoterFacts(
        ROLES, WRITTEN, "unlisted" not in words, members, (TEAM,) if unread else (), contents
    )
    return Facts(given, pull, known, ASKED + seconds("1h" if row.now == "-" else row.now))


def seconds(text: str) -> int:
    """`90`, `24h`, `24h-1`: one second less."""
    found = re.fullmatch(r"(\d+)([mhd]?)([+-]\d+)?", text)
    assert found, f"{text!r} is no time"
    return int(found[1]) * _UNITS[found[2]] + int(found[3] or 0)


def policy_of(text: str) -> Policy:
    given: dict[str, str] = dict(word.split("=") for word in text.split()) if text != "-" else {}
    roles, users, teams, overrides = (
        _names(given.get(key, "")) for key in ("roles", "users", "teams", "overrides")
    )
    deciders = Deciders(
        int(given.get("min", "1")),
        sole=given.get("sole", ""),
        delegates=tuple(map(delegate, _names(given.get("delegates", "")))),
    )
    return Policy(
        autonomy=given.get("level", ""),
        deciders=deciders._replace(roles=roles, users=users, teams=teams)
        if given.keys() & {"roles", "users", "teams"}
        else deciders,
        holds_for=given.get("holds", HOLDS_FOR_HEAD),
        overrides=overrides,
        deadlines={
            category: seconds(given[category]) for category in CATEGORIES if category in given
        },
        expiry=Expiry(given.get("then", BLOCK), ("mia",)),
        budget=float(given["budget"]) if "budget" in given else None,
        agents=AgentPolicy(int(given.get("agents", "0"))),
        soft_budget=float(given["soft"]) if "soft" in given else None,
    )


def delegate(text: str) -> Delegate:
    """`max>eve`, on the day when people were asked; `max>eve:next` the day after, `max>eve:past` the two before."""
    people, _, days = text.partition(":")
    since, until = {
        "": ("2023-11-14", "2023-11-14"),
        "next": ("2023-11-15", "2023-11-15"),
        "past": ("2023-11-12", "2023-11-13"),
    }[days]
    giver, to = people.split(">")
    return Delegate(giver, to, since, until)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name not in ("", "none"))


def fingerprint(name: str) -> str:
    """Of a finding that the table names; `twin` begins as `missing` does, and nothing is called `nothing`."""
    digest = hashlib.sha256(name.removeprefix("twin").encode() or b"missing").hexdigest()
    return digest[:8] + digest[-8:] if name == "twin" else digest[:16]


def finding(name: str, severity: str, check: str, by: str = "rules") -> PlacedFinding:
    layer = "structure" if by == "rules" else "agent"
    return PlacedFinding(
        Finding(
            severity,
            check,
            layer,
            f"this is {name}",
            "docs/adr/0001.md",
            question=check == "gate-relaxed",
        ),
        fingerprint(name),
        None,
        by,
    )


_RULES = {
    "missing": ("error", "section-missing"), "twin": ("error", "section-missing"), "tools": ("error", "tools-need-cli"),
    "short": ("warning", "section-too-short"), "note": ("info", "section-missing"), "relaxed": ("error", "gate-relaxed"),
}  # fmt: skip
_CLAIMS = {
    "unmet": ("unmet", True), "unmet-shown": ("unmet", False), "unproved": ("failed", True), "unaccepted": ("unapproved", True), "new": ("unapproved", False),
    "unseen": ("unproven", True), "done": ("verified", True),
}  # fmt: skip
"""States of an ADR that the change claims to implement, and whether they count against it."""

_VERDICTS = {
    "ok": (APPROVED, 0.95, "passed", ()), "unsure": (APPROVED, 0.5, "passed", ()), "floor": (APPROVED, 0.85, "passed", ()),
    "unfit": (APPROVED, 0.95, "not_applicable", ()), "revise": (NEEDS_REVISION, 0.95, "failed", (("thin", "warning"), ("dull", "warning"))),
    "asks": (APPROVED, 0.95, "passed", ()), "asks-unsure": (APPROVED, 0.5, "passed", ()), "asks-revise": (NEEDS_REVISION, 0.95, "failed", (("thin", "warning"),)),
    "reject": (REJECTED, 0.95, "failed", (("vague", "error"),)), "reject2": (REJECTED, 0.95, "failed", (("vague", "error"), ("wrong", "error"))),
}  # fmt: skip
_STATED = {
    "blanks": (SKIPPED, "only blanks were changed"),
    "doubt": (REJECTED, "only blanks were changed, and a person decides"),
}
_UNJUDGED = {
    "no-judge": "the judge is not configured: there is no key of a model, such as anthropic-api-key", "draft": "this is a draft; the judge is asked when it is ready for review",
    "fork": "this comes from a fork; the judge runs after a person with write access comments `/helix review`",
    "rounds": "adr was rejected in 5 rounds (policy.max_rounds: 5), so a person decides",
    "spent": "the budget of $5.00 for a pull request is used up ($6.00 so far)",
}  # fmt: skip
_FAILURES = {
    "broken": Failure(2, "config/approvals.yaml:3: a key that nobody knows"),
    "unreachable": Failure(3, "GitHub could not be reached"),
}
_OTHERS = ("hidden", "protected", "unjudged", "unchecked", "nothing", "moved", "retargeted", "queue", "green", "red", "fail-on-warning", "fail-on-never",
           "unlisted", "team-unread", "escalated", "lost", "by-agent")  # fmt: skip


def handover(words: list[str], policy: Policy) -> Handover:
    judged = [
        word.partition("=") for word in words if "=" in word and not word.startswith("tampered")
    ]
    plain = {word for word in words if "=" not in word}
    assert plain <= {*_RULES, *_CLAIMS, *_UNJUDGED, *_FAILURES, *_OTHERS}, (
        f"no words of the table: {plain}"
    )
    answers = [(name, *answer.partition(",")[::2]) for name, _, answer in judged]
    subject = RunTarget("acme/decisions", 7, HEAD, "b" * 40, "b" * 40, "0" * 32, "" if "unchecked" in plain else "5" * 64, "queue" in plain, "draft" in plain,
                      "fork" in plain, "main", CONTENT)  # fmt: skip
    return Handover(
        subject,
        failure=next((_FAILURES[word] for word in words if word in _FAILURES), None),
        applies="nothing" not in plain,
        adrs=1,
        fail_on=next(
            (word.removeprefix("fail-on-") for word in words if word.startswith("fail-on-")),
            "error",
        ),
        rule_findings=tuple(finding(word, *_RULES[word]) for word in words if word in _RULES),
        no_judge=next(
            (_UNJUDGED[word] for word in words if word in _UNJUDGED),
            None if "unjudged" in plain else "",
        ),
        judged=tuple(
            _verdict(name, answer) for name, answer, _ in answers if answer not in _STATED
        ),
        unjudged=tuple(
            Unjudged(name, *_STATED[answer]) for name, answer, _ in answers if answer in _STATED
        ),
        indicators=(finding("hidden", "warning", "hidden-text", "indicators"),)
        if "hidden" in plain
        else (),
        protected=(".github/workflows/helix.yml",) if "protected" in plain else (),
        asks=tuple(
            Ask(name, action)
            for name, _, action in answers
            if action and asks(action, policy.autonomy)
        ),
        policy=policy,
        agents=("Claude",) if "by-agent" in plain else (),
        claimed=tuple(_claimed(*_CLAIMS[word]) for word in words if word in _CLAIMS),
        carried=CarriedState(
            6 if "spent" in plain else 0,
            since=ASKED,
            tampered=_tampered(words),
            escalated="escalated" in plain,
            unkept=2 if "lost" in plain else 0,
        ),
    )


def _claimed(state: str, blocks: bool) -> ClaimedAdr:
    if state in ("unapproved", "failed"):
        return ClaimedAdr("ADR-014", "docs/adr/0014.md", "Use Kafka", state, blocks, "no history")
    return ClaimedAdr(
        name="ADR-014",
        path="docs/adr/0014.md",
        title="Use Kafka",
        state=state,
        blocks=blocks,
        shown={"unproven": 0, "unmet": 7}.get(state, 9),
        missing=2 if state == "unmet" else 0,
        unchecked=9 if state == "unproven" else 0,
    )


def _verdict(name: str, answer: str) -> Judged:
    context = AgentContext("claude")
    if answer == "timeout":
        failed = Finding("error", "timeout", "agent", "the judge had no answer", "")
        given = ApprovalResult("0" * 8, name, REJECTED, 0, "", (failed,), {}, (), (), "", context)
        return Judged(given, 0.85, (PlacedFinding(failed, fingerprint("timeout"), None, name),))
    result, confidence, outcome_of_brief, found = _VERDICTS[answer]
    of_type = "" if name == "adr" else f"{name}_"
    items = tuple(
        finding(f"{of_type}{item}", severity, "completeness", name) for item, severity in found
    )
    checks = {"completeness": outcome_of_brief}
    return Judged(
        ApprovalResult(
            "0" * 8,
            name,
            result,
            confidence,
            "",
            tuple(item.finding for item in items),
            checks,
            (),
            (),
            "",
            context,
            needs_person="is it worth it?" if answer.startswith("asks") else "",
        ),
        0.85,
        items,
    )


def _tampered(words: list[str]) -> tuple[Tampering, ...]:
    found = [
        word.removeprefix("tampered=").split("@") for word in words if word.startswith("tampered=")
    ]
    return tuple(
        Tampering(900, ASKED + seconds(at), CAST[name].id, CAST[name].login, "mallory")
        for name, at in found
    )


def _status(words: list[str]) -> Status | None:
    conclusions = {"green": "success", "red": "failure"}
    return next((Status(1, conclusions[word], "") for word in words if word in conclusions), None)


def said(votes: str) -> tuple[tuple[Review, ...], tuple[Comment, ...], tuple[Objection, ...]]:
    """Reviews, comments, and objections whose comments are no more."""
    reviews: list[Review] = []
    comments: list[Comment] = []
    remembered: list[Objection] = []
    for number, text in enumerate(votes.split(", ") if votes != "-" else (), 1):
        found = _VOTE.fullmatch(text)
        assert found, f"{text!r} is no vote"
        by, what = CAST[found["who"]], found["what"]
        at = ASKED + (seconds(found["at"]) if found["at"] else number)
        if what.startswith("["):
            commit = {"head": HEAD, "old": OLD, "same": SAME, "other": OTHER, "none": ""}[
                what[2:-1] or "head"
            ]
            reviews.append(Review(number, by, _STATES[what[:2]], commit, at))
        elif found["fate"] == "gone":
            remembered.append(Objection(number, at, by.id, by.login))
        else:
            comments.append(
                Comment(number, by, _line(what, found["types"]), at, found["fate"] == "edited")
            )
    return tuple(reviews), tuple(comments), tuple(remembered)


def _line(what: str, types: str | None) -> str:
    about = f" for {types}" if types else ""
    if what.startswith("+"):
        return f"/helix approve {COMMITS[what[1:]]}{about}"
    if what.startswith("-"):
        return f"/helix reject{about}{'' if what == '-mute' else ' because'}"
    name, _, how = what[1:].partition(":")
    commit, words = ("head", "") if how == "mute" else (how or "head", " it is a false alarm")
    return f"/helix override {fingerprint(name)[:8]} {COMMITS[commit]}{words}"


def aligned(text: str) -> str:
    """The table with its columns under each other, section by section."""
    lines = text.splitlines()
    ends = [0, *(number for number, line in enumerate(lines) if line.startswith("## ")), len(lines)]
    return (
        "\n".join(line for start, stop in pairwise(ends) for line in _aligned(lines[start:stop]))
        + "\n"
    )


def _aligned(lines: list[str]) -> list[str]:
    cells = {
        number: [cell.strip() for cell in line.split("|")]
        for number, line in enumerate(lines)
        if line and not line.startswith("# ") and "|" in line
    }
    widths = [
        max(len(row[column]) for row in cells.values() if column < len(row))
        for column in range(max(map(len, cells.values()), default=0))
    ]
    padded = {
        number: " | ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=False)
        ).rstrip()
        for number, row in cells.items()
    }
    return [padded.get(number, line.rstrip()) for number, line in enumerate(lines)]


if __name__ == "__main__":
    TABLE.write_text(aligned(TABLE.read_text(encoding="utf-8")), encoding="utf-8")
