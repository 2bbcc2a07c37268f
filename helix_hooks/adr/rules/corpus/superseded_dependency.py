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
            yield RuleResult(
                line=reference.line,
                words=reference.text,
                message=f"this ADR is {entry.status.lower()}, but depends on {other.path}, "
                f"which is {_state(other)}",
                help=_help(other),
                severity="error" if other.status in REFUSED else "",
                subject=f"{other.status} {other.path}",
            )


def _help(other: Entry) -> str:
    if other.status in CLOSED:
        return "review this decision, and reference the ADR that replaces it"
    if other.status in REFUSED:
        return "remove the dependency, or write a new ADR"
    return "accept that ADR first, or remove the dependency"


def _state(other: Entry) -> str:
    status = other.status.lower()
    return f"only {status}" if other.status in OPEN else status
