"""`helix-hooks enforce`: rules of the base's accepted ADRs on the code, and the proof that each can fail."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from helix_hooks.cli.check import FORMATS
from tests.conftest import Repository, Run
from tests.stories.enforce.samples import (
    BROKEN,
    CLEAN,
    CONTRACT,
    PATH,
    PATTERN,
    SHOP,
    adr,
    main_has,
)

SENTENCE = "We use httpx for every HTTP call, because it has timeouts by default."


def test_a_broken_decision_is_named_with_its_sentence(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(PATTERN + CONTRACT), **SHOP, "src/prices.py": CLEAN})
    assert run("enforce", "--since", "main").out == (
        "no rules of accepted ADRs ran, 2 not concerned: no findings\n"
        "1 accepted ADR of main: all with entries\n"
    )
    repository.stage("src/prices.py", BROKEN)
    repository.stage("src/shop/domain/order.py", "import shop.db\n")
    done = run("enforce", "--since", "main")
    assert (done.code, done.err) == (1, "")
    assert done.out == (
        f"src/prices.py:3:10: error: requests.get(URL) breaks ADR-007: {SENTENCE} [decision-violated]\n"
        "  3 | prices = requests.get(URL)\n"
        "    |          ^^^^^^^^^^^^^^^^^\n"
        f"    = follow {PATH} (rule no-requests), supersede it, or add an exception there\n"
        "\n"
        "src/shop/domain/order.py:1:1: error: shop.domain.order -> shop.db breaks ADR-007: "
        f"{SENTENCE} [decision-violated]\n"
        "  1 | import shop.db\n"
        f"    = follow {PATH} (rule pure-domain), supersede it, or add an exception there\n"
        "\n"
        "2 rules of accepted ADRs ran: 2 errors, no warnings\n"
        "1 accepted ADR of main: all with entries\n"
    )


def test_the_work_tree_is_read_without_a_revision(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(), "src/prices.py": CLEAN})
    (repository.root / "src/prices.py").write_text(BROKEN)
    (repository.root / "src/new.py").write_text(BROKEN)
    done = run("enforce")
    assert done.code == 1
    assert done.out.count("[decision-violated]") == 2


@pytest.mark.parametrize("format", FORMATS)
def test_findings_have_each_format(format: str, repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(), "src/prices.py": CLEAN})
    repository.stage("src/prices.py", BROKEN)
    done = run("enforce", "--since", "main", "--format", format)
    assert done.code == 1
    assert "requests.get(URL) breaks ADR-007" in done.out
    if format == "json":
        (finding,) = json.loads(done.out)["files"][0]["findings"]
        assert (finding["check"], finding["line"]) == ("decision-violated", 3)


def test_only_accepted_adrs_of_the_base_are_enforced(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(status="proposed"), "src/prices.py": CLEAN})
    repository.stage("src/prices.py", BROKEN)
    repository.stage("docs/adr/0008-more.md", adr().replace("no-requests", "none-at-all"))
    done = run("enforce", "--since", "main")
    assert done.code == 0
    assert "[decision-violated]" not in done.out
    assert (
        "docs/adr/0008-more.md:5:1: warning: the rule none-at-all reports 1 place of today's code, "
        "the first in src/prices.py:3 [enforcement-unproven]"
    ) in done.out


CONTRACTS = {
    "a chain of imports": (
        CONTRACT,
        {"src/shop/domain/order.py": "import shop.money", "src/shop/money.py": "import shop.db"},
        "shop.domain.order -> shop.money -> shop.db",
    ),
    "a library": (
        CONTRACT.replace("[shop.db]", "[django]").replace("import shop.db", "import django.db"),
        {"src/shop/domain/order.py": "from django.db import models"},
        "shop.domain.order -> django",
    ),
    "layers": (
        (
            "  - id: layers\n    packages: [src/shop]\n"
            "    rule: {type: layers, layers: [shop.domain, shop.db]}\n"
            "    fails: {shop/db.py: import shop.domain}\n"
            "    passes: {shop/domain/order.py: import shop.db}\n"
        ),
        {"src/shop/db.py": "import shop.domain.order"},
        "shop.db -> shop.domain.order",
    ),
    "independence": (
        (
            "  - id: apart\n    packages: [src/shop]\n"
            "    rule: {type: independence, modules: [shop.domain, shop.db]}\n"
            "    fails: {shop/db.py: import shop.domain}\n"
            "    passes: {shop/db.py: import shop.money}\n"
        ),
        {"src/shop/db.py": "import shop.domain"},
        "shop.db -> shop.domain",
    ),
    "direct imports": (
        CONTRACT.replace("[shop.db]}", "[shop.db], allow_indirect_imports: true}"),
        {"src/shop/domain/__init__.py": "from .. import db"},
        "shop.domain -> shop.db",
    ),
}


@pytest.mark.parametrize(("entry", "files", "chain"), CONTRACTS.values(), ids=CONTRACTS)
def test_a_contract_on_imports(
    entry: str, files: dict[str, str], chain: str, repository: Repository, run: Run
) -> None:
    main_has(repository, {PATH: adr(entry), **SHOP})
    for path, text in files.items():
        repository.stage(path, text)
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert f"{chain} breaks ADR-007" in done.out


def test_an_indirect_import_may_be_allowed(repository: Repository, run: Run) -> None:
    entry, files, _ = CONTRACTS["a chain of imports"]
    entry = entry.replace("[shop.db]}", "[shop.db], allow_indirect_imports: true}")
    main_has(repository, {PATH: adr(entry), **SHOP})
    for path, text in files.items():
        repository.stage(path, text)
    assert run("enforce", "--since", "main").code == 0


def test_a_place_that_the_base_has_too_is_information(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(), "src/prices.py": BROKEN})
    repository.git("mv", "src/prices.py", "src/costs.py")
    repository.stage("src/costs.py", f"# moved\n{BROKEN}")
    done = run("enforce", "--since", "main")
    assert done.code == 0
    assert "src/costs.py:4:10: info: " in done.out
    repository.stage("src/costs.py", f"{BROKEN}{BROKEN}")
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert (done.out.count(": info: "), done.out.count(": error: ")) == (1, 1)


UNPROVEN = {
    "a pattern that never matches": (
        PATTERN.replace("requests.$METHOD", "request.$METHOD"),
        "5:1: error: the rule no-requests does not report its snippet `fails`",
    ),
    "a pattern that always matches": (
        PATTERN.replace("requests.$METHOD", "$LIBRARY.$METHOD"),
        "the rule no-requests reports its snippet `passes`: httpx.get(url)",
    ),
    "an unknown kind": (
        PATTERN.replace("pattern: requests.$METHOD($$$)", "kind: no_kind"),
        "the rule no-requests can't run: Invalid Kind: Kind `no_kind` is invalid.",
    ),
    "an unknown key of the engine": (
        PATTERN.replace("pattern:", "patern:"),
        "the rule no-requests can't run: unknown field `patern`",
    ),
    "a contract that its snippet keeps": (
        CONTRACT.replace("import shop.db", "import shop.money"),
        "the rule pure-domain does not report its snippet `fails`",
    ),
    "a test that does not exist": (
        "  - by: tests/test_http.py::test_timeouts\n",
        "tests/test_http.py::test_timeouts does not exist",
    ),
}


@pytest.mark.parametrize("status", ["accepted", "proposed"])
@pytest.mark.parametrize(("entries", "message"), UNPROVEN.values(), ids=UNPROVEN)
def test_a_check_that_proves_nothing_is_an_error(
    entries: str, message: str, status: str, repository: Repository, run: Run
) -> None:
    main_has(repository, {"README.md": "x", **SHOP})
    repository.stage(PATH, adr(entries, status))
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert f"{PATH}:" in done.out
    assert message in done.out
    assert "[enforcement-unproven]" in done.out


NAMED = {
    "a test": ("tests/test_a.py::test_b", {"tests/test_a.py": "def test_b():\n    pass\n"}),
    "a method": (
        "tests/test_a.py::TestA::test_b[x]",
        {"tests/test_a.py": "class TestA:\n    async def test_b(self):\n        pass\n"},
    ),
    "a job": (
        ".github/workflows/ci.yml::lint",
        {".github/workflows/ci.yml": "jobs:\n  lint: {runs-on: x}\n"},
    ),
    "a lint rule": (
        "pyproject.toml::TID251",
        {"pyproject.toml": '[tool.ruff.lint]\nselect = ["TID251"]\n'},
    ),
}
ABSENT = {
    "a test in a comment": ("tests/test_a.py::test_b", {"tests/test_a.py": "# test_b\n"}),
    "a longer name": ("tests/test_a.py::test_b", {"tests/test_a.py": "def test_bc(): ...\n"}),
    "a step": (
        ".github/workflows/ci.yml::lint",
        {".github/workflows/ci.yml": "name: lint\njobs:\n  test: {runs-on: lint}\n"},
    ),
    "a test in a docstring": (
        "tests/test_a.py::test_b",
        {"tests/test_a.py": '"""\ndef test_b(): it is gone\n"""\n'},
    ),
    "a longer id": ("pyproject.toml::TID251", {"pyproject.toml": 'select = "TID2510"\n'}),
}


@pytest.mark.parametrize(("name", "files"), NAMED.values(), ids=NAMED)
def test_a_named_check_is_present_and_not_enforced(
    name: str, files: dict[str, str], repository: Repository, run: Run
) -> None:
    main_has(repository, {PATH: adr(f"  - by: {name}\n"), **files})
    assert run("enforce").out == (
        "no rules of accepted ADRs ran: no findings\n"
        "1 accepted ADR of main: 1 named check present (not run)\n"
    )


@pytest.mark.parametrize(("name", "files"), ABSENT.values(), ids=ABSENT)
def test_a_named_check_that_is_missing_is_an_error(
    name: str, files: dict[str, str], repository: Repository, run: Run
) -> None:
    main_has(repository, {PATH: adr(f"  - by: {name}\n"), **files})
    done = run("enforce")
    assert done.code == 1
    assert f"ADR-007 names {name}, which does not exist [enforcement-unproven]" in done.out


def test_a_reason_for_no_check_is_counted(repository: Repository, run: Run) -> None:
    other = adr().replace("enforcement:\n" + PATTERN, "").replace("httpx", "curl")
    main_has(
        repository, {PATH: adr("  - none: it is about people\n"), "docs/adr/0008-curl.md": other}
    )
    assert run("enforce").out.endswith(
        "2 accepted ADRs of main: 1 ADR with a reason for no check, 1 ADR without `enforcement:`\n"
    )


def exception(days: int) -> str:
    until = datetime.now(UTC).date() + timedelta(days)
    return (
        f"{PATTERN}    exceptions:\n"
        f'      - {{files: "src/old/**", owner: "@shop", reason: rewritten soon, until: {until}}}\n'
    )


def test_an_exception_holds_for_its_files_until_its_end(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(exception(days=1))})
    repository.stage("src/old/prices.py", BROKEN)
    assert run("enforce", "--since", "main").code == 0
    repository.stage("src/new/prices.py", BROKEN)
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert "src/old" not in done.out


def test_a_new_rule_says_nothing_of_its_exceptions(repository: Repository, run: Run) -> None:
    main_has(repository, {"src/old/prices.py": BROKEN})
    repository.stage(PATH, adr(exception(days=1)))
    assert run("enforce", "--since", "main").out.startswith(
        "no rules of accepted ADRs ran; 1 new rule proven: no findings\n"
    )


def test_an_exception_that_ended_is_named(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(exception(days=-1))})
    repository.stage("src/old/prices.py", BROKEN)
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert "(the exception of @shop ended on " in done.out


def test_a_file_that_is_read_in_part_is_named(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr()})
    repository.stage("src/prices.py", "def (:\n    pass\n")
    done = run("enforce", "--since", "main")
    assert done.code == 0
    assert (
        "not checked: decision-violated: 1 file read in part, so a rule may miss something: "
        "src/prices.py\n"
    ) in done.out


def test_an_adr_that_can_not_be_read_is_not_passed_over(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(), "docs/adr/0008-x.md": "\0"})
    done = run("enforce")
    assert done.code == 3
    assert "docs/adr/0008-x.md:1:1: error: no rule has read this: this ADR of the base" in done.out


def test_a_file_that_is_too_large_is_not_passed_over(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr()})
    repository.stage("src/prices.py", "X = 1\n" * 200_000)
    done = run("enforce", "--since", "main")
    assert done.code == 3
    assert "src/prices.py:1:1: error: no rule has read this: it is larger than 1 MB" in done.out
    repository.commit()
    repository.git("checkout", "--quiet", "-B", "main")
    repository.git("checkout", "--quiet", "-b", "later")
    repository.stage("src/prices.py", "X = 1\n" * 200_001)
    done = run("enforce", "--since", "main")
    assert done.code == 0, "it was like this before"
    assert "src/prices.py: not checked: decision-violated: it is larger than 1 MB" in done.out


UNCHECKED = {
    "a module that was renamed": (
        CONTRACT,
        ("src/shop/db.py", "src/shop/store.py"),
        "the rule pure-domain can't run any more: there is no module shop.db",
    ),
    "a package that was moved": (
        CONTRACT,
        ("src/shop", "lib"),
        "can't run any more: there is no package src/shop",
    ),
}


@pytest.mark.parametrize(("entry", "move", "message"), UNCHECKED.values(), ids=UNCHECKED)
def test_a_rule_that_checks_nothing_any_more_is_an_error(
    entry: str, move: tuple[str, str], message: str, repository: Repository, run: Run
) -> None:
    """Attack on a rule of a decision: a module of a contract with another name, so that nothing is checked.
    Answer: a rule that can not run any more is an error.
    """
    main_has(repository, {PATH: adr(entry), **SHOP})
    repository.git("mv", *move)
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert message in done.out


def test_a_person_decides_if_no_file_is_left_for_a_rule(repository: Repository, run: Run) -> None:
    entry = PATTERN.replace("    rule", '    files: ["src/shop/**"]\n    rule')
    main_has(repository, {PATH: adr(entry), **SHOP})
    repository.git("mv", "src/shop", "lib")
    done = run("enforce", "--since", "main")
    assert done.code == 4
    assert "the rule no-requests can't run any more: no file is left that it reads" in done.out


READ = {
    "a language with two suffixes": (
        "typescript",
        "",
        "src/a.tsx",
        "const a = <b>{requests.get(u)}</b>",
    ),
    "one of two languages": ("[ruby, python]", "", "src/a.py", "requests.get(u)"),
    "a file by its name": ("python", "files: [src/Build]", "src/Build", "requests.get(u)"),
    "a file by its suffix": ("python", 'files: ["**/*.star"]', "src/a.star", "requests.get(u)"),
}
NOT_READ = {
    "another language": ("ruby", "", "src/a.py"),
    "another suffix below a folder": ("python", 'files: ["src/**"]', "src/a.star"),
    "another folder": ("python", 'files: ["src/*"]', "lib/a.py"),
}


def in_language(language: str, files: str) -> str:
    more = f"    {files}\n" if files else ""
    return PATTERN.replace("python", language).replace("    rule", f"{more}    rule")


@pytest.mark.parametrize(("language", "files", "path", "code"), READ.values(), ids=READ)
def test_a_rule_reads_the_files_of_its_languages(
    language: str, files: str, path: str, code: str, repository: Repository, run: Run
) -> None:
    main_has(repository, {PATH: adr(in_language(language, files))})
    repository.stage(path, code)
    done = run("enforce", "--since", "main")
    assert f"{path}:1:" in done.out, done.out
    assert done.code == 1


@pytest.mark.parametrize(("language", "files", "path"), NOT_READ.values(), ids=NOT_READ)
def test_a_rule_reads_no_other_files(
    language: str, files: str, path: str, repository: Repository, run: Run
) -> None:
    main_has(repository, {PATH: adr(in_language(language, files))})
    repository.stage(path, "requests.get(u)")
    assert run("enforce", "--since", "main").code == 0


def test_each_of_several_snippets_must_be_reported(repository: Repository, run: Run) -> None:
    entry = PATTERN.replace("fails: requests.get(url)", "fails: [requests.get(url), get(url)]")
    main_has(repository, {"README.md": "x"})
    repository.stage(PATH, adr(entry))
    assert "does not report its snippet `fails`" in run("enforce", "--since", "main").out
    repository.stage(PATH, adr(entry.replace(", get(url)]", ", requests.post(url)]")))
    done = run("enforce", "--since", "main")
    assert "no rules of accepted ADRs ran; 1 new rule proven: " in done.out
    assert "the rule no-requests reads no file of today's code" in done.out


def test_a_snippet_of_two_packages_needs_only_what_it_shows(
    repository: Repository, run: Run
) -> None:
    entry = CONTRACT.replace("[src/shop]", "[src/shop, src/pay]").replace("[shop.db]", "[pay]")
    main_has(repository, {"README.md": "x"})
    repository.stage(PATH, adr(entry.replace("import shop.db", "import pay")))
    done = run("enforce", "--since", "main")
    assert "1 new rule proven" in done.out


BROKEN_HEADERS = {
    "an unquoted colon": PATTERN.replace("requests.get(url)", "f({ a: b })"),
    "a tab": PATTERN.replace("    language", "\tlanguage"),
}


@pytest.mark.parametrize("entries", BROKEN_HEADERS.values(), ids=BROKEN_HEADERS)
@pytest.mark.parametrize("place", ["header", "text"])
def test_a_header_that_can_not_be_read_is_not_passed_over(
    place: str, entries: str, repository: Repository, run: Run
) -> None:
    """Attack on a rule of a decision: a header that can not be parsed, so that its rules are lost.
    Answer: exit code 3, and the ADR is named.
    """
    text = adr(entries)
    if place == "text":
        text = text.replace("status: accepted\n", "").replace(
            "## Context", "Status: Accepted\n\n## Context"
        )
    main_has(repository, {PATH: text, "src/prices.py": BROKEN})
    done = run("enforce")
    assert done.code == 3
    assert (
        f"{PATH}:1:1: error: no rule has read this: this ADR of the base can't be read" in done.out
    )


@pytest.mark.parametrize("key", ["Enforcement", "ENFORCEMENT"])
def test_the_case_of_the_key_does_not_matter(key: str, repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr().replace("enforcement:", f"{key}:")})
    repository.stage("src/prices.py", BROKEN)
    assert run("enforce", "--since", "main").code == 1


def test_an_adr_without_a_number_has_a_name(repository: Repository, run: Run) -> None:
    main_has(repository, {"docs/adr/use-httpx.md": adr()})
    repository.stage("src/prices.py", BROKEN)
    assert "requests.get(URL) breaks use-httpx: We use" in run("enforce", "--since", "main").out


def test_two_adrs_of_one_number_count_twice(repository: Repository, run: Run) -> None:
    main_has(repository, {f"{name}/docs/adr/0007-httpx.md": adr() for name in ("a", "b")})
    done = run("enforce")
    assert "2 accepted ADRs of main: all with entries" in done.out


NOT_YET = {
    "a package": (CONTRACT, "there is no package src/shop"),
    "a folder": (
        PATTERN.replace("    rule", '    files: ["src/shop/**"]\n    rule'),
        "no file is left that it reads",
    ),
    "a language": (PATTERN.replace("python", "ruby"), "no file is left that it reads"),
}


@pytest.mark.parametrize(("entry", "reason"), NOT_YET.values(), ids=NOT_YET)
def test_a_decision_may_be_older_than_its_code(
    entry: str, reason: str, repository: Repository, run: Run
) -> None:
    main_has(repository, {PATH: adr(entry), "lib/a.py": ""})
    done = run("enforce")
    assert done.code == 0
    assert f"has nothing to run on: {reason}" in " ".join(done.out.split())
    assert "no rules of accepted ADRs ran, 1 could not: no findings" in done.out


def test_code_behind_a_link_is_read(repository: Repository, run: Run) -> None:
    """Attack on a rule of a decision: code in a text file, behind a link with the suffix of the language.
    Answer: the text behind the link is read.
    """
    main_has(repository, {PATH: adr()})
    repository.stage("code.txt", BROKEN)
    (repository.root / "src").mkdir()
    (repository.root / "src/prices.py").symlink_to("../code.txt")
    repository.git("add", "--all")
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert "src/prices.py:3:10: error: " in done.out


def branch_has(repository: Repository, files: dict[str, str]) -> None:
    for path, text in files.items():
        repository.stage(path, text)


HIDDEN = {
    "a lone carriage return": ({"src/a.py": "# x\rrequests.get(URL)\n"}, "src/a.py:2:1: error: "),
    "other letters of the same name": (
        {"src/a.py": "import requests\n\uff52equests.get(URL)\n"},
        "src/a.py:2:1: error: requests.get(URL) breaks",
    ),
    "an encoding that hides code": (
        {"src/a.py": "# coding: utf-7\n# +AAo-requests.get(URL)\n"},
        "src/a.py:1:1: error: no rule has read this: its encoding utf-7 is not known",
    ),
    "an encoding in the second line": (
        {"src/a.py": "#!/bin/python\n# coding: unicode_escape\n# \\u000arequests.get(URL)\n"},
        "its encoding unicode_escape is not known",
    ),
    "a module in a folder that is no package": (
        {
            "src/shop/sub/a.py": "import shop.db\n",
            "src/shop/domain/order.py": "import shop.sub.a\n",
        },
        "shop.domain.order -> shop.sub.a -> shop.db breaks",
    ),
}


@pytest.mark.parametrize(("files", "message"), HIDDEN.values(), ids=HIDDEN)
def test_code_that_is_written_to_be_overlooked(
    files: dict[str, str], message: str, repository: Repository, run: Run
) -> None:
    main_has(repository, {PATH: adr(PATTERN + CONTRACT), **SHOP})
    branch_has(repository, files)
    done = run("enforce", "--since", "main")
    assert done.code in (1, 3)
    assert message in done.out


def test_a_package_needs_no_init_file(repository: Repository, run: Run) -> None:
    files = {path: text for path, text in SHOP.items() if not path.endswith("__init__.py")}
    main_has(repository, {PATH: adr(CONTRACT), **files})
    repository.stage("src/shop/domain/order.py", "import shop.db\n")
    assert run("enforce", "--since", "main").code == 1


BELOW_SRC = PATTERN.replace("    rule", '    files: ["src/**"]\n    rule')


def test_a_place_that_the_rule_did_not_read_before_is_new(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(BELOW_SRC), "tools/prices.py": BROKEN, "src/a.py": ""})
    repository.git("mv", "tools/prices.py", "src/prices.py")
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert "src/prices.py:3:10: error: " in done.out


def test_a_place_that_leaves_an_exception_is_new(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(exception(days=1)), "src/old/prices.py": BROKEN})
    repository.git("mv", "src/old/prices.py", "src/prices.py")
    assert run("enforce", "--since", "main").code == 1


def test_two_places_that_begin_alike_are_two(repository: Repository, run: Run) -> None:
    entry = PATTERN.replace(
        "{pattern: requests.$METHOD($$$)}",
        "{kind: function_definition, has: {pattern: requests.$METHOD($$$), stopBy: end}}",
    ).replace("fails: requests.get(url)", 'fails: "def f(): requests.get(url)"')
    begin = f'def f(x):\n    """{"x" * 250}"""\n'
    main_has(repository, {PATH: adr(entry), "src/a.py": f"{begin}    requests.get(URL)\n"})
    repository.stage("src/a.py", f"{begin}    requests.get(x)\n")
    assert run("enforce", "--since", "main").code == 1


def test_a_link_to_a_folder_is_asked_about(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(BELOW_SRC), "src/a.py": ""})
    branch_has(repository, {"other/prices.py": BROKEN})
    (repository.root / "src/pkg").symlink_to("../other")
    repository.git("add", "--all")
    done = run("enforce", "--since", "main")
    assert done.code == 3
    assert "src/pkg:1:1: error: no rule has read this: it is a link to a folder" in done.out


def test_a_changed_target_of_a_link_is_read(repository: Repository, run: Run) -> None:
    (repository.root / "src").mkdir()
    (repository.root / "src/prices.py").symlink_to("../code.txt")
    main_has(repository, {PATH: adr(BELOW_SRC), "code.txt": CLEAN})
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--amend", "--no-edit")
    repository.git("branch", "--force", "main")
    repository.stage("code.txt", BROKEN)
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert "src/prices.py:3:10: error: " in done.out


def test_an_old_place_behind_a_link_is_information(repository: Repository, run: Run) -> None:
    (repository.root / "src").mkdir()
    (repository.root / "src/prices.py").symlink_to("../code.txt")
    repository.git("add", "--all")
    main_has(repository, {PATH: adr(BELOW_SRC), "code.txt": BROKEN})
    repository.stage("code.txt", f"{BROKEN}y = 1\n")
    done = run("enforce", "--since", "main")
    assert done.code == 0
    assert "src/prices.py:3:10: info: " in done.out


def test_a_contract_that_could_not_run_before_is_asked_about(
    repository: Repository, run: Run
) -> None:
    main_has(repository, {PATH: adr(CONTRACT), **SHOP, "src/shop/old.py": 'print "x"\n'})
    repository.stage("src/shop/domain/order.py", "import shop.db\n")
    done = run("enforce", "--since", "main")
    assert done.code == 3
    assert "no rule has read this: the rule pure-domain can't run: Syntax error in " in done.out
    assert "/tmp" not in done.out


TOGETHER = {
    "a test": (
        "  - by: tests/test_a.py::test_b\n",
        ("tests/test_a.py", "tests/test_http.py"),
        ("test_a.py", "test_http.py"),
    ),
    "a module": (CONTRACT, ("src/shop/db.py", "src/shop/store.py"), ("shop.db", "shop.store")),
}


@pytest.mark.parametrize(("entry", "move", "words"), TOGETHER.values(), ids=TOGETHER)
def test_a_person_decides_on_a_check_that_moves_with_its_code(
    entry: str,
    move: tuple[str, str],
    words: tuple[str, str],
    repository: Repository,
    run: Run,
) -> None:
    files = {"tests/test_a.py": "def test_b(): ...\n", **SHOP}
    main_has(repository, {PATH: adr(entry), **files})
    repository.git("mv", *move)
    repository.stage(PATH, adr(entry.replace(*words)))
    assert run("check", "--since", "main").code == 4
    assert run("enforce", "--since", "main").code in (0, 4)


def test_many_places_are_cut(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr()})
    repository.stage("src/a.py", "requests.get(URL)\n" * 300)
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert done.out.count("[decision-violated]") == 100
    assert "200 more places of the rule no-requests, not listed" in done.out


SPY = "import pathlib\npathlib.Path({!r}).write_text('ran')\n"


def test_nothing_of_the_repository_runs(repository: Repository, run: Run, tmp_path: Path) -> None:
    """Attack on a rule of a decision: settings and modules by which an engine would load code, and comments that it obeys.
    Answer: the engines get rules and texts as JSON in an isolated process, and only parse.
    """
    marker = tmp_path / "marker"
    spy = SPY.format(str(marker))
    main_has(repository, {PATH: adr(PATTERN + CONTRACT), **SHOP})
    hostile = {
        "sgconfig.yml": "customLanguages: {python: {libraryPath: evil.so, extensions: [py]}}\n",
        "evil.so": "x",
        ".importlinter": "[importlinter]\nroot_package = shop\ncontract_types =\n    x: evil.Evil\n",
        "evil.py": spy,
        "grimp.py": spy,
        "ast_grep_py.py": spy,
        "json.py": spy,
        "sitecustomize.py": spy,
        "usercustomize.py": spy,
        "src/shop/__init__.py": spy,
        "src/shop/domain/order.py": f"{spy}import shop.db  # ast-grep-ignore\n",
        "conftest.py": spy,
        "setup.py": spy,
        "src/prices.py": "# ast-grep-ignore\nprices = requests.get(URL)  # noqa\n",
    }
    for path, text in hostile.items():
        repository.stage(path, text)
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert done.out.count("[decision-violated]") == 2
    assert not marker.exists()


@pytest.mark.parametrize("name", ["json", "grimp", "ast_grep_py"])
def test_a_package_can_not_take_the_place_of_the_engine(
    name: str, repository: Repository, run: Run, tmp_path: Path
) -> None:
    """Attack on a rule of a decision: a package with the name of a module that the engine imports.
    Answer: the contract is refused, and nothing is imported.
    """
    marker = tmp_path / "marker"
    files = {path: text for path, text in SHOP.items() if not path.endswith("__init__.py")}
    files |= {f"src/{name}/__init__.py": SPY.format(str(marker))}
    main_has(repository, {"README.md": "x"})
    entry = CONTRACT.replace("shop", name)
    for path, text in (files | {PATH: adr(entry)}).items():
        repository.stage(path, text)
    done = run("enforce", "--since", "main")
    assert done.code == 1
    assert f"the package {name} has the name of a module of the engine" in done.out
    assert not marker.exists()
