"""The settings of a light judge, which is asked before the judge of an approval type."""

from collections.abc import Collection
from typing import NamedTuple

from ..yaml_values import Value
from .model_id import is_model

_KEYS = ("agent", "model", "confidence", "max_cost_usd", "timeout")


class Smart(NamedTuple):
    """A light judge: `model` is asked brief by brief, without tools.

    Its approval counts if it is surer than `confidence`. `max_cost_usd` and `timeout` (seconds)
    hold for all briefs together. Without an `agent` it is that of the full judge.
    """

    model: str
    agent: str = ""
    confidence: float = 0.95
    max_cost_usd: float = 0.05
    timeout: int = 60


def parse_smart(value: Value, agents: Collection[str]) -> Smart | None:
    """Return the light judge of a setting; None for `false`. Raises ConfigError."""
    if value.data in ("false", "False", "FALSE", "no", "off"):
        return None
    if not isinstance(value.data, dict):
        raise value.fail(
            f"false or a mapping such as {{model: ID}} is wanted here, not {value.kind}"
        )
    entries = value.mapping(_KEYS, ("model",))
    model = entries["model"].text()
    if not is_model(model):
        raise entries["model"].fail(f"{model!r} is not a model id")
    smart = Smart(model)
    for key, entry in entries.items():
        if key == "agent":
            smart = smart._replace(agent=entry.choice(agents))
        elif key == "confidence":
            smart = smart._replace(confidence=entry.number(0, 1))
        elif key == "max_cost_usd":
            smart = smart._replace(max_cost_usd=entry.number(0, 1_000_000))
        elif key == "timeout":
            smart = smart._replace(timeout=entry.integer(1))
    return smart
