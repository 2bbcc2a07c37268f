"""Each folder of tests/cases/pages is a state of a pull request (case.json) and what people read of it: the comment that stays, the check with its title,
and the answer to `/helix status`. `python -m tests.unit.publish.test_pages` writes the expected files anew; look at each difference.
"""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import cmarkgfm  # type: ignore[import-untyped]
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from helix_hooks.decision.claimed import ClaimedAdr, MissingPromise
from helix_hooks.decision.decide import Decision
from helix_hooks.decision.effective_votes import EffectiveVotes
from helix_hooks.decision.handover import (
    Broken,
    ChangedAdr,
    Handover,
    Judged,
    PlacedFinding,
    Repair,
)
from helix_hooks.finding import Finding
from helix_hooks.publish import replies
from helix_hooks.publish.escalation import escalation
from helix_hooks.publish.findings_section import comment
from helix_hooks.publish.links import Links, links
from helix_hooks.publish.page import brief, page
from helix_hooks.publish.title import LONGEST, title
from helix_hooks.text.sanitize import BREAK
from helix_hooks.verdict.earlier import Decline, EarlierFinding, EarlierRound
from tests import series
from tests.conftest import ROOT
from tests.unit.decision.draws import ballots, came_to, handovers, harmless, rooms
from tests.unit.decision.table import HEAD, Row, facts
from tests.unit.publish.hostile import HOSTILE, LIVE

CASES = sorted(path.parent for path in (ROOT / "tests" / "cases" / "pages").glob("*/case.json"))
SERVER = "https://github.example"
TO = links(SERVER, "acme/decisions", 7, HEAD, 99)


class Texts(NamedTuple):
    """What people read: file names and what stands there."""

    page: str
    check: str
    status: str
    escalation: str


def facts_of(folder: Path) -> tuple[Handover, Decision]:
    case: dict[str, Any] = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    row = Row(
        "",
        0,
        case.get("policy", "-"),
        case["found"],
        case.get("votes", "-"),
        case.get("now", "-"),
        "",
        "",
        "",
    )
    found = facts(row)
    more: dict[str, Any] = {name: case[name] for name in ("graph", "adrs") if name in case}
    more |= {"no_judge": case["judge"]} if "judge" in case else {}
    more |= {"files": tuple((path, hash) for path, hash in case.get("files", []))}
    more |= {
        name: tuple(case[name]) for name in ("failure", "protected", "loosened") if name in case
    }
    more |= {name: case[name] for name in ("claims_left_out", "claimed_left_out") if name in case}
    more |= {"claimed": tuple(_claimed(item) for item in case.get("claimed", []))}
    more |= {"broken": tuple(Broken(*item) for item in case.get("broken", []))}
    more |= {"repair": Repair(*case["repair"])} if "repair" in case else {}
    more |= {"earlier": (_round(case["earlier"]),)} if "earlier" in case else {}
    if "looked" in case:
        more |= {"carried": found.given.carried._replace(looked=case["looked"])}
    given = found.given._replace(
        rule_findings=(
            *found.given.rule_findings,
            *(_finding(number, item) for number, item in enumerate(_all(case.get("findings", [])))),
        ),
        changed=tuple(
            ChangedAdr(**{**item, "supersedes": tuple(item.get("supersedes", []))})
            for item in case.get("changed", [])
        ),
        judged=tuple(_judged(item, case.get("judges", {})) for item in found.given.judged),
        **more,
    )
    return given, found._replace(given=given).decided()


def _all(items: list[Any]) -> list[list[Any]]:
    """Findings as a case has them; `{"each": [..], "of": [path, ..], "count": n}` stands for many."""
    found: list[list[Any]] = []
    for item in items:
        if isinstance(item, list):
            found.append(item)
        else:
            found += [
                [
                    item["of"][number % len(item["of"])],
                    3 * number + 1,
                    *item["each"][number % len(item["each"])],
                ]
                for number in range(item["count"])
            ]
    return found


def _finding(number: int, item: list[Any]) -> PlacedFinding:
    path, line, severity, check, message, help = item
    return PlacedFinding(
        Finding(severity, check, "structure", message, path, line, line, help=help),
        f"{number:016x}",
    )


def _round(items: list[list[str]]) -> EarlierRound:
    return EarlierRound("adr", "c" * 40, tuple(map(_earlier, range(len(items)), items)))


def _earlier(number: int, item: list[str]) -> EarlierFinding:
    path, severity, check, message, answer, by, reason = item
    finding = Finding(severity, check, "agent", message, path)
    reply = Decline(by, 1, 2, 3, reason) if by else None
    return EarlierFinding(f"{number:016x}", finding, reply, answer)


def _claimed(item: dict[str, Any]) -> ClaimedAdr:
    missing = (MissingPromise(**lack) for lack in item.get("first_missing", []))
    return ClaimedAdr(**{**item, "first_missing": tuple(missing)})


def _judged(judged: Judged, more: dict[str, Any]) -> Judged:
    own = more.get(judged.verdict.approval_type, {})
    about = judged.verdict.agent_context._replace(**own.get("agent_context", {}))
    fields: dict[str, Any] = {
        "summary": own.get("summary", ""),
        "recommendations": tuple(own.get("recommendations", [])),
    }
    fields["files"] = tuple((path, name) for path, name in own.get("files", []))
    return judged._replace(verdict=judged.verdict._replace(**fields, agent_context=about))


def texts_of(folder: Path) -> Texts:
    given, outcome = facts_of(folder)
    check = f"title: {title(given, outcome)}\n\n{brief(given, outcome, 60_000, TO, given.findings)}"
    calls = escalation(given, outcome)
    return Texts(
        page(given, outcome, 60_000, TO),
        check,
        replies.status(given, outcome, TO),
        calls.body if calls else "",
    )


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_people_read_what_the_file_says(folder: Path) -> None:
    for name, text in texts_of(folder)._asdict().items():
        expected = folder / f"{name}.md"
        assert text == (expected.read_text(encoding="utf-8") if expected.exists() else "")


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_a_page_fits_a_phone(folder: Path) -> None:
    """No table, and one command in a block; the line of the state first."""
    texts = texts_of(folder)
    assert len(texts.check.splitlines()[0]) <= LONGEST + len("title: ")
    for text in texts:
        html = cmarkgfm.github_flavored_markdown_to_html(text)
        assert "<table" not in html
        blocks = re.findall(r"<pre[^>]*><code[^>]*>(.*?)</code>", html, re.DOTALL)
        assert all(len(block.strip().splitlines()) == 1 for block in blocks if "/helix" in block)
        assert "mend" not in text
    assert texts.page.startswith("### ") and len(texts.status.splitlines()) == 3
    assert re.search(
        r"\(https://github\.example/acme/decisions/pull/7#issuecomment-99\)", texts.status
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
            item.vote.by.login
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
    given, _ = facts_of(ROOT / "tests" / "cases" / "pages" / "claim-unapproved")
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


if __name__ == "__main__":
    for case in CASES:
        for name, text in texts_of(case)._asdict().items():
            (case / f"{name}.md").unlink(missing_ok=True)
            if text:
                (case / f"{name}.md").write_text(text, encoding="utf-8")
