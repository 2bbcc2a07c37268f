"""What holds for any input, checked by hypothesis."""

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.adr.check_report import CheckReport, FileReport
from helix_hooks.adr.examine import Source, check_file
from helix_hooks.adr.parse.document import parse
from helix_hooks.check import files
from helix_hooks.config.settings import load
from helix_hooks.report import github, json, text
from tests import series

RULESET = load(lambda path: None, files.packaged).ruleset

PIECES = (
    "---\n", "adr_id: 007\n", "title: x\n", "status: Proposed\n", "status: Accepted\n", "change_scope: major\n", "depends_on: [2, ADR-3]\n",
    "concept: a.md\n", "# ADR-007: Use Kafka\n", "## Kontext\n", "## Status\n", "## Entscheidung\n", "### Details\n", "## Akzeptanzkriterien\n",
    "## Migration\n", "## Consequences\n", "Ein Satz, der länger ist als fünfzig Zeichen und etwas sagt.\n", "Das ist ein Breaking Change.\n",
    "- [ ] a criterion\n", "* Status: accepted\n", "**Status:** Proposed\n", "| Status | x |\n", "> quote\n", "    code\n", "<!-- helix-dropped: Migration - why -->\n",
    "Phase 1, Tag 2: rollback\n", "\n", "Kontext\n-------\n", "<b>x</b>\n",
)  # fmt: skip
CODE = ("```\n## fenced\n```\n", "~~~\n```\n~~~\n", "<!--\n## hidden\n-->\n")
documents = st.lists(st.sampled_from((*PIECES, *CODE)), max_size=30).map("".join)
plain_documents = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def examine(data: bytes) -> FileReport:
    return check_file(
        Source(parse(data, "adr/007-x.md"), parse(b"## Kontext\n\n## Migration\n", "c.md")), RULESET
    )


def verdict(data: bytes) -> list[tuple[str, str, str]]:
    report = examine(data)
    return sorted((finding.severity, finding.check, finding.message) for finding in report.findings)


def lines_exist(report: FileReport, data: bytes) -> None:
    text = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removeprefix(b"\xef\xbb\xbf")
    last = max(1, len(text.splitlines()))
    for finding in report.findings:
        assert 1 <= finding.line <= finding.end_line <= last and finding.column >= 1


@settings(max_examples=series.examples(400), deadline=None)
@given(st.binary(max_size=2000))
def test_no_bytes_crash_the_parser(data: bytes) -> None:
    lines_exist(examine(data), data)


@settings(max_examples=series.examples(400), deadline=None)
@given(st.text(alphabet=st.sampled_from("-#>`~*_|[]()<!-: \n\tabä:&*{}\"'\\1."), max_size=400))
def test_no_markup_crashes_the_parser(source: str) -> None:
    lines_exist(examine(source.encode()), source.encode())


@settings(max_examples=series.examples(300), deadline=None)
@given(documents)
def test_every_line_exists_and_every_report_prints(source: str) -> None:
    report = examine(source.encode())
    lines_exist(report, source.encode())
    for render in (text.render, json.render, github.render):
        rendered = render(CheckReport((report,)))
        assert all(character in string.printable or ord(character) > 159 for character in rendered)


@settings(max_examples=series.examples(300), deadline=None)
@given(plain_documents, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.booleans())
def test_layout_never_changes_a_verdict(source: str, end: str, bom: bool, final: bool) -> None:
    """Trailing blanks, line ends, a BOM, the final newline and doubled blank lines outside code."""
    said = [_unplaced(item) for item in verdict(source.encode())]
    changed = source.replace("\n\n", "\n\n\n\n").replace("\n", f" {end}")
    changed = changed if final else changed.rstrip()
    data = (b"\xef\xbb\xbf" if bom else b"") + changed.encode()
    assert [_unplaced(item) for item in verdict(data)] == said


def _unplaced(item: tuple[str, str, str]) -> tuple[str, str, str]:
    """A finding without the line numbers its message names, which doubled lines rightly move."""
    return item[0], item[1], "".join(character for character in item[2] if not character.isdigit())
