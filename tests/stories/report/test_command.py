"""`report html`: exit codes, and the file it writes."""

from pathlib import Path

import pytest

from tests.conftest import Repository, Run
from tests.stories.report import decisions

PAGE = "helix-report.html"


def _page() -> str:
    return Path(PAGE).read_text(encoding="utf-8")


@pytest.fixture
def built(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(decisions.NOW))
    decisions.build(repository)
    return repository


def test_the_exit_code_is_that_of_a_check(built: Repository, run: Run) -> None:
    done = run("report", "html")
    assert (done.code, done.err) == (1, "")
    assert done.out == f"{PAGE}: 12 ADRs, 6 errors, 2 warnings\n"
    assert run("report", "html", "--fail-on", "never", "-q").out == ""
    assert run("report", "html", decisions.path(1)).code == 0
    assert "only docs/adr/001" in _page() and "Replace RabbitMQ by Kafka" in _page()


def test_the_same_repository_and_time_give_the_same_bytes(built: Repository, run: Run) -> None:
    assert run("report", "html", "-o", "one.html").code == 1
    assert run("report", "html", "-o", "two.html").code == 1
    assert Path("one.html").read_bytes() == Path("two.html").read_bytes()


def test_since_compares_with_the_base(built: Repository, run: Run) -> None:
    built.git("add", "--all")
    done = run("report", "html", "--since", "HEAD")
    assert done.code == 1 and "3 ADRs" in done.out
    assert "only what changed since HEAD" in _page() and "Use PostgreSQL" in _page()


def test_a_baseline_leaves_findings_out(built: Repository, run: Run) -> None:
    assert run("check", "--write-baseline").code == 0
    done = run("report", "html", "--baseline", ".helix-baseline.json")
    assert "12 ADRs, 3 errors, no warnings" in done.out and "suppressed" in _page()


def test_before_the_first_commit_there_is_a_page(repository: Repository, run: Run) -> None:
    repository.write("docs/adr/001-x.md", decisions.adr(1, "Accepted"))
    assert run("report", "html", "--fail-on", "never").code == 0
    assert "without a commit" in _page()


def test_a_link_in_the_place_of_the_page_is_not_followed(
    built: Repository, run: Run, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    Path(PAGE).symlink_to(outside)
    done = run("report", "html")
    assert done.code == 2 and "use --output to write another one" in done.err
    assert outside.read_text() == "mine"


@pytest.mark.parametrize("time", ["yesterday", "-1", "9" * 30, "١٢"])
def test_a_wrong_time_is_refused(
    built: Repository, run: Run, monkeypatch: pytest.MonkeyPatch, time: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", time)
    done = run("report", "html")
    assert done.code == 2 and "write seconds since 1970" in done.err
    assert not Path(PAGE).exists()


def test_a_folder_that_is_missing_is_one_line(built: Repository, run: Run) -> None:
    done = run("report", "html", "-o", "nowhere/page.html")
    assert done.code == 3 and done.err.count("\n") == 1 and "nowhere/page.html" in done.err


def test_a_private_key_in_an_adr_is_not_on_the_page(built: Repository, run: Run) -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----"
    text = decisions.adr(9, "Acepted").replace("status:", f"# x\nkey: |\n  {key}\nstatus:")
    built.write(decisions.path(9), text)
    run("report", "html")
    assert "MIIEvQIBADANBgkqhkiG9w0BAQEF" not in _page()
