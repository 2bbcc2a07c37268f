"""The catalogue of schemas names the files that the program reads, and the package has them."""

import json

import pytest

from helix_hooks.notify.notify_file import notify_path
from helix_hooks.paths import APPROVALS_FILE, RULES_FILE, SETTINGS, matches
from helix_hooks.report import HOME
from tests.conftest import ROOT, Run
from tests.unit.config.schema_documents import CATALOG, FOLDER, NAMES

RAW = HOME.replace("https://github.com/", "https://raw.githubusercontent.com/")
ENTRIES = {
    entry["url"].rpartition("/")[2].removesuffix(".json"): entry for entry in CATALOG["schemas"]
}
READ = {
    "settings": [SETTINGS],
    "rules": [RULES_FILE],
    "approvals": [APPROVALS_FILE],
    "notify": ["home/alice/.config/helix-hooks/notify.yaml"],
    "baseline": [".helix-baseline.json"],
}
"""The names of the files that the program reads. A flow may have any, so nothing matches it."""


def test_the_catalogue_has_each_schema_once() -> None:
    assert tuple(ENTRIES) == NAMES and len(CATALOG["schemas"]) == len(NAMES)
    assert [entry["url"] for entry in ENTRIES.values()] == [
        f"{RAW}/main/helix_hooks/schemas/{name}.json" for name in NAMES
    ]
    for name, entry in ENTRIES.items():
        schema = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        assert schema["$id"] == entry["url"]
        matched = {"fileMatch"} if name in READ else set()
        assert set(entry) == {"name", "description", "url"} | matched


@pytest.mark.parametrize("name", READ)
def test_file_match_is_the_name_that_is_read(name: str) -> None:
    patterns = tuple(ENTRIES[name]["fileMatch"])
    for path in READ[name]:
        assert matches(path, patterns)
        assert not matches(f"{path}.bak", patterns)
    others = [path for other, paths in READ.items() if other != name for path in paths]
    assert not any(matches(path, patterns) for path in others)


def test_the_files_of_the_table_are_those_of_the_program() -> None:
    assert notify_path({"XDG_CONFIG_HOME": "/home/alice/.config"}) == f"/{READ['notify'][0]}"
    page = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    assert f"baseline: {READ['baseline'][0]} " in page


def test_the_command_lists_and_prints(run: Run) -> None:
    assert [line.split()[0] for line in run("schema").out.splitlines()] == [*NAMES]
    for name in (*NAMES, "catalog"):
        result = run("schema", name)
        assert (result.code, result.out) == (0, (FOLDER / f"{name}.json").read_text("utf-8"))
    unknown = run("schema", "setings")
    assert unknown.code == 2
    assert "unknown schema 'setings' (expected one of settings, rules" in unknown.err
    assert not unknown.out
