"""The rules on the gate itself: what silences it, and what a change takes away from it."""

from .baseline_stale import BaselineStale
from .gate_relaxed import GateRelaxed
from .suppression_invalid import SuppressionInvalid
from .unwatched_adr import UnwatchedAdr

SUPPRESSION_INVALID, BASELINE_STALE, GATE_RELAXED = SuppressionInvalid(), BaselineStale(), GateRelaxed()
UNWATCHED_ADR = UnwatchedAdr()
GATE = (SUPPRESSION_INVALID, BASELINE_STALE, GATE_RELAXED, UNWATCHED_ADR)
