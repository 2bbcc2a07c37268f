"""Criteria about files that are gone: no agent is asked to bring one back. With the real git."""

import json

import pytest

from tests.conftest import Repository, Run
from tests.stories.verify.work import ADR, START, WITH_CRITERIA, start

_OLD = "src/old/m.py"
_BODY = WITH_CRITERIA[ADR.index("---\n# ADR-014") : WITH_CRITERIA.index("- [ ] `src")]
_ADR = ADR[: ADR.index("files:")] + _BODY
_SAID = (
    "is gone|is removed|no longer exists|was deleted|must not exist|is retired|has been taken out|"
    "vanishes|is replaced by the new queue|is history|wurde ersatzlos gestrichen|ist entfernt|"
    "gibt es nicht mehr|hat ausgedient|n'existe plus"
).split("|")


def _verified(repository: Repository, run: Run, criterion: str, *, there: bool) -> dict[str, str]:
    """Return the state, reason and action of one criterion, whose file a branch has removed."""
    start(repository, f"{_ADR}- [ ] {criterion}\n", {**START, _OLD: "x = 1\n"})
    if not there:
        (repository.root / _OLD).unlink()
    result = run("verify", "ADR-014", "--format", "json")
    (item,) = json.loads(result.out)["results"][0]["expectations"]
    return {**item, "code": str(result.code)}


@pytest.mark.parametrize("said", _SAID)
@pytest.mark.parametrize("form", ["`{}`", "the file {}", "[the module]({})"])
def test_no_removed_file_is_asked_back(
    form: str, said: str, repository: Repository, run: Run
) -> None:
    item = _verified(repository, run, f"{form.format(_OLD)} {said}", there=False)
    assert (item["state"], item["action"], item["code"]) == ("unchecked", "", "4")


def test_a_sentence_about_a_file_that_is_there_deletes_nothing(
    repository: Repository, run: Run
) -> None:
    item = _verified(repository, run, f"`{_OLD}` is gone", there=True)
    assert (item["state"], item["action"], item["code"]) == ("present", "", "4")


def test_a_typo_in_the_deleted_files_is_not_met(repository: Repository, run: Run) -> None:
    start(repository, ADR.replace("src/rabbit.py", "src/rabit.py"))
    (result,) = json.loads(run("verify", "ADR-014", "--format", "json").out)["results"]
    (item,) = [item for item in result["expectations"] if item["kind"] == "delete"]
    assert item["state"] == "unchecked"


def test_the_feedback_asks_for_no_file_of_a_sentence(repository: Repository, run: Run) -> None:
    criteria = "".join(f"- [ ] `{_OLD}` {said} ({number})\n" for number, said in enumerate(_SAID))
    start(repository, f"{_ADR}{criteria}- [ ] `src/new.py` sends\n", {**START, _OLD: "x = 1\n"})
    (repository.root / _OLD).unlink()
    (result,) = json.loads(run("verify", "ADR-014", "--format", "json").out)["results"]
    assert result["feedback"] == ""
