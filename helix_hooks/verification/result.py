"""The result of a verification: each expectation of a contract with its state."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

MISSING, UNCHECKED, PRESENT, JUDGED, SHOWN = WORDS = (
    "missing",
    "unchecked",
    "present",
    "judged",
    "shown",
)
"""The states of an expectation, the worst first.

`shown`: a command of the settings at the base ran here and passed, or git proves a fact of
`files:`. `judged`: a judge says so, with a place in the tree, or a person has looked. `present`: it
is named and there, and nothing ran. `missing`: it is not there, or it failed. `unchecked`: nothing
was compared.
"""

VERIFIED, UNMET, UNPROVEN = "verified", "unmet", "unproven"
"""The states of a verification that compared a contract: all is shown or judged; something is
missing; and neither, so a person must look.
"""

UNAPPROVED, FAILED = "unapproved", "failed"
"""The states of one that compared nothing. `unapproved`: the ADR was never approved, so it has no
contract. `failed`: the verification could not run.
"""

PROMISES_NOTHING = "it promises nothing that can be verified"
"""The reason why an ADR without promises is unproven."""

KINDS = ("create", "modify", "delete", "docs", "syntax", "criterion", "command")
"""The kinds of an expectation."""

EXIT_CODES = {VERIFIED: 0, UNMET: 1, FAILED: 3, UNAPPROVED: 4, UNPROVEN: 4}


class Expectation(NamedTuple):
    """An expectation and its state, one of WORDS.

    `kind` is one of KINDS. `subject` is the path, the criterion's text or the command's name, and
    `line` the line of the ADR that requires it. `reason` says why it has its state; `action` is
    what to do.
    """

    kind: str
    subject: str
    state: str
    line: int = 1
    reason: str = ""
    action: str = ""


class VerificationResult(NamedTuple):
    """The result for one ADR: its id, its file `path`, and its title.

    `state` is one of `EXIT_CODES`; `reason` is why it is unapproved or failed. `contract` is the
    hash of the approved content, `since` the commit of the approval.
    """

    adr_id: str
    path: str
    title: str
    state: str
    expectations: tuple[Expectation, ...] = ()
    reason: str = ""
    contract: str = ""
    since: str = ""

    @property
    def success(self) -> bool:
        return self.state == VERIFIED

    @property
    def missing(self) -> tuple[Expectation, ...]:
        return tuple(item for item in self.expectations if item.state == MISSING)

    @property
    def open(self) -> tuple[Expectation, ...]:
        """The expectations at which a person must look: unchecked, or present and no more."""
        return tuple(item for item in self.expectations if item.state in (UNCHECKED, PRESENT))

    @property
    def errors(self) -> tuple[str, ...]:
        """The missing expectations, a line each; or only the reason why the verification failed."""
        if self.reason:
            return (self.reason,)
        return tuple(f"{item.subject}: {item.reason}" for item in self.missing)

    @property
    def feedback(self) -> str:
        """The actions on what is missing, in one line; or why the verification failed."""
        return "; ".join(item.action or item.reason for item in self.missing) or self.reason

    @property
    def checks_passed(self) -> tuple[str, ...]:
        """The expectations that are shown or judged, a line each."""
        return tuple(
            f"{item.kind}: {item.subject}"
            for item in self.expectations
            if item.state in (SHOWN, JUDGED)
        )

    @property
    def counts(self) -> str:
        """The numbers of expectations by state, the best first, as in "4 shown, 2 present"."""
        return in_words(Counter(item.state for item in self.expectations))


def in_words(numbers: Mapping[str, int]) -> str:
    """Return numbers of expectations by state as a text, the best state first; "" for none."""
    words = (word for word in reversed(WORDS) if numbers.get(word))
    return ", ".join(f"{numbers[word]} {word}" for word in words)


def state_of(expectations: Iterable[Expectation]) -> str:
    """Return the state of a verification with some expectations."""
    states = {item.state for item in expectations}
    if MISSING in states:
        return UNMET
    return VERIFIED if states and states <= {SHOWN, JUDGED} else UNPROVEN


def without_evidence(adr: str, path: str, state: str, reason: str) -> VerificationResult:
    """Return the result for an ADR that was not compared. `adr` is its id as written."""
    return VerificationResult(adr_id=adr, path=path, title="", state=state, reason=reason)
