"""Each folder in tests/cases/agent-settings/AGENT is a settings file before and after our hook is added, or why it is refused.

Without `before.json` there is no file.
"""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.agents.hook_file import (
    FoundHook,
    JsonTextError,
    block,
    hook_in,
    with_hook,
)
from helix_hooks.agents.registry import AGENTS
from tests import series
from tests.conftest import ROOT

CASES = ROOT / "tests" / "cases" / "agent-settings"
FOLDERS = sorted(path for path in CASES.glob("*/*") if path.is_dir())
CLAUDE = AGENTS["claude"].file

keys = st.sampled_from(["model", "hooks", "Stop", "PreToolUse", 'a "b"', "ü"])
documents = st.dictionaries(
    keys.filter(lambda key: key != "hooks"),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
        max_leaves=8,
    ),
    min_size=1,
    max_size=4,
)
handlers = st.lists(st.just({"type": "command", "command": "say done"}), min_size=1, max_size=2)
groups = st.lists(st.fixed_dictionaries({"hooks": handlers}), min_size=1, max_size=3)
hooks = st.dictionaries(st.sampled_from(["Stop", "PreToolUse"]), groups, min_size=1)
layouts = st.sampled_from([None, 1, 2, 4, "\t"])


def text_of(folder: Path, name: str) -> str | None:
    file = folder / name
    return file.read_bytes().decode() if file.exists() else None


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_file_gets_the_hook_once(folder: Path) -> None:
    file = AGENTS[folder.parent.name].file
    before, refused = text_of(folder, "before.json") or "", text_of(folder, "refused.txt")
    if refused is not None:
        with pytest.raises(JsonTextError) as caught:
            with_hook(before, file)
        assert caught.value.at("settings.json") == f"settings.json{refused}".rstrip("\n")
        return
    after = with_hook(before, file)
    assert after == text_of(folder, "after.json")
    assert with_hook(after, file) == after


@pytest.mark.parametrize("agent", sorted(AGENTS))
def test_what_is_printed_to_paste_is_what_is_written(agent: str) -> None:
    file = AGENTS[agent].file
    assert hook_in(block(file), file) == FoundHook(
        command=f"helix-hooks verify --hook {agent}" + "; exit 0" * (agent == "gemini"),
        is_edited=False,
        is_off=False,
    )


@settings(max_examples=series.examples(2000), deadline=None)
@given(documents, hooks | st.none(), layouts, st.booleans())
def test_all_else_in_a_file_stays_as_it_is(
    document: dict[str, object],
    others: dict[str, list[object]] | None,
    indent: int | str | None,
    ends_with_newline: bool,
) -> None:
    whole = {**document, "hooks": others} if others else document
    text = json.dumps(whole, indent=indent) + "\n" * ends_with_newline
    after = with_hook(text, CLAUDE)
    wanted = {event: [*entries] for event, entries in (others or {}).items()}
    wanted["Stop"] = [*wanted.get("Stop", []), CLAUDE.entry]
    assert json.loads(after) == {**document, "hooks": wanted}
    assert list(json.loads(after)) == list({**whole, "hooks": None})


def test_a_hook_is_off_in_gemini_where_all_hooks_are() -> None:
    gemini = AGENTS["gemini"].file
    found = hook_in(with_hook('{"hooksConfig": {"enabled": false}}', gemini), gemini)
    assert found and found.is_off


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_a_deep_file_is_refused(text: str) -> None:
    with pytest.raises(JsonTextError, match="nested too deeply"):
        with_hook(text, CLAUDE)
