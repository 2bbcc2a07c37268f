"""Reports for other programs and for pull requests: exact files in tests/cases/reports, the official SARIF schema, and text that must stay text.

To see what a format says now, run `.venv/bin/python -m tests.unit.report.test_formats FORMAT` and read it before you save it.
"""

import json
import re
import sys
from importlib import import_module
from typing import Any
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree as ET

import pyromark
import pytest
from jsonschema import Draft4Validator

from helix_hooks import __version__
from helix_hooks.adr.check_report import CheckReport, FileReport, Skipped
from helix_hooks.adr.model import Suppressed
from helix_hooks.cli.check import FORMATS
from helix_hooks.finding import Finding
from helix_hooks.report import gitlab, junit, markdown, sarif
from helix_hooks.text import inert_cell
from tests.conftest import ROOT, Repository, Run
from tests.fakes.sarif import SCHEMA
from tests.unit.report.reports import adr

REPORTS = ROOT / "tests" / "cases" / "reports"

KAFKA = """---
adr_id: ADR-007
status: Accepted
supersedes: ADR-003
depends_on: [ADR-005]
related_to: [ADR-008, docs/glossary.md]
---

# ADR-007: Use Kafka for "events"; all of them
"""
SECRETS = "# 8. Keep secrets in the vault\n\n## Status\n\nProposed\n"
NASTY = "the status '`x` | <b>@octocat</b> fixes #12' is unknown"
BYTES = b"docs/adr/0009-\xff.md".decode(errors="surrogateescape")


def found(
    message: str,
    path: str = "docs/adr/0007.md",
    line: int = 1,
    severity: str = "error",
    rule: str = "our-rule",
    help: str = "",
) -> Finding:
    subject = message.partition(" (")[0]
    return Finding(severity, rule, "rules", message, path, line, line, 1, help, subject=subject)


def example() -> CheckReport:
    """Something of everything."""
    path, other = "docs/adr/0007-use kafka.md", "docs/adr/0008-geheimnisse für alle.md"
    findings = (
        Finding(
            "error",
            "our-status",
            "structure",
            NASTY,
            path,
            3,
            3,
            9,
            "write one of: Draft, Accepted",
        ),
        Finding("warning", "our-owner", "rules", "nobody owns this (line 12)", path, 5, 7),
        Finding(
            "info",
            "our-status",
            "structure",
            "the id is `ADR-7`",
            path,
            9,
            9,
            1,
            "write `ADR-007`\nas elsewhere",
        ),
    )
    suppressed = (
        Suppressed(
            found("nobody owns this (line 30)", path, 6, "error", "our-owner"),
            "inline",
            "the board does",
        ),
        Suppressed(
            found("too old", path, 8, "warning", "our-age"), "baseline", "counted in the baseline"
        ),
    )
    skipped = (
        Skipped("dangling-reference", path, "this clone is shallow"),
        Skipped("", "vendor/adr", "this is a submodule"),
    )
    files = (
        adr(path, KAFKA, findings, suppressed),
        adr(other, SECRETS),
        adr(BYTES, "# T\n", (found("bell \x07 and \u202e", BYTES),)),
    )
    return CheckReport(files, skipped)


def rendered(format: str, report: CheckReport) -> str:
    return str(import_module(f"helix_hooks.report.{format}").render(report))


def log(*files: FileReport, skipped: tuple[Skipped, ...] = ()) -> dict[str, Any]:
    """The only run of a SARIF log."""
    run: dict[str, Any] = json.loads(sarif.render(CheckReport(files, skipped)))["runs"][0]
    return run


@pytest.mark.parametrize(
    ("format", "name"),
    [
        ("sarif", "example.sarif"),
        ("junit", "example.xml"),
        ("gitlab", "example.gitlab.json"),
        ("markdown", "example.md"),
    ],
)
def test_a_report_is_exactly_what_was_read_and_saved(format: str, name: str) -> None:
    assert rendered(format, example()).replace(__version__, "VERSION") == (
        REPORTS / name
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_can_be_asked_for(format: str, repository: Repository, run: Run) -> None:
    repository.stage("docs/adr/0001-x.md", "# 1. X\n\n## Status\n\nAccepted\n")
    result = run("check", "--format", format)
    assert result.code == 1 and "docs/adr/0001-x.md" in result.out and not result.err


# SARIF


def test_sarif_follows_the_official_schema(repository: Repository, run: Run) -> None:
    repository.stage("docs/adr/0001-x.md", "# 1. X\n\n## Status\n\nDone\n\nSuperseded by ADR-9\n")
    reports = [
        sarif.render(CheckReport(())),
        sarif.render(example()),
        run("check", "--format", "sarif").out,
    ]
    for report in reports:
        assert list(Draft4Validator(SCHEMA).iter_errors(json.loads(report))) == []
    assert SCHEMA["id"] == json.loads(reports[0])["$schema"]
    assert list(
        Draft4Validator(SCHEMA).iter_errors({"version": "2.1.0", "runs": [{"results": [{}]}]})
    )


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("docs/adr/0001-x_y~z.md", {"uri": "docs/adr/0001-x_y~z.md", "uriBaseId": "%SRCROOT%"}),
        ("a b/ü#1?.md", {"uri": "a%20b/%C3%BC%231%3F.md", "uriBaseId": "%SRCROOT%"}),
        ("new\nline%25.md", {"uri": "new%0Aline%2525.md", "uriBaseId": "%SRCROOT%"}),
        ("a:b.md", {"uri": "a%3Ab.md", "uriBaseId": "%SRCROOT%"}),
        (BYTES, {"uri": "docs/adr/0009-%FF.md", "uriBaseId": "%SRCROOT%"}),
        ("no \ud800 byte.md", {"uri": "no%20%EF%BF%BD%20byte.md", "uriBaseId": "%SRCROOT%"}),
        ("/tmp/a b.md", {"uri": "file:///tmp/a%20b.md"}),
    ],
)
def test_a_path_is_a_uri_that_leads_back_to_it(path: str, location: dict[str, str]) -> None:
    (result,) = log(adr(path, "# T\n", (found("x", path),)))["results"]
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == location
    assert re.fullmatch(r"(?:file://)?/?(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", artifact["uri"])
    if "\ud800" not in path:
        assert unquote_to_bytes(artifact["uri"].removeprefix("file://")) == path.encode(
            errors="surrogateescape"
        )


def fingerprints(*findings: Finding) -> list[str]:
    return [
        result["partialFingerprints"]["helix/v1"]
        for result in log(adr("a.md", "# T\n", findings))["results"]
    ]


def test_a_fingerprint_survives_lines_that_move() -> None:
    before = fingerprints(
        found("'Context' (line 12)"),
        found("lost (b.concept.md:3-9)", line=4),
        found("same", line=7),
        found("same", line=9),
    )
    after = fingerprints(
        found("'Context' (line 99)", line=5),
        found("lost (b.concept.md:40-46)", line=8),
        found("same", line=70),
        found("same", line=71),
    )
    assert before == after and len(set(before)) == 4
    assert before[2].removesuffix(":1") == before[3].removesuffix(":2")


def test_a_fingerprint_tells_rules_files_and_numbers_apart() -> None:
    one = fingerprints(found("ADR-31 does not exist"))
    assert one != fingerprints(found("ADR-32 does not exist"))
    assert one != fingerprints(found("ADR-31 does not exist", rule="other"))
    assert one != fingerprints(found("ADR-31 does not exist", path="b.md"))


def test_a_fingerprint_stays_when_one_like_it_is_suppressed() -> None:
    first, second = found("same", line=3), found("same", line=9)
    both = log(adr("a.md", "# T\n", (first, second)))["results"]
    one = log(adr("a.md", "# T\n", (second,), (Suppressed(first, "inline", "known"),)))["results"]
    assert [item["partialFingerprints"] for item in both] == [
        item["partialFingerprints"] for item in one
    ]
    assert ["suppressions" in item for item in one] == [True, False]


def test_a_built_in_rule_is_described() -> None:
    (rule,) = log(adr("a.md", "# T\n", (found("x", rule="merge-conflict", severity="info"),)))[
        "tool"
    ]["driver"]["rules"]
    assert (
        rule["helpUri"]
        == "https://github.com/helix-hooks/helix-hooks/blob/main/docs/rules.md#merge-conflict"
    )
    assert rule["shortDescription"] == {"text": "Merge conflict markers were left in the file."}
    assert rule["defaultConfiguration"] == {"level": "error"} and rule["fullDescription"]["text"]


def test_no_words_of_an_adr_are_a_link_of_sarif() -> None:
    (result,) = log(
        adr(
            "a.md",
            "# T\n",
            (found("depends on [this](1)", help="see [that](https://example.org)"),),
        )
    )["results"]
    assert result["message"]["text"] == "depends on [this] (1)\nsee [that] (https://example.org)"


# JUnit


@pytest.mark.parametrize(
    "text",
    [
        "]]>",
        "a\x00b",
        "\x0b\x1f",
        "\ufffe\uffff",
        "\udcff\ud800",
        "<!-- & -->",
        "\"'",
        "\r\n",
        "🚀 ü",
    ],
)
def test_junit_takes_any_text(text: str) -> None:
    report = CheckReport(
        (
            adr(
                f"a{text}.md",
                "# T\n",
                (found(text, path=text, help=text, rule=text), found(text, severity="info")),
            ),
        ),
        (Skipped(text, text, text),),
    )
    (suite,) = ET.fromstring(junit.render(report))
    failure = suite.findall("testcase")[0].find("failure")
    shown = "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text
    )
    assert failure is not None and failure.get("message") == shown


# GitLab


CODE_QUALITY = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": r"^(?!/|\\./).+"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
"""The table "Code Quality report format" of docs.gitlab.com/ci/testing/code_quality, as a schema."""


def issues(report: CheckReport) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(gitlab.render(report))
    assert list(Draft4Validator(CODE_QUALITY).iter_errors(found)) == []
    assert len({issue["fingerprint"] for issue in found}) == len(found)
    return found


def test_gitlab_gets_the_fields_that_it_documents() -> None:
    assert issues(example())
    assert gitlab.render(CheckReport((adr("a.md", SECRETS),))) == "[]\n"
    assert list(Draft4Validator(CODE_QUALITY).iter_errors([{"location": {"path": "/a"}}]))


def test_gitlab_s_fingerprints_survive_lines_that_move() -> None:
    def known(*lines: int) -> list[str]:
        findings = tuple(found(f"same (line {line})", line=line) for line in lines)
        return [
            issue["fingerprint"] for issue in issues(CheckReport((adr("a.md", "# T\n", findings),)))
        ]

    assert known(3, 9) == known(30, 31) != known(3)


def test_gitlab_is_told_what_was_not_checked() -> None:
    (issue,) = issues(CheckReport((), (Skipped("gate-relaxed", "", "no merge base"),)))
    assert issue["check_name"] == "gate-relaxed"
    assert issue["description"] == "not checked: no merge base"
    assert issue["location"]["path"] == "."


def test_gitlab_takes_any_text() -> None:
    text = "a\x00\ud800\r\n\u202e<!-- -->"
    (issue, _) = issues(
        CheckReport(
            (adr("a.md", "# T\n", (found(text, path=text, line=4, help=text),)),),
            (Skipped(text, text, text),),
        )
    )
    assert issue["description"].isprintable()
    assert issue["location"]["lines"] == {"begin": 4, "end": 4}


# Markdown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "plain words, Node.js 2.0 and snake_case (v2)!",
            "plain words, Node.js 2.0 and snake_case (v2)!",
        ),
        ("add `## Decision`", r"add <code>\#\# Decision</code>"),
        ("`unpaired", r"\`unpaired"),
        ("a|b\\|c", "a&#124;b&#92;&#124;c"),
        ("<!-- <b>x</b> &lt;", "&lt;!-- &lt;b&gt;x&lt;/b&gt; &&#8203;lt;"),
        ("*a* _b_ ~~c~~ $d$", r"\*a\* \_b\_ \~\~&#8203;c\~\~ &#36;&#8203;d&#36;"),
        ("[x](https://e.org) ![i](u)", r"\[x\](https:&#8203;//e.org) !\[i\](u)"),
        ("@octocat @org/team a@b.org", "@&#8203;octocat @&#8203;org/team a@&#8203;b.org"),
        (
            "fixes #12, o/r#3, GH-4, !5, :tada:",
            r"fixes \#&#8203;12, o/r\#&#8203;3, GH-&#8203;4, !&#8203;5, :&#8203;tada:",
        ),
        ("www.e.org http://e.org", "www&#8203;.e.org http:&#8203;//e.org"),
        ("two\nlines\tand \x1b[31m", r"two&#92;nlines    and &#92;x1b\[31m"),
        ("\u200b@\u202ex", "&#92;u200b@&#8203;&#92;u202ex"),
        ("x" * 400, "x" * 299 + "…"),
    ],
)
def test_text_of_an_adr_is_inert(text: str, expected: str) -> None:
    assert inert_cell(text) == expected


BREAKERS = (
    "</details>",
    "| x |",
    "`|`",
    "```",
    "a\n\n# b",
    "<!--",
    "-->",
    "![i](u)",
    "[l](u)",
    "[r]: u",
    "**",
    "<script>",
    "\\",
    "\\|",
    "&lt;b&gt;",
    "$$",
)


@pytest.mark.parametrize("text", BREAKERS)
def test_nothing_breaks_out_of_its_cell(text: str) -> None:
    """Wherever a text of a repository stands, the page has the structure that it has for plain words."""

    def page(word: str) -> list[str]:
        finding = found(word, path=f"{word}.md", help=word, rule=word)
        files = adr(
            f"{word}.md",
            f"---\nadr_id: 7\nstatus: Draft\nsupersedes: ADR-3\n---\n\n# {word}\n",
            (finding,),
            (Suppressed(finding, "inline", word),),
        )
        text = markdown.render(CheckReport((files,), (Skipped(word, word, word),)))
        events = pyromark.events(text, options=pyromark.Options.ENABLE_TABLES)
        return [shape for event in events if (shape := _shape(event))]

    assert page(text) == page("plain")


def _shape(event: Any) -> str:
    """What an event of the parser adds to a page's structure; text, and code made of what stood between backticks, add none."""
    if isinstance(event, dict) and next(iter(event)) in ("Text", "Code"):
        return ""
    shown = str(event)
    return "" if "'InlineHtml': '<code>'" in shown or "'InlineHtml': '</code>'" in shown else shown


def test_the_worst_findings_are_shown_and_the_others_counted() -> None:
    many = tuple(
        found(f"number {number}", line=number, severity="info" if number <= 60 else "error")
        for number in range(1, 121)
    )
    page = markdown.render(CheckReport((adr("a.md", "# T\n", many),)))
    assert page.count("| **error** |") == 60 and page.count("| info |") == 40
    assert "120 infos" not in page and "The worst 100 of 120 findings are shown." in page


def test_a_page_is_never_too_long_for_a_comment() -> None:
    files = [
        adr(
            f"{name}.md",
            "# T\n",
            tuple(found("#" * 300, help="|" * 300, line=line) for line in range(1, 30)),
        )
        for name in "abc"
    ]
    page = markdown.render(CheckReport((*files, adr("d.md", "# T\n", (found("short"),)))))
    assert len(page) < 65_536 and "short" in page
    assert page.endswith(
        "The report is too long for this page and was truncated. `helix-hooks check` and `helix-hooks graph` print all.\n"
    )


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (CheckReport(()), "## helix-hooks: passed\n\nNo ADRs checked: no findings.\n"),
        (
            CheckReport((adr("a.md", SECRETS),)),
            "## helix-hooks: passed\n\n1 ADR checked: no findings.\n",
        ),
    ],
)
def test_without_findings_there_is_little_to_say(report: CheckReport, expected: str) -> None:
    assert markdown.render(report) == expected


if __name__ == "__main__":
    print(rendered(sys.argv[1], example()).replace(__version__, "VERSION"), end="")
