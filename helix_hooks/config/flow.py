"""The section `flow` of `config/approvals.yaml`: where runs are stored, and who creates content.

It counts as it is at the base, never as a change has it, since it names programs to run.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ..yaml_values import Value


class Creator(NamedTuple):
    """The command that creates the content of a type of phase; `timeout` is in seconds."""

    command: tuple[str, ...]
    timeout: int = 3600


class FlowSettings(NamedTuple):
    """The settings of flows. `database` is a URL of PostgreSQL, "" for a file of SQLite.

    `creators` are commands by the type of a phase.
    """

    database: str = ""
    creators: Mapping[str, Creator] = {}


def parse_flow_settings(value: Value) -> FlowSettings:
    """Return the settings of a section `flow`. Raises ConfigError."""
    raise NotImplementedError
