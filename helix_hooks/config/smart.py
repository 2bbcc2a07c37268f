"""The settings of a light judge, which runs before the judge of an approval type."""

from collections.abc import Collection
from typing import NamedTuple

from ..yaml_reader import Value
from .declaration import TEXT, Key, integer, number, section
from .setting_types import MODEL


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
    smart: Smart = SMART.read(value)
    if smart.agent:
        SMART.entries(value)["agent"].choice(agents)
    return smart


class _Smart:
    agent = Key(TEXT)
    """The agent of the light judge. Default: that of the full one."""
    model = Key(MODEL, example="claude-haiku-4-5", required=True)
    """The full id of the model."""
    confidence = Key(number(0, 1))
    """The confidence that an approval of the light judge must exceed."""
    max_cost_usd = Key(number(0, 1_000_000))
    """US dollars for all briefs together; less than that of both judges."""
    timeout = Key(integer(1))
    """Time limit for all briefs together, in seconds."""


SMART = section(_Smart, Smart(""), also="false")
