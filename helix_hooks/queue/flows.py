"""The open questions of the flows of a repository as entries of the queue."""

from ..flow.open_questions import open_questions
from ..waiting.entry import QueueEntry
from ..waiting.flow_entry import entry
from ..waiting.project_policy import ProjectPolicy
from .place import QueuePlace


def entries(place: QueuePlace, by: ProjectPolicy, now: int) -> tuple[QueueEntry, ...]:
    """Return the open questions of the runs. Raises HelixError."""
    return tuple(entry(asked, by, now) for asked in open_questions(place.flow))
