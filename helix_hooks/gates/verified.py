"""`verified`: the work delivers what an approved ADR promises."""

from collections.abc import Iterable

from ..config.gates import Gate
from ..errors import ConfigError, HelixError, UsageError
from ..finding import Finding
from ..phases.gate_result import GateResult
from ..text import counted
from ..verification.result import (
    FAILED,
    PROMISES_NOTHING,
    UNAPPROVED,
    UNMET,
    VERIFIED,
    VerificationResult,
)
from ..verification.syntax import syntax_error
from ..verify.base import WorkBase
from ..verify.options import VerifyOptions
from ..verify.run import verify
from . import results
from .content import files_of, opened
from .files_exist import empty_files
from .syntax import syntax_finding
from .work import ACTION, FLOW, TERMINAL, GateWork

_NOTHING = (
    "the gate lists no ADR and the work claims none, so nothing was verified; add e.g. "
    "adrs: [ADR-014]"
)


def verified(gate: Gate, work: GateWork) -> GateResult:
    """Return the answer of the gate.

    Raises:
        UsageError: The gate names an ADR that does not exist.
    """
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
        verifications = verify(options, work.root).results
    except ConfigError:
        raise
    except UsageError as error:
        raise UsageError(f"{gate.place}: {error}") from None
    except HelixError as error:
        return results.failed(gate, str(error))
    if not verifications and gate.files:
        return _expected_files(gate, work)
    if not verifications:
        return results.rejected(gate, _NOTHING)
    return _answer(gate, verifications)


def _expected_files(gate: Gate, work: GateWork) -> GateResult:
    """Return the answer about the outputs of a phase without an ADR: they are there and parsed."""
    with opened(work) as content:
        files = files_of(gate, content)
        findings = [*files.findings, *empty_files(gate, files.paths, content)]
        for path in files.paths:
            data = content.tree.content(path)
            if syntax_error(path, data):
                findings.append(syntax_finding(gate, path, data))
    count = counted(len(files.paths), "expected file")
    if findings:
        return results.rejected(gate, f"{count}, {counted(len(findings), 'error')}", findings)
    return results.approved(gate, f"no ADR is declared; {count} there, and without syntax errors")


def _known_base(work: GateWork) -> WorkBase | None:
    """Return the base that GitHub reports. Its history may not be in the clone."""
    if work.where != ACTION:
        return None
    fork = work.merge_base or work.base
    return WorkBase(name=work.base[:7], commit=work.base, fork=fork, is_own=False)


def _answer(gate: Gate, verifications: tuple[VerificationResult, ...]) -> GateResult:
    states = {_name(item): item.state for item in verifications}
    names = ", ".join(map(_name, verifications))
    details = {"adrs": states}
    distinct = set(states.values())
    if FAILED in distinct:
        return results.failed(gate, _reasons(verifications, FAILED), details)
    if UNMET in distinct:
        missing = tuple(_findings(gate, verifications))
        message = f"{names}: {counted(len(missing), 'promise')} not fulfilled"
        return results.rejected(gate, message, missing, details)
    if distinct == {VERIFIED}:
        return results.approved(gate, f"{names}: every promise is shown or judged", details)
    if UNAPPROVED in distinct:
        return results.pending(gate, _reasons(verifications, UNAPPROVED), details)
    counts = "; ".join(
        f"{_name(item)}: {item.counts or PROMISES_NOTHING}" for item in verifications
    )
    return results.pending(gate, f"{counts}: a person must look", details)


def _name(result: VerificationResult) -> str:
    return result.adr_id or result.path


def _reasons(verifications: Iterable[VerificationResult], state: str) -> str:
    reasons = [f"{item.adr_id}: {item.reason}" for item in verifications if item.state == state]
    return "; ".join(reasons)


def _findings(gate: Gate, verifications: Iterable[VerificationResult]) -> Iterable[Finding]:
    for result in verifications:
        for item in result.missing:
            message = f"{item.subject}: {item.reason}"
            yield results.error(gate, message, result.path, item.line, item.action)
