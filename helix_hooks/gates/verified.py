"""`verified`: the work delivers what an approved ADR promises."""

from collections.abc import Iterable

from ..config.gates import Gate
from ..errors import ConfigError, HelixError, UsageError
from ..finding import Finding
from ..phases.gate_result import GateResult
from ..text.plural import counted
from ..verification.result import FAILED, UNAPPROVED, UNMET, VERIFIED, VerificationResult
from ..verify.base import WorkBase
from ..verify.options import VerifyOptions
from ..verify.run import verify
from . import results
from .work import ACTION, FLOW, TERMINAL, GateWork

_NOTHING = (
    "no ADR is named, and the work claims none, so nothing was verified; name it, as in "
    "adrs: [ADR-014]"
)


def verified(gate: Gate, work: GateWork) -> GateResult:
    options = VerifyOptions(
        adrs=gate.adrs,
        base=work.base,
        head=work.head,
        runs_commands=work.where in (TERMINAL, FLOW),
        known_base=_known_base(work),
        config=work.config,
        counts_records=work.where != ACTION,
    )
    try:
        found = verify(options, work.root).results
    except ConfigError:
        raise
    except UsageError as error:
        raise UsageError(f"{gate.place}: {error}") from None
    except HelixError as error:
        return results.failed(gate, str(error))
    return _answer(gate, found)


def _known_base(work: GateWork) -> WorkBase | None:
    """Return the base that GitHub names, whose history may not be in the clone."""
    if work.where != ACTION:
        return None
    fork = work.merge_base or work.base
    return WorkBase(name=work.base[:7], commit=work.base, fork=fork, is_own=False)


def _answer(gate: Gate, found: tuple[VerificationResult, ...]) -> GateResult:
    if not found:
        return results.rejected(gate, _NOTHING)
    states = {item.state for item in found}
    names = ", ".join(item.adr_id or item.path for item in found)
    details = {"adrs": {item.adr_id or item.path: item.state for item in found}}
    if FAILED in states:
        return results.failed(gate, _reasons(found, FAILED), details)
    if UNMET in states:
        missing = tuple(_findings(gate, found))
        message = f"{names}: {counted(len(missing), 'promise')} not kept"
        return results.rejected(gate, message, missing, details)
    if states == {VERIFIED}:
        return results.approved(gate, f"{names}: every promise is kept", details)
    if UNAPPROVED in states:
        return results.pending(gate, _reasons(found, UNAPPROVED), details)
    return results.pending(gate, f"{names}: nothing shows that it is done; look at it", details)


def _reasons(found: Iterable[VerificationResult], state: str) -> str:
    return "; ".join(f"{item.adr_id}: {item.reason}" for item in found if item.state == state)


def _findings(gate: Gate, found: Iterable[VerificationResult]) -> Iterable[Finding]:
    for result in found:
        for item in result.missing:
            message = f"{item.subject}: {item.reason}"
            yield results.error(gate, message, result.path, item.line, item.action)
