"""Verify the ADRs that a pull request claims to implement, under the settings of its base.

Only commits are read: no command runs, and approvals recorded in this clone do not count.
"""

from ..check.trees import GitTree
from ..config.approvals import Approvals
from ..decision.claimed import MOST_CLAIMED, ClaimedAdr, claimed_adr, worst_first
from ..decision.handover import Handover
from ..errors import HelixError
from ..verification.result import FAILED, VerificationResult, without_evidence
from ..verify.approved import FETCH
from ..verify.base import WorkBase
from ..verify.options import VerifyOptions
from ..verify.run import verify

_UNKNOWN = "The work"
_UNFETCHED = ", since its history could not be fetched"


def verify_options(handover: Handover, config: str) -> VerifyOptions:
    """Return the options of a verification of the change."""
    target = handover.target
    base = WorkBase(
        name=target.base_ref or target.base[:7],
        commit=target.base,
        fork=target.merge_base,
        is_own=False,
    )
    return VerifyOptions(
        head=target.head,
        claims=tuple(f"Implements: {name}" for name in handover.claims),
        runs_commands=False,
        known_base=base,
        config=config,
        counts_records=False,
    )


def with_claims(
    handover: Handover, root: str, base: GitTree, approvals: Approvals, config: str
) -> Handover:
    """Return the hand-over with the results of the claims, the worst ones first.

    `base` is the tree of the base.
    """
    results = _results(handover, root, config)
    claimed = worst_first([_claimed(result, base, approvals) for result in results])
    return handover._replace(
        claimed=tuple(claimed[:MOST_CLAIMED]),
        claimed_left_out=len(claimed[MOST_CLAIMED:]),
    )


def _results(handover: Handover, root: str, config: str) -> tuple[VerificationResult, ...]:
    try:
        return verify(verify_options(handover, config), root).results
    except HelixError as error:
        return (without_evidence(_UNKNOWN, "", FAILED, str(error)),)


def _claimed(result: VerificationResult, base: GitTree, approvals: Approvals) -> ClaimedAdr:
    reason = result.reason.replace(FETCH, _UNFETCHED)
    # An ADR that the change adds is under review itself, so its result must not block.
    is_new = bool(result.path) and not base.has(result.path)
    result = result._replace(reason=reason)
    return claimed_adr(result, blocks=approvals.verify.blocks and not is_new)
