"""The light judge of an approval type, which is asked before the full one.

It decides clear cases alone. Whatever goes wrong with it is a reason to ask the full judge, and
never a verdict.
"""

import time
from typing import TYPE_CHECKING, NamedTuple

from ..change.rubric import answer_schema
from ..config.agents import Agent
from ..config.smart import Smart
from ..errors import HelixError
from ..verdict import light, parts, verdict
from ..verdict.light import Sent
from ..verdict.prompt import Brief, known
from ..verdict.verdict import Answer, RefusedError
from .attempt import PROVIDERS, Left, Outside, Readiness, asked_once, new_boundary
from .claude import WITHOUT_TOOLS
from .provider import FailedError, Provider, Usage
from .question import Question

if TYPE_CHECKING:
    from ..config.approvals import Run

_TURNS = 3
"""Turns of one brief: the answer, and two corrections of its form by the CLI."""
_LONGEST = 300
"""Characters of the reason why a light judge did not decide."""


class LightReview(NamedTuple):
    """The answer of a light judge with its data, if it decides; else the reason why it does not.

    `charged` are the US dollars that count as spent: those of unknown usages too.
    """

    answer: Answer | None = None
    data: dict[str, object] | None = None
    reason: str = ""
    usages: tuple[Usage, ...] = ()
    charged: float = 0
    model: str = ""


def light_review(question: Question, outside: Outside) -> LightReview:
    """Ask the light judge of a question, brief by brief, until one of them is not clear."""
    smart, agent = question.type.run.smart, question.light
    if not smart or not agent:
        return LightReview()
    usages: list[Usage] = []
    found = LightReview(model=smart.model if agent.provider == "claude" else "")
    try:
        data, answer = _answer(question, smart, agent, outside, usages)
        found = found._replace(data=data, answer=answer)
    except FailedError as error:
        found = found._replace(reason=_short(str(error)))
    except Exception as error:  # noqa: BLE001 -- the full judge is asked, whatever went wrong
        found = found._replace(reason=_short(f"{type(error).__name__}: {error}"))
    return found._replace(usages=tuple(usages), charged=_charged(usages, smart))


def _short(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]


def _charged(usages: list[Usage], smart: Smart) -> float:
    """Return the cost of all briefs; where one is unknown, all that they may cost."""
    is_unknown = any(usage.cost_usd is None for usage in usages)
    return max(_stated(usages), smart.max_cost_usd) if is_unknown else _stated(usages)


def _stated(usages: list[Usage]) -> float:
    return sum(usage.cost_usd or 0 for usage in usages)


def _answer(
    question: Question, smart: Smart, agent: Agent, outside: Outside, usages: list[Usage]
) -> tuple[dict[str, object], Answer]:
    """Return the answer to all briefs, if it decides. Raises FailedError and others if not."""
    run = question.type.run
    if smart.max_cost_usd >= run.max_cost_usd:
        message = f"its budget is ${smart.max_cost_usd:g}, and both judges have the same"
        raise FailedError("budget", message)
    floor = max(smart.confidence, run.required_confidence)
    sent = _sent(question, outside, floor)
    provider = WITHOUT_TOOLS if agent.provider == "claude" else PROVIDERS[agent.provider]
    readiness = Readiness(provider, agent, outside.environment)
    deadline = time.monotonic() + smart.timeout
    datas: list[dict[str, object]] = []
    answers: dict[str, Answer] = {}
    for brief in question.briefs:
        one = _about(question, brief, agent, smart)
        left = Left(deadline - time.monotonic(), smart.max_cost_usd - _stated(usages))
        try:
            data, answer = _one(one, provider, sent, readiness, outside, left, usages)
        except (HelixError, FailedError, RefusedError) as error:
            raise FailedError("agent", f"{brief.name}: {error}") from None
        datas.append(data)
        answers[brief.name] = answer
        if reason := light.undecided(answers, floor, len(question.briefs)):
            raise FailedError("agent", reason)
    whole = light.united([*answers.values()])
    return {**parts.written(datas, whole), "result": whole.result}, whole


def _about(question: Question, brief: Brief, agent: Agent, smart: Smart) -> Question:
    """Return the question about one brief to a judge that has no file of the repository."""
    run: Run = question.type.run._replace(
        agent=agent.name,
        model=smart.model,
        fallback_model="",
        timeout=smart.timeout,
        max_turns=_TURNS,
    )
    return question._replace(
        type=question.type._replace(run=run),
        agent=agent,
        briefs=(brief,),
        entries=[],
        schema=answer_schema([brief.name], question.paths),
    )


def _sent(question: Question, outside: Outside, floor: float) -> Sent:
    """Return what a light judge is sent. Raises FailedError for what a message can't show."""
    sent = Sent(
        type=question.type.name,
        files={path: _text(path, outside) for path in question.paths},
        concepts={path: _text(path, outside) for path in question.concepts},
        skills={
            path: data.decode(errors="replace") for path, data in sorted(question.skills.items())
        },
        known=known(list(question.findings)),
        diff=(question.diff or b"").decode(errors="replace"),
        boundary=new_boundary(),
        confidence=floor,
    )
    if sent.is_too_large or len(sent.files) > parts.MOST_FILES:
        raise FailedError("setup", "there is more to read than one message holds")
    texts = (*sent.files.values(), *sent.concepts.values(), *sent.skills.values())
    if any("\0" in text or "\ufffd" in text for text in texts):
        raise FailedError("setup", "a file is no text in UTF-8")
    return sent


def _text(path: str, outside: Outside) -> str:
    text = outside.read(path)
    if text is None:
        raise FailedError("setup", f"{path} is not given to a judge")
    return text


def _one(
    question: Question,
    provider: Provider,
    sent: Sent,
    readiness: Readiness,
    outside: Outside,
    left: Left,
    usages: list[Usage],
) -> tuple[dict[str, object], Answer]:
    """Ask one brief once, within the time and budget that are left. Raises FailedError."""
    if left.seconds <= 0 or left.dollars <= 0:
        raise FailedError("budget", "no time or budget is left for it")
    texts = light.texts(question.rubric, question.briefs[0], sent, question.schema)
    tried = asked_once(question, provider, texts, outside, readiness, left, usages)
    cost = usages[-1].cost_usd
    if cost is not None and cost > left.dollars:
        raise FailedError("budget", f"it took ${cost:.4f}, more than its budget")
    read, names, paths = outside.read, question.names, question.paths
    return tried.data, verdict.accepted(tried.data, question.schema, names, paths, read)
