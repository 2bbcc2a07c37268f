"""List the ADRs that a change of settings takes out of the check, for a person."""

from collections.abc import Iterable, Iterator

from .places import Places, place_of
from .relaxed_rules import no_longer_declared, other_paths
from .settings import Settings

_NAMED = 10
"""Maximum names on one line."""


def listed(names: Iterable[str]) -> str:
    """Return some names for a line: the first ones, and the number of the others."""
    first = list(names)
    more = f" and {len(first) - _NAMED} more" if len(first) > _NAMED else ""
    return f"{', '.join(first[:_NAMED])}{more}"


def watched(old: Settings, new: Settings, where: Places, known: Iterable[str]) -> Iterator[str]:
    """Yield the line on ADRs that are no longer watched, or may no longer be."""
    lost = [path for path in known if old.is_adr(path) and not new.is_adr(path)]
    gone = no_longer_declared(old, new)
    key = "exclude" if old.exclude != new.exclude else "paths"
    if gone and (old.paths, old.exclude) == (new.paths, new.exclude):
        key = old.declared[0].path
    if lost:
        yield (
            f"{key} now leaves out {len(lost)} {'ADR' if len(lost) == 1 else 'ADRs'}: "
            f"{listed(lost)}{place_of(where, key)}"
        )
    elif other_paths(old, new):
        yield f"{key} changed{place_of(where, key)}"
    elif gone:
        yield f"ADRs are no longer looked for in {listed(gone)}"
