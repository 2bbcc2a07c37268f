"""List the changed settings of the section `flow` that a person must see.

None is milder or stricter: each one sets where decisions are stored, or a program to run.
"""

from collections.abc import Iterator

from .flow import FlowSettings
from .places import Places, place_of


def relaxed_flow(old: FlowSettings, new: FlowSettings, where: Places) -> Iterator[str]:
    """Yield a line for each changed setting of flows."""
    if old.database != new.database:
        was, now = (settings.database or "SQLite" for settings in (old, new))
        yield f"flow.database {was} -> {now}{place_of(where, 'flow.database', 'flow')}"
    for name in dict.fromkeys((*old.creators, *new.creators)):
        at = place_of(where, f"flow.creators.{name}", "flow.creators", "flow")
        if name not in new.creators:
            yield f"flow.creators.{name} was removed{at}"
        elif name not in old.creators:
            yield f"flow.creators.{name} was added{at}"
        elif old.creators[name] != new.creators[name]:
            yield f"flow.creators.{name} changed{at}"
