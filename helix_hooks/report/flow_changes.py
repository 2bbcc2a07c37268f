"""Changes of a run, a line each, for a log or a stream that is no terminal."""

from collections.abc import Iterator

from ..phases.flow import Flow, Phase
from ..phases.run_state import PAUSED, RUNNING, WAITING, PhaseProgress, RunState
from ..text.sanitize import printable
from .flow import duration, message_of, money, tries


def changes(flow: Flow, before: RunState | None, state: RunState) -> Iterator[str]:
    """Yield a line for each phase that is in another state, or at another try, than before."""
    for phase in flow.phases:
        now = state.phases.get(phase.id)
        earlier = before.phases.get(phase.id) if before else None
        is_new = now and (_key(now) != _key(earlier) if earlier else now.state != WAITING)
        if now and is_new:
            yield from _ended_try(phase, earlier, now)
            yield _line(phase, now)


def _key(progress: PhaseProgress) -> tuple[str, str, int]:
    return progress.state, progress.stage, progress.number


def _ended_try(phase: Phase, before: PhaseProgress | None, now: PhaseProgress) -> Iterator[str]:
    """Yield why there is another try, where the state of the phase alone does not say it."""
    is_again = before is not None and before.state == now.state == RUNNING
    if is_again and now.result and not now.result.passed:
        yield f"{printable(phase.id)}: {printable(message_of(now))}"


def _why_again(phase: Phase, now: PhaseProgress) -> str:
    """Return why a phase that was done waits again."""
    if not now.used or not now.result or now.result.passed:
        return "waiting again"
    handler = phase.on_rejection
    target = f"{printable(handler.target)} runs again ({now.used} of {handler.max_retries})"
    return f"rejected, so {target}: {printable(message_of(now))}"


def _line(phase: Phase, now: PhaseProgress) -> str:
    name = printable(phase.id)
    if now.state == WAITING:
        return f"{name}: {_why_again(phase, now)}"
    if now.state == RUNNING:
        return f"{name}: running, try {tries(phase, now)}"
    cost = f", {money(now.cost_usd)}" if now.cost_usd else ""
    about = now.question if now.state == PAUSED else message_of(now)
    text = f": {printable(about)}" if about else ""
    return f"{name}: {now.state} ({duration(now.seconds)}{cost}){text}"
