"""Settings learnt from the ADRs that a repository has. Pure."""

from ..adr.model import Adr
from ..adr.profile import profile

_FEWEST = 5
"""ADRs; fewer show no habit."""

_FITS = 0.8
"""Share of ADRs that pass by a built-in template, so that no other one is needed."""

_HEAD = """# What most ADRs of this repository have in common, found by `helix-hooks init`. Yours to edit.
template: ours

templates:
  ours:
    sections:
"""


def learnt_settings(adrs: list[Adr], passed: int) -> str:
    """Return the settings file for ADRs with a style of their own, of which `passed` pass now.

    It is "" where a built-in template fits, or where the ADRs are too few or have no style.
    """
    habits = profile(adrs)
    if len(adrs) < _FEWEST or passed >= _FITS * len(adrs) or not habits.sections:
        return ""
    sections = "".join(f"      - {_quoted(title)}\n" for title in habits.sections)
    header = "    header: [status]\n" if habits.states_status else ""
    return f"{_HEAD}{sections}{header}"


def _quoted(title: str) -> str:
    escaped = title.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
