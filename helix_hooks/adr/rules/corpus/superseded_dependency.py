from collections.abc import Iterator

from ...corpus import CLOSED, DECIDED, OPEN, REFUSED, Corpus, Entry
from ...model import RuleResult, rule


@rule("superseded-dependency", "corpus", "warning")
def superseded_dependency(entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
    """An accepted ADR depends on an ADR that is not in force.

    A decision is at most as valid as the decisions it depends on. If `depends_on` names an ADR that
    is superseded or deprecated, review this decision and name the ADR in force. If the other ADR is
    still proposed, accept it first. A rejected or withdrawn ADR is an error: remove the dependency,
    or write a new ADR.
    """
    if entry.status not in DECIDED:
        return
    for reference in entry.of("depends_on"):
        for other in corpus.find(reference, entry.path)[:1]:
            if not other.status or other.status in DECIDED or other.path == entry.path:
                continue
            state = other.status.lower()
            help = "accept that ADR first, or remove the dependency"
            if other.status in OPEN:
                state = f"only {state}"
            elif other.status in CLOSED:
                help = "review this decision, and reference the ADR that replaces it"
            elif other.status in REFUSED:
                help = "remove the dependency, or write a new ADR"
            yield RuleResult(
                line=reference.line,
                words=reference.text,
                message=f"this ADR is {entry.status.lower()}, but depends on {other.path}, "
                f"which is {state}",
                help=help,
                severity="error" if other.status in REFUSED else "",
                subject=f"{other.status} {other.path}",
            )
