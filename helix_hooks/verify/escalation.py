"""The command of the settings that runs when an agent gave up."""

import json
import os
from collections.abc import Callable, Sequence

from .. import writing
from ..proc.run import Limits, Stop
from ..text import json_value
from ..verification.pending import Counted
from . import agent_run
from .agent_run import AgentCommand
from .store import Store

LIMITS = Limits(seconds=60.0, output=1_000_000)


def report(counted: Sequence[Counted]) -> str:
    """Return the standard input of the escalation command, as JSON."""
    listed = [
        {
            "adr_id": item.result.adr_id,
            "path": item.result.path,
            "title": item.result.title,
            "state": item.state.state,
            "reason": item.state.reason,
            "attempts": item.state.attempt,
            "runs": item.state.runs,
            "errors": list(item.result.errors),
            "feedback": item.feedback,
        }
        for item in counted
    ]
    return json.dumps(json_value({"version": 1, "adrs": listed}), indent=2) + "\n"


def escalate(
    command: AgentCommand,
    counted: Sequence[Counted],
    place: Store,
    log: str,
    tell: Callable[[str], None],
) -> None:
    """Run the command once with the report, and tell how it ended. A failure changes no result."""
    stdin = os.path.join(place.folder, "escalation.json")
    try:
        writing.replace(stdin, report(counted).encode(), mode=0o600)
        problem = agent_run.run(command, stdin, log, tell, Stop()).problem
    except OSError as error:
        problem = f"{error.filename}: {error.strerror}"
    tell(f"the escalation failed: {problem}" if problem else "the escalation was sent")
