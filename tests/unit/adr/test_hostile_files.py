"""Files that are made to hold up a commit: each is checked to its end. A quadratic step would keep the tests from ending.

Attack by a hostile ADR: a line, value or number without end.
Answer: read in one pass.
Shown by: `tests/unit/adr/test_hostile_files.py`.
"""

import pytest

from helix_hooks.adr.examine import Source, check_file
from helix_hooks.adr.parse.document import parse
from helix_hooks.check import files
from helix_hooks.config.settings import load
from tests import series

pytestmark = pytest.mark.series

RULESET = load(lambda path: None, files.packaged).ruleset
HEAD = '---\nadr_id: "9"\ntitle: x\nstatus: Proposed\nchange_scope: major\ndepends_on: [77]\n---\n\n# x\n\n## Kontext\n\n'
UNITS = {
    "fences": "```\n## a\n```\n",
    "nested fences": "```m\n```py\n## a\n```\n",
    "headings": "## Kontext\n\n",
    "dropped": "<!-- helix-dropped: A - b -->\n\n",
    "tasks": "- [ ] x\n",
    "conflicts": "<<<<<<< a\n",
    "half conflicts": "<<<<<<< a\n=======\n",
    "negations": "keine breaking change ",
    "code spans": "`a` breaking change ",
    "tags": "a <b> ",
    "links": "[a](0001-b.md) ",
    "numbers": "ADR-",
    "status lines": "Status: Accepted Date: x\n",
    "tables": "| a | Status |\n",
    "status sections": "## Status\nx:1\n",
    "meta sections": "## Meta\nx:1\n",
    "status words": "## Status\n\nAccepted\n\n",
    "scope sections": "## Change Scope\n\nmajor\n\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
@pytest.mark.sampled
def test_much_of_the_same_is_checked_to_its_end(unit: str) -> None:
    text = (HEAD + unit * (series.size(450_000) // len(unit)))[:490_000]
    report = check_file(Source(parse(text.encode(), "adr/0009-x.md")), RULESET)
    assert {"section-missing", "merge-conflict"} & {item.check for item in report.findings}


LINES = {
    "blanks in a fence": "```m\n## a\n" + " " * series.size(150_000) + "x```\n```\n",
    "dots": "." * series.size(150_000),
    "underscores": "_" * series.size(150_000),
    "entities": "## Context" + " &nbsp;" * series.size(20_000),
    "angles in a heading": "## " + "<" * series.size(150_000),
    "comments in a heading": "## " + "<!--" * series.size(40_000),
    "numbering in a heading": "## " + "1." * series.size(75_000),
    "brackets in a heading": "## " + "(" * series.size(150_000),
    "angles in HTML": "<div>\n" + "<" * series.size(150_000),
    "quotes": ">" * series.size(150_000),
    "a table of field names": "| Date | Status |\n" * series.size(10_000),
    "a digit for ever": "ADR-" + "7" * series.size(150_000),
    "a dropped comment": "<!-- helix-dropped: a" + " " * series.size(150_000) + "b ->-->",
    "dashes": "<!-- helix-dropped: a" + " -" * series.size(75_000) + "-->",
    "stars": "breaking change" + "*" * series.size(150_000),
    "a value of fields": "Status: a " + "Date: b " * series.size(20_000),
    "dates": "2024-01-01 " * series.size(15_000),
    "dated lines": "- 2024-01-01: x\n" * series.size(10_000),
    "rule rows": "|---|---|\n" * series.size(30_000),
    "rows of fields": "| Date | Status | x |\n|---|---|---|\n" * series.size(10_000),
    "colons": "a:" * series.size(75_000),
    "quoted fields": "> Status: x\n" * series.size(12_000),
    "a gap": "breaking" + " " * series.size(150_000) + "x",
}


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
@pytest.mark.sampled
def test_a_long_line_is_read_once(line: str) -> None:
    front = HEAD.replace("major", "minor").replace("77", "3")
    concept = parse(b"## Rollback\n\nA plan.\n", "adr/0009-x.concept.md")
    below = (f"# 9. X\n\n{line}\n\n{front}", f"# 9. X\n\n## Status\n\n{line}\n")
    for text in (f"{front}{line}\n", *below):
        assert check_file(Source(parse(text.encode(), "adr/0009-x.md"), concept), RULESET).findings


VALUES = {
    "brackets": "[" * series.size(60_000),
    "angles": "<" * series.size(60_000),
    "comments": "<!--" * series.size(20_000),
    "tildes": "~~" * series.size(30_000),
    "blanks": "a" + " " * series.size(60_000) + "b",
    "bars": "a | " * series.size(20_000),
    "dashes": "a-" * series.size(30_000),
    "a number": "7" * series.size(60_000),
}


@pytest.mark.parametrize("name", ["adr_id", "status", "change_scope", "depends_on", "concept"])
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_a_long_header_value_is_read_once(name: str, value: str) -> None:
    text = f"---\ntitle: x\n{name}: '{value}'\n---\n\n# x\n\n## Kontext\n\nADR-1\n"
    assert check_file(Source(parse(text.encode(), "adr/x.md")), RULESET).findings


@pytest.mark.parametrize(
    "unit",
    ["\n", " ", "\t", "1", "1.", "a", "s", "<a", "<a=", "=", "- ", "a\n", "1\n", "`", "\u2028"],
)
@pytest.mark.sampled
def test_a_migration_of_the_same_is_read_once(unit: str) -> None:
    text = f"{HEAD}x\n\n## Migration\n\n<a{unit * (series.size(400_000) // len(unit.encode()))}\n"
    assert check_file(Source(parse(text.encode(), "adr/0009-x.md")), RULESET).findings


def test_many_dependencies_are_looked_for_in_one_pass() -> None:
    names = ", ".join(f"name{chr(97 + n % 26) * (n // 26 + 1)}" for n in range(2_000))
    text = f"{HEAD.replace('[77]', f'[{names}]')}{'word ' * series.size(100_000)}\n"
    report = check_file(Source(parse(text.encode(), "adr/x.md")), RULESET)
    assert "deps-need-references" in {item.check for item in report.findings}


def test_too_many_sections_are_not_compared_and_not_green() -> None:
    adr = HEAD + "".join(f"## Section number{n}\n\nfoo bar{n}\n\n" for n in range(4000))
    concept = "".join(f"## Other topic{n}\n\nlorem ipsum{n}\n\n" for n in range(4000))
    beside = parse(concept.encode(), "adr/0009-x.concept.md")
    report = check_file(Source(parse(adr.encode(), "adr/0009-x.md"), beside), RULESET)
    (found,) = (finding for finding in report.findings if finding.check == "concept-unreadable")
    assert found.severity == "error" and "too many sections to compare" in found.message
