"""Settings are added to a file of any form, or to none: its comments, order and other settings stay."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.authoring.settings_text import Additions, ListItem, in_file, values, yaml_block
from helix_hooks.paths import PYPROJECT, SETTINGS

LEARNED: Additions = {
    "aliases": {"sections": {"Decision": (ListItem("Our pick", "6 of 6"),)}},
    "template": "ours",
    "templates": {
        "ours": {"sections": (ListItem("Context"), ListItem("no: #1", "5 of 6", "warning"))}
    },
}

YAML = {
    "comments": "# first\npaths: [a/*.md]  # here\n\n# last\n",
    "no line ending": "baseline: b.json",
    "windows": "paths:\r\n  - a/*.md\r\nbaseline: b.json\r\n",
    "document marks": "---\nbaseline: b.json\n...\n",
    "a text over lines": "baseline: >-\n  b.json\n\n# end\n",
    "aliases beside": "aliases:\n  # words\n  statuses:\n    Accepted: [ok]\npaths: [a/*.md]\n",
    "a list to grow": "aliases:\n  sections:\n    Decision:\n    - One\n    - Two  # two\n\nbaseline: b.json\n",
    "four blanks": "templates:\n    mine:\n        sections:\n            - Decision\n",
    "a list at the end": "paths:\n- a/*.md\n- b/*.md",
    "quoted keys": '"templates":\n  "a: b":\n    sections: [Decision]\n',
}
UNUSUAL = {
    "one line": "{baseline: b.json}",
    "a mapping in one line": "templates: {mine: {sections: [Decision]}}\n",
    "a list in one line": "aliases: {sections: {Decision: [One]}}\n",
    "the key is there": "template: nygard\n",
}
TOML = {
    "table": "[tool.helix-hooks]\nbaseline = 'b.json'  # old\n\n[tool.x]\na = 1\n",
    "last table": "[a]\nb = 1\n[tool.helix-hooks]\nbaseline = 'b.json'",
    "only tables below": "[tool.helix-hooks.severities]\nsection-too-short = 'off'\n",
    "aliases": "[tool.helix-hooks.aliases.sections]\nContext = ['Why so']\n\n# end\n",
    "windows": "[tool.helix-hooks]\r\nbaseline = 'b.json'\r\n",
    "blanks in a head": "[ tool . helix-hooks ] # ours\nbaseline = 'b.json'\n",
}


@pytest.mark.parametrize("text", YAML.values(), ids=YAML)
def test_yaml_keeps_what_it_has(text: str) -> None:
    _keeps(SETTINGS, text)


@pytest.mark.parametrize("text", TOML.values(), ids=TOML)
def test_toml_keeps_what_it_has(text: str) -> None:
    _keeps(PYPROJECT, text)


def _keeps(path: str, text: str) -> None:
    new = in_file(path, text, LEARNED)
    assert new is not None
    assert values(path, new, {}) == values(path, text, LEARNED)
    rest = iter(new.splitlines())
    assert all(line in rest for line in text.splitlines()), "every line stays, in its order"
    assert ("\r\n" in new) == ("\r\n" in text) and new.count("\r\n") in (0, new.count("\n"))


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL)
def test_a_file_of_unusual_form_is_left_alone(text: str) -> None:
    assert in_file(SETTINGS, text, LEARNED) is None


def test_a_table_in_one_line_is_left_alone() -> None:
    assert in_file(PYPROJECT, "[tool]\nhelix-hooks = {baseline = 'b'}\n", LEARNED) is None


_TEXT = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=30)


@given(st.lists(_TEXT, min_size=1, max_size=5), st.sampled_from(string.ascii_lowercase))
def test_no_text_is_read_as_something_else(texts: list[str], key: str) -> None:
    """Headings are texts of others: quotes, colons, braces, signs of comments and of YAML."""
    additions: Additions = {key: {"list": tuple(ListItem(text, "1 of 2") for text in texts)}}
    assert values(SETTINGS, "\n".join(yaml_block(additions)), {}) == {key: {"list": texts}}
    for path, old in ((SETTINGS, "baseline: b\n"), (PYPROJECT, "[tool.helix-hooks]\nbaseline='b'")):
        new = in_file(path, old, additions)
        assert new is not None and values(path, new, {}) == {"baseline": "b", key: {"list": texts}}
