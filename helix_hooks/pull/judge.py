"""`--mode judge`: run the judges of the approval types.

This step has the key of a model, and no token of GitHub.
"""

import os
import re
from collections.abc import Iterable, Mapping
from functools import partial

from ..adr.check_report import fails
from ..check.trees import Revision
from ..config.agents import NO_AGENTS
from ..config.approvals import Approvals
from ..console import exit_code_of, print_message
from ..decision.handover import (
    INDICATORS,
    RULES,
    Failure,
    Handover,
    Judged,
    PlacedFinding,
    RunTarget,
    Unjudged,
)
from ..decision.reasons import of_claims, stops_judges
from ..decision.rounds import exhausted, rejected, with_rounds
from ..decision.run_state import SHORTEST_KEY, opened, sealed
from ..decision.states import PENDING
from ..errors import ConfigError, HelixError
from ..judge import store
from ..judge.approvals import approvals_of, chosen
from ..judge.approve import reviewed
from ..judge.change import Change
from ..judge.model import KEYS
from ..judge.options import Observer
from ..judge.questions import actions
from ..proc.guard import run_guarded
from ..verdict.approval_result import ApprovalResult
from ..verdict.earlier import OPEN, EarlierFinding, EarlierRound
from ..verdict.quote import place_of
from ..verdict.suggestion import Suggestion
from .check import hunks_in, placed, settings_hash, within_hunk
from .runner import StepOptions, Work, approve_options


def judged_type(
    verdict: ApprovalResult, approvals: Approvals, change: Change, before: EarlierRound | None
) -> Judged:
    """Return a verdict with its findings at their places.

    Earlier findings that are still open are findings of this verdict too, with their fingerprints.
    """
    name = verdict.approval_type
    floor = approvals.types[name].run.required_confidence
    proposed = {item.finding: item for item in verdict.suggestions}
    findings = [
        _with_suggestion(item, proposed.get(number), change)
        for number, item in enumerate(placed(verdict.findings, change, name))
    ]
    # A finding with the same fingerprint is still open, whatever the judge answers.
    repeated = {item.fingerprint for item in findings}
    answers = dict(verdict.earlier)
    answers.update(dict.fromkeys(repeated & answers.keys(), OPEN))
    findings += [
        _still_open(item, change, name)
        for item in _asked_findings(before)
        if answers.get(item.id) == OPEN and item.id not in repeated
    ]
    verdict = verdict._replace(
        findings=tuple(item.finding for item in findings),
        earlier=answers,
        suggestions=(),
    )
    return Judged(verdict, floor, tuple(findings))


def _asked_findings(before: EarlierRound | None) -> Iterable[EarlierFinding]:
    """Return the earlier findings about which the judge was asked."""
    if before is None:
        return ()
    return before.asked


def _with_suggestion(
    item: PlacedFinding, proposed: Suggestion | None, change: Change
) -> PlacedFinding:
    """Return a finding at the lines of its suggestion, if one hunk of the diff shows all of them.

    GitHub accepts a suggestion only there.
    """
    if proposed is None:
        return item
    shown = hunks_in(change, item.finding.path)
    place = within_hunk(item.finding.path, proposed.first, proposed.last, shown)
    if place is None:
        return item
    return item._replace(place=place, suggestion=proposed.text)


def _still_open(item: EarlierFinding, change: Change, by: str) -> PlacedFinding:
    """Return an earlier finding at its current place: at its quote, else at its line."""
    finding = item.finding
    text = ""
    if change.tree.has(finding.path):
        text = change.text(finding.path)
    lines = place_of(finding.evidence, text, finding.line) or _near(finding.line, text)
    moved = finding._replace(line=lines[0], end_line=lines[1])
    (current,) = placed([moved], change, by)
    return current._replace(fingerprint=item.id, decline=item.decline)


def _near(line: int, text: str) -> tuple[int, int]:
    last = max(1, min(line, text.count("\n")))
    return last, last


def answered_round(round: EarlierRound, judged: Iterable[Judged]) -> EarlierRound:
    """Return a round with the answer of its judge about each finding."""
    answers: dict[str, str] = {}
    for item in judged:
        if item.verdict.approval_type == round.approval_type:
            answers.update(item.verdict.earlier)
    findings = [item._replace(answer=answers.get(item.id, item.answer)) for item in round.findings]
    return round._replace(findings=tuple(findings))


TOKENS = (
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "HELIX_RECORD_KEY",
)
"""Secrets that this step removes from its environment before a judge starts."""

_SHORT_KEY = f"signing-key has fewer than {SHORTEST_KEY} characters, so no answer is stored"
_NO_KEY = "the judge is not configured: there is no key of a model, such as anthropic-api-key"
_LONGER_KEY = "create a longer one, e.g. with `openssl rand -base64 32`"


def run(options: StepOptions, work: Work) -> int:
    """Run the step in a child process, so that its judges end when the step is killed."""
    return run_guarded(partial(exit_code_of, _run, options, work))


def _run(options: StepOptions, work: Work) -> int:
    secrets = {name: os.environ.pop(name) for name in TOKENS if name in os.environ}
    handover = work.load(os.environ)
    try:
        result = _result(handover, options, secrets, work)
    except ConfigError as error:
        return _fail(handover, work, error, ConfigError.exit_code)
    except HelixError as error:
        return _fail(handover, work, error, HelixError.exit_code)
    work.save(result)
    return 0


def _fail(handover: Handover, work: Work, error: HelixError, code: int) -> int:
    """Save a failure for the step that publishes; return the exit code of this step."""
    work.save(handover._replace(failure=Failure(code, str(error))))
    print_message(error)
    return error.exit_code


def _result(
    handover: Handover,
    options: StepOptions,
    secrets: Mapping[str, str],
    work: Work,
) -> Handover:
    reason = reason_not_to_ask(handover, os.environ)
    # Without a judge in the settings, no key is missing.
    has_reason = reason != _NO_KEY or _has_judge(handover.target.base, options, work)
    if reason is not None and has_reason:
        return handover._replace(no_judge=reason)
    return _with_answers(handover, options, secrets, work)


def _has_judge(base: str, options: StepOptions, work: Work) -> bool:
    """Return whether one of the approval types has an agent as its judge."""
    at_base = Revision(work.objects, base)
    try:
        approvals = approvals_of(at_base, options.config)
        types = chosen(approvals, options.types).values()
        return any(type.run.agent not in NO_AGENTS for type in types)
    finally:
        at_base.close()


def reason_not_to_ask(handover: Handover, environment: Mapping[str, str]) -> str | None:
    """Return why no judge is asked: "" if none is needed, None if one is asked."""
    if _needs_no_judge(handover):
        return ""
    reason = reason_without_judge(handover.target, environment)
    if reason:
        return reason
    budget, spent = handover.policy.budget, handover.carried.spent
    if budget is not None and spent >= budget:
        used = f"${spent:.2f} so far"
        return f"the budget of ${budget:.2f} for a pull request is used up ({used})"
    too_often = exhausted(handover)
    if too_often:
        return f"{too_often}, so a person decides"
    return None


def _needs_no_judge(handover: Handover) -> bool:
    """Return whether the answer of a judge could not change the decision."""
    if handover.failure or handover.repair or not handover.applies:
        return True
    if any(reason.state != PENDING for reason in of_claims(handover.claimed)):
        return True
    # A merge queue decides with the answers on the pull request.
    return handover.no_judge == "" or handover.target.merges or stops_judges(handover)


def reason_without_judge(target: RunTarget, environment: Mapping[str, str]) -> str:
    """Return why no judge can be asked about a pull request; "" if one can be asked."""
    if target.draft:
        return "this is a draft; the judge is asked when it is ready for review"
    if target.from_fork:
        way_out = "the judge runs after a person with write access comments `/helix review`"
        return f"this comes from a fork; {way_out}"
    if not any(environment.get(name) for name in (*KEYS, "HELIX_AGENT_COMMAND")):
        return _NO_KEY
    return ""


def _with_answers(
    handover: Handover,
    options: StepOptions,
    secrets: Mapping[str, str],
    work: Work,
) -> Handover:
    """Ask the judges, unless an earlier run has left sealed answers to the same questions."""
    key = os.environ.get("HELIX_SIGNING_KEY", "").encode()
    if 0 < len(key) < SHORTEST_KEY:
        print_message(f"{_SHORT_KEY}; {_LONGER_KEY}")
    place, repository = store.folder(work.objects), handover.target.repository
    for question, entry in opened(handover.carried, key, repository).items():
        # It becomes the name of a file.
        if re.fullmatch("[0-9a-f]{64}", question):
            store.remember(place, question, entry)
    result = _judged(handover, options, secrets, work)
    total = result.carried._replace(spent=result.carried.spent + result.cost)
    return result._replace(carried=sealed(total, store.answers(place), key, repository))


def _judged(
    handover: Handover,
    options: StepOptions,
    secrets: Mapping[str, str],
    work: Work,
) -> Handover:
    review = approve_options(options, handover, secrets)
    with reviewed(review, work.objects, Observer(print_message)) as (change, result):
        if settings_hash(change, options.config) != handover.target.settings:
            raise HelixError("the settings have changed since the check of the change")
        approvals = approvals_of(change.rules, options.config)
        rule_findings = handover.rule_findings
        if fails(result.report, options.fail_on):
            rule_findings = placed(result.report.findings, change, RULES)
        rounds = {item.approval_type: item for item in handover.earlier}
        carried = handover.carried
        judged = tuple(
            judged_type(verdict, approvals, change, rounds.get(verdict.approval_type))
            for verdict in result.verdicts
        )
        new_rounds = rejected(handover.target.head, (item.verdict for item in judged))
        return handover._replace(
            no_judge="",
            judged=judged,
            earlier=tuple(answered_round(item, judged) for item in handover.earlier),
            carried=carried._replace(rounds=with_rounds(carried.rounds, new_rounds)),
            unjudged=tuple(
                Unjudged(item.approval_type, item.result, item.summary) for item in result.unjudged
            ),
            indicators=placed(result.indicators, change, INDICATORS),
            rule_findings=rule_findings,
            asks=actions(approvals, result),
        )
