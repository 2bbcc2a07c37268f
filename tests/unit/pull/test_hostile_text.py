"""Text of others on a page of GitHub: it shows as written, and does nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.decision.handover import (
    DiffPlace,
    PlacedFinding,
    fingerprints,
    hunks,
    mark,
    marked,
    within,
)
from helix_hooks.finding import Finding
from helix_hooks.pull.finding_texts import comment
from helix_hooks.pull.summary_comment import STICKY
from helix_hooks.text import BREAK, capped, code, fenced, inline, plain
from tests.unit.pull.hostile import HOSTILE, LIVE


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_text_is_live(text: str) -> None:
    for rendered in (
        plain(text),
        inline(text),
        code(text),
        fenced(text),
        comment(
            PlacedFinding(
                Finding("error", text, "agent", text, "a.md", help=text, evidence=text), "0" * 16
            )
        ),
    ):
        assert not LIVE.search(rendered), rendered
        assert not marked(rendered)[0] and STICKY not in rendered


@given(
    st.text()
    | st.lists(st.sampled_from([*HOSTILE, "\n", "`", "#", "@", "/", "<!", "--", "x", " "])).map(
        "".join
    )
)
def test_whatever_is_written_nothing_is_live(text: str) -> None:
    for rendered in (plain(text), inline(text), code(text), fenced(text)):
        assert not LIVE.search(rendered), rendered


@given(
    st.text()
    | st.lists(st.sampled_from(["`", "``", "\u1fef", "\u200b", "\n", "x", "\u00ad"])).map("".join)
)
def test_a_block_of_code_ends_where_it_should(text: str) -> None:
    first, *rest = fenced(text).splitlines()
    fence = re.match("`+", first)
    assert (
        fence
        and rest[-1] == fence[0]
        and not any(line.strip().startswith(fence[0]) for line in rest[:-1])
    )


def test_a_line_of_text_shows_as_it_is() -> None:
    assert inline("the section 'Migration' is missing") == "the section 'Migration' is missing"
    assert inline("a_b *c* [d](e) <f>") == rf"a\_b \*c\* \[d\]{BREAK}(e) \<f\>"
    assert code("a`b") == "``a`b``"
    assert plain("@me") == f"@{BREAK}me"


@pytest.mark.parametrize("secret", ["ghp_" + "a1" * 18, "ghs_" + "A" * 36, "github_pat_" + "x" * 30, "sk-ant-api03-" + "y" * 20, "AKIA" + "B" * 16, "xoxb-1234567890-abc",
                                    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"])  # fmt: skip
def test_a_secret_is_not_shown(secret: str) -> None:
    for rendered in (plain(f"key {secret} end"), inline(secret), fenced(secret)):
        assert "(a secret)" in rendered.replace("\\", "") and secret[8:] not in rendered


@pytest.mark.parametrize(
    "text",
    [
        "x" * 70_000,
        "line\n" * 20_000,
        "😀" * 40_000,
        "````text\n" + "a\n" * 50_000 + "````\n",
        "<details>\n" + "b\n" * 50_000 + "</details>\n",
    ],
)
def test_a_body_is_no_longer_than_github_takes(text: str) -> None:
    body = capped(text, "*more*")
    assert len(body.encode("utf-16-le")) // 2 <= 65_000
    assert body.rstrip().endswith("*more*")
    assert body.count("````") % 2 == 0 and body.count("<details>") == body.count("</details>")


def test_what_fits_is_left_alone() -> None:
    assert capped("short\n", "*more*") == "short\n"


PATCH = b"""\
diff --git a/a.md b/a.md
--- a/a.md
+++ b/a.md
@@ -1,3 +1,4 @@
 one
+two
 three
 four
@@ -20 +21,0 @@ heading
-gone
@@ -30,2 +31 @@
-x
-y
+z
"""


def test_hunks_are_the_lines_that_github_shows() -> None:
    assert hunks(PATCH) == ((1, 4), (31, 31))
    assert hunks(b"") == () and hunks(b"@@ not one @@") == ()


@pytest.mark.parametrize(
    ("first", "last", "place"),
    [
        (1, 4, DiffPlace("a.md", 1, 4)), (2, 2, DiffPlace("a.md", 2, 2)), (4, 9, DiffPlace("a.md", 4, 4)), (5, 5, None), (20, 21, None), (31, 31, DiffPlace("a.md", 31, 31)),
        (3, 31, DiffPlace("a.md", 3, 3)), (0, 1, None),
    ],
)  # fmt: skip
def test_a_place_is_in_one_hunk(first: int, last: int, place: DiffPlace | None) -> None:
    assert within("a.md", first, last, hunks(PATCH)) == place


def finding(
    message: str = "something", line: int = 3, check: str = "rule", evidence: str = ""
) -> Finding:
    return Finding("error", check, "rules", message, "a.md", line, line, evidence=evidence)


def test_a_finding_of_a_rule_is_known_by_what_it_says() -> None:
    """Not by its line, nor by what stands around it: a section that is added above must not make another one look mended."""
    (one,) = fingerprints([finding()], "rules")
    assert fingerprints([finding(line=9)], "rules") == [one]
    for other in (
        finding("something else"),
        finding(check="other"),
        finding()._replace(path="b.md"),
    ):
        assert fingerprints([other], "rules") != [one]
    assert len({*fingerprints([finding(), finding(line=9), finding(line=12)], "rules")}) == 3, (
        "the how-manieth counts"
    )


def test_a_finding_of_a_judge_is_known_by_its_quote() -> None:
    one = finding("said in these words", 3, evidence="We will  send\nevents")
    other = finding("said in other words", 9, evidence="We will send events")
    assert (
        fingerprints([one], "adr")
        == fingerprints([other], "adr")
        != fingerprints([one], "security")
    )


def test_a_mark_counts_only_at_the_end() -> None:
    ours = mark("0123456789abcdef", "adr")
    assert marked(f"text\n{ours}") == ("0123456789abcdef", "adr") and marked(f"{ours}\ntext") == (
        "",
        "",
    )
