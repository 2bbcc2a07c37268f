"""The real claude CLI as author and as judge of a flow, with a scripted model."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Repository
from tests.fakes import coding_agents, judges
from tests.fakes.coding_agents import Scene
from tests.fakes.program import program
from tests.fakes.scripted_model import Model, Reply, answer, said, say, tool_use, turn, use
from tests.stories.flow.examples import ADR

FLOW = """phases:
  - id: write-adr
    type: consultant
    run: [claude, -p, --permission-mode, acceptEdits, --model, claude-sonnet-5-5]
    prompt: "Write the ADR. The task: {{task}}"
    output: [output/ADR-feature.md]

  - id: approve-adr
    type: approval
    approval_type: adr
    input: [output/ADR-feature.md]
    on_rejection: {action: retry_phase, target_phase: write-adr, max_retries: 1}
"""
DEFECT = "The index is never bounded."
FOUND = "No limit is stated."


def model_of() -> Model:
    """A model that writes an ADR with a defect, finds that as a judge, and writes it without when it reads of it."""

    def author(request: dict[str, Any]) -> Reply:
        place = re.search(r"[Ww]orking directory: (/\S+?)(?=\\n|\s)", json.dumps(request))
        assert place, "the agent says where it works"
        path = Path(place[1]) / "output" / "ADR-feature.md"
        is_again = FOUND in said({**request, "messages": request["messages"][:1]})
        text = ADR if is_again else f"{ADR}\n{DEFECT}\n"
        read = [use("Read", file_path=str(path))] if is_again else []
        steps = [*read, use("Write", file_path=str(path), content=text), say("Done.")]
        return steps[min(turn(request), len(steps) - 1)]

    def judge(request: dict[str, Any]) -> Reply:
        briefs, files = judges.asked_for(request)
        if not turn(request):
            return Reply(tuple(tool_use("Read", {"file_path": name}) for name in files))
        if DEFECT not in said(request):
            return answer(judges.full(briefs, files, {}))
        finding = {
            "severity": "error", "check": briefs[0], "message": FOUND, "path": files[0], "evidence": DEFECT, "help": "State one.",
            "line": len(ADR.splitlines()) + 2,
        }  # fmt: skip
        checks = {**dict.fromkeys(briefs, "passed"), briefs[0]: "failed"}
        changed = {"result": "rejected", "summary": "One defect.", "findings": [finding]}
        return answer(judges.full(briefs, files, {**changed, "checks": checks}))

    def script(request: dict[str, Any]) -> Reply:
        names = [tool["name"] for tool in request.get("tools", [])]
        return judge(request) if "StructuredOutput" in names else author(request)

    return Model(script)


@pytest.mark.slow
@pytest.mark.real_cli
@pytest.mark.further
def test_it_writes_reads_the_feedback_of_its_judge_and_is_approved(
    repository: Repository, tmp_path: Path
) -> None:
    programs = judges.programs(tmp_path / "programs", None)
    repository.stage("phases.yaml", FLOW)
    repository.commit()
    home = tmp_path / "home"
    home.mkdir()
    claude = coding_agents.AGENTS["claude"]
    with model_of() as model:
        variables = claude.variables(model.url, Scene(repository.root, home, programs))
        environment = {**judges.environment(model, programs), "HOME": str(home), **variables}
        done = program(
            "run", "phases.yaml", "--apply", "--task", "Cache the search", env=environment
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        "approve-adr: running, try 1/1" in done.stderr and "every phase was approved" in done.stdout
    )
    assert (repository.root / "output/ADR-feature.md").read_text() == ADR
    assert any(FOUND in said(request) for request in model.requests)
