"""`helix-hooks schema`: the JSON Schemas of the settings files, for editors."""

import json

import click

from ..check.files import packaged
from ..console.output import print_result
from ..errors import UsageError
from ..text.table import table
from .frame import command

EXAMPLE = """examples:
  helix-hooks schema                            list the schemas
  helix-hooks schema approvals > approvals.schema.json
  helix-hooks schema catalog                    print the catalogue of all schemas, for editors"""

_CATALOG = "catalog"


@command(
    "schema",
    example=EXAMPLE,
    arguments={"NAME": f"schema, or {_CATALOG} (default: list the schemas)"},
)
@click.argument("name", required=False)
def run(*, name: str | None) -> int:
    """Print a schema, or list the schemas.

    Raises:
        UsageError: There is no such schema.
    """
    entries = _entries()
    if name is None:
        print_result("".join(f"{line}\n" for line in table(entries.items())))
        return 0
    if name not in (*entries, _CATALOG):
        known = ", ".join((*entries, _CATALOG))
        raise UsageError(f"unknown schema {name!r} (expected one of {known})")
    print_result(_text(name))
    return 0


def _entries() -> dict[str, str]:
    """Return the description of each schema by its name, from the packaged catalogue."""
    return {
        schema["url"].rpartition("/")[2].removesuffix(".json"): schema["description"]
        for schema in json.loads(_text(_CATALOG))["schemas"]
    }


def _text(name: str) -> str:
    return (packaged(f"schemas/{name}.json") or b"").decode()
