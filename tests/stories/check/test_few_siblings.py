"""A team with fewer than five ADRs in a style of its own: no heading is asked for that it does not use."""

from tests.conftest import Repository, Run

OWN = """# {number}. {title}

State: agreed

## Problem

Orders are lost when the queue restarts.

## What we do

The services use {title} for the orders.

## What follows

One more service runs.
"""
HINT = "<!-- helix-disable-next-line section-missing - our sections have other names -->\n"


def write(repository: Repository, number: int, title: str, text: str = OWN) -> str:
    path = f"docs/adr/{number:04}-{title.lower()}.md"
    repository.stage(path, text.format(number=number, title=title))
    return path


def commit(repository: Repository) -> None:
    for number, title in enumerate(("Kafka", "Postgres", "Redis"), 1):
        write(repository, number, title)
    repository.commit()


def test_a_new_adr_in_the_same_style_passes(repository: Repository, run: Run) -> None:
    commit(repository)
    write(repository, 4, "Nginx")
    done = run("check", "--staged", "--fail-on", "warning")
    assert (done.code, done.out) == (0, "1 ADR checked: no findings\n")


def test_what_the_few_have_is_a_warning(repository: Repository, run: Run) -> None:
    commit(repository)
    write(repository, 4, "Nginx", OWN.replace("What follows", "Thanks to"))
    done = run("check", "--staged")
    said = "warning: 3 of 3 ADRs here have `## What follows`, this one does not [unlike-siblings]"
    assert (done.code, said in done.out) == (0, True), done.out


def test_one_sentence_is_an_error(repository: Repository, run: Run) -> None:
    commit(repository)
    repository.stage("docs/adr/0004-nginx.md", "# 4. Nginx\n\nState: agreed\n\nWe use Nginx.\n")
    done = run("check", "--staged")
    assert done.code == 1 and "error: the section 'Decision' is missing" in done.out


def test_a_first_sibling_with_a_decision_is_followed(repository: Repository, run: Run) -> None:
    commit(repository)
    write(repository, 4, "Nginx", OWN.replace("What we do", "Decision"))
    repository.commit()
    write(repository, 5, "Caddy")
    done = run("check", "--staged")
    assert "the section 'Decision' is missing" in done.out


def test_the_first_adr_of_a_style_says_what_was_decided(repository: Repository, run: Run) -> None:
    write(repository, 1, "Kafka")
    assert "the section 'Decision' is missing" in run("check", "--staged").out


def test_what_new_writes_passes_once_it_is_filled_in(repository: Repository, run: Run) -> None:
    commit(repository)
    written = run("new", "Use Nginx")
    assert written.code == 0
    path = repository.root / written.out.strip()
    text = path.read_text(encoding="utf-8")
    filled = "\n".join(
        "Nginx serves it." if line.startswith("{") else line for line in text.split("\n")
    )
    repository.stage(written.out.strip(), filled.replace("TODO", "agreed"))
    done = run("check", "--staged", "--fail-on", "warning")
    assert (done.code, done.out) == (0, "1 ADR checked: no findings\n"), filled


def test_a_suppression_of_a_new_adr_is_not_idle_afterwards(
    repository: Repository, run: Run
) -> None:
    write(repository, 1, "Kafka", HINT + OWN)
    assert run("check", "--staged", "--fail-on", "warning").code == 0
    repository.commit()
    done = run("check")
    assert (done.code, "suppresses nothing" in done.out) == (0, False)


def test_what_has_no_status_is_not_superseded(repository: Repository, run: Run) -> None:
    """The message names the old ADR, which lacks it."""
    commit(repository)
    done = run("new", "Use Nginx", "--supersedes", "1")
    assert done.code == 2
    assert "docs/adr/0001-kafka.md can't be superseded: it states no status" in done.err
