"""The document model: CommonMark, exact lines, and what is prose."""

import pytest

from helix_hooks.adr.parse.document import parse, tasks
from helix_hooks.paths import MAX_BYTES

TEXT = """---
adr_id: 015
---

# Title `code` *em*

Preamble <!-- hidden --> text

## One ##

Prose `span` here.

```python
## fenced
```

### Sub

* [ ] star
1. [x] number
- nothing

> ## quoted
> - [ ] quoted task

Two
---

| a | b |
|---|---|
| [ ] x | y |

    ## indented

~~~
```
~~~
"""


def test_structure_and_lines() -> None:
    doc = parse(TEXT.encode(), "a.md")
    assert doc.title and (doc.title.title, doc.line_at(doc.title.heading_start)) == (
        "Title code em",
        5,
    )
    assert [
        (section.title, section.level, doc.line_at(section.heading_start))
        for section in doc.sections
    ] == [
        ("One", 2, 9),
        ("Sub", 3, 17),
        ("Two", 2, 26),
    ]
    assert [
        (task.text, task.checked, doc.line_at(task.offset)) for task in tasks(doc, doc.sections[0])
    ] == [
        ("star", False, 19),
        ("number", True, 20),
    ]
    assert (doc.front, doc.front_line) == ("adr_id: 015\n", 2)
    assert [doc.line_at(fence.start) for fence in doc.fences] == [13, 33, 35]


def test_a_section_owns_its_subsections() -> None:
    doc = parse(TEXT.encode(), "a.md")
    one, sub, two = doc.sections
    assert one.own_stop == sub.heading_start and one.stop == two.heading_start == sub.stop


def test_prose_has_no_code_comments_or_quotes_and_keeps_offsets() -> None:
    doc = parse(TEXT.encode(), "a.md")
    prose = doc.prose(0, len(doc.data))
    assert len(doc.prose_markup) == len(doc.data) == len(doc.markup)
    for hidden in ("fenced", "hidden", "quoted", "indented"):
        assert hidden not in prose and hidden in TEXT
    visible = doc.visible(0, len(doc.data))
    assert "fenced" in visible and "quoted" in visible and "hidden" not in visible


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_bom_change_nothing(end: str, bom: bytes) -> None:
    assert parse(bom + TEXT.replace("\n", end).encode(), "a.md") == parse(TEXT.encode(), "a.md")


def test_line_texts() -> None:
    doc = parse(b"one\ntwo", "a.md")
    assert doc.texts({0, 1, 2, 3}) == {0: "", 1: "one", 2: "two", 3: ""}
    assert (doc.last_line, parse(b"", "a.md").last_line, parse(b"one\n", "a.md").last_line) == (
        2,
        1,
        1,
    )


def test_a_megabyte_is_the_limit() -> None:
    assert parse(b"a" * MAX_BYTES, "a.md").defect is None
    assert parse(b"a" * (MAX_BYTES + 1), "a.md").defect is not None


@pytest.mark.parametrize(
    "text",
    [
        "---\n\n# Title\n",
        "---\n# Title\n---\n",
        "---\n- a list\n\n# Title\n",
        "text\n---\na: b\n---\n",
    ],
)
def test_a_rule_at_the_top_is_no_header(text: str) -> None:
    doc = parse(text.encode(), "a.md")
    assert doc.front_closed and (doc.front is None or ":" not in doc.front)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        ">",
        "- ",
        "[",
        "*a ",
        "`",
        "![",
        "<!-- ",
        "| a ",
        "    ",
        "#",
        "1. ",
        "<a>",
        "\\",
        "[^",
        "~~~\n",
        "```\n",
        "## a\n",
    ],
)
def test_20000_fold_nesting_ends(unit: str) -> None:
    assert parse((unit * 20_000).encode(), "a.md").defect is None
