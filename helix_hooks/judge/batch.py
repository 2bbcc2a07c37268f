"""The reviews of several approval types in parallel, and their records.

A type with `after` waits for the type that it names.
"""

import os
import threading
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ..decision.states import APPROVED, Assessment, assess
from ..finding import Finding
from ..proc import INTERRUPT_OR_END, handled, orphans
from ..proc.run import Stop
from ..text.masking import Secrets, secrets_of
from ..verdict import verdict
from ..verdict.approval_result import REJECTED, AgentContext, ApprovalResult
from ..verdict.verdict import ReadText
from . import store
from .attempt import Outside
from .cached import cached
from .change import Change
from .opinions import reviewed_by_all
from .options import ApproveOptions, Observer
from .provider import FailedError
from .question import Question, unshowable
from .result import failed, unjudged


class Reviews(NamedTuple):
    """Verdicts of judges with the assessment of each, and results of types without a judge run."""

    verdicts: tuple[ApprovalResult, ...]
    assessments: dict[str, Assessment]
    unjudged: tuple[ApprovalResult, ...]


class _Board:
    """Results by approval type, which the threads of a batch write and wait for."""

    def __init__(self, questions: dict[str, Question], indicators: tuple[Finding, ...]) -> None:
        self._questions, self._indicators = questions, indicators
        self._done = {name: threading.Event() for name in questions}
        self.verdicts: dict[str, ApprovalResult] = {}
        self.unjudged: dict[str, ApprovalResult] = {}

    def close(self, name: str) -> None:
        """Mark a type as done, which ends `lets_pass` in other threads."""
        self._done[name].set()

    def lets_pass(self, name: str) -> bool:
        """Wait for a type, and return whether the judges of the types after it may run.

        They may if the type is approved, or has no question.
        """
        if name not in self._done:
            return True
        self._done[name].wait()
        return name in self.verdicts and self.assessment(name).state == APPROVED

    def assessment(self, name: str) -> Assessment:
        floor = self._questions[name].type.run.required_confidence
        return assess(self.verdicts[name], floor, self._indicators)

    def reviews(self) -> Reviews:
        names = [name for name in self._questions if name in self.verdicts]
        return Reviews(
            tuple(self.verdicts[name] for name in names),
            {name: self.assessment(name) for name in names},
            tuple(self.unjudged[name] for name in self._questions if name in self.unjudged),
        )


class _Batch(NamedTuple):
    """Values and functions that the reviews of a batch share; `place` is the store."""

    place: str
    root: str
    read: ReadText
    secrets: Secrets
    stop: Stop
    options: ApproveOptions
    observer: Observer


def reviews_of(
    questions: dict[str, Question],
    indicators: tuple[Finding, ...],
    change: Change,
    options: ApproveOptions,
    observer: Observer,
) -> Reviews:
    """Ask the judges of some approval types. `questions` and results are by approval type."""
    if not questions:
        return Reviews((), {}, ())
    batch = _Batch(
        place=store.folder(change.root),
        root=change.root,
        read=_one_at_a_time(change.readable),
        secrets=secrets_of({**options.secrets, **os.environ}),
        stop=Stop(),
        options=options,
        observer=observer,
    )
    board = _Board(questions, indicators)
    unanswered = []
    for name, question in questions.items():
        if result := _without_asking(question, batch):
            board.verdicts[name] = result
            board.close(name)
        else:
            unanswered.append(question)
    if unanswered:
        _ask_all(unanswered, board, batch)
    # A thread that died has left no result. Without one the type would count as not reviewed.
    ended = FailedError("agent", "the review ended without a result")
    for name in questions.keys() - board.verdicts.keys() - board.unjudged.keys():
        board.verdicts[name] = failed(questions[name], ended, AgentContext(agent=""))
    reviews = board.reviews()
    for result in reviews.verdicts:
        _record(result, reviews.assessments[result.approval_type], change.base, batch)
    return reviews


def _one_at_a_time(read: ReadText) -> ReadText:
    """Return a reading function that several threads may call."""
    lock = threading.Lock()

    def locked(path: str) -> str | None:
        with lock:
            return read(path)

    return locked


def _without_asking(question: Question, batch: _Batch) -> ApprovalResult | None:
    """Return the result of a question that can't be asked or has a cached answer; else None."""
    if reason := unshowable(question, batch.read):
        error = FailedError("setup", reason)
        return failed(question, error, AgentContext(agent=question.agent.name))
    options = batch.options
    is_fresh = question.type.name in options.fresh
    if not options.uses_cache or options.keeps_workspace or is_fresh:
        return None
    key = store.key(question, os.environ)
    return cached(question, key, batch.place, batch.read, batch.secrets)


def _ask_all(questions: list[Question], board: _Board, batch: _Batch) -> None:
    """Run each judge in its own thread, and end all of their processes afterwards."""
    orphans.adopt()
    spared = orphans.children()
    threads = [
        threading.Thread(target=_ask, args=(question, board, batch)) for question in questions
    ]

    def stop(_number: int) -> None:
        batch.stop.asked = True

    try:
        with handled(INTERRUPT_OR_END, stop):
            for thread in threads:
                thread.start()
            # The judges take seconds, so slow imports happen while they run.
            verdict.prepare()
            for thread in threads:
                thread.join()
    finally:
        orphans.end_all(spared)


def _ask(question: Question, board: _Board, batch: _Batch) -> None:
    name, first = question.type.name, question.type.after
    try:
        if not board.lets_pass(first) and not question.type.always:
            reason = f"skipped: {first} is not approved"
            board.unjudged[name] = unjudged(name, REJECTED, reason)
            return
        result, answer = reviewed_by_all(question, _outside(name, batch))
        board.verdicts[name] = result
        if answer is not None and batch.options.uses_cache:
            context = result.agent_context
            entry = {
                "answer": answer,
                "model": context.model,
                "asked": result.timestamp,
                "decided_by": context.decided_by,
            }
            store.remember(batch.place, store.key(question, os.environ), entry)
    finally:
        board.close(name)


def _outside(name: str, batch: _Batch) -> Outside:
    keep: Callable[[str], None] | None = None
    if batch.options.keeps_workspace:
        keep = partial(_tell_folder, name, batch.observer)
    return Outside(
        root=batch.root,
        read=batch.read,
        environment=dict(os.environ),
        secrets=batch.secrets,
        stop=batch.stop,
        tell=partial(batch.observer.progress, name),
        keep=keep,
    )


def _tell_folder(name: str, observer: Observer, folder: str) -> None:
    places = "prompt and rubric in judge/, the repository in repo/"
    observer.notify(f"{name}: the judge's folder is {folder} ({places})")


def _record(result: ApprovalResult, assessment: Assessment, base: str, batch: _Batch) -> None:
    entry = {
        "approval_id": result.approval_id,
        "approval_type": result.approval_type,
        "timestamp": result.timestamp,
        "result": result.result,
        "decision": assessment.state,
        "confidence": result.confidence,
        "failed_at": result.findings[0].check if result.failed else None,
        "findings": len(result.findings),
        "files": dict(result.files),
        "narrowed": bool(batch.options.checks) and result.approval_type in batch.options.types,
        "base": base or None,
        **result.agent_context._asdict(),
    }
    try:
        store.record(batch.place, entry)
    except OSError as error:
        batch.observer.notify(f"the run could not be recorded for `stats`: {error.strerror}")
