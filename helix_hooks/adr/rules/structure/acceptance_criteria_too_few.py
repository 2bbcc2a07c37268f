from collections.abc import Iterator

from ...blank import is_blank
from ...model import Adr, RuleResult, rule
from ...parse.document import tasks
from ...parse.prose import says_something


@rule("acceptance-criteria-too-few", "structure", "warning")
def acceptance_criteria_too_few(adr: Adr) -> Iterator[RuleResult]:
    """There are too few acceptance criteria.

    Without criteria it is unclear when the decision is implemented. A criterion is a task list
    item, `- [ ] text`, in the section Acceptance Criteria; any list style counts. These do not
    count: an item without text, a placeholder of the template ("TODO", `{something to check}`), an
    item in a quote, and a repeated text. No criterion is an error, fewer than
    `min_acceptance_criteria` (3) are a warning. The rule applies only to templates that require the
    section.
    """
    sections = adr.h2.get("acceptance-criteria", [])
    minimum = adr.template.min_acceptance_criteria
    if not sections or not minimum or not adr.template.asks_for("acceptance-criteria"):
        return
    # A repeated text counts once.
    texts: set[str] = set()
    for section in sections:
        texts.update(" ".join(task.text.casefold().split()) for task in tasks(adr.doc, section))
    count = sum(says_something(text) and not is_blank(text) for text in texts)
    if count >= minimum:
        return
    message = "there are no acceptance criteria; write them as a task list"
    if count:
        noun = "criterion" if count == 1 else "criteria"
        message = f"only {count} acceptance {noun}; at least {minimum} are required"
    elif any(map(is_blank, texts)):
        message = "the acceptance criteria are still placeholders of the template"
    yield RuleResult(
        line=adr.doc.line_at(sections[0].heading_start),
        message=message,
        help="write `- [ ] …` for each thing that can be checked when the work is done",
        severity="" if count else "error",
        words=sections[0].title,
        subject="acceptance-criteria",
    )
