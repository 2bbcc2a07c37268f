"""Criteria about files that are gone: no agent is asked to bring one back. With the real git."""

import json

import pytest

from tests.conftest import Repository, Run
from tests.stories.verify.work import ADR, START, start

_OLD = "src/old/m.py"
_BACK = ("create", "restore", "add", "write", "bring")
_ADR = ADR[: ADR.index("files:")] + ADR[ADR.index("---\n# ADR-014") : ADR.index("- [ ] `src")]
_SAID = (
    *("is gone", "is removed", "no longer exists", "was deleted", "must not exist", "is retired"),
    *(
        "has been taken out",
        "vanishes",
        "is replaced by the new queue",
        "wurde ersatzlos gestrichen",
    ),
    *("ist entfernt", "gibt es nicht mehr", "hat ausgedient", "is history", "n'existe plus"),
)


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
    assert item["state"] in ("met", "unverifiable")
    assert not item["action"]


@pytest.mark.parametrize("said", _SAID[:6])
def test_a_file_that_should_be_gone_still_exists(
    said: str, repository: Repository, run: Run
) -> None:
    item = _verified(repository, run, f"`{_OLD}` {said}", there=True)
    assert not item["action"].startswith(_BACK)
    if said != "is retired":
        assert (item["state"], item["reason"]) == ("missing", f"{_OLD}: it still exists")
        assert (item["action"], item["code"]) == (f"delete {_OLD}", "1")


def test_a_removal_that_is_seen_is_met(repository: Repository, run: Run) -> None:
    item = _verified(repository, run, f"`{_OLD}` is gone", there=False)
    assert (item["state"], item["code"]) == ("met", "0")


def test_a_file_that_never_existed_is_not_seen_to_be_gone(repository: Repository, run: Run) -> None:
    item = _verified(repository, run, "`src/old/typo.py` is gone", there=False)
    assert item["state"] == "unverifiable"
    assert "did not exist at the approval" in item["reason"]


def test_the_header_says_that_a_mentioned_file_is_deleted(repository: Repository, run: Run) -> None:
    adr = ADR.replace("- [ ] test_replays passes", "- [ ] `src/rabbit.py` is history")
    start(repository, adr)
    (repository.root / "src/rabbit.py").unlink()
    (result,) = json.loads(run("verify", "ADR-014", "--format", "json").out)["results"]
    states = {item["subject"]: item["state"] for item in result["expectations"]}
    assert states["src/rabbit.py is history"] == states["src/rabbit.py"] == "met"


def test_a_typo_in_the_deleted_files_is_not_met(repository: Repository, run: Run) -> None:
    start(repository, ADR.replace("src/rabbit.py", "src/rabit.py"))
    (result,) = json.loads(run("verify", "ADR-014", "--format", "json").out)["results"]
    (item,) = [item for item in result["expectations"] if item["kind"] == "delete"]
    assert item["state"] == "unverifiable"


def test_the_feedback_asks_for_the_new_file_alone(repository: Repository, run: Run) -> None:
    criteria = "".join(f"- [ ] `{_OLD}` {said} ({number})\n" for number, said in enumerate(_SAID))
    start(repository, f"{_ADR}{criteria}- [ ] `src/new.py` sends\n", {**START, _OLD: "x = 1\n"})
    (repository.root / _OLD).unlink()
    (result,) = json.loads(run("verify", "ADR-014", "--format", "json").out)["results"]
    assert result["feedback"] == "create src/new.py"
