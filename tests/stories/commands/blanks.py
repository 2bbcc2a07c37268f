"""New ADRs whose blanks are filled in."""

import re
from itertools import count


def filled(text: str) -> str:
    """Return a new ADR with a sentence in the place of each blank below its title."""
    top, heading, body = text.partition("\n## ")
    sentences = (
        f"Sentence {n} tells what a new colleague must know in two years." for n in count(1)
    )
    return f"{top}{heading}{re.sub('{[^{}]*}', lambda blank: next(sentences), body)}"
