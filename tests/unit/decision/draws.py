"""Facts, votes and times as hypothesis draws them, in the words of tests/cases/decisions/table.txt."""

import re
from typing import Any

from hypothesis import strategies as st

from helix_hooks.config.policy import Deciders, Policy
from helix_hooks.decision import run_record, run_state
from helix_hooks.decision.commands import REJECT, Command, commands
from helix_hooks.decision.decide import Decision, decide, of_pull_request
from helix_hooks.decision.handover import (
    Ask,
    ClaimedAdr,
    ClaimedPromise,
    DiffPlace,
    Failure,
    Handover,
    Judged,
    PlacedFinding,
    RunTarget,
    Unjudged,
    marked,
)
from helix_hooks.decision.pull_request import Person, PullRequest
from helix_hooks.decision.run_state import CarriedState, Objection, RejectedRound, Tampering
from helix_hooks.decision.votes import EffectiveVotes, Vote
from helix_hooks.finding import SEVERITIES, Finding
from helix_hooks.pull.summary_comment import STICKY
from helix_hooks.verdict.approval_result import AgentContext, ApprovalResult, ReviewedFile
from helix_hooks.verdict.earlier import Decline, EarlierFinding, EarlierRound
from tests.unit.decision.table import CAST, HEAD, Facts, Row, facts
from tests.unit.pull.hostile import HOSTILE, LIVE

DECIDERS, OTHERS = (
    ("max", "mia", "nils"),
    ("alice", "bob", "cora", "eve", "tim", "tom", "zoe", "ci"),
)


EVERYBODY = (*DECIDERS, *OTHERS)


APPROVALS = ("+head", "+full", "+old", "+same", "+other", "+none", "+six", "+head for adr", "+head for code", "+head for docs", "[+head]", "[+old]", "[+same]",
             "+head edited")  # fmt: skip


OBJECTIONS = ("-", "- for adr", "- for code", "[-]")


NEITHER = ("[x]", "[.]", "-mute", "- edited")


OVERRIDES = (
    "!missing",
    "!vague",
    "!wrong",
    "!vague:old",
    "!relaxed",
    "!hidden",
    "!short",
    "!nosuch",
)


TIMES = ("1", "2", "3", "23h", "24h-1", "24h", "24h+1", "47h", "48h", "100h", "1000d")


CRITICAL = ("adr=ok protected", "adr=unsure protected", "relaxed", "adr=ok relaxed fail-on-never", "adr=ok hidden", "adr=blanks hidden", "hidden", "adr=doubt", "spent", "adr=ok unaccepted",
            "adr=ok,architecture_decision", "adr=ok,pr_merge protected", "no-judge protected")  # fmt: skip


UNSURE = (
    "adr=unsure",
    "adr=unfit",
    "adr=unsure code=unsure",
    "no-judge",
    "draft",
    "fork",
    "adr=timeout",
    "adr=timeout code=unsure",
)


OTHER_FINDS = ("adr=ok", "adr=ok code=ok", "adr=blanks", "adr=ok short", "missing", "missing tools", "missing relaxed", "adr=reject", "adr=reject2", "adr=revise",
               "unjudged", "unchecked", "unreachable", "broken", "nothing", "adr=ok moved", "adr=ok,sprint_start", "adr=ok,pr_merge",
               "adr=ok,pr_merge code=unsure", "queue green", "queue red", "adr=ok retargeted", "adr=ok unmet",
               "adr=ok unproved", "missing unaccepted", "adr=ok unmet-shown")  # fmt: skip


EXTRAS = ("", " unlisted", " by-agent", " tampered=max@2", " tampered=eve@2", " tampered=max@24h")


def words(*choices: tuple[str, ...]) -> st.SearchStrategy[str]:
    """One of each, parted by blanks."""
    return st.tuples(*map(st.sampled_from, choices)).map(
        lambda found: " ".join(word for word in found if word) or "-"
    )


DEADLINES = (
    "",
    "critical=24h uncertainty=24h expertise=24h milestone=24h routine=24h",
    "critical=24h",
    "uncertainty=24h",
    "milestone=24h routine=24h",
)


THEN = ("", "then=block", "then=escalate", "then=auto_approve")


policies = words(("", "min=2", "min=3"), ("", "sole=alice", "sole=eve"), ("", "holds=content"), ("", "overrides=*", "overrides=section-missing,completeness"),
                 ("", "level=full_control", "level=milestone", "level=autonomous"), DEADLINES, THEN,
                 ("", "delegates=max>eve,alice>tim", "delegates=mia>max,bob>eve"), ("", "agents=2"))  # fmt: skip


finds = st.tuples(st.sampled_from((*CRITICAL, *UNSURE, *OTHER_FINDS)), st.sampled_from(EXTRAS)).map(
    "".join
)


times = st.sampled_from(TIMES)


def votes(
    who: tuple[str, ...] = EVERYBODY,
    what: tuple[str, ...] = (*APPROVALS, *OBJECTIONS, *NEITHER, *OVERRIDES),
) -> st.SearchStrategy[str]:
    return st.builds("{}{}@{}".format, st.sampled_from(who), st.sampled_from(what), times)


def spoken(said: list[str]) -> str:
    return ", ".join(said) or "-"


def row(policy: str, found: str, said: list[str], now: str = "1h") -> Facts:
    return facts(Row("", 0, policy, found, spoken(said), now, "", "", ""))


rooms = st.builds(row, policies, finds, st.lists(votes(), max_size=6), times)


hostile = st.text(max_size=60) | st.lists(
    st.sampled_from(
        [*HOSTILE, "\n", "`", "```", "#", "@", "/", "<!", "--", "-->", "'", '"', ",", ":", "x", " "]
    ),
    max_size=6,
).map("".join)


logins = st.from_regex(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})(?:\[bot\])?", fullmatch=True)


numbers = st.integers(1, 10**12 - 1)


moments = st.integers(1, 10**11)


def made(kind: Any, /, **parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Of just these parts: `builds` would make up the others of a NamedTuple as well."""
    return st.fixed_dictionaries(parts).map(lambda found: kind(**found))


def few(parts: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(parts, max_size=most).map(tuple)


types = st.sampled_from(["adr", "code", "security-2"])


marks = st.from_regex("[0-9a-f]{16}", fullmatch=True)


def remembered(names: st.SearchStrategy[str]) -> st.SearchStrategy[CarriedState]:
    return made(
        CarriedState,
        spent=st.integers(0, 9_999_990_000).map(lambda parts: parts / 10_000),
        since=st.just(0) | moments,
        objections=few(made(Objection, source=numbers, at=moments, id=numbers, login=names), 4),
        tampered=few(
            made(Tampering, source=numbers, at=moments, id=numbers, login=names, by=names), 4
        ),
        escalated=st.booleans(),
        rounds=few(made(RejectedRound, approval_type=types, commit=marks), 4).map(
            lambda found: tuple(dict.fromkeys(found))
        ),
        unkept=st.integers(0, 99),
    )


names = types


findings = made(
    Finding, severity=st.sampled_from(SEVERITIES), check=hostile, layer=st.just("agent"), message=hostile, path=hostile, line=st.integers(1, 99),
    end_line=st.integers(1, 99), help=hostile, evidence=hostile,
)  # fmt: skip


declines = made(Decline, by=hostile, by_id=numbers, at=moments, source=numbers, reason=hostile)


found_things = st.builds(
    lambda item, mark, here, reply: PlacedFinding(
        item, mark, DiffPlace(item.path, 1, 2) if here else None, decline=reply
    ),
    findings,
    marks,
    st.booleans(),
    st.none() | declines,
)


rounds = made(
    EarlierRound,
    approval_type=names,
    commit=st.just("c" * 40),
    findings=few(
        made(
            EarlierFinding,
            id=marks,
            finding=findings,
            decline=st.none() | declines,
            answer=st.sampled_from(["", "fixed", "answered", "open"]),
        )
    ),
)


contexts = made(
    AgentContext,
    agent=hostile,
    model=hostile,
    duration_seconds=st.floats(0, 900),
    cost_usd=st.none() | st.floats(0, 9),
    turns=st.integers(0, 9),
)


def _judged(
    name: str,
    result: str,
    sure: float,
    summary: str,
    said: tuple[PlacedFinding, ...],
    advice: tuple[str, ...],
    about: AgentContext,
) -> Judged:
    files, items = (ReviewedFile(summary, "0" * 40),), tuple(item.finding for item in said)
    return Judged(
        ApprovalResult(
            "0" * 8,
            name,
            result,
            sure,
            summary,
            items,
            {summary: "passed"},
            files,
            advice,
            "",
            about,
        ),
        0.85,
        said,
    )


results = st.sampled_from(["approved", "needs_revision", "rejected"])


verdicts = st.builds(
    _judged, names, results, st.floats(0, 1), hostile, few(found_things), few(hostile, 1), contexts
)


claimed = made(
    ClaimedAdr,
    name=hostile,
    path=hostile,
    title=hostile,
    state=st.sampled_from(["verified", "unproven", "unmet", "unapproved", "failed"]),
    blocks=st.booleans(),
    reason=st.just("") | hostile,
    missing=st.integers(0, 9),
    first=few(
        made(
            ClaimedPromise,
            kind=st.sampled_from(["create", "docs", "syntax", "criterion", "command"]),
            subject=hostile,
            state=st.sampled_from(["missing", "present", "unchecked"]),
            reason=hostile,
        ),
        7,
    ),
)


handovers = made(
    Handover,
    claimed=few(claimed),
    target=hostile.map(
        lambda name: RunTarget(
            "acme/decisions",
            7,
            HEAD,
            "b" * 40,
            "b" * 40,
            "0" * 32,
            "5" * 64,
            base_ref=name,
            approvals=name or "approvals",
        )
    ),
    failure=st.none() | st.builds(Failure, st.sampled_from([2, 3]), hostile),
    applies=st.just(True),
    fail_on=st.sampled_from(["error", "warning", "never"]),
    rule_findings=few(found_things),
    skipped=few(hostile, 1),
    no_judge=st.none() | st.just("") | hostile,
    judged=few(verdicts),
    unjudged=few(st.builds(Unjudged, names, st.sampled_from(["skipped", "rejected"]), hostile), 1),
    indicators=few(found_things, 1),
    protected=few(hostile, 4),
    asks=few(st.builds(Ask, names, st.sampled_from(["pr_merge", "architecture_decision"])), 1),
    policy=few(hostile, 1).map(
        lambda users: Policy(
            deciders=Deciders(2, users=users),
            overrides=("*",),
            deadlines={"critical": 60, "uncertainty": 60},
        )
    ),
    carried=remembered(logins),
    earlier=few(rounds),
)


PULL = PullRequest(7, CAST["alice"], HEAD, "b" * 40, True, base_ref="main")


def counting(found: tuple[Command, ...]) -> list[Command]:
    """The commands that would do something but object."""
    return [command for command in found if command.name != REJECT and not command.wrong]


def outside(text: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^(`{3,})[a-z]*\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)


def harmless(text: str) -> None:
    assert not LIVE.search(outside(text)), outside(text)
    assert (
        not counting(commands(text))
        and not marked(text)[0]
        and STICKY not in text
        and "<!--" not in text
    )
    assert run_state.read(text) == CarriedState() and run_record.read(text) is None


people = made(Person, login=hostile, id=numbers)


objections = made(
    Vote,
    by=people,
    kind=st.just(REJECT),
    at=moments,
    source=numbers,
    words=hostile,
    types=few(hostile),
)


ballots = made(
    EffectiveVotes,
    objections=few(objections, 1),
    refused=few(st.builds(Vote._replace, objections, refused=hostile)),
)


def came_to(given: Handover, said: EffectiveVotes, touched: list[Tampering]) -> Decision:
    return decide(
        of_pull_request(
            given._replace(carried=given.carried._replace(tampered=tuple(touched))), PULL, said, 30
        )
    )
