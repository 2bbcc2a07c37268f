"""The rules on the gate itself: what silences it, and what a change takes away from it."""

from .baseline_stale import BaselineStale
from .gate_relaxed import GateRelaxed
from .suppression_invalid import SuppressionInvalid

SUPPRESSION_INVALID, BASELINE_STALE, GATE_RELAXED = SuppressionInvalid(), BaselineStale(), GateRelaxed()
GATE = (SUPPRESSION_INVALID, BASELINE_STALE, GATE_RELAXED)
