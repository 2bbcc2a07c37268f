"""New ADRs whose blanks are filled in."""

import re
from itertools import count


def filled(text: str) -> str:
    """Return a new ADR with a value or a sentence in the place of each blank."""
    top, heading, body = text.partition("\n## ")
    top = re.sub(r'"\{one of: [^{}]*?(\w+), \.\.\.\}"', r"\1", top)
    sentences = (
        f"Sentence {n} tells what a new colleague must know in two years." for n in count(1)
    )
    return f"{top}{heading}{re.sub('{[^{}]*}', lambda blank: next(sentences), body)}"
