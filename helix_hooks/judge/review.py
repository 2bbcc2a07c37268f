"""The review of one approval type: its attempts and its verdict.

Any failure is a rejection.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

from ..text.masking import masked, masked_values
from ..verdict import parts, reading, verdict
from ..verdict.approval_result import FULL, LIGHT, AgentContext, ApprovalResult
from ..verdict.verdict import Answer, ReadText, RefusedError
from .attempt import PROVIDERS, Left, Outside, Readiness, attempt
from .light import LightReview, light_review
from .provider import FailedError, Usage
from .question import Question
from .result import answered, failed, without_secrets

_MOST_FILES = 1000
"""Maximum files of a review."""
_TOO_MUCH = "review fewer files or raise max_turns if there is too much to read"
_READ_ALL = f"run it again; {_TOO_MUCH}, and exclude files that no tool can show with `paths`"
_SHARPEN = "run it again, or make the brief more precise; --keep-workspace keeps the prompt"
_RAISE = "raise max_cost_usd in config/approvals.yaml"
_LET_CLAUDE = "exclude it with `paths`, or use claude, which opens files itself"


class Spent(NamedTuple):
    """Usage of all attempts; `cost` in US dollars, None if it is unknown for one of them."""

    cost: float | None
    tokens: int
    turns: int
    model: str


class _Session(NamedTuple):
    """Values that the attempts of a review share. Each attempt adds to `usages` and `answers`."""

    outside: Outside
    readiness: Readiness
    usages: list[Usage]
    answers: list[tuple[dict[str, object], Answer]]


def review(
    question: Question,
    outside: Outside,
) -> tuple[ApprovalResult, dict[str, object] | None]:
    """Return the verdict and the data of its answer (None without an answer), without secrets.

    A light judge runs first, if the settings have one. Unless it decides, only the answer of the
    full judge counts.
    """
    began = time.monotonic()
    light = light_review(question, outside)
    if light.answer:
        context = _context(question, light, [], 1, time.monotonic() - began)
        result = answered(question, light.answer, context)
        return without_secrets(result, outside.secrets), masked_values(light.data, outside.secrets)
    question = _with_budget_left(question, light)
    usages: list[Usage] = []
    answers: list[tuple[dict[str, object], Answer]] = []
    try:
        data, answer = _answer(question, outside, usages, answers)
    except FailedError as error:
        failure = error
    except OSError as error:
        place = f": {error.filename}" if error.filename else ""
        failure = FailedError("setup", f"{error.strerror or error}{place}")
    except BaseException as error:  # noqa: BLE001 -- an error must never count as an approval
        failure = FailedError("agent", f"internal error: {type(error).__name__}: {error}")
    else:
        # Each part of the files has an answer, and all parts together count as one attempt.
        tries = len(usages) - len(answers) + 1
        context = _context(question, light, usages, tries, time.monotonic() - began)
        result = answered(question, answer, context)
        return without_secrets(result, outside.secrets), masked_values(data, outside.secrets)
    tries = len(usages) - len(answers)
    context = _context(question, light, usages, tries, time.monotonic() - began)
    return without_secrets(failed(question, failure, context), outside.secrets), None


def spent(usages: Sequence[Usage]) -> Spent:
    """Return the total usage of attempts, with the last model that was reported."""
    cost: float | None = 0
    model = ""
    for usage in usages:
        if cost is None or usage.cost_usd is None:
            cost = None
        else:
            cost += usage.cost_usd
        model = usage.model or model
    return Spent(
        cost=cost,
        tokens=sum(usage.tokens for usage in usages),
        turns=sum(usage.turns for usage in usages),
        model=model,
    )


def _with_budget_left(question: Question, light: LightReview) -> Question:
    """Return a question with the budget that its light judge has left."""
    if not light.usages:
        return question
    run = question.type.run
    left = run._replace(max_cost_usd=max(0.0, run.max_cost_usd - light.charged))
    return question._replace(type=question.type._replace(run=left))


def _context(
    question: Question, light: LightReview, usages: list[Usage], tries: int, seconds: float
) -> AgentContext:
    """Return the context of a verdict: usage of both judges, and the judge that decided.

    `usages` are those of the full judge.
    """
    total = spent([*light.usages, *usages])
    if light.answer and question.light:
        judge, agent, model = LIGHT, question.light, spent(light.usages).model or light.model
    else:
        judge, agent, model = FULL, question.agent, spent(usages).model or _model_of(question)
    return AgentContext(
        agent=agent.name,
        model=model,
        duration_seconds=round(seconds, 3),
        tokens_used=total.tokens,
        cost_usd=total.cost,
        turns=total.turns,
        attempts=tries,
        decided_by=judge,
        light_reason=light.reason,
        light_cost_usd=spent(light.usages).cost,
    )


def _model_of(question: Question) -> str:
    """Return the model of the settings; "" for other programs, which may ignore it."""
    if question.agent.model:
        return question.agent.model
    if question.agent.provider != "claude":
        return ""
    return question.type.run.model


def _answer(
    question: Question,
    outside: Outside,
    usages: list[Usage],
    answers: list[tuple[dict[str, object], Answer]],
) -> tuple[dict[str, object], Answer]:
    """Return the answer about all files, from the answers to its parts. Raises FailedError."""
    texts = _texts(question, outside)
    provider = PROVIDERS[question.agent.provider]
    if not provider.records:
        _refuse_unsendable(texts)
    readiness = Readiness(provider, question.agent, outside.environment)
    session = _Session(outside, readiness, usages, answers)
    groups = parts.parts((path, len(text)) for path, text in texts.items())
    seconds = 0.0
    for number, paths in enumerate(groups, 1):
        part = question
        if len(groups) > 1:
            part = question.about(paths, (number, len(groups)))
        seconds = _until_answered(session, part, {path: texts[path] for path in paths}, seconds)
    answer = parts.united([answer for _, answer in answers])
    return parts.written([data for data, _ in answers], answer), answer


def _texts(question: Question, outside: Outside) -> dict[str, str]:
    """Return the reviewed files by path. Raises FailedError for too many files."""
    count = len(question.files)
    if count > _MOST_FILES:
        message = f"too many files to review ({count}, maximum {_MOST_FILES})"
        raise FailedError("setup", message, "specify fewer files, or narrow `paths`")
    return {path: outside.read(path) or "" for path in question.paths}


def _until_answered(
    session: _Session,
    question: Question,
    texts: dict[str, str],
    seconds: float,
) -> float:
    """Ask about one part until there is an answer. Raises FailedError.

    An attempt has `timeout` seconds for all parts. `seconds` is the time of the earlier parts; the
    time including this part is returned. A retry follows only after a failure that may be
    temporary, never after an answer.
    """
    run = question.type.run
    while True:
        began = time.monotonic()
        try:
            session.answers.append(_one(session, question, texts, run.timeout - seconds))
        except FailedError as error:
            failures = len(session.usages) - len(session.answers)
            is_stopped = session.outside.stop.asked
            if not error.again or failures > run.max_retries or is_stopped or _unpriced(session):
                raise
            _pause(session.outside, run.retry_delay * 2 ** (failures - 1), error)
            seconds = 0  # the new attempt has the whole timeout
        else:
            return seconds + time.monotonic() - began


def _unpriced(session: _Session) -> bool:
    """Return whether the cost so far is unknown, so that a retry could exceed the budget."""
    total = spent(session.usages)
    return total.cost is None and total.turns > 0


def _pause(outside: Outside, seconds: float, error: FailedError) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and not outside.stop.asked:
        outside.tell(0, masked(f"{error}; again in {left:.0f} s", outside.secrets))
        time.sleep(min(0.1, left))


def _one(
    session: _Session,
    question: Question,
    texts: dict[str, str],
    seconds: float,
) -> tuple[dict[str, object], Answer]:
    """Ask once, within the remaining time and budget. Raises FailedError."""
    most = question.type.run.max_cost_usd
    dollars = most - (spent(session.usages).cost or 0)
    if dollars <= 0:
        raise FailedError("budget", f"the budget of ${most:.2f} is used up", _RAISE)
    left = Left(seconds, dollars)
    outside, readiness, usages = session.outside, session.readiness, session.usages
    answered_once = attempt(question, texts, outside, readiness, left, usages)
    # The CLI compares its cost with the budget after a turn, so one turn can exceed it.
    cost = spent(usages).cost
    if cost is not None and cost > most:
        message = f"the review cost ${cost:.4f}, more than the ${most:.2f} allowed"
        raise FailedError("budget", message, f"{_RAISE}, or review fewer files at once")
    answer = _accepted(question, answered_once.data, outside.read)
    if answered_once.unread:
        raise FailedError("agent", reading.message(answered_once.unread), _READ_ALL, again=True)
    return answered_once.data, answer


def _accepted(question: Question, data: dict[str, object], read: ReadText) -> Answer:
    try:
        names, paths, asked = question.names, question.paths, question.asked
        return verdict.accepted(data, question.schema, names, paths, read, asked)
    except RefusedError as error:
        raise FailedError(error.check, str(error), _SHARPEN, again=True) from None


def _refuse_unsendable(texts: dict[str, str]) -> None:
    """Raise FailedError for a file that can't be sent in a message: too large, or not UTF-8."""
    most = parts.MOST_CHARACTERS
    large = [path for path, text in texts.items() if len(text) > most]
    if large:
        size = f"{len(texts[large[0]])} characters, maximum {most}"
        message = f"{large[0]} is too long for a message to the judge ({size})"
        raise FailedError("setup", message, _LET_CLAUDE)
    unsent = [path for path, text in texts.items() if "\0" in text or "\ufffd" in text]
    if unsent:
        message = f"{unsent[0]} is not valid UTF-8, so a message to the judge cannot contain it"
        raise FailedError("setup", message, f"save it as UTF-8, {_LET_CLAUDE}")
