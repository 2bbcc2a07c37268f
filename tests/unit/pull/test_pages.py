"""Properties of the texts on a pull request. The pages themselves are in tests/cases/pages."""

import re
from typing import Any

import cmarkgfm  # type: ignore[import-untyped]
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from helix_hooks.decision.handover import ChangedAdr, Handover, PlacedFinding
from helix_hooks.decision.votes import EffectiveVotes
from helix_hooks.finding import Finding
from helix_hooks.pull import replies
from helix_hooks.pull.finding_texts import comment
from helix_hooks.pull.links import Links, links
from helix_hooks.pull.summary_text import brief, page
from helix_hooks.pull.title import LONGEST, title
from helix_hooks.text import BREAK
from tests import series
from tests.unit.decision.draws import ballots, came_to, handovers, harmless, rooms
from tests.unit.decision.table import HEAD, Row, facts
from tests.unit.pull.hostile import HOSTILE, LIVE

SERVER = "https://github.example"
TO = links(SERVER, "acme/decisions", 7, HEAD, 99)


def _finding(number: int, item: list[Any]) -> PlacedFinding:
    path, line, severity, check, message, help = item
    return PlacedFinding(
        Finding(severity, check, "structure", message, path, line, line, help=help),
        f"{number:016x}",
    )


@settings(max_examples=series.examples(300), deadline=None)
@drawn(rooms)
def test_every_title_is_short_and_every_offered_approval_would_count(found: Any) -> None:
    outcome = found.decided()
    assert 0 < len(title(found.given, outcome)) <= LONGEST
    for text in (page(found.given, outcome, 60_000), brief(found.given, outcome, 60_000)):
        assert ("\n/helix approve" in text) == bool(outcome.asked)
        told = re.findall(r"^- The \w+ of (\S+): ", text, re.MULTILINE)
        assert set(told) == {
            item.by.login
            for item in outcome.refused
            if item.speaker != "stranger" and outcome.asked
        }


OWN_LINK = re.compile(
    r"\]\(https://github\.example/acme/decisions/(?:blob|pull)/[A-Za-z0-9._/%-]*(?:\?plain=1)?(?:#[A-Za-z0-9-]+)?\)"
)


@pytest.mark.slow
@settings(max_examples=series.examples(80), deadline=None)
@drawn(handovers, ballots, st.sampled_from(HOSTILE))
def test_links_lead_to_this_repository_alone(
    given: Handover, said: EffectiveVotes, path: str
) -> None:
    """Attack by a hostile pull request: a path, title or server that would make our own links lead elsewhere.
    Answer: links are built from quoted parts, and only for a server of the web; a text of others makes none.
    Shown by: `test_links_lead_to_this_repository_alone`, `test_a_server_that_is_none_is_not_linked_to`.
    """
    given = given._replace(changed=(ChangedAdr(path, path, path, path, (path,)),))
    outcome = came_to(given, said, [])
    for text in (
        page(given, outcome, 60_000, TO),
        brief(given, outcome, 60_000, TO),
        replies.status(given, outcome, TO),
    ):
        harmless(OWN_LINK.sub("", text))


@pytest.mark.parametrize("title", ["]", "a]", "[a]", "\\]"])
def test_a_title_defines_no_reference(title: str) -> None:
    """An escaped bracket before our colon ends no label; a live one would."""
    given = facts(Row("", 0, "-", "adr=ok unaccepted", "-", "-", "", "", "")).given
    given = given._replace(claimed=(given.claimed[0]._replace(title=title),))
    outcome = came_to(given, EffectiveVotes(), [])
    text = OWN_LINK.sub("", page(given, outcome, 60_000, TO))
    harmless(text)
    html = cmarkgfm.github_flavored_markdown_to_html(f"{text}\n\n[a] []]")
    assert "\\]:" in text and "href" not in html and "[a] []]" in html


@pytest.mark.parametrize("text", ["[a]: /x", "[a\\\\]: /x"])
def test_a_live_label_is_seen(text: str) -> None:
    assert LIVE.search(text)
    assert "href" in cmarkgfm.github_flavored_markdown_to_html(f"{text}\n\n{text[:-4]}")


@pytest.mark.parametrize(
    "server", ["", "file:///tmp", "javascript:alert(1)", "https://evil.example/x)(", "https://a b"]
)
def test_a_server_that_is_none_is_not_linked_to(server: str) -> None:
    to = links(server, "acme/decisions", 7, HEAD)
    assert (
        to == Links()
        and to.file("words", "a.md", 3)
        == to.box("words")
        == to.checks("words")
        == to.page("words")
        == "words"
    )


@pytest.mark.parametrize(("path", "quoted"), [("docs/a b.md", "docs/a%20b.md"), ("x](y).md", "x%5D%28y%29.md"), ("\udcff.md", "%FF.md"),
                                              ("\ud800.md", "%3F.md"), ("ä#1?.md", "%C3%A4%231%3F.md")])  # fmt: skip
def test_a_path_is_quoted(path: str, quoted: str) -> None:
    assert (
        TO.file("words", path, 3)
        == f"[words]({SERVER}/acme/decisions/blob/{HEAD}/{quoted}?plain=1#L3)"
    )


def test_a_comment_at_a_line_says_it_once() -> None:
    text = comment(
        _finding(1, ["a.md", 3, "error", "section-missing", "the section is missing", "add it"])
    )
    assert text.count("the section is missing") == 1 and BREAK not in text
