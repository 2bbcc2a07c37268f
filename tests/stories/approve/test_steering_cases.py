"""Every folder in tests/cases/steering is a change: its `files`, the paths of `touched.txt` that it deletes, and the signs that `approve` reports.

Attack on the judge: the same in code, YAML, JSON, notebooks, a file without a suffix, bytes of an image, a name, the name of a deleted file.
Answer: every file that the change touches is searched, and every name.
Shown by: `code-*`, `json-*`, `binary-with-a-text`, `name-*`, `pending-since-code-gives-orders`.

Attack on the judge: in another language, in comments, names, tables, code, front matter, over lines, as JSON of a verdict.
Answer: about sixty phrases, most of them in English, and comments that name a reviewer.
Shown by: `kind-*`, `language-*`, `hidden-*`, `markup-*`.

Attack on the judge: in look-alike letters, with tags, entities or escapes inside, in Base64, ROT13 or reversed, in other words.
Answer: **not seen**; a judge that is steered approves only what the policy leaves to it.
Shown by: `unseen-*`.
"""

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository
from tests.fakes import judges
from tests.fakes.change import lay_out
from tests.fakes.program import approve

CASES = ROOT / "tests" / "cases" / "steering"
NO_JUDGE = "defaults: {semantic: false}\n"
"""The signs are found before a judge would be asked."""


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_each_sign_is_reported(name: str, repository: Repository, tmp_path: Path) -> None:
    lay_out(repository)
    repository.git("checkout", "--quiet", "main")
    touched = CASES / name / "touched.txt"
    deleted = touched.read_text(encoding="utf-8").split() if touched.exists() else []
    for path in deleted:
        repository.write(path, "text\n")
    repository.stage("config/approvals.yaml", NO_JUDGE)
    repository.git("add", "--all")
    repository.commit()
    repository.git("checkout", "--quiet", "change")
    repository.git("rebase", "--quiet", "main")
    for path in deleted:
        (repository.root / path).unlink()
    shutil.copytree(CASES / name / "files", repository.root, dirs_exist_ok=True)
    repository.git("add", "--all", "--force")
    repository.commit()
    programs = judges.programs(tmp_path / "programs", {"as": "claude", "absent": True})
    environment = judges.without_claude(judges.environment(None, programs))
    command = ("--base", "main", "--fail-on", "never", "--format", "json")
    done = approve(*command, env=environment)
    signs = json.loads(done.stdout)["indicators"]
    assert {sign["severity"] for sign in signs} <= {"warning"}, "a sign is a question to a person"
    lines = sorted(f"{sign['path']}:{sign['line']} {sign['check']}\n" for sign in signs)
    expected = (CASES / name / "expected.txt").read_text(encoding="utf-8")
    assert ("".join(lines) or "no sign\n") == expected
    assert done.returncode == (4 if lines else 0), done.stdout
    assert (expected == "no sign\n") == name.startswith(("honest-", "unseen-"))
