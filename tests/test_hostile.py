"""Files that are made to hold up a commit: each is checked to its end. A quadratic step would keep the tests from ending."""

import pytest

from helix_hooks import files
from helix_hooks.adr.check import Source, check_file
from helix_hooks.adr.document import parse
from helix_hooks.settings import load

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
}


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_a_megabyte_of_the_same_is_checked_to_its_end(unit: str) -> None:
    text = (HEAD + unit * (900_000 // len(unit)))[:990_000]
    report = check_file(Source(parse(text.encode(), "adr/0009-x.md")), RULESET)
    assert "section-missing" in {finding.check for finding in report.findings} or "merge-conflict" in {finding.check for finding in report.findings}


def test_too_many_sections_are_not_compared_and_not_green() -> None:
    adr = HEAD + "".join(f"## Section number{n}\n\nfoo bar{n}\n\n" for n in range(4000))
    concept = "".join(f"## Other topic{n}\n\nlorem ipsum{n}\n\n" for n in range(4000))
    report = check_file(Source(parse(adr.encode(), "adr/0009-x.md"), parse(concept.encode(), "adr/0009-x.concept.md")), RULESET)
    (found,) = (finding for finding in report.findings if finding.check == "concept-unreadable")
    assert found.severity == "error" and "too many to compare" in found.message
