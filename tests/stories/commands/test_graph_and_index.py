"""The decision graph and the index: exact output for a small repository, and a person's README that nothing may harm.

Each expected graph was parsed and drawn by the npm package mermaid, and the dot file by Graphviz, before it was saved.
"""

import json
import os
import re
from pathlib import Path

import pytest

from helix_hooks.report.drawing import mermaid
from helix_hooks.report.graph import Graph, Node
from tests.conftest import ROOT, Repository, Run

REPORTS = ROOT / "tests" / "cases" / "reports"

FOLDER = {
    "0001-record.md": "---\nadr_id: ADR-001\ndate: 2024-01-31\nstatus: Accepted\n---\n\n# ADR-001: Record decisions\n",
    "0002-rest.md": "---\nadr_id: ADR-002\ndate: 2024-02-01\nstatus: Superseded\nsuperseded_by: ADR-003\ndepends_on: ADR-001\n---\n\n# ADR-002: Use REST\n",
    "0003-events.md": '---\nadr_id: ADR-003\nstatus: Accepted\nsupersedes: ADR-002\nrelated_to: [ADR-005]\n---\n\n# ADR-003: Use "events" [everywhere] | now\n',
    "0004-kafka.md": "# 4. Use Kafka\n\n## Status\n\nProposed\n\nSupersedes part of [ADR 3](0003-events.md), depends on ADR-099\n",
    "0005-no-queue.md": "---\nadr_id: ADR-005\nstatus: Rejected\nrelated_to: [ADR-003, ADR-404, ADR-005]\n---\n\n# ADR-005: No queue at all\n",
    "notes on naming.md": "# Notes on naming\n",
}


@pytest.fixture
def decisions(repository: Repository) -> Repository:
    for name, text in FOLDER.items():
        repository.stage(f"docs/adr/{name}", text)
    return repository


def saved(name: str) -> str:
    return (REPORTS / name).read_text(encoding="utf-8")


# graph


@pytest.mark.parametrize(
    ("format", "name"), [("mermaid", "graph.mmd"), ("dot", "graph.dot"), ("json", "graph.json")]
)
def test_the_graph_of_a_repository(format: str, name: str, decisions: Repository, run: Run) -> None:
    result = run("graph", "--format", format)
    assert (result.code, result.out, result.err) == (0, saved(name), "")


def test_mermaid_is_the_default_and_the_order_is_stable(decisions: Repository, run: Run) -> None:
    decisions.git("rm", "--quiet", "-r", "--cached", ".")
    assert run("graph").out == saved("graph.mmd")


def test_a_repository_without_adrs_has_an_empty_graph(repository: Repository, run: Run) -> None:
    result = run("graph")
    assert (result.code, result.out) == (0, "flowchart LR\n")
    assert result.err.startswith("helix-hooks: no ADR in this repository; looked for ")
    assert result.err.count("\n") == 1
    assert json.loads(run("graph", "--format", "json").out) == {
        "version": 1,
        "adrs": [],
        "relations": [],
    }


def test_an_adr_that_cannot_be_read_is_left_out_and_named(decisions: Repository, run: Run) -> None:
    decisions.stage("docs/adr/0006-x.md", b"\xff\xfe\x00")
    result = run("graph")
    assert (result.code, result.out) == (0, saved("graph.mmd"))
    assert result.err.startswith("helix-hooks: docs/adr/0006-x.md is left out: ")


def test_a_number_means_the_adr_of_the_same_folder(repository: Repository, run: Run) -> None:
    for folder in ("a/adr", "b/adr"):
        repository.stage(f"{folder}/0001-x.md", f"# 1. X of {folder}\n")
        repository.stage(
            f"{folder}/0002-y.md", "---\nadr_id: 2\nstatus: Accepted\nsupersedes: 1\n---\n\n# Y\n"
        )
    relations = json.loads(run("graph", "--format", "json").out)["relations"]
    assert [(item["from"], item["to"]) for item in relations] == [
        ("a/adr/0002-y.md", "a/adr/0001-x.md"),
        ("b/adr/0002-y.md", "b/adr/0001-x.md"),
    ]


def test_many_adrs_are_read_by_all_processors(repository: Repository, run: Run) -> None:
    for number in range(1, 91):
        repository.write(
            f"docs/adr/{number:04}-x.md",
            f"---\nadr_id: {number}\nstatus: Accepted\ndepends_on: {max(1, number - 1)}\n---\n\n# X {number}\n",
        )
    data = json.loads(run("graph", "--format", "json").out)
    assert [item["id"] for item in data["adrs"]] == [f"ADR-{number:03}" for number in range(1, 91)]
    assert len(data["relations"]) == 89


@pytest.mark.parametrize("format", ["mermaid", "dot", "json"])
def test_a_token_in_a_title_or_a_path_is_masked_in_every_graph(
    format: str, repository: Repository, run: Run
) -> None:
    token = f"ghp_{'0123456789abcdefghij' * 2}"[:40]
    repository.write(f"docs/adr/{token}.md", f"# {token}\n\n## Status\n\nAccepted\n")
    shown = run("graph", "--format", format).out
    assert token not in shown and "a secret" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "my-rule"],
        *(["rules", "--format", format] for format in ("text", "json", "markdown")),
    ],
    ids=" ".join,
)
def test_a_token_in_a_rule_of_the_settings_is_masked(
    arguments: list[str], repository: Repository, run: Run
) -> None:
    token = f"ghp_{'0123456789abcdefghij' * 2}"[:40]
    repository.write(
        "config/adr-completeness-rules.yaml",
        "contextual_rules:\n  - id: my-rule\n    message: m\n    severity: error\n"
        f"    name: 'N {token}'\n    explanation: 'E {token}'\n"
        "    when: {change_scope: major}\n    require: {sections: [{name: X}]}\n",
    )
    result = run(*arguments)
    assert (result.code, result.err) == (0, "")
    assert token not in result.out and "(a secret)" in result.out


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Use Kafka, not REST", "Use Kafka, not REST"),
        ("snake_case a/b e-mail 2.0", "snake_case a/b e-mail 2#46;0"),
        ('"]:::x', "#34;#93;#58;#58;#58;x"),
        ("#35; #quot; &amp;", "#35;35#59; #35;quot#59; #38;amp#59;"),
        ("<b onclick=x>", "#60;b onclick#61;x#62;"),
        ("1. - * # list", "1#46; #45; #42; #35; list"),
        ("`code` **bold** _em_", "#96;code#96; #42;#42;bold#42;#42; #95;em#95;"),
        ("%%{init: {}}%%", "#37;#37;#123;init#58; #123;#125;#125;#37;#37;"),
        ("the direction TB", "the direction#32;TB"),
        ("a $$x$$ b", "a #36;#8203;#36;#8203;x#36;#8203;#36;#8203; b"),
        ("fa:fa-car", "fa#58;#8203;fa-car"),
        ("two\nlines\x1b", "two lines#92;x1b"),
        ("Überall – 決定", "Überall #8211; 決定"),
        ("x" * 90, "x" * 59 + "#8230;"),
        (" ", ""),
    ],
)
def test_a_title_is_only_a_title(title: str, label: str) -> None:
    node = Node("a.md", "ADR-001", title, "Accepted")
    shown = f"ADR-001<br>{label}" if label else "ADR-001"
    assert mermaid(Graph((node,), ())).split("\n")[1] == f'  A0["{shown}"]:::decided'


# index


def test_the_index_is_written_and_then_up_to_date(decisions: Repository, run: Run) -> None:
    result = run("index")
    assert result.code == 0
    assert result.out == "docs/adr/README.md: the index is written\n"
    assert result.err == ""
    assert (decisions.root / "docs/adr/README.md").read_text() == saved("index.md")
    again = run("index")
    assert (again.code, again.out) == (0, "docs/adr/README.md: the index is up to date\n")
    assert (decisions.root / "docs/adr/README.md").read_text() == saved("index.md")
    check = run("index", "--check", "--quiet")
    assert (check.code, check.out, check.err) == (0, "", "")


def test_check_tells_a_missing_and_a_stale_index_and_writes_nothing(
    decisions: Repository, run: Run
) -> None:
    missing = run("index", "--check")
    assert (missing.code, missing.out) == (1, "")
    assert (
        missing.err
        == "helix-hooks: docs/adr/README.md: the index is missing; write it with `helix-hooks index`\n"
    )
    assert not (decisions.root / "docs/adr/README.md").exists()
    run("index")
    before = (decisions.root / "docs/adr/README.md").read_bytes()
    decisions.write(
        "docs/adr/0001-record.md", FOLDER["0001-record.md"].replace("Accepted", "Deprecated")
    )
    stale = run("index", "docs/adr/README.md", "--check")
    assert stale.code == 1
    assert (
        stale.err
        == "helix-hooks: docs/adr/README.md: the index is stale; write it with `helix-hooks index docs/adr/README.md`\n"
    )
    assert (decisions.root / "docs/adr/README.md").read_bytes() == before


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_the_text_around_the_table_stays_byte_for_byte(
    newline: bytes, decisions: Repository, run: Run
) -> None:
    above, below = (
        b"\xef\xbb\xbf# Ours\n\nbytes \xff, a blank \xc2\xa0 and `<!-- helix-index -->` in a line\n",
        b"\n\n\nThe end, without a line end",
    )
    mine = above + b"<!-- helix-index -->\nold\n<!-- /helix-index -->" + below
    decisions.write("docs/adr/README.md", mine.replace(b"\n", newline))
    assert run("index").code == 0
    written = (decisions.root / "docs/adr/README.md").read_bytes()
    head, table, tail = written.partition(b"<!-- helix-index -->" + newline)
    assert head == above.replace(b"\n", newline)
    rows, _, rest = tail.partition(b"<!-- /helix-index -->")
    assert rest == below.replace(b"\n", newline)
    assert (table + rows).decode().replace("\r\n", "\n") == saved("index.md").partition("\n\n")[
        2
    ].removesuffix("<!-- /helix-index -->\n")
    assert written.count(b"\n") == written.count(newline)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# Ours\n", "docs/adr/README.md has no place for the index; add the two lines `<!-- helix-index -->` and `<!-- /helix-index -->` where it belongs"),
        ("<!-- helix-index --> <!-- /helix-index -->\n", "docs/adr/README.md has no place for the index; add the two lines `<!-- helix-index -->` and `<!-- /helix-index -->` where it belongs"),
        ("a\n<!-- helix-index -->\n<!-- /helix-indx -->\n", "docs/adr/README.md needs one line `<!-- helix-index -->` and below it one line `<!-- /helix-index -->`; it has `<!-- helix-index -->` in line 2"),
        ("<!-- /helix-index -->\n<!-- helix-index -->\n", "docs/adr/README.md needs one line `<!-- helix-index -->` and below it one line `<!-- /helix-index -->`; it has `<!-- /helix-index -->` in line 1, `<!-- helix-index -->` in line 2"),
        ("<!-- helix-index -->\n<!-- /helix-index -->\n" * 2, "docs/adr/README.md needs one line `<!-- helix-index -->` and below it one line `<!-- /helix-index -->`; it has `<!-- helix-index -->` in line 1, `<!-- /helix-index -->` in line 2, `<!-- helix-index -->` in line 3, `<!-- /helix-index -->` in line 4"),
    ],
)  # fmt: skip
def test_without_one_clear_place_nothing_is_written(
    text: str, message: str, decisions: Repository, run: Run
) -> None:
    decisions.write("docs/adr/README.md", text)
    for arguments in (["index"], ["index", "--check"]):
        result = run(*arguments)
        assert (result.code, result.out, result.err) == (2, "", f"helix-hooks: {message}\n")
    assert (decisions.root / "docs/adr/README.md").read_text() == text


def test_a_table_that_a_formatter_aligned_is_not_stale(decisions: Repository, run: Run) -> None:
    run("index")
    place = decisions.root / "docs/adr/README.md"
    aligned = (
        place.read_text()
        .replace("| --- |", "| ------- |")
        .replace(" | Accepted | ", " | Accepted   | ")
        .replace("<!-- /", "\n<!-- /")
    )
    place.write_text(aligned)
    assert run("index", "--check").code == 0 and run("index").code == 0
    assert place.read_text() == aligned


def test_an_index_elsewhere_has_all_adrs_and_links_from_where_it_is(
    decisions: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions.stage("svc/a b/adr/0001-x.md", "# 1. X\n\n## Status\n\nAccepted\n")
    (decisions.root / "web").mkdir()
    monkeypatch.chdir(decisions.root / "web")
    assert run("index", "all.md").out == "web/all.md: the index is written\n"
    assert (decisions.root / "web/all.md").read_text() == saved("index-elsewhere.md")
    assert run("index", "../docs/adr/README.md").code == 0
    assert (decisions.root / "docs/adr/README.md").read_text() == saved("index.md")


def test_an_adr_in_a_folder_of_its_own_belongs_to_the_folder_above(
    repository: Repository, run: Run
) -> None:
    for number in (1, 2):
        repository.stage(f"docs/adr/000{number}-x/README.md", f"# {number}. X {number}\n")
    assert run("index").out == "docs/adr/README.md: the index is written\n"
    assert (
        "| ADR-002 | [X 2](0002-x/README.md) |"
        in (repository.root / "docs/adr/README.md").read_text()
    )


def test_without_adrs_there_is_nothing_to_list(repository: Repository, run: Run) -> None:
    for arguments in (["index"], ["index", "--check"]):
        result = run(*arguments)
        assert (result.code, result.out) == (0, "") and "no ADR in this repository" in result.err
    assert run("index", "README.md").code == 0
    assert "No decision is recorded yet." in (repository.root / "README.md").read_text()


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ("2024-05-01", "2024-05-01"), ("2024-05-01, again 2025-01-01", "2024-05-01"), ("1 May 2024", "1 May 2024"),
        ("01.05.2024 | x", "01.05.2024 &#124; x"), ('"{YYYY-MM-DD when it was decided}"', None), ("2024 and a great many more words than that", None),
    ],
)  # fmt: skip
def test_a_date_is_shown_where_a_header_states_one(
    stated: str, shown: str | None, repository: Repository, run: Run
) -> None:
    repository.stage("docs/adr/0001-x.md", f"---\nstatus: Accepted\ndate: {stated}\n---\n\n# X\n")
    run("index")
    row = (repository.root / "docs/adr/README.md").read_text().split("\n")[6]
    assert row == (
        f"| ADR-001 | [X](0001-x.md) | Accepted | {shown} |"
        if shown
        else "| ADR-001 | [X](0001-x.md) | Accepted |"
    )


@pytest.mark.parametrize("name", ["../README.md", "/nowhere/README.md"])
def test_a_file_outside_is_refused(name: str, decisions: Repository, run: Run) -> None:
    result = run("index", name)
    assert (result.code, result.err) == (
        2,
        f"helix-hooks: {name} is outside of the repository, so its links would be broken\n",
    )


def test_a_link_a_folder_and_a_missing_folder_are_refused(
    decisions: Repository, run: Run, tmp_path: Path
) -> None:
    target = tmp_path / "mine.md"
    target.write_text("<!-- helix-index -->\n<!-- /helix-index -->\n")
    os.symlink(target, decisions.root / "docs/adr/README.md")
    assert (
        run("index").err == "helix-hooks: docs/adr/README.md is a link or a folder; name a file\n"
    )
    assert target.read_text() == "<!-- helix-index -->\n<!-- /helix-index -->\n"
    assert run("index", "docs").code == 2
    assert run("index", "docs").err == "helix-hooks: docs is a link or a folder; name a file\n"
    assert (
        run("index", "nowhere/README.md").err
        == "helix-hooks: nowhere/README.md could not be written: No such file or directory\n"
    )


# index --marked

EMPTY = "# Decisions\n\n<!-- helix-index -->\n<!-- /helix-index -->\n"


def rows(place: Path) -> list[str]:
    """Return the files that a table links to, in its order."""
    return re.findall(r"\]\(([^)]+)\)", place.read_text(encoding="utf-8"))


def test_a_stale_table_fails_the_hook_once_and_is_written(decisions: Repository, run: Run) -> None:
    decisions.stage("docs/adr/README.md", EMPTY)
    result = run("index", "--marked")
    assert (result.code, result.out) == (1, "")
    assert result.err == (
        "helix-hooks: docs/adr/README.md: the index was stale and has been written; "
        "run `git add docs/adr/README.md`, then commit again\n"
    )
    assert rows(decisions.root / "docs/adr/README.md")
    again = run("index", "--marked")
    assert (again.code, again.out) == (0, "docs/adr/README.md: the index is up to date\n")


def test_with_check_the_hook_writes_nothing(decisions: Repository, run: Run) -> None:
    decisions.stage("docs/adr/README.md", EMPTY)
    result = run("index", "--marked", "--check")
    assert result.code == 1 and "the index is stale" in result.err
    assert (decisions.root / "docs/adr/README.md").read_text() == EMPTY


def test_without_a_place_for_the_table_there_is_nothing_to_do(
    decisions: Repository, run: Run
) -> None:
    decisions.stage("docs/adr/README.md", "# Decisions\n")
    result = run("index", "--marked")
    assert (result.code, result.err) == (0, "")
    assert result.out == "no README.md has the marker comments of the index; nothing to do\n"
    assert (decisions.root / "docs/adr/README.md").read_text() == "# Decisions\n"


def test_a_broken_pair_of_comments_stops_the_hook(decisions: Repository, run: Run) -> None:
    decisions.stage("docs/adr/README.md", "<!-- helix-index -->\n")
    result = run("index", "--marked")
    assert result.code == 2 and "docs/adr/README.md needs one line" in result.err


@pytest.mark.parametrize("fence", ["```", "~~~~"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_comments_in_a_block_of_code_are_an_example(
    fence: str, end: str, decisions: Repository, run: Run
) -> None:
    example = f"How:\n\n{fence}md\n<!-- helix-index -->\nkept\n<!-- /helix-index -->\n{fence}\n\n"
    example = example.replace("\n", end)
    path = decisions.stage("docs/adr/README.md", example)
    assert run("index", "--marked").code == 0
    assert run("index").code == 2
    assert path.read_bytes() == example.encode()
    decisions.stage(
        "docs/adr/README.md", f"{example}<!-- helix-index -->{end}<!-- /helix-index -->"
    )
    assert run("index").code == 0
    assert path.read_bytes().startswith(example.encode()) and "0001-record.md" in rows(path)


def test_an_adr_that_git_does_not_track_is_not_committed_into_a_table(
    decisions: Repository, run: Run
) -> None:
    decisions.stage("docs/adr/README.md", EMPTY)
    decisions.write("docs/adr/0006-draft.md", FOLDER["0004-kafka.md"].replace("4.", "6."))
    run("index", "--marked")
    assert "0006-draft.md" not in rows(decisions.root / "docs/adr/README.md")
    run("index")
    assert "0006-draft.md" in rows(decisions.root / "docs/adr/README.md")


def test_several_marked_files_are_written_at_once(decisions: Repository, run: Run) -> None:
    for path in ("docs/adr/README.md", "services/shop/adr/index.md", "docs/README.md"):
        decisions.stage(path, EMPTY)
    text = FOLDER["0004-kafka.md"].replace("ADR 3", "it").replace("0003-events.md", "x.md")
    decisions.stage("services/shop/adr/0004-pay.md", text)
    decisions.stage("services/mail/adr/0004-send.md", text)
    assert run("index").code == 0
    assert rows(decisions.root / "services/shop/adr/index.md") == ["0004-pay.md"]
    assert "0001-record.md" in rows(decisions.root / "docs/adr/README.md")
    everything = rows(decisions.root / "docs/README.md")
    assert {"adr/0001-record.md", "../services/mail/adr/0004-send.md"} <= {*everything}
    assert run("index", "--marked").code == 0
    named = run("index", "services/shop/adr/index.md", "--check")
    assert named.code == 0, "a file that is named gets the same table"


def test_a_link_out_of_the_repository_is_not_followed(decisions: Repository, run: Run) -> None:
    outside = decisions.root.parent / "outside.md"
    outside.write_text(EMPTY)
    (decisions.root / "docs/README.md").symlink_to(outside)
    assert run("index", "--marked").code == 0
    assert outside.read_text() == EMPTY


def test_marked_files_are_found_and_not_named(decisions: Repository, run: Run) -> None:
    result = run("index", "--marked", "docs/adr/README.md")
    assert result.code == 2 and "--marked cannot be used with FILE" in result.err
