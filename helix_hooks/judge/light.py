"""The light judge of an approval type, which runs before the full judge.

It decides clear cases without the full judge. After any failure of it, the full judge runs.
"""

from typing import TYPE_CHECKING, NamedTuple

from ..config.agents import API, CLAUDE, Agent, Smart
from ..errors import HelixError
from ..verdict import light, parts, verdict
from ..verdict.approval_result import REJECTED
from ..verdict.light import Sent
from ..verdict.prompt import known
from ..verdict.verdict import Answer, RefusedError
from .attempt import PROVIDERS, Left, Outside, Readiness, asked_once, new_boundary
from .claude import WITHOUT_TOOLS
from .provider import FailedError, Usage
from .question import Question
from .rubric import answer_schema

if TYPE_CHECKING:
    from ..config.agents import Run

_TURNS = 3
"""Turns of the light judge: the answer, and two corrections of its form by the CLI."""
_LONGEST = 300
"""Maximum characters of the reason why a light judge did not decide."""


class LightReview(NamedTuple):
    """The answer of a light judge with its data if it decides, otherwise the reason.

    `charged` is the cost in US dollars to subtract from the budget; an unknown cost counts in full.
    """

    answer: Answer | None = None
    data: dict[str, object] | None = None
    reason: str = ""
    usages: tuple[Usage, ...] = ()
    charged: float = 0
    model: str = ""


def light_review(question: Question, outside: Outside) -> LightReview:
    """Ask the light judge of a question about all briefs, in one request."""
    smart, agent = question.type.run.smart, question.light
    if not smart or not agent:
        return LightReview()
    if agent.provider == API:
        agent = agent._replace(model=smart.model)
    usages: list[Usage] = []
    review = LightReview()
    if agent.provider in (CLAUDE, API):
        review = review._replace(model=smart.model)
    try:
        data, answer = _answer(question, smart, agent, outside, usages)
        review = review._replace(data=data, answer=answer)
    except FailedError as error:
        review = review._replace(reason=_short(str(error)))
    except Exception as error:  # noqa: BLE001 -- the full judge runs after any failure
        review = review._replace(reason=_short(f"{type(error).__name__}: {error}"))
    return review._replace(usages=tuple(usages), charged=_charged(usages, smart))


def _short(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]


def _charged(usages: list[Usage], smart: Smart) -> float:
    """Return the cost in US dollars; at least the budget if it is unknown."""
    cost = sum(usage.cost_usd or 0 for usage in usages)
    if any(usage.cost_usd is None for usage in usages):
        return max(cost, smart.max_cost_usd)
    return cost


def _answer(
    question: Question, smart: Smart, agent: Agent, outside: Outside, usages: list[Usage]
) -> tuple[dict[str, object], Answer]:
    """Return the answer to all briefs with its data. Raises FailedError if it does not decide."""
    run = question.type.run
    if smart.max_cost_usd >= run.max_cost_usd:
        message = (
            f"its budget is ${smart.max_cost_usd:g}, but it must be below the budget of both judges"
        )
        raise FailedError("budget", message)
    floor = max(smart.confidence, run.required_confidence)
    sent = _sent(question, outside, floor)
    provider = PROVIDERS[agent.provider]
    if agent.provider == CLAUDE:
        provider = WITHOUT_TOOLS
    readiness = Readiness(provider, agent, outside.environment)
    left = Left(smart.timeout, smart.max_cost_usd)
    asked = _without_files(question, agent, smart)
    try:
        texts = light.texts(question.rubric, question.briefs, sent, asked.schema)
        tried = asked_once(asked, provider, texts, outside, readiness, left, usages)
        answer = verdict.accepted(
            tried.data, asked.schema, question.names, question.paths, outside.read
        )
    except (HelixError, RefusedError) as error:
        raise FailedError("agent", str(error)) from None
    cost = usages[-1].cost_usd
    if cost is not None and cost > smart.max_cost_usd:
        raise FailedError("budget", f"it took ${cost:.4f}, more than its budget")
    if reason := light.unsure(answer, floor):
        raise FailedError("agent", reason)
    if light.has_error(answer):
        answer = answer._replace(result=REJECTED)
    return {**tried.data, "result": answer.result}, answer


def _without_files(question: Question, agent: Agent, smart: Smart) -> Question:
    """Return the question for a judge without files of the repository."""
    run: Run = question.type.run._replace(
        agent=agent.name,
        model=smart.model,
        fallback_model="",
        timeout=smart.timeout,
        max_turns=_TURNS,
    )
    names = [brief.name for brief in question.briefs]
    return question._replace(
        type=question.type._replace(run=run),
        agent=agent,
        entries=[],
        schema=answer_schema(names, question.paths),
    )


def _sent(question: Question, outside: Outside, floor: float) -> Sent:
    """Return the message to a light judge as values.

    Raises:
        FailedError: A file is too large, not text, or not readable for a judge.
    """
    skills = sorted(question.skills.items())
    sent = Sent(
        type=question.type.name,
        files={path: _text(path, outside) for path in question.paths},
        concepts={path: _text(path, outside) for path in question.concepts},
        skills={path: data.decode(errors="replace") for path, data in skills},
        known=known(list(question.findings)),
        diff=(question.diff or b"").decode(errors="replace"),
        boundary=new_boundary(),
        confidence=floor,
    )
    if sent.is_too_large or len(sent.files) > parts.MOST_FILES:
        raise FailedError("setup", "the files are too large for one message")
    texts = (*sent.files.values(), *sent.concepts.values(), *sent.skills.values())
    # Bytes that are not UTF-8 were read as U+FFFD.
    if any("\0" in text or "\ufffd" in text for text in texts):
        raise FailedError("setup", "a file is not valid UTF-8")
    return sent


def _text(path: str, outside: Outside) -> str:
    """Return the text of a file. Raises FailedError."""
    text = outside.read(path)
    if text is None:
        raise FailedError("setup", f"{path} cannot be shown to a judge")
    return text
