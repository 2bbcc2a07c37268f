from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ....finding import Finding
from ...model import Found

_SHOWN = 3


class Relaxation(NamedTuple):
    """Something in a change that keeps an error from being found.

    `by` says what it is, `line` where it stands (0: where the error does), `error` what is lost.
    """

    by: str
    line: int
    finding: Finding


class GateRelaxed:
    """The change takes an error out of the gate's sight.

    An author, a person or an agent, who may switch a rule off in the same change has no gate at
    all. With `--since`, and on a pull request, everything is measured by the version before the
    change: its suppressing and `helix-dropped` comments, its status, template, header fields,
    concept, baseline and settings. An error that would be found by that measure, and is not found
    by the author's, is reported here: once it is fixed, that goes away; otherwise a person has to
    agree. A renamed file is measured by what it was. An ADR that is moved to a place without ADRs
    is reported.

    Nothing planted takes effect later. A comment, a baseline entry or a number below `strict_from`
    that was there before counts only for the errors that it hid before, by rule and message. A new
    comment that hides nothing is an error for each rule that it names, and so is a new baseline
    entry, a field by which a rule no longer applies, a template that asks for less, and a concept
    without a section whose loss would have been an error, unless the ADR is decided and can't lose
    it any more.
    """

    id = "gate-relaxed"
    layer = "corpus"
    severity = "error"

    def check(self, relaxations: Iterable[Relaxation]) -> Iterator[Found]:
        grouped: dict[tuple[str, int], list[Relaxation]] = {}
        for item in relaxations:
            grouped.setdefault((item.by, item.line), []).append(item)
        for (by, line), items in grouped.items():
            what = "an error" if len(items) == 1 else f"{len(items)} errors"
            listed = "; ".join(
                f"{item.finding.message} [{item.finding.check}]" for item in items[:_SHOWN]
            )
            more = f"; and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
            yield Found(
                line=line or items[0].finding.line,
                message=f"{by} hides {what}: {listed}{more}",
                help="fix what it hides, or let a person decide",
            )


GATE_RELAXED = GateRelaxed()
