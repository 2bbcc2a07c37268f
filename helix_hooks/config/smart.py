"""The settings of a light judge, which runs before the judge of an approval type."""

from collections.abc import Collection
from typing import NamedTuple

from ..yaml_reader import Value, optional
from .model_id import model_of

_KEYS = ("agent", "model", "confidence", "max_cost_usd", "timeout")


class Smart(NamedTuple):
    """A light judge. It gets the briefs one by one, and has no tools.

    Its approval counts if its confidence is above `confidence`. `max_cost_usd` and `timeout`
    (seconds) are for all briefs together. Without `agent` it is the agent of the full judge.
    """

    model: str
    agent: str = ""
    confidence: float = 0.95
    max_cost_usd: float = 0.05
    timeout: int = 60


def parse_smart(value: Value, agents: Collection[str]) -> Smart | None:
    """Return the light judge of a setting; None for `false`.

    Raises:
        ConfigError: It is neither false nor a mapping, or a value in it is invalid.
    """
    if value.data in ("false", "False", "FALSE", "no", "off"):
        return None
    if not isinstance(value.data, dict):
        raise value.fail(f"expected false or a mapping such as {{model: ID}}, got {value.kind}")
    entries = value.mapping(_KEYS, ("model",))
    default = Smart(model_of(entries["model"]))
    return Smart(
        model=default.model,
        agent=optional(entries, "agent", lambda item: item.choice(agents), default.agent),
        confidence=optional(
            entries, "confidence", lambda item: item.number(0, 1), default.confidence
        ),
        max_cost_usd=optional(
            entries, "max_cost_usd", lambda item: item.number(0, 1_000_000), default.max_cost_usd
        ),
        timeout=optional(entries, "timeout", lambda item: item.integer(1), default.timeout),
    )
