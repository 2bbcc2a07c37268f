"""The Action on code that breaks a rule of an accepted ADR, and on a change that weakens the rule."""

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.stories.enforce.samples import BROKEN, CLEAN, PATH, PATTERN, adr
from tests.stories.pull_request.scene import Runner, check, main_has, push, texts

CODE = "src/prices.py"


def only_code(repository: Repository, text: str) -> None:
    """Push a change of one file of code, on a branch from main."""
    repository.git("checkout", "--quiet", "-b", "other", "main")
    push(repository, CODE, text)


def test_code_that_breaks_a_decision_fails_the_check(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(repository, PATH, adr())
    only_code(repository, BROKEN)
    github.open_pull(2, head="other")
    done = runner.run(2)
    assert (done.code, check(github).conclusion) == (1, "failure"), texts(github)
    (remark,) = github.remarks.values()
    assert (remark.path, remark.line) == (CODE, 3)
    assert "breaks ADR-007: We use httpx for every HTTP call" in remark.body
    assert "decision-violated" in remark.body
    push(repository, CODE, CLEAN)
    done = runner.run(2)
    assert (done.code, check(github).conclusion) == (0, "success"), texts(github)


def test_a_weakened_rule_waits_for_a_person(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(repository, PATH, adr())
    only_code(repository, BROKEN)
    weaker = PATTERN.replace("requests.$METHOD", "requests.post").replace(".get(url)", ".post(url)")
    push(repository, PATH, adr(weaker))
    github.open_pull(2, head="other")
    done = runner.run(2)
    assert (done.code, check(github).conclusion) == (4, "action_required"), texts(github)
    page = texts(github)
    assert "the rule no-requests is another one" in page
    assert "the change also weakens this rule" in page


def test_a_rule_that_proves_nothing_fails_the_check(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(repository, PATH, adr(status="proposed"))
    repository.git("checkout", "--quiet", "-b", "other", "main")
    push(repository, PATH, adr(PATTERN.replace("requests.$METHOD", "request.$METHOD")))
    github.open_pull(2, head="other")
    done = runner.run(2)
    assert (done.code, check(github).conclusion) == (1, "failure"), texts(github)
    assert "does not report its snippet `fails`" in texts(github)


def test_what_no_rule_has_read_waits_for_a_person(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(repository, PATH, adr())
    only_code(repository, "x = 1\n" * 180_000 + BROKEN)
    github.open_pull(2, head="other")
    done = runner.run(2)
    assert (done.code, check(github).conclusion) == (4, "action_required"), texts(github)
    assert "no rule has read this: it is larger than 1 MB" in texts(github)
