"""The pages as functions of entries: order, size, and texts of others that stay texts."""

import pytest

from helix_hooks.pages import entry as entry_page
from helix_hooks.pages import queue
from helix_hooks.pages.difference import difference
from helix_hooks.pages.document_text import html_of
from helix_hooks.pages.shown import ago, block, percent, until
from helix_hooks.pages.view import HERE, OTHERS, FilledForm, QueuePage, QueueRow, Shell
from helix_hooks.waiting.entry import ChangedDocument, EntryDetail
from helix_hooks.waiting.selection import stamp
from tests.fakes.waiting import DETAIL, ENTRIES, KAFKA, NOW


def page(*rows: QueueRow, token: str = "t") -> QueuePage:
    shell = Shell(viewer="maria", sign_out="x" * 49, version="0" * 12, is_live=True)
    return QueuePage(rows=rows, now=NOW, shell=shell, form=FilledForm(token))


def test_two_hundred_entries_have_less_than_100_kb() -> None:
    rows = [
        QueueRow(ENTRIES[number % 12]._replace(id=f"acme/shop#{number}"), HERE, "", "0" * 16)
        for number in range(200)
    ]
    assert len(queue.page(page(*rows, token="x" * 49)).encode()) < 100_000


def test_mine_comes_before_others() -> None:
    others, critical, routine = (
        QueueRow(ENTRIES[1], OTHERS, "no"),
        QueueRow(KAFKA, HERE, "", "s"),
        QueueRow(ENTRIES[2], HERE, "", "s"),
    )
    text = queue.page(page(others, critical, routine))
    assert text.index("Kafka") < text.index("Deploy v1.2")
    assert text.count('type="checkbox" name="id"') == 1, "a critical entry is opened first"


@pytest.mark.parametrize(
    ("source", "never"),
    [
        ("<script>alert(1)</script>", "<script"),
        ("<img src=x onerror=alert(1)>", "<img"),
        ("![x](https://evil.example/a.png)", "<img"),
        ("[x](javascript:alert(1))", "<a"),
        ("[x](vbscript:x)", "<a"),
        ("[x](data:text/html;base64,x)", "<a"),
        ("[x](/sign-out)", "<a"),
        ("[x](//evil.example)", "<a"),
        ("[![x](a.png)](b.md)", "<a"),
        ('<https://x.example/"onmouseover=alert(1)>', '"onmouseover'),
        ("```\n</code></pre><script>x</script>\n```", "<script"),
        ("---\na: <script>\n---\n", "<script"),
        ("[a]: javascript:x\n[a]", 'href="javascript'),
        ("a\u202eb\u200bc", "\u202e"),
    ],
)  # fmt: skip
def test_markdown_of_others_is_inert(source: str, never: str) -> None:
    assert never not in html_of(source)


def test_markdown_is_shown_as_it_is_meant() -> None:
    made = html_of("# One\n\n## Two\n\n**bold** [link](https://x.example)\n\n| a |\n|---|\n| b |\n")
    assert "<h3>One</h3>" in made and "<h4>Two</h4>" in made and "<strong>bold</strong>" in made
    assert '<a href="https://x.example" rel="noreferrer nofollow">link</a>' in made
    assert '<div class="wide" tabindex="0"><table>' in made


def test_a_difference_has_signs_and_counts_and_says_what_is_left_out() -> None:
    found = difference(ChangedDocument("a.md", "one\ntwo\n", "one\n2\n3\n"))
    assert (found.added, found.deleted) == (2, 1)
    assert [text for text in found.lines if text[0] in "+-"] == ["-two", "+2", "+3"]
    long = "\n".join(map(str, range(4000)))
    assert "Too long to compare" in difference(ChangedDocument("a.md", "", long)).note
    many = difference(ChangedDocument("a.md", "x", "\n".join(map(str, range(2000)))))
    assert "more lines" in many.note and len(many.lines) == 600


def test_the_page_of_an_entry_has_all_that_a_decider_reads() -> None:
    detail = EntryDetail(KAFKA, DETAIL.documents, ("b.md is too long",))
    made = entry_page.page(entry_page.EntryPage(QueueRow(KAFKA, HERE, "", "s"), detail, page()))
    for words in (
        "Why a decision is needed",
        "Ignored answers",
        "confidence 82 %",
        "Findings",
        "$0.31",
        "the role maintain or admin",
        "@alice, @ci-agent",
        "b.md is too long",
        "+7 −1",
    ):
        assert words in made, words


def test_a_stamp_changes_with_what_is_read_and_not_with_votes() -> None:
    same = KAFKA._replace(approvals=1, invalidated=(), due_at=0, state="escalated")
    others = [
        KAFKA._replace(head="f" * 40),
        KAFKA._replace(title="x"),
        KAFKA._replace(description="x"),
        KAFKA._replace(files=()),
    ]
    assert stamp(same) == stamp(KAFKA)
    assert stamp(KAFKA) not in map(stamp, others)


@pytest.mark.parametrize(
    ("found", "words"),
    [(ago(0), "just now"), (ago(59), "just now"), (ago(60), "1 min ago"), (ago(7199), "1 h ago"), (ago(172_800), "2 d ago"), (ago(-5), "just now"),
     (until(0), "due now"), (until(1), "due in 1 min"), (until(3600), "due in 1 h"), (until(-3600), "due 1 h ago"), (percent(0.999), "99 %"), (percent(0.29), "29 %"), (percent(1), "100 %")],
)  # fmt: skip
def test_times_and_shares_are_short_and_never_flatter(found: str, words: str) -> None:
    assert found == words


def test_a_long_text_says_that_it_was_cut() -> None:
    assert block("x" * 70_000).endswith("(cut: 10000 more characters are not shown here)")
