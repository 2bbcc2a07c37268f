"""The second opinion: several judges answer one question side by side, and give one result.

If they agree, the verdict names all of them. If only some approve, a person decides, with the
summary of each. Without a verdict of one of them there is none.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from ..verdict import parts
from ..verdict.approval_result import APPROVED, AgentContext, ApprovalResult
from ..verdict.verdict import Answer
from .attempt import Outside
from .provider import Usage
from .question import Question
from .result import answered
from .review import review, spent

_LONGEST = 180
"""Maximum characters of each summary in the question to a person."""


def reviewed_by_all(
    question: Question, outside: Outside
) -> tuple[ApprovalResult, dict[str, object] | None]:
    """Return the result of all judges of a question, and the data of a single judge's answer.

    The judges share the budget of the approval type in equal parts. Answers of several judges are
    not stored, so their data is None.
    """
    agents = (question.agent, *question.others)
    if len(agents) == 1:
        return review(question, outside)
    run = question.type.run._replace(max_cost_usd=question.type.run.max_cost_usd / len(agents))
    type = question.type._replace(run=run)
    questions = [question._replace(agent=agent, others=(), type=type) for agent in agents]
    with ThreadPoolExecutor(len(agents)) as pool:
        reviews = pool.map(partial(review, outside=outside), questions)
        return _united(question, [result for result, _ in reviews]), None


def _united(question: Question, results: list[ApprovalResult]) -> ApprovalResult:
    context = _context([result.agent_context for result in results])
    for result in results:
        if result.failed:
            return result._replace(agent_context=context)
    answer = parts.united([_named(result) for result in results])
    earlier = dict(answer.earlier)
    for result in results:
        earlier |= {id: name for id, name in result.earlier.items() if name == "open"}
    answer = answer._replace(earlier=earlier)
    approvals = [result.approved for result in results]
    if any(approvals) and not all(approvals):
        answer = _open(answer, results)
    return answered(question, answer, context)


def _named(result: ApprovalResult) -> Answer:
    """Return the answer behind a result, whose summary names its judge."""
    fields = {name: getattr(result, name) for name in Answer._fields}
    return Answer(**{**fields, "summary": f"{result.agent_context.agent}: {result.summary}"})


def _open(answer: Answer, results: list[ApprovalResult]) -> Answer:
    """Return the answer of judges who differ: a person decides, so no finding is an error."""
    opinions = (
        f"{item.agent_context.agent} says {item.result}: {item.summary[:_LONGEST]}"
        for item in results
    )
    text = f"the judges differ. {' / '.join(opinions)}"
    findings = (
        item._replace(severity="warning") if item.severity == "error" else item
        for item in answer.findings
    )
    return answer._replace(
        result=APPROVED, findings=tuple(findings), needs_person=text[: parts.MOST_QUESTION]
    )


def _context(contexts: list[AgentContext]) -> AgentContext:
    total = spent(
        [Usage(item.cost_usd, item.tokens_used, item.turns, item.model) for item in contexts]
    )
    return AgentContext(
        agent=", ".join(item.agent for item in contexts),
        model=", ".join(item.model or item.agent for item in contexts),
        duration_seconds=max(item.duration_seconds for item in contexts),
        tokens_used=total.tokens,
        cost_usd=total.cost,
        turns=total.turns,
        attempts=max(item.attempts for item in contexts),
    )
