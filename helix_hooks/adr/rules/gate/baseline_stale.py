from collections.abc import Iterable, Iterator

from ...baseline import Baseline, Stale
from ...model import Found


class BaselineStale:
    """The baseline counts more than there is to find.

    A baseline lists how many findings of each rule a file had when the gate was adopted; these are
    not reported. Once some of them are fixed, the higher count would let as many new ones in
    unseen. Write the baseline anew: `helix-hooks check --write-baseline`.
    """

    id = "baseline-stale"
    layer = "config"
    severity = "error"

    def check(self, baseline: Baseline, stale: Iterable[Stale]) -> Iterator[Found]:
        for entry in stale:
            there = f"there {'is' if entry.present == 1 else 'are'} {entry.present or 'none'}"
            message = (
                f"the baseline allows {entry.counted} {entry.rule} in {entry.path}, but {there}"
            )
            yield Found(
                line=baseline.line(entry.path),
                message=message,
                help="update it: helix-hooks check --write-baseline",
            )


BASELINE_STALE = BaselineStale()
