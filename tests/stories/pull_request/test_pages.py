"""Each folder of tests/cases/pages is a pull request (scene.yaml) and what people read of it.

`page.md` is the comment that stays, `check.md` the check with its title, `status.md` the answer to `/helix status`, `lines.md` what is
said at lines of the diff, and `others.md` every other comment. `--written FOLDER` writes what is seen now; look at each difference.

A scene has, all of it optional: the files that `main` and `change` have beside those of tests/cases/verdicts/repository (null: the file is
deleted), fields of the `pull` request, what the `judge` answers, and `events`, one key each: `says: [login, comment]`, `reviews: [login, state]`,
`pushes: {path: text}`, `runs: {judge}`, `hours: 25` go by, `edits: text` of the last comment, a `fault` of GitHub, `sweeps: true`, `queues: true`.
`SHA` in a comment is the head. What is seen names commits a1b2c3d (head), bbbbbbb (base) and ccccccc (others).
"""

import re
from pathlib import Path
from typing import Any

import cmarkgfm  # type: ignore[import-untyped]
import pytest
import yaml

from tests.conftest import ROOT, Repository
from tests.fakes.github.server import FakeGitHub, Fault
from tests.fakes.runner import READER, WRITER
from tests.stories.pull_request.scene import ME, People, after, answers, base_has, check, push_all

CASES = ROOT / "tests" / "cases" / "pages"
FOLDERS = sorted(path.parent for path in CASES.glob("*/scene.yaml"))
STICKY = "<!-- helix:sticky"
SERVER = {"GITHUB_SERVER_URL": "https://github.example"}
LONGEST_TITLE = 80


class Scene:
    """A pull request that is played as a scene says."""

    def __init__(self, repository: Repository, github: FakeGitHub, people: People) -> None:
        self.repository, self.github, self.people = repository, github, people

    def play(self, scene: dict[str, Any]) -> None:
        if "main" in scene:
            base_has(self.repository, scene["main"], {})
        if "change" in scene:
            self._push(scene["change"])
        self.github.pulls[1] = self.github.pulls[1]._replace(**scene.get("pull", {}))
        if scene.get("runs", True):
            self._runs(scene.get("judge", {}))
        for event in scene.get("events", []):
            ((kind, value),) = event.items()
            getattr(self, f"_{kind}")(value)

    def _push(self, files: dict[str, str | None]) -> None:
        for path in [path for path, text in files.items() if text is None]:
            self.repository.git("rm", "--quiet", path)
        push_all(self.repository, {path: text for path, text in files.items() if text is not None})

    def _pushes(self, files: dict[str, str | None]) -> None:
        self._push(files)
        self._runs({})

    def _runs(self, judge: dict[str, Any] | None) -> None:
        """Take all steps; without a judge there is no key for one."""
        job = self.people.job(event="pull_request_target")
        job.step("snapshot", GITHUB_TOKEN=READER)
        if job.step("check").code in (0, 4) or judge is not None:
            job.step("judge", **({} if judge is None else self.people.judge(**judge)))
        job.step("publish", GITHUB_TOKEN=WRITER, **SERVER)

    def _queues(self, _: object) -> None:
        """Take all steps in the merge queue, in which the pull request is alone."""
        self.people.job(event="merge_group").steps(self.people.judge(), **SERVER)

    def _says(self, words: list[str]) -> None:
        by, text = words
        self.people.says(by, text.replace("SHA", self.github.head(1)), 1, **SERVER)

    def _reviews(self, words: list[str]) -> None:
        self.github.review(1, *words)
        job = self.people.job(event="pull_request_review")
        job.step("command", GITHUB_TOKEN=WRITER, **SERVER)

    def _edits(self, text: str) -> None:
        last = max(number for number, item in self.github.comments.items() if item.author != ME)
        before = self.github.comments[last].body
        self.github.edit_comment(last, text)
        self.people.told(last, "edited", before=before, **SERVER)

    def _hours(self, hours: int) -> None:
        after(self.github, hours)

    def _sweeps(self, _: object) -> None:
        self.people.job(event="schedule").step("sweep", GITHUB_TOKEN=WRITER, **SERVER)

    def _fault(self, fields: dict[str, Any]) -> None:
        self.github.faults.append(Fault(**fields))


def seen(github: FakeGitHub, repository: Repository, people: People) -> dict[str, str]:
    """Return all that people read, by the name of its file."""
    run = check(github)
    ours = [item.body for item in github.comments.values() if item.author == ME]
    sticky = [text for text in ours if STICKY in text]
    others = [text for text in ours if text not in sticky]
    remarks = [
        f"{item.path}:{item.line}\n\n{item.body}"
        for item in github.remarks.values()
        if item.author == ME
    ]
    before = len(answers(github))
    people.says("max", "/helix status", 1, **SERVER)
    texts = {
        "page": "\n\n".join(sticky),
        "check": f"{run.conclusion}: {run.output['title']}\n\n{run.output['summary']}",
        "status": "\n\n".join(answers(github)[before:]),
        "lines": "\n\n----\n\n".join(remarks),
        "others": "\n\n----\n\n".join(others),
    }
    base = repository.git("rev-parse", "main").stdout.strip()
    return {name: normal(text, github.head(1), base) for name, text in texts.items()}


def normal(text: str, head: str, base: str) -> str:
    """Return a text without marks for programs, names of commits, and seconds."""
    text = re.sub(r"<!-- helix:.*?-->\n?", "", text, flags=re.DOTALL).replace("\u200b", "")
    for sha, name in ((head, "a1b2c3d"), (base, "bbbbbbb")):
        text = text.replace(sha, name).replace(sha[:7], name)
    text = re.sub(r"\b(?=[0-9a-f]*\d)(?:[0-9a-f]{40}|[0-9a-f]{7})\b(?<!a1b2c3d)", "ccccccc", text)
    text = re.sub(r"\b\d+(\.\d)? s\b", "N s", text)
    return f"{text.strip()}\n" if text.strip() else ""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_people_read_what_the_files_say(
    folder: Path,
    github: FakeGitHub,
    repository: Repository,
    people: People,
    written: Path | None,
) -> None:
    scene = yaml.safe_load((folder / "scene.yaml").read_text(encoding="utf-8")) or {}
    Scene(repository, github, people).play(scene)
    texts = seen(github, repository, people)
    if written:
        (written / folder.name).mkdir(exist_ok=True)
    for name, text in texts.items():
        file = folder / f"{name}.md"
        if written:
            place = written / folder.name / file.name
            place.unlink(missing_ok=True)
            if text:
                place.write_text(text, encoding="utf-8")
        else:
            assert text == (file.read_text(encoding="utf-8") if file.exists() else "")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_page_fits_a_phone(folder: Path) -> None:
    """No table, one command in a block, and the state in the first line."""
    for path in folder.glob("*.md"):
        html = cmarkgfm.github_flavored_markdown_to_html(path.read_text(encoding="utf-8"))
        assert "<table" not in html
        blocks = re.findall(r"<pre[^>]*><code[^>]*>(.*?)</code>", html, re.DOTALL)
        assert all(len(block.strip().splitlines()) == 1 for block in blocks if "/helix" in block)
    title = (folder / "check.md").read_text(encoding="utf-8").splitlines()[0].partition(": ")[2]
    assert 0 < len(title) <= LONGEST_TITLE
    page = folder / "page.md"
    assert not page.exists() or page.read_text(encoding="utf-8").startswith("### ")
