"""The flows of the original designs load as they stand (seed 0, section 9; seed 1, section 4)."""

import pytest

from helix_hooks.config.agents import parse_agents
from helix_hooks.config.approvals import FlowSettings
from helix_hooks.phases.parse import flow_of

GATE_AND_APPROVAL = """
phases:
  - id: consultant
    type: consultant
    output:
      - output/ADR-feature.md
    quality_gate:
      type: adr_complete
      file: output/ADR-*.md
      concept: output/concept.md
      semantic: auto

  - id: approval
    type: approval
    approval_type: adr
    input:
      - output/ADR-feature.md
    output:
      - approvals/adr/output/approval-result.json
    on_rejection:
      action: retry_phase
      target_phase: consultant
      max_retries: 2
"""
APPROVAL_PHASE = """
phases:
  - id: consultant
    type: consultant
    output:
      - output/ADR-feature.md

  - id: approval
    type: approval
    approval_type: adr
    input:
      - output/ADR-feature.md
    output:
      - output/approval-result.json

  - id: development
    type: development
    depends_on: approval
    input:
      - output/ADR-feature.md
"""
APPROVAL_AS_GATE = """
phases:
  - id: consultant
    type: consultant
    output:
      - output/ADR-feature.md
    quality_gate:
      type: approval
      approval_type: adr
      files:
        - output/ADR-feature.md
      required_result: approved
"""
ON_REJECTION = """
phases:
  - id: consultant
    type: consultant
    output:
      files:
        - output/ADR-feature.md

  - id: approval
    type: approval
    approval_type: adr
    input:
      files:
        - output/ADR-feature.md
    output:
      files:
        - approvals/adr/output/approval-result.json
    quality_gate:
      type: approval_passed
      result_file: approvals/adr/output/approval-result.json
    on_rejection:
      action: retry_phase
      target_phase: consultant
      max_retries: 2
      feedback_template: |
        ### Blocking Issues:
        {{blocking_issues}}

        {{suggestions}}
"""
CASCADE = """
phases:
  - id: adr-creation
    type: consultant
    output: [output/ADR-critical.md]

  - id: adr-approval
    type: approval
    approval_type: adr
    input: [output/ADR-critical.md]

  - id: implementation
    type: development
    output: [new/src/critical/*.py]

  - id: code-approval
    type: approval
    approval_type: code
    input: [new/src/critical/*.py]

  - id: security-approval
    type: approval
    approval_type: security
    input: [new/src/critical/*.py]
"""
WAITS = {
    "adr-creation": (),
    "adr-approval": ("adr-creation",),
    "implementation": ("adr-approval",),
    "code-approval": ("implementation",),
    "security-approval": ("code-approval",),
}


@pytest.mark.parametrize(
    ("text", "waits"),
    [
        (GATE_AND_APPROVAL, {"consultant": (), "approval": ("consultant",)}),
        (
            APPROVAL_PHASE,
            {"consultant": (), "approval": ("consultant",), "development": ("approval",)},
        ),
        (APPROVAL_AS_GATE, {"consultant": ()}),
        (ON_REJECTION, {"consultant": (), "approval": ("consultant",)}),
        (CASCADE, WAITS),
        (CASCADE.replace("development\n", "development\n    depends_on: adr-approval\n"), WAITS),
    ],
)
def test_a_flow_of_the_designs(text: str, waits: dict[str, tuple[str, ...]]) -> None:
    flow = flow_of(text.encode(), "phases.yaml", FlowSettings(), {}, parse_agents(None))
    assert {phase.id: phase.depends_on for phase in flow.phases} == waits


def test_the_template_of_the_designs_is_kept() -> None:
    flow = flow_of(ON_REJECTION.encode(), "phases.yaml", FlowSettings(), {}, parse_agents(None))
    handler = flow.phase("approval").on_rejection
    assert handler[:3] == ("retry_phase", "consultant", 2)
    assert handler.template.startswith("### Blocking Issues:\n{{blocking_issues}}\n")
