"""`phases.yaml`, strictly read."""

from collections.abc import Collection, Mapping

from ..config.flow import FlowSettings
from ..config.gates import Gate
from ..yaml_values import Value
from .flow import Flow


def parse_flow(
    root: Value,
    path: str,
    hash: str,
    settings: FlowSettings,
    gates: Mapping[str, Gate],
    agents: Collection[str],
) -> Flow:
    """Return the flow of a file. Raises ConfigError for the first thing that is not as described.

    `hash` is the SHA-256 of the file. `gates` are those of the configuration. Whether files exist
    is not asked: see `flow_files.required_files`.
    """
    raise NotImplementedError
