"""New ADRs whose blanks are filled in."""

import re
from itertools import count


def filled(text: str) -> str:
    """Return a new ADR with a value or a sentence in the place of each blank."""
    sentences = (
        f"Sentence {n} tells what a new colleague must know in two years." for n in count(1)
    )
    top, title, body = f"\n{text}".partition("\n# ")
    top = re.sub(r'"\{one of: [^{}]*?(\w+), \.\.\.\}"', r"\1", top)
    heading, below, body = body.partition("\n")
    # A criterion names a test where the template asks for one.
    body = re.sub(r"{[^{}]*(tests/\S+::\w+)}", r"The test `\1` of the new part passes", body)
    body = re.sub("{[^{}]*}", lambda blank: next(sentences), body)
    return f"{top}{title}{heading}{below}{body}".removeprefix("\n")
