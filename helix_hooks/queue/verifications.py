"""The verifications of a work tree that an agent gave up, as entries of the queue."""

from ..verify import store
from ..waiting.entry import QueueEntry
from ..waiting.project_policy import ProjectPolicy
from ..waiting.verification_entry import entry
from .place import QueuePlace


def entries(place: QueuePlace, by: ProjectPolicy) -> tuple[QueueEntry, ...]:
    """Return the questions of this work tree. Raises HelixError."""
    records = store.read(store.opened(place.root))
    return tuple(entry(item, by) for item in records if item.is_question)
