"""Every file in tests/cases/commands is a comment beside what follows from it on the pull request.

The judge was not sure, so a person is asked, and max, who may decide, writes the comment. Below the line of `====` stand the check, the
reactions to the comment and the answer to it. `a1b2c3d` stands for the commit. `--written FOLDER` writes what is seen now.

Attack by a hostile pull request: an objection that is lost: in a list, table, heading, alert or bold text, with look-alike letters, in an edited comment.
Answer: it is heard.
Shown by: `object-*`, `test_an_edited_objection_stands_from_its_edit`.
"""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.fakes.github.server import FakeGitHub
from tests.stories.pull_request.scene import People, answers, check, reactions

CASES = ROOT / "tests" / "cases" / "commands"
CUT = "\n====\n"
SHA = "a1b2c3d"


def outcome(github: FakeGitHub) -> str:
    run, head = check(github), github.head(1)
    replies = [re.sub(r"\n*<!-- helix:answer \d+ -->", "", text) for text in answers(github)]
    lines = [
        f"{run.conclusion}: {run.output['title']}",
        f"reactions: {', '.join(reactions(github)) or 'none'}",
        *(replies or ["no answer"]),
    ]
    text = "\n".join(lines).replace("\u200b", "").replace(head, SHA).replace(head[:7], SHA)
    return f"{text}\n"


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*.txt")))
def test_a_comment(name: str, github: FakeGitHub, people: People, written: Path | None) -> None:
    text, _, expected = (CASES / f"{name}.txt").read_text(encoding="utf-8").rpartition(CUT)
    people.says("max", text.replace(SHA, people.pending()))
    if written:
        (written / f"{name}.txt").write_text(f"{text}{CUT}{outcome(github)}", encoding="utf-8")
    else:
        assert outcome(github) == expected
