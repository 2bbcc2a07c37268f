"""Changes of a run, one line each, for a log or a pipe."""

from collections.abc import Iterator

from ..phases.flow import Flow, Phase
from ..phases.run_state import PAUSED, RUNNING, WAITING, PhaseProgress, RunState
from ..text.sanitize import printable
from .flow import duration, message_of, money, tries


def changes(flow: Flow, before: RunState | None, state: RunState) -> Iterator[str]:
    """Yield a line for each phase whose state or attempt differs from `before`.

    `before` is None for the first state of a run.
    """
    for phase in flow.phases:
        now = state.phases.get(phase.id)
        earlier = before.phases.get(phase.id) if before else None
        if now and _has_changed(earlier, now):
            yield from _ended_try(phase, earlier, now)
            yield _line(phase, now)


def _has_changed(before: PhaseProgress | None, now: PhaseProgress) -> bool:
    if not before:
        return now.state != WAITING
    return _key(now) != _key(before)


def _key(progress: PhaseProgress) -> tuple[str, str, int]:
    return progress.state, progress.stage, progress.number


def _ended_try(phase: Phase, before: PhaseProgress | None, now: PhaseProgress) -> Iterator[str]:
    """Yield why there is another attempt, if the state of the phase alone does not show it."""
    is_again = before is not None and before.state == now.state == RUNNING
    if is_again and now.result and not now.result.passed:
        yield f"{printable(phase.id)}: {printable(message_of(now))}"


def _why_again(phase: Phase, now: PhaseProgress) -> str:
    """Return why a finished phase waits again."""
    if not now.used or not now.result or now.result.passed:
        return "waiting again"
    handler = phase.on_rejection
    target = f"{printable(handler.target)} runs again ({now.used} of {handler.max_retries})"
    return f"rejected; {target}: {printable(message_of(now))}"


def _line(phase: Phase, now: PhaseProgress) -> str:
    name = printable(phase.id)
    if now.state == WAITING:
        return f"{name}: {_why_again(phase, now)}"
    if now.state == RUNNING:
        return f"{name}: running, try {tries(phase, now)}"
    effort = duration(now.seconds)
    if now.cost_usd:
        effort = f"{effort}, {money(now.cost_usd)}"
    message = now.question if now.state == PAUSED else message_of(now)
    line = f"{name}: {now.state} ({effort})"
    if not message:
        return line
    return f"{line}: {printable(message)}"
