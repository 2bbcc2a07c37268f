"""The rules on what became of an ADR since its last version."""

from ...model import ChangeRule
from .accepted_changed import AcceptedChanged
from .status_transition import StatusTransition

ACCEPTED_CHANGED = AcceptedChanged()
CHANGE: tuple[ChangeRule, ...] = (StatusTransition(), ACCEPTED_CHANGED)
