"""`enforcement-invalid`: an entry that can't be read is an error at its line, and loses no other entry."""

import pytest

from tests.conftest import Repository, Run
from tests.stories.enforce.samples import CONTRACT, PATH, PATTERN, adr

EXCEPTION = "    exceptions:\n      - {files: a.py, owner: me, reason: old, until: 2026-12-31}\n"

INVALID = {
    "a mapping": (None, "enforcement: expected a list, got a mapping"),
    "an empty list": ("  []\n", "enforcement: the list is empty; write a rule, or `none: REASON`"),
    "a text": ("  - no requests\n", "enforcement[0]: expected a mapping (key: value)"),
    "nothing known": ("  - id: a\n", "enforcement[0]: expected a `rule`, a check that exists"),
    "no snippet that fails": (
        PATTERN.replace("    fails: requests.get(url)\n", ""),
        "enforcement[0]: missing key 'fails'",
    ),
    "no id": (PATTERN.replace("id: no-requests\n    ", ""), "enforcement[0]: missing key 'id'"),
    "an unknown key": (
        PATTERN.replace("    passes", "    severity: info\n    passes"),
        "enforcement[0].severity: unknown key; allowed: constraints, exceptions, fails, files, id,",
    ),
    "an unknown language": (
        PATTERN.replace("python", "pyton"),
        "enforcement[0].language: invalid value 'pyton'; did you mean 'python'? allowed: bash, c,",
    ),
    "an id in capitals": (
        PATTERN.replace("no-requests", "NoRequests"),
        "enforcement[0].id: expected small letters, digits and hyphens, got 'NoRequests'",
    ),
    "an id used twice": (PATTERN + PATTERN, "enforcement[1]: the id 'no-requests' is used twice"),
    "an unknown contract": (
        CONTRACT.replace("type: forbidden", "type: shop.evil.Contract"),
        "enforcement[0].rule.type: invalid value 'shop.evil.Contract'; allowed: forbidden,",
    ),
    "contract types": (
        CONTRACT.replace("    fails", "    contract_types: [evil]\n    fails"),
        "enforcement[0].contract_types: unknown key; ",
    ),
    "no modules": (
        CONTRACT.replace("forbidden_modules: [shop.db]", "modules: [shop.db]"),
        "enforcement[0].rule.modules: unknown key; ",
    ),
    "a contract without a type": (
        CONTRACT.replace("type: forbidden, ", ""),
        "enforcement[0].rule: missing key 'type'; allowed: forbidden, independence, layers",
    ),
    "a module of another library": (
        CONTRACT.replace("[shop.db]", "[google.cloud]"),
        "enforcement[0].rule: google.cloud is in another library, of which only the name is known; write google",
    ),
    "a glob with one brace": (
        PATTERN.replace("    rule", '    files: ["{a"]\n    rule'),
        "enforcement[0].files: unbalanced brace in '{a'",
    ),
    "a glob with many braces": (
        PATTERN.replace("    rule", f'    ignores: ["{"{a,a}" * 27}b"]\n    rule'),
        "enforcement[0].ignores: the pattern",
    ),
    "an exception with a broken glob": (
        PATTERN + EXCEPTION.replace("a.py", '"src/}"'),
        "enforcement[0].exceptions[0].files: unbalanced brace in 'src/}'",
    ),
    "two packages of one name": (
        CONTRACT.replace("[src/shop]", "[a/shop, b/shop]"),
        "enforcement[0].packages: two packages have one name; write a rule for each",
    ),
    "a check without a test": (
        '  - by: "tests/test_a.py::[x]"\n',
        "enforcement[0].by: expected FILE::NAME",
    ),
    "a reason that is missing": ("  - none: TBD\n", "enforcement[0].none: expected the reason"),
    "a module that is none": (
        CONTRACT.replace("[shop.domain]", '["shop/domain"]'),
        "enforcement[0].rule.source_modules: expected the name of a module, got 'shop/domain'",
    ),
    "a package outside": (
        CONTRACT.replace("[src/shop]", "[src/..]"),
        "enforcement[0].packages: expected the folder of a package, got 'src/..'",
    ),
    "a snippet outside": (
        CONTRACT.replace("fails: {shop/domain/order.py", "fails: {../../order.py"),
        "enforcement[0].fails: expected the path of a module, as in shop/order.py, got '../../order.py'",
    ),
    "a check without a name": (
        "  - by: tests/test_a.py\n",
        "enforcement[0].by: expected FILE::NAME, as in tests/test_orders.py::test_numbers, got",
    ),
    "a check outside": ("  - by: ../a.py::b\n", "enforcement[0].by: expected FILE::NAME"),
    "no reason": ('  - none: ""\n', "enforcement[0].none: expected a string, got ''"),
    "a reason beside a rule": ("  - none: x\n    rule: {}\n", "enforcement[0].rule: unknown key"),
    "an exception without an owner": (
        PATTERN + EXCEPTION.replace("owner: me, ", ""),
        "enforcement[0].exceptions[0]: missing key 'owner'",
    ),
    "an exception without an end": (
        PATTERN + EXCEPTION.replace(", until: 2026-12-31", ""),
        "enforcement[0].exceptions[0]: missing key 'until'",
    ),
    "an exception until no day": (
        PATTERN + EXCEPTION.replace("2026-12-31", "soon"),
        "enforcement[0].exceptions[0].until: expected a day, YYYY-MM-DD, got 'soon'",
    ),
}


@pytest.mark.parametrize(("entries", "message"), INVALID.values(), ids=INVALID)
def test_an_entry_that_can_not_be_read(
    entries: str | None, message: str, repository: Repository, run: Run
) -> None:
    text = adr(entries or "", "proposed")
    if entries is None:
        text = text.replace("enforcement:\n", "enforcement: {none: a reason}\n")
    repository.stage(PATH, text)
    done = run("check", "--staged")
    assert done.code == 1
    assert f" error: {message}" in done.out
    assert "[enforcement-invalid]" in done.out


def test_the_other_entries_still_count(repository: Repository, run: Run) -> None:
    repository.stage(PATH, adr("  - by: nowhere\n" + PATTERN))
    repository.commit()
    repository.stage("src/prices.py", "requests.get(URL)\n")
    assert "breaks ADR-007" in run("enforce").out


def test_an_entry_may_be_added_to_an_old_decision(repository: Repository, run: Run) -> None:
    repository.stage(PATH, adr("").replace("enforcement:\n", ""))
    repository.commit()
    repository.stage(PATH, adr().replace("---\n\n#", 'scope: ["src/**"]\n---\n\n#'))
    assert run("check", "--staged").out.startswith("1 ADR checked: no findings")


def test_an_adr_without_front_matter_gets_one(repository: Repository, run: Run) -> None:
    nygard = "# 7. Use httpx\n\nDate: 2026-01-10\n\n## Status\n\nAccepted\n\n## Context\n\nCalls never end.\n\n## Decision\n\nWe use httpx.\n\n## Consequences\n\nCalls end.\n"
    repository.stage("docs/adr/0007-httpx.md", nygard)
    repository.commit()
    repository.stage("docs/adr/0007-httpx.md", f"---\nenforcement:\n{PATTERN}---\n{nygard}")
    assert run("check", "--staged").out.startswith("1 ADR checked: no findings")
    repository.commit()
    repository.stage("src/prices.py", "requests.get(URL)\n")
    assert "breaks ADR-007: We use httpx." in run("enforce").out


@pytest.mark.parametrize("key", ["enforcment", "enforcements"])
def test_a_misspelt_key_is_an_error(key: str, repository: Repository, run: Run) -> None:
    repository.stage(PATH, adr().replace("enforcement:", f"{key}:"))
    done = run("check", "--staged")
    assert done.code == 1
    assert f"unknown header key '{key}'; did you mean 'enforcement'?" in done.out


def test_a_snippet_is_no_placeholder(repository: Repository, run: Run) -> None:
    entry = PATTERN.replace("httpx.get(url)", '"if (a) { return b }"').replace("python", "java")
    repository.stage(PATH, adr(entry))
    assert run("check", "--staged").out.startswith("1 ADR checked: no findings")
