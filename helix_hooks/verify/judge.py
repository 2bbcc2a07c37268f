"""Ask a judge about criteria without evidence in files, tests or commands: one brief for each."""

import os

from ..config.approvals import ApprovalType, VerifyJudge
from ..errors import ConfigError, HelixError
from ..git import snapshot
from ..judge.approvals import agent, approvals_of
from ..judge.approve import opened_change
from ..judge.batch import reviews_of
from ..judge.change import Change
from ..judge.options import ApproveOptions, Observer, Range
from ..judge.question import Question, hash_of
from ..judge.rubric import answer_schema, rubric_text
from ..paths import APPROVALS_FILE
from ..verdict.approval_result import ReviewedFile
from ..verdict.prompt import Brief
from ..verification.judged import brief_text, briefs_of, judged
from ..verification.result import FAILED, UNAPPROVED, VerificationResult

NAME = "verify"
"""The approval type of the question, and the folder of its rubric."""

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
    """Return the results with a judge's answers to the criteria that are present or unchecked.

    Settings and rubric are read from the commit `base`. `head` is the commit under verification, ""
    for the work tree.

    Raises:
        ConfigError: The settings or the rubric are invalid.
    """
    judged_results = []
    for result in results:
        if briefs_of(result) and result.state not in (UNAPPROVED, FAILED):
            range = Range(base, head, _start(root, result))
            judged_results.append(_asked(result, root, range, settings))
        else:
            judged_results.append(result)
    return tuple(judged_results)


def _start(root: str, result: VerificationResult) -> str:
    """Return the commit before the approval, where the diff begins; "" without one."""
    from ..git.history import commit

    return commit(root, f"{result.since}^")


def _asked(
    result: VerificationResult,
    root: str,
    range: Range,
    settings: VerifyJudge,
) -> VerificationResult:
    """Return a result with the judge's answers. Raises ConfigError."""
    with opened_change(range, root) as change:
        try:
            question = _question(result, change, settings)
        except ConfigError:
            raise
        except HelixError as error:
            return result._replace(state=FAILED, reason=str(error))
        options = ApproveOptions(range=range)
        reviews = reviews_of({NAME: question}, (), change, options, Observer(_ignore))
    return judged(result, reviews.verdicts[0])


def _ignore(_message: str) -> None:
    """Drop the messages of the review: the result has everything that counts."""


def _question(result: VerificationResult, change: Change, settings: VerifyJudge) -> Question:
    """Return the question about the criteria of a result. Raises HelixError."""
    approvals = approvals_of(change.rules)
    run = approvals.types["adr"].run._replace(
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
        files=tuple(ReviewedFile(path, hash_of(change, path)) for path in paths),
        concepts=(),
        findings=(),
        diff=_diff(change, paths),
        entries=change.entries,
        schema=answer_schema([brief.name for brief in briefs], paths),
    )


def _files(result: VerificationResult, change: Change) -> list[str]:
    """Return the changed files that a judge can read. Raises HelixError for none, or too many."""
    paths, size = [], 0
    for path in change.changed:
        if path == result.path or not path.isprintable():
            continue
        text = change.readable(path)
        if text is not None:
            paths.append(path)
            size += len(text)
    if not paths:
        raise HelixError("the work has no changed file that a judge could read")
    if len(paths) > _MOST_FILES or size > _MOST_CHARACTERS:
        amount = f"{len(paths)} files with {size:,} characters"
        raise HelixError(f"too many changes for the judge ({amount})")
    return paths


def _diff(change: Change, paths: list[str]) -> bytes | None:
    if not change.merge_base:
        return None
    base, head = change.merge_base, change.head
    return snapshot.difference(change.root, base, head, paths, _MOST_DIFF) or None
