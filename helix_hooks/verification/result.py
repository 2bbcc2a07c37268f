"""The result of a verification: each expectation of a contract with its state."""

from typing import NamedTuple

MET, MISSING, UNVERIFIABLE = "met", "missing", "unverifiable"
"""The states of an expectation. `unverifiable`: no evidence can show whether it is met."""

VERIFIED, UNMET, UNAPPROVED, FAILED = "verified", "unmet", "unapproved", "failed"
"""The states of a verification. `unapproved`: the ADR was never approved, so it has no contract.
`failed`: the verification could not run.
"""

NOTHING_SHOWN = "nothing-shown"
"""The state of a contract in which nothing is missing, and nothing can be shown to be met. It
blocks no agent, but is not a success.
"""

KINDS = ("create", "modify", "delete", "docs", "syntax", "criterion", "command")
"""The kinds of an expectation."""

EXIT_CODES = {VERIFIED: 0, NOTHING_SHOWN: 0, UNMET: 1, FAILED: 3, UNAPPROVED: 4}


class Expectation(NamedTuple):
    """An expectation and its state.

    `kind` is one of KINDS. `subject` is the path, the
    criterion's text or the command's name, and `line` the line of the ADR that requires it.
    `reason` is what is missing, or why it is unverifiable; `action` is what to do.
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
    def unverifiable(self) -> tuple[Expectation, ...]:
        return tuple(item for item in self.expectations if item.state == UNVERIFIABLE)

    @property
    def errors(self) -> tuple[str, ...]:
        """The missing expectations, a line each; or only the reason why the verification failed."""
        if self.reason:
            return (self.reason,)
        return tuple(f"{item.subject}: {item.reason}" for item in self.missing)

    @property
    def checks_passed(self) -> tuple[str, ...]:
        """The expectations that are met, a line each."""
        return tuple(
            f"{item.kind}: {item.subject}" for item in self.expectations if item.state == MET
        )


def without_evidence(adr: str, path: str, state: str, reason: str) -> VerificationResult:
    """Return the result for an ADR that was not compared. `adr` is its id as written."""
    return VerificationResult(adr_id=adr, path=path, title="", state=state, reason=reason)
