"""`helix-hooks lsp` and `schema`: for editors."""

import json
import sys

from ..check.files import packaged
from ..console import print_message, print_result
from ..errors import UsageError
from ..text.table import table
from . import shared

_CATALOG = "catalog"


@shared.command(
    "lsp",
    example="""examples:
  helix-hooks lsp    serve an editor; the editor starts this command

The server speaks the Language Server Protocol on stdin and stdout, and writes its log to stderr.
It executes nothing of the repository. See docs/check.md for the setup of editors.""",
)
def lsp() -> int:
    from ..editor.server import serve

    if sys.stdin.isatty():
        print_message("an editor must start the language server; see docs/check.md")
    return serve()


@shared.command(
    "schema",
    example="""examples:
  helix-hooks schema                            list the schemas
  helix-hooks schema approvals > approvals.schema.json
  helix-hooks schema catalog                    print the catalogue of all schemas, for editors""",
)
@shared.argument("name", "[NAME]", f"schema, or {_CATALOG} (default: list the schemas)")
def schema(*, name: str) -> None:
    """Print a schema, or list the schemas.

    Raises:
        UsageError: There is no such schema.
    """
    catalog = json.loads(packaged(f"schemas/{_CATALOG}.json") or b"")["schemas"]
    about = {
        item["url"].rpartition("/")[2].removesuffix(".json"): item["description"]
        for item in catalog
    }
    names = (*about, _CATALOG)
    if not name:
        print_result("".join(f"{line}\n" for line in table(about.items())))
    elif name in names:
        print_result((packaged(f"schemas/{name}.json") or b"").decode())
    else:
        raise UsageError(f"unknown schema {name!r} (expected one of {', '.join(names)})")
