from collections.abc import Iterator

from ...model import Adr, Found
from ...names.blank import is_blank
from ...parse.document import tasks
from ...parse.prose import says_something


class AcceptanceCriteriaTooFew:
    """There are too few acceptance criteria.

    Without criteria it is unclear when the decision is carried out. A criterion is a task list
    item, `- [ ] text`, in the section Acceptance Criteria; any list style counts. These do not
    count: an empty box, a blank of a template ("TODO", `{something to check}`), an item in a quote,
    and a repeated text. No criterion is an error, fewer than `min_acceptance_criteria` (3) a
    warning. The rule holds only for templates that have the section.
    """

    id = "acceptance-criteria-too-few"
    layer = "structure"
    severity = "warning"

    def check(self, adr: Adr) -> Iterator[Found]:
        sections = adr.h2.get("acceptance-criteria", [])
        minimum = adr.template.min_acceptance_criteria
        if not sections or not minimum or not adr.template.asks_for("acceptance-criteria"):
            return
        texts = {
            " ".join(task.text.casefold().split())
            for section in sections
            for task in tasks(adr.doc, section)
        }
        count = sum(says_something(text) and not is_blank(text) for text in texts)
        if count >= minimum:
            return
        line = adr.doc.line_at(sections[0].heading_start)
        words = sections[0].title
        help = "write `- [ ] …` for each thing that can be checked when the work is done"
        if not count:
            message = "there are no acceptance criteria; they are written as a task list"
            if any(map(is_blank, texts)):
                message = "the acceptance criteria are still blanks of the template"
            yield Found(line=line, message=message, help=help, severity="error", words=words)
        else:
            yield Found(
                line=line,
                message=f"only {count} acceptance criteri{'on' if count == 1 else 'a'}; at least "
                f"{minimum} are wanted",
                help=help,
                words=words,
            )
