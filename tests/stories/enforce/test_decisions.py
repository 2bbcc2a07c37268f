"""`helix-hooks decisions`: the accepted ADRs of the base that govern a file, the strongest first."""

import json
from typing import Any

import pytest

from tests.conftest import Repository, Run

KAFKA = """# 14. Use Kafka for events

Status: Accepted
{header}
## Considered Options

* Kafka
* RabbitMQ - known to the team
* Polling

## Decision

We use Kafka, because events must be kept. {text}
"""


def accept(repository: Repository, name: str = "0014-use-kafka.md", **parts: str) -> None:
    text = KAFKA.format(**{"header": "", "text": "", **parts}).replace("14", name[2:4], 1)
    repository.stage(f"docs/adr/{name}", text)
    repository.commit(f"Accept {name}")


def governs(run: Run, *arguments: str) -> list[tuple[str, str, str]]:
    """Return the decisions for a file: the id, the way, and what says so."""
    done = run("decisions", *arguments, "--format", "json")
    assert done.code == 0, done.err
    value: dict[str, Any] = json.loads(done.out)
    return [
        (item["adr_id"], one["way"], one["by"])
        for item in value["decisions"]
        for one in item["governs"]
    ]


WAYS = {
    "a path in the text": ({"text": "`src/orders.py` sends them."}, "text", "src/orders.py"),
    "a path below the package": (
        {"text": "See `orders.py` and `src/orders.py`."},
        "text",
        "src/orders.py",
    ),
    "a folder": ({"text": "All of `src/` uses it."}, "folder", "src"),
    "a name of a file": ({"text": "`orders.py` sends them."}, "name", "orders.py"),
    "a name of a module": ({"text": "`orders` sends them."}, "name", "orders"),
    "a name in another spelling": ({"text": "`Orders` sends them."}, "name", "Orders"),
    "a glob of the header": ({"header": "Scope: src/*.py\n"}, "scope", "src/*.py"),
}


@pytest.mark.parametrize(("parts", "way", "by"), WAYS.values(), ids=WAYS)
def test_an_adr_governs_a_file(
    parts: dict[str, str], way: str, by: str, repository: Repository, run: Run
) -> None:
    accept(repository, **parts)
    assert governs(run, "src/orders.py") == [("014", way, by)]
    assert governs(run, "lib/other.py") == []


def test_the_header_of_the_helix_template_governs(repository: Repository, run: Run) -> None:
    front = '---\nadr_id: "014"\ntitle: Use Kafka\nstatus: Accepted\nfiles:\n  modify: [src/orders.py]\nscope: ["lib/**"]\n---\n'
    repository.stage(
        "docs/adr/014-kafka.md",
        f"{front}\n# ADR-014: Use Kafka\n\n## Decision\n\nEvents go through Kafka.\n",
    )
    repository.commit()
    assert governs(run, "src/orders.py") == [("014", "files", "src/orders.py")]
    assert governs(run, "lib/a/b.py") == [("014", "scope", "lib/**")]
    assert governs(run, "src/") == [("014", "files", "src/orders.py")]


def test_a_commit_that_implements_an_adr_counts(repository: Repository, run: Run) -> None:
    accept(repository)
    repository.stage("src/queue_of_events.py", "x = 1\n")
    repository.commit("Send events\n\nImplements: ADR-14")
    assert governs(run, "src/queue_of_events.py") == [("014", "commit", "Implements")]


def test_the_text_is_what_an_agent_needs(repository: Repository, run: Run) -> None:
    accept(repository, text="`src/orders.py` sends them.")
    done = run("decisions", "src/orders.py")
    assert done.code == 0
    assert done.out.splitlines() == [
        "ADR-014: Use Kafka for events (docs/adr/0014-use-kafka.md)",
        "  We use Kafka, because events must be kept. src/orders.py sends them.",
        "  rejected: RabbitMQ; Polling",
        "  governs src/orders.py (text: src/orders.py)",
    ]


def test_only_what_the_base_accepts_counts(repository: Repository, run: Run) -> None:
    """An agent that edits or retires an ADR in its own tree is bound as before."""
    accept(repository, text="`src/orders.py` sends them.")
    proposed = KAFKA.format(header="", text="`src/orders.py`").replace("Accepted", "Proposed")
    repository.stage("docs/adr/0015-proposed.md", proposed.replace("14.", "15."))
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "work")
    repository.stage("docs/adr/0014-use-kafka.md", proposed)
    repository.commit("Retire it")
    assert governs(run, "src/orders.py") == [("014", "text", "src/orders.py")]
    assert governs(run, "src/orders.py", "--base", "work") == []


def test_a_budget_names_what_it_leaves_out(repository: Repository, run: Run) -> None:
    for number in range(1, 31):
        accept(repository, f"{number:04}-decision.md", text=f"`src/orders.py`. {'More. ' * 9}")
    done = run("decisions", "src/orders.py", "--budget", "700")
    assert len(done.out) <= 700
    assert done.out.startswith("ADR-030: ") and "\nnot shown: ADR-0" in done.out
    assert done.out.rstrip().endswith("more")


def test_none_is_said_with_the_number_that_was_read(repository: Repository, run: Run) -> None:
    accept(repository)
    done = run("decisions", "src/orders.py")
    assert (done.code, done.out) == (
        0,
        (
            "no accepted ADR of HEAD names src/orders.py (1 accepted ADR read)\n"
            "accepted too, without naming a file here; they may apply:\n"
            "  ADR-014: Use Kafka for events\n"
        ),
    )


def test_other_accepted_decisions_are_listed_by_their_relation(
    repository: Repository, run: Run
) -> None:
    for number, title in ((11, "Style of commits"), (12, "Payments by card"), (13, "Logs")):
        text = KAFKA.format(header="", text="").replace("Use Kafka for events", title)
        repository.stage(f"docs/adr/00{number}-x.md", text.replace("14.", f"{number}."))
    repository.stage(
        "docs/adr/0015-old.md", KAFKA.format(header="", text="").replace("Accepted", "Superseded")
    )
    repository.commit()
    shown = run("decisions", "src/card_payments.py").out
    assert shown.splitlines()[1:] == [
        "accepted too, without naming a file here; they may apply:",
        "  ADR-012: Payments by card",
        "  ADR-013: Logs",
        "  ADR-011: Style of commits",
    ]
    value = json.loads(run("decisions", "src/card_payments.py", "--format", "json").out)
    assert [item["adr_id"] for item in value["others"]] == ["012", "013", "011"]
    short = run("decisions", "src/card_payments.py", "--budget", "200").out
    assert "ADR-012" in short and short.endswith("  and 1 more\n")


def test_an_adr_without_a_known_status_is_not_passed_over(repository: Repository, run: Run) -> None:
    text = KAFKA.format(header="", text="`src/orders.py`").replace("Accepted", "ongoing")
    repository.stage("docs/adr/0014-use-kafka.md", text)
    repository.commit()
    done = run("decisions", "src/orders.py")
    assert done.code == 0
    assert "1 ADR of HEAD without a known status: not counted as accepted" in done.err


def test_an_adr_that_can_not_be_read_is_not_none(repository: Repository, run: Run) -> None:
    accept(repository)
    repository.stage("docs/adr/0015-broken.md", b"\xff\xfe# 15\n")
    repository.commit()
    done = run("decisions", "src/orders.py")
    assert done.code == 3
    assert "docs/adr/0015-broken.md can't be read at HEAD, so decisions may be missing" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["../x.py"], "x.py is not below the root"),
        (["."], ". is not below the root"),
        (["x.py", "--base", "no-such"], "no-such"),
        (["x.py", "--base", "--output=x"], "--output=x"),
        (["x.py", "--budget", "5"], "--budget"),
        ([], "PATH"),
    ],
)
def test_a_wrong_call_is_one_line(
    arguments: list[str], words: str, repository: Repository, run: Run
) -> None:
    accept(repository)
    done = run("decisions", *arguments)
    assert (done.code, done.err.count("\n")) == (2, 1) and words in done.err


def test_before_the_first_commit_there_are_none(repository: Repository, run: Run) -> None:
    done = run("decisions", "src/orders.py")
    assert (done.code, done.out) == (
        0,
        "no accepted ADR of HEAD names src/orders.py (no accepted ADRs read)\n",
    )


def test_odd_names_stay_in_their_line(repository: Repository, run: Run) -> None:
    """A title can't write a line of its own, or control a terminal."""
    hostile = KAFKA.replace("Use Kafka for events", "Use \x1b[31mKafka\u202e")
    repository.stage(
        "docs/adr/0014-use-kafka.md", hostile.format(header="", text="`src/orders.py`")
    )
    repository.commit()
    done = run("decisions", "src/orders.py", "src/a\nADR-1: none.py")
    assert "\x1b" not in done.out and "\u202e" not in done.out
    assert not any(line.startswith("ADR-1:") for line in done.out.splitlines())


def test_a_word_that_stands_in_few_files_governs_them(repository: Repository, run: Run) -> None:
    repository.stage("src/orders.py", "from kafka import EventStore\n")
    accept(repository, text="Other stores are refused. Only `EventStore` may send them.")
    assert governs(run, "src/orders.py") == [("014", "content", "EventStore")]
    shown = run("decisions", "src/orders.py").out
    assert "Other stores are refused. … Only EventStore may send them." in (" ".join(shown.split()))
    for number in range(11):
        repository.stage(f"src/a{number}.py", "from kafka import EventStore\n")
    repository.commit()
    assert governs(run, "src/orders.py") == []


@pytest.mark.parametrize("text", ["`publish` sends them.", "EventStore sends them."])
def test_a_plain_word_and_a_word_without_code_govern_nothing(
    text: str, repository: Repository, run: Run
) -> None:
    repository.stage("src/orders.py", "from kafka import EventStore, publish\n")
    accept(repository, text=text)
    assert governs(run, "src/orders.py") == []


def test_a_name_of_many_files_means_none_of_them(repository: Repository, run: Run) -> None:
    accept(repository, text="`orders` sends them.")
    for folder in "abcd":
        repository.stage(f"{folder}/orders.py", "")
    repository.commit()
    assert governs(run, "a/orders.py") == []


def test_a_folder_in_the_context_is_not_decided_about(repository: Repository, run: Run) -> None:
    accept(repository, header="\n## Context\n\nOrders are in `src/`, and polled.\n")
    assert governs(run, "src/orders.py") == []


def test_a_scope_that_can_not_be_read_governs_nothing(repository: Repository, run: Run) -> None:
    accept(repository, header="Scope: src/{a\n")
    assert governs(run, "lib/a.py") == []
