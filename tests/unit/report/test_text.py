"""The report for a terminal: marks under the words, lines at a terminal's width, links, hostile texts."""

import re

import pytest

from helix_hooks.adr.check_report import CheckReport, FileReport, span
from helix_hooks.finding import Finding
from helix_hooks.report import text
from helix_hooks.report.source_line import quoted
from helix_hooks.report.text import words
from helix_hooks.text import beginning, ending, width
from tests.unit.report.reports import adr

PATH = "docs/adr/0007-x.md"
COLORS = r"\x1b\[[\d;]*m"
LINKS = r"\x1b\]8;;([^\x1b]*)\x1b\\"


def report(line: str, words: str, message: str = "unknown status", **fields: object) -> CheckReport:
    """A report with one finding about some words of line 3."""
    column, end_column = span(line, words)
    finding = Finding("error", "header-invalid", "structure", message, PATH, 3, 3)
    finding = finding._replace(column=column, end_column=end_column)._replace(**fields)  # type: ignore[arg-type]
    file: FileReport = adr(PATH, "# T\n", (finding,))
    return CheckReport((file._replace(lines={3: line}),))


def rows(line: str, words: str, columns: int = 0) -> list[str]:
    """The quoted line and the line below it."""
    lines = text.render(report(line, words), columns=columns).splitlines()
    start = next(number for number, shown in enumerate(lines) if shown.startswith("  3 |"))
    return lines[start : start + 2]


@pytest.mark.parametrize(
    ("line", "words", "shown", "marks"),
    [
        ("status: Acepted", "Acepted", "status: Acepted", "        ^^^^^^^"),
        ("  - status: Acepted  ", "Acepted", "- status: Acepted", "          ^^^^^^^"),
        ("状态: 已接收 (neu)", "已接收", "状态: 已接收 (neu)", "      ^^^^^^"),
        ("🚀 status: Acepted", "Acepted", "🚀 status: Acepted", "           ^^^^^^^"),
        ("e\u0301tat: Acepted", "Acepted", "e\u0301tat: Acepted", "      ^^^^^^^"),
        ("\ta:\tAcepted", "Acepted", "a:    Acepted", "      ^^^^^^^"),
        ("a\u200b: Acepted", "Acepted", "a\\u200b: Acepted", "         ^^^^^^^"),
        ("a\x1b[2J: Acepted", "Acepted", "a\\x1b[2J: Acepted", "          ^^^^^^^"),
        ("a\ud800: Acepted", "Acepted", "a\\ud800: Acepted", "         ^^^^^^^"),
        (
            "a\u202e: Ace\u200fpted b",
            "Ace\u200fpted",
            "a\\u202e: Ace\\u200fpted b",
            "         ^^^^^^^^^^^^^",
        ),
    ],
)
def test_marks_stand_under_the_words(line: str, words: str, shown: str, marks: str) -> None:
    assert rows(line, words) == [f"  3 | {shown}", f"    | {marks}"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("  Acepted  ", "Acepted"),
        ("status: Acepted", "Rejected"),
        ("status: Acepted", ""),
        ("סטטוס: Acepted", "Acepted"),
        (f"{'x ' * 4000}Acepted", "Acepted"),
        ("Unaccepted", "accepted"),
    ],
)
def test_no_marks_where_their_place_is_the_whole_line_or_unknown(line: str, words: str) -> None:
    shown = rows(line, words)
    assert shown[0].startswith("  3 | ") and "^" not in "".join(shown)


@pytest.mark.parametrize("columns", [0, 40, 60, 80, 120, 200])
@pytest.mark.parametrize("filler", ["word ", "状态 ", "\u200b", "\t", "é"])
def test_a_long_line_is_cut_around_the_words(filler: str, columns: int) -> None:
    line = f"{filler * 300} status: Acepted, {filler * 300}"
    source, marks = rows(line, "Acepted", columns)
    most = min(columns, 126) or 126
    assert width(source) <= most and width(marks) <= most
    start = len(marks) - 7
    assert marks.endswith("^" * 7) and set(marks[6:start]) <= {" "}
    cells = "".join(sign + "\0" * (width(sign) - 1) for sign in source)
    assert cells[start : start + 7] == "Acepted"


def test_a_token_is_masked_though_words_beside_it_are_marked() -> None:
    token = "ghp_" + "a1B2" * 9
    for line in (f"key: {token} Acepted", f"{token}: Acepted", f"Acepted {token}"):
        assert token[4:20] not in "".join(rows(line, "Acepted", 60))
    (shown,) = {quoted(f"{'x ' * 70}{token} b", 145, 160, 60).text}
    assert "a1B2" not in shown


def test_without_a_terminal_the_first_line_stays_one_line() -> None:
    found = report("status: Acepted", "Acepted", message="word " * 60)
    first = text.render(found).splitlines()[0]
    assert re.fullmatch(r"docs/adr/0007-x\.md:3:9: error: (word ){60} \[header-invalid\]", first)


@pytest.mark.parametrize("columns", [1, 40, 60, 80, 120])
def test_at_a_terminal_no_line_is_longer_than_it(columns: int) -> None:
    found = report(
        "status: Acepted", "Acepted", message="word " * 60, help="help `## Two Words` " * 20
    )
    lines = text.render(found, columns=columns).splitlines()
    assert all(width(line) <= max(columns, 40) for line in lines)
    assert lines[1].startswith("    word"), "the message goes on with an indent"
    hint = next(number for number, line in enumerate(lines) if line.startswith("    = help"))
    assert re.match(r"      \S", lines[hint + 1]), "the hint goes on below its first word"
    assert not any(line.count("`") % 2 for line in lines), "short code is not broken"
    plain = re.sub(COLORS + "|" + LINKS, "", text.render(found, True, columns=columns))
    assert plain.splitlines() == lines


def test_a_rule_is_a_link_at_a_terminal_with_colours() -> None:
    found = report("status: Acepted", "Acepted")
    address = "https://github.com/helix-hooks/helix-hooks/blob/main/docs/rules.md#header-invalid"
    assert re.findall(LINKS, text.render(found, True, columns=80)) == [address, ""]
    assert not re.findall(LINKS, text.render(found, True) + text.render(found, columns=80))
    own = report("status: Acepted", "Acepted", check="our-rule", layer="rules")
    assert not re.findall(LINKS, text.render(own, True, columns=80))


@pytest.mark.parametrize("sample", ["", "abc", "状态x", "e\u0301e\u0301", "🚀a"])
def test_beginnings_and_ends_fit(sample: str) -> None:
    for most in range(-1, 8):
        for part in (beginning(sample, most), ending(sample, most)):
            assert part in sample and width(part) <= max(most, 0)
    assert beginning(sample, 99) == ending(sample, 99) == sample


def test_words_keep_all_but_blanks() -> None:
    sample = "a `b c` d`e f` ` g `` h `" + "`x " * 50
    assert "".join(words(sample)).replace(" ", "") == sample.replace(" ", "")


def test_words_are_found_whole() -> None:
    assert span("Context: x", "x") == (10, 11)
    assert span("a: b, b", "b", 5) == (7, 8)
    assert span("", "b") == span("abc", "") == (1, 0)
    assert span("决定：接受", "接受") == (4, 6)
