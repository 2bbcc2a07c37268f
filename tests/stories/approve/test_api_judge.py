"""A judge by API, in each protocol: what it is sent, what its tools show, and what its answer costs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Repository
from tests.fakes import api_judge
from tests.fakes.api_judge import KEYS, MODELS, approving, results, settings
from tests.fakes.program import approve
from tests.fakes.scripted_model import Model, Request, said, use
from tests.stories.approve.scene import ADR, left_behind, main_has, outcome


@pytest.mark.parametrize("vendor", MODELS)
def test_each_api_gives_a_verdict(change: Repository, tmp_path: Path, vendor: str) -> None:
    main_has(change, "config/approvals.yaml", settings(MODELS[vendor]))
    with Model(approving(use("search", text="orders"))) as model:
        done = approve(
            "--base", "main", "--format", "json", env=api_judge.environment(model, tmp_path)
        )
    assert done.returncode == 0, done.stdout + done.stderr
    found = outcome(done)
    context = found["approvals"][0]["agent_context"]
    assert (found["decision"], context["agent"], context["turns"]) == ("approved", "api", 2)
    assert context["model"] == MODELS[vendor].partition(":")[2]
    assert context["tokens_used"] == 2 * 1200
    assert (context["cost_usd"] is None) == (vendor == "ollama")
    first, second = model.requests
    assert "Kafka as the broker" in said(first), "the ADR is in the first request"
    assert "docs/adr/0007-kafka.md:13: We will use Kafka" in results(second)[0]
    assert not left_behind() and not list((tmp_path / "tmp").iterdir())
