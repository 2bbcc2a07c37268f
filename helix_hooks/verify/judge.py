"""Ask a judge about the criteria that no file, test or command shows: one brief a criterion."""

import os

from ..change.approvals import agent, approvals_of
from ..change.change import Change
from ..change.range import Range
from ..change.rubric import answer_schema, rubric_text
from ..config.approvals import ApprovalType
from ..config.verify import VerifyJudge
from ..errors import ConfigError, HelixError
from ..judge.approve import opened_change
from ..judge.batch import reviews_of
from ..judge.options import ApproveOptions, Observer
from ..judge.question import Question, hash_of
from ..paths import APPROVALS_FILE
from ..repository import snapshot
from ..verdict.prompt import Brief
from ..verification.judged import brief_text, briefs_of, judged
from ..verification.result import FAILED, UNAPPROVED, VerificationResult

NAME = "verify"
"""The name under which a judge is asked, and of the folder of its rubric."""

_MOST_FILES = 60
_MOST_CHARACTERS = 600_000
_MOST_DIFF = 1_000_000


def with_judge(
    results: tuple[VerificationResult, ...],
    root: str,
    base: str,
    head: str,
    settings: VerifyJudge,
) -> tuple[VerificationResult, ...]:
    """Return the results with a judge's answers to the criteria that are unverifiable.

    `base` is the commit whose settings and rubric count, `head` the commit under verification, ""
    for the work tree. Raises ConfigError.
    """
    return tuple(
        _asked(result, root, Range(base, head, _start(root, result)), settings)
        if briefs_of(result) and result.state not in (UNAPPROVED, FAILED)
        else result
        for result in results
    )


def _start(root: str, result: VerificationResult) -> str:
    """Return the commit before the approval, from which the work is shown; "" without one."""
    from ..repository.history import commit

    return commit(root, f"{result.since}^")


def _asked(
    result: VerificationResult,
    root: str,
    range: Range,
    settings: VerifyJudge,
) -> VerificationResult:
    with opened_change(range, root) as change:
        try:
            question = _question(result, change, settings)
        except ConfigError:
            raise
        except HelixError as error:
            return result._replace(state=FAILED, reason=str(error))
        options = ApproveOptions(range=range)
        reviews = reviews_of({NAME: question}, (), change, options, Observer(_tell_nobody))
    return judged(result, reviews.verdicts[0])


def _tell_nobody(_message: str) -> None:
    """Leave the judge's messages out: the result has all that counts."""


def _question(result: VerificationResult, change: Change, settings: VerifyJudge) -> Question:
    approvals = approvals_of(change.rules)
    usual = approvals.types["adr"]
    run = usual.run._replace(
        agent=settings.agent,
        model=settings.model,
        timeout=settings.timeout,
        max_cost_usd=settings.max_cost_usd,
        max_retries=0,
        smart=None,
    )
    briefs = tuple(
        Brief(name, brief_text(item, result.path)) for name, item in briefs_of(result).items()
    )
    paths = _files(result, change)
    text = rubric_text(change.rules, change.approvals, f"{NAME}/CLAUDE.md")
    if text is None:
        raise ConfigError(APPROVALS_FILE, 1, "verify", f"there is no rubric {NAME}/CLAUDE.md")
    return Question(
        type=ApprovalType(
            name=NAME, enabled=True, run=run, checks=(), paths=("**",), codebase=(), after=""
        ),
        agent=agent(approvals, run.agent, os.environ),
        rubric=text,
        briefs=briefs,
        skills={},
        files=tuple((path, hash_of(change, path)) for path in paths),
        concepts=(),
        findings=(),
        diff=_diff(change, paths),
        entries=change.entries,
        schema=answer_schema([brief.name for brief in briefs], paths),
    )


def _files(result: VerificationResult, change: Change) -> list[str]:
    """Return the changed files that a judge can read. Raises HelixError for none, or too many."""
    found, size = [], 0
    for path in change.changed:
        text = change.readable(path) if path.isprintable() and path != result.path else None
        if text is not None:
            found.append(path)
            size += len(text)
    if not found:
        raise HelixError("the work has no changed file that a judge could read")
    if len(found) > _MOST_FILES or size > _MOST_CHARACTERS:
        amount = f"{len(found)} files with {size:,} characters"
        raise HelixError(f"the work changed {amount}, which are too many for this judge")
    return found


def _diff(change: Change, paths: list[str]) -> bytes | None:
    if not change.merge_base:
        return None
    base, head = change.merge_base, change.head
    return snapshot.difference(change.root, base, head, paths, _MOST_DIFF) or None
