from collections.abc import Iterable, Iterator

from ...baseline import Baseline, Stale
from ...model import RuleResult, rule


@rule("baseline-stale", "config", "error")
def baseline_stale(baseline: Baseline, stale: Iterable[Stale]) -> Iterator[RuleResult]:
    """The baseline lists findings that no longer exist.

    A baseline has the number of findings of each rule in a file when the check was introduced.
    These findings are not reported. If some of them are fixed and the number stays, it hides as
    many new findings. Update the baseline: `helix-hooks check --write-baseline`.
    """
    lines = baseline.lines()
    for entry in stale:
        verb = "is" if entry.present == 1 else "are"
        yield RuleResult(
            line=lines.get(entry.path, 1),
            message=f"the baseline allows {entry.counted} {entry.rule} in {entry.path}, "
            f"but there {verb} {entry.present or 'none'}",
            help="update it: helix-hooks check --write-baseline",
            subject=f"{entry.rule} {entry.path}",
        )
