"""YAML as values: the lines, the errors, and texts that attack the parser."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.yaml_reader import MAX_DEPTH, MOST_ALIASED, Value, parse

WRONG = {
    "a: [b": (1, "invalid YAML: did not find expected ',' or ']'; close the bracket"),
    "a: b: c": (1, "invalid YAML: mapping values are not allowed in this context; quote a value that contains a colon"),
    "a:\n\tb: c": (2, "invalid YAML: found character that cannot start any token; indent with spaces, not tabs, and quote a value that starts with a special character"),
    "a: b\na: c": (2, "the key 'a' is repeated, first on line 1; keep one"),
    "a: b\n[c]: d": (2, "expected a string as key, got a list; quote a value that starts with { or ["),
    "a: b\n--- c": (2, "only one YAML document is allowed, and a second one starts here"),
    "a: *b": (1, "this YAML alias has no anchor before it; quote a value that starts with *"),
    "a: &b c\nd: &b e": (2, "this YAML anchor is in use already; give it another name"),
    "a: !!python/object:os.system x": (1, "the YAML tag !!python/object:os.system is not allowed; remove it"),
    "a: !x y": (1, "the YAML tag !x is not allowed; remove it"),
    "a: &b [*b]": (1, f"YAML is nested too deeply (maximum {MAX_DEPTH} levels)"),
    "a: " + "[" * 100_000: (1, f"YAML is nested too deeply (maximum {MAX_DEPTH} levels)"),
    "- " * 100_000: (1, f"YAML is nested too deeply (maximum {MAX_DEPTH} levels)"),
    "a: &a [b, c, d]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c, *c, *c]": (
        4, f"YAML aliases repeat too many values (maximum {MOST_ALIASED}); write the values out"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "defect"), WRONG.items(), ids=range(len(WRONG)))
def test_a_defect_has_its_line_and_a_way_on(text: str, defect: tuple[int, str]) -> None:
    _, defects = parse(text)
    assert [tuple(item) for item in defects] == [defect]
    _, below = parse(text, 11)
    assert below[0].line == defect[0] + 10


def test_values_have_the_place_where_they_begin() -> None:
    root, defects = parse("adr_id: 015\n\nfiles:\n  docs: [a.md,\n    'b.md']\n", 3)
    assert not defects
    docs = root.mapping()["files"].mapping()["docs"]
    assert [(item.data, item.line, item.column) for item in docs.sequence()] == [
        ("a.md", 6, 10),
        ("b.md", 7, 5),
    ]
    assert docs.sequence()[1].trail == "files.docs[1]"


def test_scalars_keep_their_text_and_nothing_is_none() -> None:
    text = "a: 015\nb: 2024-05-01\nc: yes\nd: null\ne:\nf: '~'\ng: ~\nh: 1.50\n"
    values = parse(text)[0].mapping()
    assert {key: value.data for key, value in values.items()} == {
        "a": "015",
        "b": "2024-05-01",
        "c": "yes",
        "d": None,
        "e": None,
        "f": "~",
        "g": None,
        "h": "1.50",
    }


def test_a_merged_mapping_gives_way_to_the_entries_beside_it() -> None:
    values = parse("a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3\n")[0].mapping()["b"].mapping()
    assert {key: value.data for key, value in values.items()} == {"x": "1", "y": "3"}


PARTS = (
    *("a", "b: ", "c:", "- ", "  ", "\n", "\n  ", "#", "'", '"', "[", "]", ", ", "{", "}", ">-"),
    *("|", "---", "null", "~", "<<: ", "&a ", "*a", "!t ", "?", "%", "@", ": ", "1", "é", "\t"),
    *("\u00a0", "\u2028", "\x85", "\x07", "\ufeff", "日"),
)


def plain(value: Value) -> object:
    if isinstance(value.data, dict):
        return {key: plain(entry.value) for key, entry in value.data.items()}
    if isinstance(value.data, list):
        return [plain(item) for item in value.data]
    return value.data


@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
def test_any_text_is_read_as_by_pyyaml_or_has_a_defect(text: str) -> None:
    value, defects = parse(text)
    if not defects and "<<" not in text:
        same = text.translate({0x85: " ", 0x2028: " "})
        expected = yaml.load(same, Loader=yaml.BaseLoader)
        assert texts(plain(value)) == texts(expected)


def texts(value: object) -> object:
    """Return a value with "" for nulls, which BaseLoader keeps as they are written."""
    if isinstance(value, dict):
        return {texts(key): texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [texts(item) for item in value]
    return "" if value in (None, "null", "~") else value
