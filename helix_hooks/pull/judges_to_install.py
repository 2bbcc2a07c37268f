"""`python -m helix_hooks.pull.judges_to_install FILE MODE AGENT CONFIG`, for `action.sh`.

Print the kinds of judges that a step needs and that must be installed, `api` or `claude`, one a
line. FILE is the hand-over, and AGENT and CONFIG are inputs of the Action, "" without one.
"""

import os
import sys
from collections.abc import Iterator

from ..check.trees import Revision
from ..config.agents import API, CLAUDE
from ..config.approvals import Approvals
from ..console import print_result
from ..decision.handover import Handover
from ..errors import HelixError
from ..judge.approvals import approvals_of
from .runner import load


def main(file: str, mode: str, agent: str, config: str) -> int:
    try:
        handover = load(file)
    except HelixError:
        return 0  # the judge's step reports it
    if _may_judge(handover, mode):
        folder = os.path.join(os.path.dirname(file), "objects.git")
        for kind in sorted({*_kinds(folder, handover.target.base, mode, agent, config)}):
            print_result(f"{kind}\n")
    return 0


def _may_judge(handover: Handover, mode: str) -> bool:
    target = handover.target
    if handover.no_judge == "" or target.merges or target.draft or target.from_fork:
        return False
    return mode == "gate" or handover.applies


def _kinds(folder: str, base: str, mode: str, agent: str, config: str) -> Iterator[str]:
    try:
        approvals = approvals_of(Revision(folder, base), config)
    except HelixError:
        approvals = Approvals({}, {})
        agent = agent or CLAUDE
    names = {agent} if agent else _agents(approvals, mode)
    if CLAUDE in names:
        yield CLAUDE
    yield from (API for name in names if name in approvals.agents and approvals.agents[name].model)


def _agents(approvals: Approvals, mode: str) -> set[str]:
    """Return the agents that may judge; for a gate those of all gates, which name their own."""
    if mode == "gate":
        return {*approvals.agents}
    names = set[str]()
    for type in approvals.types.values():
        names |= {type.run.agent, *type.agents}
        if type.run.smart:
            names.add(type.run.smart.agent)
    return names


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
