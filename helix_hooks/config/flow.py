"""The section `flow` of `config/approvals.yaml`: the storage of runs, and the creators of content.

It is read from disk when a run begins. Each change to it is listed for a person, since it names
programs to run.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..yaml_reader import Value
from .declaration import Key, Type, changed, changed_entries, integer, section
from .setting_types import WORDS

TYPE = r"[a-z][a-z0-9_-]{0,40}"
"""The type of a phase."""
APPROVAL_PHASE = "approval"
"""The type of a phase that creates nothing: only its gate is evaluated."""

_DATABASES = r"postgres(?:ql)?(?:\+psycopg)?://\S+"


class Creator(NamedTuple):
    """The command that creates the content of a type of phase; `timeout` is in seconds."""

    command: tuple[str, ...]
    timeout: int = 3600


class FlowSettings(NamedTuple):
    """The settings of flows. `database` is a PostgreSQL URL, "" for an SQLite file.

    `creators` are commands by the type of a phase.
    """

    database: str = ""
    creators: Mapping[str, Creator] = MappingProxyType({})


def _database(value: Value) -> str:
    if value.data in (None, ""):
        return ""
    url = value.text().strip()
    if not re.fullmatch(_DATABASES, url):
        raise value.fail(
            f"invalid database URL {without_password(url)!r} (expected e.g. "
            'postgresql://user@host/name, or "" for SQLite)'
        )
    if without_password(url) != url:
        raise value.fail(
            "the database URL contains a password; remove it from the repository, and "
            "set PGPASSWORD "
            "or PGPASSFILE in the environment"
        )
    return url


def without_password(url: str) -> str:
    """Return the URL of a database without its password."""
    shown = re.sub(r"(://[^/@:]*):[^/]*@", r"\1@", url)
    return re.sub(r"(?i)([?&]password=)[^&]+", r"\1...", shown)


def _creators(value: Value) -> dict[str, Creator]:
    creators = {}
    for name, item in value.mapping().items():
        if not re.fullmatch(TYPE, name):
            raise item.fail(
                f"invalid phase type {name!r} (expected lowercase letters, digits, hyphens and "
                "underscores, e.g. consultant)"
            )
        if name == APPROVAL_PHASE:
            raise item.fail(
                "phases of this type create nothing, so the command would never run; use the type "
                "of phases that create content, e.g. consultant"
            )
        creators[name] = CREATOR.read(item)
    return creators


def _another_database(old: str, new: str) -> str:
    return changed(old or "SQLite", new or "SQLite")


class _Creator:
    command = Key(WORDS, example=["claude", "-p"], required=True)
    """The command. It gets the prompt on standard input and runs without a shell."""
    timeout = Key(integer(1))
    """Time limit of one try, in seconds."""


CREATOR = section(_Creator, Creator(()))
_CREATORS = {
    "type": "object",
    "propertyNames": "type of a creating phase",
    "additionalProperties": CREATOR,
}


class _Flow:
    database = Key(
        Type(_database, "database"), _another_database, example="postgresql://user@host/name"
    )
    """The address of a PostgreSQL database, without a password. Default: a file of SQLite."""
    creators = Key(Type(_creators, _CREATORS), changed_entries)
    """The command that creates the content of a phase, by the type of the phase."""


FLOW = section(_Flow, FlowSettings())
