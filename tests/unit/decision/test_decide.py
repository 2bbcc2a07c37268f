"""What a run comes to: whatever did not happen is not green."""

import pytest

from helix_hooks.config.policy import MATRIX, Deciders, Policy
from helix_hooks.decision.commands import APPROVE, REJECT
from helix_hooks.decision.decide import Decision, decide, of_pull_request
from helix_hooks.decision.handover import (
    DiffPlace,
    Failure,
    Handover,
    Judged,
    PlacedFinding,
    RunTarget,
    mark,
)
from helix_hooks.decision.pull_request import (
    Comment,
    Commit,
    LineComment,
    Person,
    PullRequest,
    Review,
    Status,
)
from helix_hooks.decision.reasons import needs_maintainer
from helix_hooks.decision.states import CONCLUSIONS, EXIT_CODES
from helix_hooks.decision.votes import (
    EffectiveVotes,
    Vote,
    count_votes,
    effective_votes,
)
from helix_hooks.decision.who_may import VoterFacts
from helix_hooks.finding import Finding
from helix_hooks.pull.check_run import MOST_ANNOTATIONS, CheckRun
from helix_hooks.pull.line_comments import MOST_COMMENTS
from helix_hooks.pull.payloads import payloads
from helix_hooks.pull.summary_comment import STICKY
from helix_hooks.pull.summary_text import page
from helix_hooks.pull.title import title
from helix_hooks.verdict.approval_result import (
    APPROVED,
    NEEDS_REVISION,
    REJECTED,
    SKIPPED,
    AgentContext,
    ApprovalResult,
    ReviewedFile,
)

HEAD, BASE = "a" * 40, "b" * 40
ALICE, BOB, MAX, BOT = (
    Person("alice", 1),
    Person("bob", 2),
    Person("max", 3),
    Person("github-actions[bot]", 41898282, True),
)
SUBJECT = RunTarget("acme/decisions", 7, HEAD, BASE, BASE, "0" * 32, "5" * 64, base_ref="main")
PULL = PullRequest(7, ALICE, HEAD, BASE, True, base_ref="main")
UNSEEN = SUBJECT._replace(settings="")


def found(
    severity: str = "error",
    check: str = "section-missing",
    line: int = 1,
    place: bool = True,
    fingerprint: str = "",
) -> PlacedFinding:
    finding = Finding(
        severity,
        check,
        "rules",
        f"something at {line}",
        "docs/adr/0001.md",
        line,
        line,
        help="do this",
    )
    return PlacedFinding(
        finding,
        fingerprint or f"{line:016x}",
        DiffPlace(finding.path, line, line) if place else None,
    )


def verdict(
    result: str = APPROVED, confidence: float = 0.95, *findings: Finding, checks: str = "passed"
) -> Judged:
    given = ApprovalResult("00000000", "adr", result, confidence, "Sound.", findings, {"completeness": checks}, (ReviewedFile("docs/adr/0001.md", "0" * 40),), (),
                           "2026-01-01T00:00:00Z", AgentContext("claude", "a-model", 3.0, 100, 0.01, 2, 1))  # fmt: skip
    return Judged(
        given, 0.85, tuple(PlacedFinding(item, "f" * 16, None, "adr") for item in findings)
    )


def handover(**more: object) -> Handover:
    return Handover(SUBJECT, **{"applies": True, "adrs": 1, "no_judge": "", **more})  # type: ignore[arg-type]


FAILED_JUDGE = verdict(
    REJECTED, 0, Finding("error", "timeout", "agent", "the judge had no answer", "")
)
SIGN = PlacedFinding(
    Finding("warning", "hidden-text", "agent", "invisible characters", "docs/adr/0001.md"),
    "e" * 16,
    None,
    "indicators",
)
_RELAXED = found(check="gate-relaxed")
RELAXED = _RELAXED._replace(finding=_RELAXED.finding._replace(question=True))


@pytest.mark.parametrize(
    ("given", "state", "code"),
    [
        (handover(judged=(verdict(),)), "approved", 0),
        (handover(applies=False, no_judge=None), "approved", 0),
        (handover(unjudged=(("adr", SKIPPED, "only blanks were changed"),)), "approved", 0),
        (handover(judged=(verdict(),), rule_findings=(found("warning"), found("info"))), "approved", 0),
        (handover(judged=(verdict(),), rule_findings=(found("error"),), fail_on="never"), "approved", 0),
        (handover(judged=(verdict(),), rule_findings=(found("warning"),), fail_on="warning"), "rejected", 1),
        (handover(rule_findings=(found(),)), "rejected", 1),
        (handover(rule_findings=(found(),), no_judge=None), "rejected", 1),
        (handover(rule_findings=(found(), RELAXED)), "rejected", 1),
        (handover(judged=(verdict(NEEDS_REVISION),)), "rejected", 1),
        (handover(judged=(verdict(REJECTED),)), "rejected", 1),
        (handover(judged=(verdict(), verdict(REJECTED))), "rejected", 1),
        (handover(rule_findings=(RELAXED,)), "pending", 4),
        (handover(judged=(verdict(confidence=0.5),)), "pending", 4),
        (handover(judged=(verdict(checks="not_applicable"),)), "pending", 4),
        (handover(judged=(verdict(),), indicators=(SIGN,)), "pending", 4),
        (handover(indicators=(SIGN,)), "pending", 4),
        (handover(no_judge="the judge is not configured: there is no key of a model, such as anthropic-api-key"), "pending", 4),
        (handover(no_judge="this is a draft"), "pending", 4),
        (handover(no_judge="policy.autonomy is milestone", judged=(verdict(),)), "pending", 4),
        (handover(protected=(".github/workflows/helix.yml",), judged=(verdict(),)), "pending", 4),
        (handover(protected=("x",), judged=(verdict(REJECTED),)), "rejected", 1),
        (handover(unjudged=(("adr", REJECTED, "only blanks were changed, and a person decides"),)), "pending", 4),
        (handover(judged=(FAILED_JUDGE,)), "failed", 3),
        (handover(judged=(FAILED_JUDGE, verdict())), "failed", 3),
        (handover(judged=(FAILED_JUDGE, verdict(REJECTED))), "failed", 3),
        (handover(no_judge=None), "failed", 3),
        (Handover(UNSEEN), "failed", 3),
        (Handover(UNSEEN, no_judge=""), "failed", 3),
        (Handover(UNSEEN, applies=True, no_judge="", judged=(verdict(),)), "failed", 3),
        (handover(rule_findings=(RELAXED,), fail_on="never", judged=(verdict(),)), "pending", 4),
        (handover(failure=Failure(3, "GitHub could not be reached")), "failed", 3),
        (handover(failure=Failure(3, "x"), judged=(verdict(),)), "failed", 3),
        (handover(failure=Failure(2, "config/approvals.yaml:3: ...")), "broken", 2),
        (handover(failure=Failure(2, "x"), rule_findings=(found(),)), "broken", 2),
        (handover(failure=Failure(2, "x"), applies=False), "broken", 2),
    ],
)  # fmt: skip
def test_what_a_run_comes_to(given: Handover, state: str, code: int) -> None:
    decided = decide(of_pull_request(given, PULL))
    assert (decided.state, decided.exit_code) == (state, code)
    assert decided.reasons and all(reason.text for reason in decided.reasons)
    assert (decided.conclusion == "success") == (state == "approved")
    moved = decide(of_pull_request(given, PULL._replace(head="c" * 40)))
    assert (moved.state, moved.exit_code, moved.conclusion) == ("moved", 3, "cancelled")


def test_a_pull_request_that_goes_elsewhere_by_now_is_not_approved() -> None:
    given = handover(judged=(verdict(),))
    assert decide(of_pull_request(given, PULL._replace(base_ref="mild"))).state == "moved"


def queued(given: Handover) -> Handover:
    return given._replace(target=given.target._replace(head="d" * 40, merges=True), no_judge="")


GREEN = Status(1, "success", "helix1:7:approved|0")


@pytest.mark.parametrize(
    ("given", "status", "state"),
    [
        (handover(), GREEN, "approved"), (handover(), None, "pending"), (handover(), GREEN._replace(conclusion="failure"), "pending"),
        (handover(rule_findings=(found(),)), GREEN, "rejected"), (handover(protected=("docs/x.md",)), GREEN, "approved"), (handover(rule_findings=(RELAXED,)), GREEN, "approved"),
        (handover(rule_findings=(RELAXED,)), None, "pending"), (handover(applies=False), None, "approved"), (handover(failure=Failure(3, "x")), GREEN, "failed"),
        (Handover(UNSEEN), GREEN, "failed"),
    ],
)  # fmt: skip
def test_what_a_merge_queue_is_told(given: Handover, status: Status | None, state: str) -> None:
    pull = PULL._replace(status=status)
    assert decide(of_pull_request(queued(given), pull)).state == state
    against, for_it = (
        EffectiveVotes(objections=(Vote(MAX, REJECT, 1, 1),)),
        EffectiveVotes((Vote(MAX, APPROVE, 1, 1, commit=HEAD),)),
    )
    if given.applies:
        assert decide(of_pull_request(queued(given), pull, against)).state != "approved", (
            "who takes it back is heard"
        )
    assert decide(of_pull_request(queued(given), pull, for_it)).state == state, (
        "and nobody approves there"
    )


def test_no_conclusion_lets_a_required_check_pass_by_itself() -> None:
    assert {
        state
        for state, conclusion in CONCLUSIONS.items()
        if conclusion in ("success", "neutral", "skipped")
    } == {"approved"}
    assert EXIT_CODES.keys() == CONCLUSIONS.keys()


COMMITS = (
    Commit(
        (ALICE,),
        ("alice@example.org",),
        "a change\n\nCo-authored-by: Bob <2+bob@users.noreply.github.com>",
    ),
)
ROLES = {"max": "maintain", "bob": "admin", "alice": "admin", "eve": "write", "tim": "triage"}


def review(by: Person, state: str = "APPROVED", commit: str = HEAD) -> Review:
    return Review(1, by, state, commit)


def decided(
    given: Handover,
    *reviews: Review,
    commits: tuple[Commit, ...] = (),
    complete: bool = True,
    roles: dict[str, str] | None = None,
) -> Decision:
    """What a run comes to with some reviews, one second after the other."""
    pull = PULL._replace(
        reviews=tuple(item._replace(at=number, id=number) for number, item in enumerate(reviews, 1))
    )
    return decide(
        of_pull_request(
            given,
            pull,
            effective_votes(
                count_votes(given, pull, VoterFacts(roles or ROLES, commits or COMMITS, complete))
            ),
            now=100,
        )
    )


@pytest.mark.parametrize(
    ("reviews", "state", "refused"),
    [
        ((), "pending", ""),
        ((review(MAX),), "approved", ""),
        ((review(MAX, commit="c" * 40),), "pending", "it was for ccccccc, but aaaaaaa was pushed later"),
        ((review(MAX, "COMMENTED"),), "pending", ""),
        ((review(MAX, "DISMISSED"),), "pending", ""),
        ((review(MAX), review(MAX, "DISMISSED")), "pending", ""),
        ((review(MAX, "CHANGES_REQUESTED"), review(MAX, "DISMISSED")), "rejected", ""),
        ((review(MAX, "CHANGES_REQUESTED"),), "rejected", ""),
        ((review(MAX, "CHANGES_REQUESTED"), review(MAX)), "approved", ""),
        ((review(MAX), review(MAX, "CHANGES_REQUESTED")), "rejected", ""),
        ((review(MAX), review(MAX, "COMMENTED")), "approved", ""),
        ((review(ALICE),), "pending", "authors cannot approve their own pull request"),
        ((review(BOB),), "pending", "is an author of the change"),
        ((review(Person("eve", 5)),), "pending", "requires the role maintain or admin, but @eve has the role write"),
        ((review(Person("tim", 6)),), "pending", "has the role triage"),
        ((review(Person("nobody", 9)),), "pending", "has the role none"),
        ((review(BOT),), "pending", "bots cannot approve"),
        ((review(Person("eve", 5), "CHANGES_REQUESTED"),), "pending", "@eve has the role write"),
        ((review(ALICE), review(MAX)), "approved", "authors cannot"),
    ],
)  # fmt: skip
def test_whose_word_settles_what_is_pending(
    reviews: tuple[Review, ...], state: str, refused: str
) -> None:
    came = decided(handover(no_judge="this is a draft"), *reviews)
    assert came.state == state
    assert (
        [vote.refused for vote in came.refused if refused in vote.refused]
        if refused
        else not came.refused
    )


@pytest.mark.parametrize(
    "given",
    [
        handover(rule_findings=(found(),)),
        handover(failure=Failure(3, "x")),
        handover(no_judge=None),
        handover(failure=Failure(2, "x")),
    ],
)
def test_nobody_approves_what_is_not_pending(given: Handover) -> None:
    assert (
        decided(given, review(MAX)).state
        == decide(of_pull_request(given, PULL)).state
        != "approved"
    )


@pytest.mark.parametrize("trailer", ["Max <MAX@USERS.NOREPLY.GITHUB.COM>", "max <max@Users.noreply.github.com>", "x <3+renamed@users.noreply.github.com>",
                                     "@max <somewhere@example.org>", "  max<a@b>"])  # fmt: skip
def test_a_co_author_is_known_in_any_spelling(trailer: str) -> None:
    commits = (Commit((ALICE,), (), f"a change\n\nCO-AUTHORED-BY: {trailer}"),)
    came = decided(handover(no_judge="x"), review(MAX), commits=commits)
    assert came.state == "pending" and "is an author" in came.refused[0].refused


def test_nobody_approves_when_commits_are_missing() -> None:
    came = decided(handover(no_judge="x"), review(MAX), complete=False)
    assert came.state == "pending" and "not all commits" in came.refused[0].refused


def test_the_policy_says_who_decides_and_how_many() -> None:
    anna, eve = Person("anna", 8), Person("eve", 5)
    roles = {**ROLES, "anna": "admin", "eve": "write"}
    for deciders, state in (
        (Deciders(), "approved"), (Deciders(2), "pending"), (Deciders(1, ("admin",)), "pending"), (Deciders(1, (), ("Eve",)), "approved"),
        (Deciders(2, ("maintain",), ("eve",)), "approved"), (Deciders(1, (), ("somebody",)), "pending"),
    ):  # fmt: skip
        given = handover(no_judge="this is a draft", policy=Policy(deciders=deciders))
        assert decided(given, review(MAX), review(eve), roles=roles).state == state, deciders
    given = handover(
        no_judge="x", policy=Policy(deciders=Deciders(1, ("maintain", "admin"), ("eve",)))
    )
    assert (
        decided(
            given, review(MAX), review(eve), review(anna, "CHANGES_REQUESTED"), roles=roles
        ).state
        == "rejected"
    )


def concluded(given: Handover, pull: PullRequest) -> CheckRun:
    run = payloads(given, pull, decide(of_pull_request(given, pull)), BOT.id).check_run
    assert run
    return run


def test_comments_are_few_and_nothing_is_lost() -> None:
    many = tuple(found(line=number, place=number % 2 == 0) for number in range(1, 401))
    given = handover(rule_findings=many)
    told = payloads(given, PULL, decide(of_pull_request(given, PULL)), BOT.id)
    assert (
        told.review
        and len(told.review.comments) == MOST_COMMENTS
        and ", and 170 more in all" in told.review.body
    )
    assert [len(portion) for portion in concluded(given, PULL).annotations] == [
        50,
        50,
        50,
        50,
    ] and MOST_ANNOTATIONS == 200
    assert told.sticky and all(
        f"something at {number}<br>" in told.sticky for number in range(1, 401)
    )


def test_a_second_run_says_nothing_again() -> None:
    given = handover(rule_findings=(found(line=3), found(line=5, place=False)))
    first = payloads(given, PULL, decide(of_pull_request(given, PULL)), BOT.id)
    assert first.review and first.sticky
    again = PULL._replace(
        comments=(Comment(11, BOT, first.sticky),),
        line_comments=tuple(
            LineComment(number, BOT, item["body"])
            for number, item in enumerate(first.review.comments)
        ),
    )
    second = payloads(given, again, decide(of_pull_request(given, again)), BOT.id)
    assert (second.review, second.sticky, second.fixed) == (None, None, ())


def test_what_was_left_out_is_not_said_in_the_next_run() -> None:
    given = handover(rule_findings=tuple(found(line=number) for number in range(1, 101)))
    first = payloads(given, PULL, decide(of_pull_request(given, PULL)), BOT.id)
    assert first.review and first.sticky
    comments = tuple(
        LineComment(number, BOT, item["body"])
        for number, item in enumerate(first.review.comments, 1)
    )
    again = PULL._replace(comments=(Comment(11, BOT, first.sticky),), line_comments=comments)
    assert payloads(given, again, decide(of_pull_request(given, again)), BOT.id).review is None
    less = handover(rule_findings=given.rule_findings[10:])
    more = payloads(less, again, decide(of_pull_request(less, again)), BOT.id)
    assert (
        len(more.fixed) == 10
        and more.review
        and [item["line"] for item in more.review.comments] == list(range(31, 41))
    )


def test_what_is_gone_is_marked_and_what_was_answered_stays() -> None:
    body = f"text\n{mark(f'{3:016x}', 'rules')}"
    pull = PULL._replace(line_comments=(LineComment(1, BOT, body), LineComment(2, BOT, body), LineComment(3, ALICE, "why?", answers=2),
                                        LineComment(4, ALICE, body), LineComment(5, BOT, f"text\n{mark('d' * 16, 'adr')}")))  # fmt: skip
    given = handover(rule_findings=(found(line=9),))
    told = payloads(given, pull, decide(of_pull_request(given, pull)), BOT.id)
    assert [number for number, _ in told.fixed] == [1], (
        "not the answered one, not somebody else's, not the judge's, who was not asked"
    )
    assert (
        told.fixed[0][1].startswith("✅ Fixed in aaaaaaa")
        and told.review
        and len(told.review.comments) == 1
    )
    failed = handover(failure=Failure(3, "x"))
    assert payloads(failed, pull, decide(of_pull_request(failed, pull)), BOT.id).fixed == ()
    judged = handover(judged=(verdict(),))
    assert [
        number
        for number, _ in payloads(judged, pull, decide(of_pull_request(judged, pull)), BOT.id).fixed
    ] == [1, 5]


def test_the_comment_is_known_by_its_mark_and_its_author() -> None:
    given = handover(rule_findings=(found(),))
    forged = PULL._replace(
        comments=(Comment(5, ALICE, f"all is well\n{STICKY}"), Comment(6, BOT, f"{STICKY}\nquoted"))
    )
    assert payloads(given, forged, decide(of_pull_request(given, forged)), BOT.id).sticky_id == 0
    assert (
        payloads(
            given,
            forged._replace(comments=(*forged.comments, Comment(7, BOT, f"old\n{STICKY}"))),
            decide(of_pull_request(given, forged)),
            BOT.id,
        ).sticky_id
        == 7
    )


def test_a_quiet_pull_request_stays_quiet() -> None:
    given = handover(applies=False, no_judge=None)
    told = payloads(given, PULL, decide(of_pull_request(given, PULL)), BOT.id)
    assert (told.review, told.sticky, concluded(given, PULL).conclusion) == (None, None, "success")


def test_one_commit_in_two_pull_requests_has_the_worse_conclusion() -> None:
    given = handover(judged=(verdict(),))
    both = PULL._replace(siblings=(9,))
    assert concluded(given, both).conclusion == "action_required", "nobody has looked at #9 yet"
    for state, conclusion in CONCLUSIONS.items():
        known = both._replace(status=Status(1, "failure", f"helix1:7:rejected;9:{state}|0"))
        told = concluded(given, known)
        assert told.conclusion == conclusion and f"9:{state}" in told.external_id
    forged = both._replace(status=Status(1, "success", "helix1:9:blessed|0"))
    assert concluded(given, forged).conclusion == "action_required"


def test_a_moved_branch_is_told_nothing() -> None:
    given, moved = handover(rule_findings=(found(),)), PULL._replace(head="c" * 40)
    told = payloads(given, moved, decide(of_pull_request(given, moved)), BOT.id)
    assert (told.review, told.sticky, told.fixed) == (None, None, ()) and (
        concluded(given, moved).head,
        concluded(given, moved).conclusion,
    ) == (
        HEAD,
        "cancelled",
    )


def test_a_picture_is_shown_that_is_one_block() -> None:
    for graph, shown in (
        ("```mermaid\ngraph LR\n  a --> b\n```", True),
        ("", False),
        ("```mermaid\n```\n@all\n```\n```", False),
        ("@all", False),
    ):
        given = handover(judged=(verdict(),), graph=graph)
        text = page(given, decide(of_pull_request(given, PULL)), 60_000)
        assert ("How these decisions are related" in text) == shown and "@all" not in text


def test_an_unread_file_whose_name_has_a_colon_was_not_read() -> None:
    path = "docs/adr/a: b.md"
    judged = verdict()
    result = judged.verdict._replace(
        files=(ReviewedFile(path, "0" * 40), ReviewedFile("docs/adr/a.md", "0" * 40))
    )
    judged = judged._replace(verdict=result)
    skipped = (f"{path}: the file is too large: 2 MB",)
    assert handover(judged=(judged,), skipped=skipped).files_read == ("docs/adr/a.md",)


def test_the_page_says_the_state_first_then_what_is_to_be_done() -> None:
    given = handover(
        rule_findings=(found(line=12),), skipped=("dangling-reference: shallow clone",)
    )
    text = page(given, decide(of_pull_request(given, PULL)), 60_000)
    assert text.startswith("### ❌ Author to fix: 1 error\n")
    assert (
        text.index("**Next:** the author fixes")
        < text.index("`docs/adr/0001.md`")
        < text.index("line 12: ")
        < text.index("using the settings at bbbbbbb")
    )
    assert title(given, decide(of_pull_request(given, PULL))) == "Author to fix: 1 error"


def test_each_action_of_the_policy_is_named_in_words() -> None:
    assert all(needs_maintainer(action).endswith(" needs a maintainer here") for action in MATRIX)
