"""A change that checks less of an accepted decision needs a person; one that checks more does not."""

from collections.abc import Callable

import pytest

from tests.conftest import Repository, Run
from tests.stories.enforce.samples import BROKEN, PATH, PATTERN, adr, main_has

RULE = """\
  - id: no-requests
    language: python
    files: ["src/**", "lib/**"]
    ignores: ["src/vendor/**"]
    rule:
      pattern: requests.$METHOD($$$)
    fails: requests.get(url)
    passes: httpx.get(url)
    exceptions:
      - {files: "src/old/**", owner: "@shop", reason: rewritten soon, until: 2099-01-31}
  - by: tests/test_http.py::test_timeouts
"""
TEST = {"tests/test_http.py": "def test_timeouts(): ...\n"}
CODE = "src/prices.py"
SUCCESSOR = "docs/adr/0008-use-urllib.md"

Change = Callable[[Repository], None]


def becomes(old: str, new: str) -> Change:
    """Replace a part of the ADR."""

    def edit(repository: Repository) -> None:
        text = adr(RULE)
        assert old in text
        repository.stage(PATH, text.replace(old, new))

    return edit


def supersede(entries: str) -> Change:
    """Supersede the ADR by another one, with its own entries."""

    def edit(repository: Repository) -> None:
        text = adr(RULE, "superseded").replace(
            "date: 2026-01-10", "date: 2026-01-10\nsuperseded_by: ADR-0008"
        )
        repository.stage(PATH, text)
        successor = adr(entries).replace("Use httpx for HTTP calls", "Use urllib for HTTP calls")
        repository.stage(
            SUCCESSOR,
            successor.replace("date: 2026-01-10", "date: 2026-02-10\nsupersedes: ADR-0007"),
        )

    return edit


def remove(repository: Repository) -> None:
    repository.git("rm", "--quiet", PATH)


def move_out(repository: Repository) -> None:
    repository.git("mv", PATH, "docs/notes.md")


def unwatch(repository: Repository) -> None:
    repository.stage(SUCCESSOR, adr(status="proposed").replace("httpx", "urllib"))
    repository.stage(".helix-hooks.yaml", 'exclude: ["docs/adr/0007*"]\n')


WEAKER: dict[str, tuple[Change, str]] = {
    "the rule is deleted": (
        becomes(RULE.partition("  - by:")[0], ""),
        "the rule no-requests is gone",
    ),
    "all entries are deleted": (becomes(f"enforcement:\n{RULE}", ""), "no-requests is gone"),
    "the key is misspelt": (becomes("enforcement:", "enforcment:"), "no-requests is gone"),
    "the id is another one": (becomes("id: no-requests", "id: requests"), "no-requests is gone"),
    "the pattern is another one": (
        becomes("pattern: requests.$METHOD", "pattern: requests.post"),
        "the rule no-requests is another one",
    ),
    "a condition is added": (
        becomes("($$$)\n", "($$$)\n      inside: {kind: class_definition, stopBy: end}\n"),
        "the rule no-requests is another one",
    ),
    "the language is another one": (
        becomes("language: python", "language: ruby"),
        "the rule no-requests is another one",
    ),
    "a folder is left out": (becomes(', "lib/**"', ""), "the rule no-requests reads fewer files"),
    "a folder is ignored": (
        becomes('["src/vendor/**"]', '["src/vendor/**", "src/prices.py"]'),
        "the rule no-requests reads fewer files",
    ),
    "another language parses the snippets": (
        becomes("language: python", "language: [javascript, python]"),
        "the rule no-requests is another one",
    ),
    "an exception is added": (
        becomes(
            "    exceptions:\n",
            '    exceptions:\n      - {files: "src/**", owner: "@a", reason: b, until: 2026-12-31}\n',
        ),
        "the rule no-requests has a new exception for src/** until 2026-12-31",
    ),
    "an exception ends later": (
        becomes("2099-01-31", "2099-12-31"),
        "the rule no-requests has a new exception for src/old/** until 2099-12-31",
    ),
    "an exception covers more": (
        becomes('"src/old/**"', '["src/old/**", "src/prices.py"]'),
        "the rule no-requests has a new exception for src/old/**, src/prices.py",
    ),
    "a reason replaces the rule": (
        becomes(RULE, "  - none: too much work\n"),
        "the rule no-requests is gone",
    ),
    "a named check is left out": (
        becomes("  - by: tests/test_http.py::test_timeouts\n", ""),
        "tests/test_http.py::test_timeouts is no longer named",
    ),
    "the rule can't be read": (
        becomes("    fails: requests.get(url)\n", ""),
        "the rule no-requests is gone",
    ),
    "the ADR is a proposal again": (
        becomes("status: accepted", "status: proposed"),
        "the rule no-requests is gone",
    ),
    "the ADR is deprecated": (
        becomes("status: accepted", "status: deprecated"),
        "the rule no-requests is gone",
    ),
    "a successor has no rule": (
        supersede("  - none: too much work\n"),
        "the rule no-requests is gone",
    ),
    "the ADR is deleted": (remove, "the rule no-requests is gone"),
    "the ADR is no ADR any more": (move_out, "the rule no-requests is gone"),
    "the ADR is no longer watched": (unwatch, "exclude now leaves out 1 ADR"),
}


@pytest.mark.parametrize(("change", "message"), WEAKER.values(), ids=WEAKER)
def test_a_weaker_rule_needs_a_person(
    change: Change, message: str, repository: Repository, run: Run
) -> None:
    """Attack on a rule of a decision: a rule that is deleted, changed, narrowed or excepted, or whose ADR is.
    Answer: `gate-relaxed`: a person decides.
    """
    main_has(repository, {PATH: adr(RULE), **TEST})
    change(repository)
    done = run("check", "--since", "main")
    assert done.code in (1, 4)
    assert message in done.out
    assert "[gate-relaxed]" in done.out


@pytest.mark.parametrize("change", [change for change, _ in WEAKER.values()], ids=WEAKER)
def test_the_rule_of_the_base_still_runs(change: Change, repository: Repository, run: Run) -> None:
    """Attack on a rule of a decision: code that breaks a rule which the same change weakens.
    Answer: the rule of the base runs, and its findings need the person too.
    """
    main_has(repository, {PATH: adr(RULE), **TEST})
    repository.stage(CODE, BROKEN)
    change(repository)
    done = run("enforce", "--since", "main")
    assert done.code in (1, 4)
    assert f"{CODE}:3:10: error: requests.get(URL) breaks ADR-007" in done.out


STRONGER: dict[str, Change] = {
    "another rule": becomes(
        RULE, RULE + PATTERN.replace("no-requests", "no-urllib").replace("requests.", "urllib.")
    ),
    "another folder": becomes('"lib/**"', '"lib/**", "tools/**"'),
    "all folders": becomes('    files: ["src/**", "lib/**"]\n', ""),
    "less is ignored": becomes('    ignores: ["src/vendor/**"]\n', ""),
    "an exception ends earlier": becomes("2099-01-31", "2098-01-31"),
    "an exception is deleted": becomes(
        RULE.partition("    exceptions:")[2].partition("  - by")[0],
        "\n      - {files: src/old/a.py, owner: '@shop', reason: soon, until: 2026-12-31}\n",
    ),
    "a message": becomes(
        "    language: python\n", "    language: python\n    message: use httpx\n"
    ),
    "a better snippet": becomes("fails: requests.get(url)", "fails: requests.post(url)"),
    "a successor with the rule": supersede(RULE),
}


@pytest.mark.parametrize("change", STRONGER.values(), ids=STRONGER)
def test_a_stronger_rule_needs_no_person(change: Change, repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(RULE), **TEST})
    change(repository)
    done = run("check", "--since", "main")
    assert done.code != 2
    assert "is checked in the code" not in done.out, done.out


MOVED = PATTERN.replace("    rule", '    files: ["src/**"]\n    rule')


def test_code_that_leaves_the_files_of_a_rule_is_a_question(
    repository: Repository, run: Run
) -> None:
    """Attack on a rule of a decision: code that moves out of the files of a rule.
    Answer: it is still read, and a person decides.
    """
    main_has(repository, {PATH: adr(MOVED), CODE: "import httpx\n\nX = 1\nY = 2\n", "src/a.py": ""})
    repository.git("mv", CODE, "prices.py")
    repository.stage("prices.py", "import httpx\n\nX = 1\nY = 2\nrequests.get(URL)\n")
    done = run("enforce", "--since", "main")
    assert done.code == 4
    assert "(the change moves it out of the files of this rule)" in done.out


def test_a_key_in_capitals_is_compared_too(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(RULE).replace("enforcement:", "Enforcement:"), **TEST})
    repository.stage(PATH, adr(RULE).replace(f"enforcement:\n{RULE}", ""))
    done = run("check", "--since", "main")
    assert done.code == 4
    assert "the rule no-requests is gone" in done.out


def test_files_of_another_suffix_are_not_dropped_unseen(repository: Repository, run: Run) -> None:
    entry = MOVED.replace('["src/**"]', '["**/Build", "src/**"]')
    main_has(repository, {PATH: adr(entry)})
    repository.stage(PATH, adr(PATTERN))
    done = run("check", "--since", "main")
    assert done.code == 4
    assert "the rule no-requests reads fewer files" in done.out


def test_a_successor_on_the_base_carries_a_rule_on(repository: Repository, run: Run) -> None:
    other = adr(PATTERN).replace("Use httpx for HTTP calls", "Use urllib for HTTP calls")
    main_has(repository, {PATH: adr(PATTERN), SUCCESSOR: other})
    repository.stage(
        PATH, adr(PATTERN, "superseded").replace("date:", "superseded_by: ADR-0008\ndate:")
    )
    assert "is checked in the code" not in run("check", "--since", "main").out
    repository.stage(CODE, BROKEN)
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert "the change also weakens this rule" not in done.out
