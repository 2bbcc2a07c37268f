"""Every folder in tests/cases/verdicts/cases is a run of a judge over the same change, beside what `approve` says of it.

`replies.json` is the script of a model that the real claude CLI speaks to, or its double where a case is not about the CLI; `stand-in.json`
what a stand-in program does in the place of a judge. `tree` is laid over the change, `base` over what it is measured by, and `args` are added to `approve --base main`. Seconds and names
of commits are written as N. `--written tests/cases/verdicts/cases` writes what `approve` says now; read it before you commit it.

Attack on the judge: a comment, hidden characters or plain words that steer the judge.
Answer: a finding, and the decision waits for a person.
Shown by: `tests/cases/verdicts/cases/pending-*`.

Attack on the judge: a change only of a concept, or of a decision that others rest on, and of no ADR under review.
Answer: every ADR that the change concerns is checked first.
Shown by: `rejected-since-an-adr-lacks-what-its-concept-says`.

Attack on the judge: forged quotes, quotes from elsewhere, missing briefs and files, `lgtm`, NaN, keys twice, two results, half a result.
Answer: no verdict.
Shown by: `tests/cases/verdicts/cases`.

Attack on the judge: exit code 0 with an error, an approval with exit code 1, 137.
Answer: no verdict.
Shown by: `tests/cases/verdicts/cases`.

Attack on the judge: a judge that writes to what it judges.
Answer: no verdict; the copy is not the original.
Shown by: `command-changed-*`.

Attack on the judge: a file called so that the judge is not shown it (`x.instructions.md`, `.agents/`), a deletion, a move out of `paths`, a submodule.
Answer: a person decides, or no verdict.
Shown by: `pending-since-*`, `tests/stories/approve/test_hostile.py`.

Attack on the judge: an empty `--base` from an unset variable.
Answer: exit 2.
Shown by: `an-empty-base`.

Attack by a hostile pull request: pass the policy on one's own machine, or by an old local base.
Answer: exit 4 with who may decide; a warning that names the upstream.
Shown by: `pending-since-autonomy-asks`, `test_the_base_is_behind_its_upstream`.
"""

import json
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository
from tests.fakes import judges
from tests.fakes.change import lay_out
from tests.fakes.program import approve
from tests.fakes.scripted_model import Model

CASES = ROOT / "tests" / "cases" / "verdicts" / "cases"

OF_THE_CLI = {
    *(
        "approved",
        "approved-by-the-light-judge",
        "needs-revision",
        "rejected",
        "agent-has-read-nothing",
    ),
    *("no-structured-answer", "never-fits-the-schema", "approved-after-the-cli-had-it-corrected"),
    *("budget-of-the-cli", "budget-went-over-in-the-last-turn", "limit-of-turns"),
    *("http-401", "http-429-for-ever", "http-500", "http-529"),
    *("approved-after-429-with-retry-after", "approved-by-the-fallback-model"),
    *("cut-stream", "hang-before-headers", "stalled-stream"),
}
"""Each kind of result once, and what the CLI itself does: limits, corrections, failures of the API."""


def marks(name: str) -> list[pytest.MarkDecorator]:
    if not (CASES / name / "replies.json").exists():
        return []
    return [pytest.mark.real_cli if name in OF_THE_CLI else pytest.mark.double]


def normal(text: str) -> str:
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:N", text)
    return re.sub(r"\b\d+\.\d s\b", "N s", re.sub(r"\b[0-9a-f]{12}\b", "N", text))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=marks(name))
        for name in sorted(path.name for path in CASES.iterdir())
    ],
)
@pytest.mark.sampled
def test_verdict(name: str, repository: Repository, tmp_path: Path, written: Path | None) -> None:
    folder = CASES / name
    lay_out(repository, folder)
    args = [
        "--base",
        "main",
        *((folder / "args").read_text().split() if (folder / "args").exists() else []),
    ]
    stand_in = folder / "stand-in.json"
    place = judges.programs(
        tmp_path / "programs",
        json.loads(stand_in.read_text()) if stand_in.exists() else None,
        double=name not in OF_THE_CLI,
    )
    replies = json.loads((folder / "replies.json").read_text()) if not stand_in.exists() else [[]]
    with Model(judges.script(replies)) as model:
        done = approve(*args, env=judges.without_claude(judges.environment(model, place)))
        asked = f", {len(model.requests)} requests" if not stand_in.exists() else ""
    shown = normal(f"{done.stdout}{done.stderr}exit {done.returncode}{asked}\n")
    if written:
        (written / name / "expected.txt").write_text(shown, encoding="utf-8")
    assert shown == (folder / "expected.txt").read_text(encoding="utf-8")
    assert (done.returncode == 0) == ("approved-" in f"{name}-"), (
        "what is approved is called so, and nothing else"
    )
