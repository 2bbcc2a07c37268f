"""`--mode judge`: the judges of the approval types. This step has the key of a model, and no token of GitHub."""

import os
import re
from argparse import Namespace
from functools import partial

from ..change import plan
from ..change.change import Change
from ..change.questions import actions
from ..check.run import fails
from ..console.output import complain, exit_code_of
from ..decision.handover import INDICATORS, RULES, Handover, Judged
from ..decision.reasons import failing
from ..decision.sealed_answers import SHORTEST_KEY, opened, sealed
from ..errors import ConfigError, HelixError
from ..judge import store
from ..judge.guard import guarded
from ..judge.run import reviewed
from ..verdict.verdict import ApprovalResult
from .work import Work, arguments, placed, settings_of

_TOKENS = ("GITHUB_TOKEN", "GH_TOKEN", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "HELIX_RECORD_KEY")


def run(options: Namespace, work: Work) -> int:
    """In a process of its own, so that no judge goes on when the step is killed."""
    return guarded(partial(exit_code_of, partial(_run, options, work)), HelixError.exit_code)


def _run(options: Namespace, work: Work) -> int:
    options.secrets = {name: os.environ.pop(name) for name in _TOKENS if name in os.environ}
    given = work.load(os.environ)
    try:
        why = _unasked(given)
        found = given._replace(no_judge=why) if why is not None else _asked(given, options, work)
    except HelixError as error:
        work.save(given._replace(failure=(2 if isinstance(error, ConfigError) else 3, str(error))))
        complain(error)
        return error.exit_code
    work.save(found)
    return 0


def _unasked(given: Handover) -> str | None:
    """Why no judge is asked; "" where none is needed, None where one is."""
    if given.failure or given.repair or not given.applies or given.target.merges or failing(given):
        return ""
    if given.target.draft:
        return "this is a draft; the judge is asked when it is ready for review"
    if given.target.from_fork:
        return "this comes from a fork; the judge is asked when somebody who may write comments `/helix review`"
    if not (os.environ.get("ANTHROPIC_API_KEY") or os.environ.get("HELIX_AGENT_COMMAND")):
        return "the judge is not configured: there is no anthropic-api-key"
    budget = given.policy.budget
    if budget is not None and given.carried.spent >= budget:
        return f"the budget of ${budget:.2f} for a pull request is used up (${given.carried.spent:.2f} so far)"
    return None


def _asked(given: Handover, options: Namespace, work: Work) -> Handover:
    """The verdicts, new ones or those that an earlier run has left under a seal for the very same question."""
    key, place = os.environ.get("HELIX_SIGNING_KEY", "").encode(), store.folder(work.objects)
    if 0 < len(key) < SHORTEST_KEY:
        complain(f"signing-key has fewer than {SHORTEST_KEY} characters, so no answer is kept; take a longer one, as from `openssl rand -base64 32`")
    for question, entry in opened(given.carried, key, given.target.repository).items():
        if re.fullmatch("[0-9a-f]{64}", question):
            store.remember(place, question, entry)
    found = _judged(given, options, work)
    left = given.carried._replace(spent=given.carried.spent + found.cost)
    return found._replace(carried=sealed(left, store.kept(place), key, given.target.repository))


def _judged(given: Handover, options: Namespace, work: Work) -> Handover:
    with reviewed(arguments(given, options), work.objects) as (change, outcome):
        if settings_of(change, options.config) != given.target.settings:
            raise HelixError("the settings are not those by which the change was checked")
        approvals = plan.approvals_of(change.rules, options.config)
        judged = tuple(_with_places(verdict, approvals.types[verdict.approval_type].run.required_confidence, change) for verdict in outcome.verdicts)
        stated = tuple((item.approval_type, item.result, item.summary) for item in outcome.unjudged)
        indicators = placed(outcome.indicators, change, INDICATORS)
        said = given.rule_findings
        if fails(outcome.report, options.fail_on):
            said = placed((finding for file in outcome.report.files for finding in file.findings), change, RULES)
        wanted = actions(approvals, outcome)
        return given._replace(no_judge="", judged=judged, unjudged=stated, indicators=indicators, rule_findings=said, asks=wanted)


def _with_places(verdict: ApprovalResult, floor: float, change: Change) -> Judged:
    return Judged(verdict, floor, placed(verdict.findings, change, verdict.approval_type))
