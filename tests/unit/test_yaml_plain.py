"""Plain YAML has the same values, lines and columns as with PyYAML; and all else is left to PyYAML."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from helix_hooks import yaml_events, yaml_plain
from helix_hooks.yaml_load import parse

ROOT = Path(__file__).resolve().parents[2]
PLAIN = {
    "scalars": "adr_id: '015'\ntitle: It''s (a) title:no\n",
    "header": 'adr_id: "014"\nstatus: Proposed # or Accepted\ndate: 2024-05-01\nfiles:\n  modify:\n    - docs/\ndepends_on: []\nlinks: [001, "002", a b.md]\n',
    "nulls": "a:\nc: null\nd: ''\ne: # nothing\nf: [null, 'null']\n",
    "lists": "a:\n- b\n- 'c: d'\n- e: f\n  g: h\n-   i: j\nk:\n  - l\n",
    "folded": "a:\n  b: >-\n    one\n    two # no comment\n\n  # a comment\n  c: d\n",
    "other scripts": "größe: gängig 日本\nb: ü\n",
    "deep": "a:\n  b:\n    c:\n      - d:\n          - e\n",
}
PARTS = (
    *("a", "b: ", "c:", "key one: ", "- ", "  ", "    ", "\n", "\n", "\n  ", "\n    ", "#", " # x", "'", "''", '"', "\\", "[", "]", ", ", ",", "{"),
    *(">-", "|", ">", "-", "---", "...", "null", "~", "yes", "<<: ", "&a ", "*a", "!t ", "?", "%", "@", "`", ":", ": ", "1", "2024-01-01", "é", "\t"),
    *("\u00a0", "\u2028", "\x85", "\x07", "\ufeff", "(", "/", ".", "_", "http://x.y/z#f", "日"),
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), max_size=14).map("".join)
LINES = st.lists(
    st.builds(
        "{}{}{}{}".format,
        st.sampled_from(("", "", "  ", "    ", " ", "- ", "  - ", "-   ")),
        st.sampled_from(("a: ", "b: ", "c:", "d e: ", "f: 'x'", "")),
        st.sampled_from(("", "x", "x y", "[]", "[x, 'y']", "[ x y ,z ]", '"z"', "'q' # c", ">-", "x:", "x #", "a: b", "- x", "[x,]", "'it''s'")),
        st.sampled_from(("", "", " ", " # comment", "#")),
    ),
    max_size=8,
).map("\n".join)  # fmt: skip


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_plain_yaml_needs_no_other_parser(text: str) -> None:
    found = yaml_plain.read(text, 3)
    assert found
    assert (found, []) == yaml_events.read(text, 3)


def test_the_packaged_rules_are_plain() -> None:
    text = (ROOT / "config" / "adr-completeness-rules.yaml").read_text(encoding="utf-8")
    found = yaml_plain.read(text, 1)
    assert found
    assert (found, []) == yaml_events.read(text, 1)


@pytest.mark.parametrize("text", [
    "", "# nothing", "- a", " a: b", "a: b\na: c", "a: |\n  b", "a: >-\n  b\n\n  c", "a: >-\n  b\n   ", "a: >-\n  b\n   c", "a: b\n  c", "a: 'b\n  c'", 'a: "\\n"',
    "a: &b c", "a: !c d", "<<: a", "---\na: b", "a: b\n...\n", "? a", "a: b: c", "a:\tb", "a: {b: c}", "a: [[b]]", "a: [b,]", "1: a", "null: a", "'a': b",
    "a:\n  - b\n   - c", "a:\n  - b\n  c", "a:\n  b: c\n d: e", "a: [b\n  c]", "a: @b", "a: b\u00a0c",
])  # fmt: skip
def test_other_yaml_is_left_to_pyyaml(text: str) -> None:
    assert yaml_plain.read(text, 1) is None


@given(st.one_of(TEXTS, LINES))
@example("a:\n- b\n c: d")
@example("a: x\n# c\n  y")
@example("a: >-\n  b\n   \nc: d")
def test_whatever_is_read_has_the_values_of_pyyaml(text: str) -> None:
    found = yaml_plain.read(text, 1)
    if found:
        assert (found, []) == yaml_events.read(text, 1)
    assert parse(text) == yaml_events.read(text.translate({0x85: " ", 0x2028: " "}), 1)
