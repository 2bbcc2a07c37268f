from collections.abc import Iterator

from ...corpus import CLOSED, DECIDED, REFUSED, Corpus, Entry
from ...model import Found


class SupersededDependency:
    """An accepted ADR rests on one that does not hold.

    A decision is at most as firm as what it depends on. When `depends_on` names an ADR that was
    superseded, deprecated or is still proposed, either that one has to be decided first, or this
    one has to be looked at again. One that was rejected or withdrawn is an error.
    """

    id = "superseded-dependency"
    layer = "corpus"
    severity = "warning"

    def check(self, entry: Entry, corpus: Corpus) -> Iterator[Found]:
        if entry.status not in DECIDED:
            return
        for reference in entry.of("depends_on"):
            for other in corpus.find(reference, entry.path)[:1]:
                if not other.status or other.status in DECIDED or other.path == entry.path:
                    continue
                says = (
                    f"this ADR is {entry.status.lower()}, but depends on {other.path}, which is "
                    f"{_state(other)}"
                )
                if other.status in CLOSED:
                    yield Found(
                        line=reference.line,
                        words=reference.text,
                        message=says,
                        help="review this decision, and name the ADR that holds now",
                    )
                elif other.status in REFUSED:
                    yield Found(
                        line=reference.line,
                        words=reference.text,
                        message=says,
                        help="remove the dependency, or decide again",
                        severity="error",
                    )
                else:
                    yield Found(
                        line=reference.line,
                        words=reference.text,
                        message=says,
                        help="accept that ADR first, or remove the dependency",
                    )


def _state(other: Entry) -> str:
    return (
        f"only {other.status.lower()}"
        if other.status in ("Draft", "Proposed")
        else other.status.lower()
    )
