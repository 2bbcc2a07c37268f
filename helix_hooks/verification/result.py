"""The result of a verification: each expectation of a contract with its state."""

from ..records import NamedTuple

MET, MISSING, UNVERIFIABLE = "met", "missing", "unverifiable"
"""The states of an expectation. Nothing can show whether an unverifiable one is met."""

VERIFIED, UNMET, UNAPPROVED, FAILED = "verified", "unmet", "unapproved", "failed"
"""The states of a verification. `unapproved`: the ADR was never approved, so there is no contract.
`failed`: it could not be carried out.
"""

NOTHING_SHOWN = "nothing-shown"
"""The state of a contract of which nothing is missing, and of which nothing can be shown to be met.
It stops nobody, and is no success.
"""

EXIT_CODES = {VERIFIED: 0, NOTHING_SHOWN: 0, UNMET: 1, FAILED: 3, UNAPPROVED: 4}


class Expectation(NamedTuple):
    """One expectation and its state.

    `kind` is create, modify, delete, docs, syntax, criterion or command; `subject` is the path, the
    criterion's text or the command's name; `line` is the one in the ADR that asks for it. `reason`
    says what is missing, or why nothing can show it; `action` is how to go on.
    """

    kind: str
    subject: str
    state: str
    line: int = 1
    reason: str = ""
    action: str = ""


class VerificationResult(NamedTuple):
    """The result for one ADR. `adr_id` is its id, `path` its file, `title` its title.

    `state` is one of `EXIT_CODES`; `reason` says why it is unapproved or failed. `contract` is the
    hash of the approved content, `since` the commit at which it was approved.
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
    def unverifiable(self) -> tuple[Expectation, ...]:
        return tuple(item for item in self.expectations if item.state == UNVERIFIABLE)

    @property
    def errors(self) -> tuple[str, ...]:
        """Return what is missing, a line each."""
        if self.reason:
            return (self.reason,)
        return tuple(f"{item.subject}: {item.reason}" for item in self.missing)

    @property
    def checks_passed(self) -> tuple[str, ...]:
        """Return what is met, a line each."""
        return tuple(
            f"{item.kind}: {item.subject}" for item in self.expectations if item.state == MET
        )


def without_evidence(adr: str, path: str, state: str, reason: str) -> VerificationResult:
    """Return the result for an ADR, as it is called, of which nothing was compared."""
    return VerificationResult(adr_id=adr, path=path, title="", state=state, reason=reason)
