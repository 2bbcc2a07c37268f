"""The question to a judge as a value, and its files in the judge's folder."""

import json
import os
from typing import NamedTuple

from ..adr.check_report import CheckReport
from ..check.trees import FILE
from ..config.agents import Agent
from ..config.approvals import Approvals, ApprovalType
from ..finding import Finding
from ..git import snapshot
from ..git.snapshot import Item
from ..paths import matches
from ..verdict import approval_result, earlier, prompt, reading, verdict
from ..verdict.earlier import EarlierFinding, EarlierRound
from ..verdict.prompt import Brief
from ..verdict.verdict import ReadText, Schema
from .approvals import agent
from .change import Change
from .rubric import rubric

_MOST_DIFF = 1_000_000
"""Maximum bytes of the diff for a judge. It can read the files for the rest."""

_MOST_INLINE = 10_000
"""Maximum characters of the diff, and of the known findings, in the message to a judge."""
_KNOWN, _DIFF = "../judge/findings.json", "../judge/change.diff"

EARLIER = f"../judge/{earlier.FILE}"
"""The file with earlier findings, relative to the working folder of a judge."""


class Question(NamedTuple):
    """The question to a judge of one approval type.

    `files` are the paths under review with the object ids of their contents, `entries` is the tree
    that the judge may read. `part` is the number of this part of the files, and the number of
    parts. `light` is the agent of the light judge, None without one. `others` are agents that
    answer the same question beside `agent`.

    `earlier` is the last round of the type on this pull request. The findings `asked` are those of
    that round for this judge. `since` is the diff of the files since then, None if it is unknown.
    `has_changed` says whether the tree changed since then.
    """

    type: ApprovalType
    agent: Agent
    rubric: str
    briefs: tuple[Brief, ...]
    skills: dict[str, bytes]
    files: tuple[approval_result.ReviewedFile, ...]
    concepts: tuple[str, ...]
    findings: tuple[Finding, ...]
    diff: bytes | None
    entries: list[Item]
    schema: Schema
    part: tuple[int, int] = (1, 1)
    light: Agent | None = None
    others: tuple[Agent, ...] = ()
    earlier: EarlierRound | None = None
    asked: tuple[EarlierFinding, ...] = ()
    since: bytes | None = None
    has_changed: bool = True

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.files]

    @property
    def names(self) -> list[str]:
        return [brief.name for brief in self.briefs]

    def about(self, paths: list[str], part: tuple[int, int]) -> "Question":
        """Return the question about a part of its files."""
        files = tuple(file for file in self.files if file[0] in {*paths})
        others = {*self.paths} - {*paths}
        asked = []
        for item in self.asked:
            # The first part also has the findings about files that are not under review.
            is_elsewhere = part[0] == 1 and item.finding.path not in others
            if item.finding.path in paths or is_elsewhere:
                asked.append(item)
        schema = verdict.about(self.schema, paths)
        return self._replace(files=files, schema=schema, part=part).asking(tuple(asked))

    def asking(self, asked: tuple[EarlierFinding, ...]) -> "Question":
        """Return the question that also asks about some earlier findings."""
        allowed = earlier.choices(asked, self.has_changed)
        return self._replace(asked=asked, schema=verdict.with_earlier(self.schema, allowed))

    @property
    def earlier_text(self) -> str:
        """The text of the file with earlier findings, "" without any."""
        if self.earlier is None or not (self.asked or self.earlier.settled):
            return ""
        return earlier.text(self.earlier, self.asked)

    def texts(self, contents: dict[str, str], boundary: str = "") -> dict[str, bytes]:
        """Return the files of the judge's folder, by their path in it.

        With a `boundary`, message.md and whole.md also have the reviewed files, each between two
        such words.
        """
        before = self.earlier_text
        system = prompt.system(self.rubric, list(self.briefs), boundary, bool(before))
        user = self._task(contents, has_earlier=bool(before))
        known = prompt.known(list(self.findings))
        inline = (
            prompt.contents(self._inline(contents, known, before), boundary) if boundary else ""
        )
        schema = json.dumps(self.schema, indent=1)
        texts = {
            "rubric.md": system,
            "prompt.md": user,
            "message.md": f"{user}\n{inline}",
            "whole.md": f"{system}\n---\n\n{user}\n{inline}\n{prompt.asked_for(schema)}",
            "schema.json": schema,
            "findings.json": known,
        }
        for brief in self.briefs:
            texts[f"checks/{brief.name}.md"] = brief.text
        if before:
            texts[earlier.FILE] = before
        files = {path: text.encode(errors="surrogateescape") for path, text in texts.items()}
        for path, skill in self.skills.items():
            files[f"skills/{path}"] = skill
        if self.diff is not None:
            files["change.diff"] = self.diff
        if before and self.since:
            files[earlier.SINCE] = self.since
        return files

    def _inline(self, contents: dict[str, str], known: str, before: str) -> dict[str, str]:
        """Return the texts of the message, by path: short ones save the judge a request."""
        diff = (self.diff or b"").decode(errors="replace")
        short = {_KNOWN: known, _DIFF: diff}
        shown = {path: text for path, text in short.items() if 0 < len(text) <= _MOST_INLINE}
        return {**contents, **shown, **({EARLIER: before} if before else {})}

    def _task(self, contents: dict[str, str], *, has_earlier: bool) -> str:
        """Return the message to the judge. `has_earlier`: there are earlier findings."""
        lines = {path: _number_of_lines(text) for path, text in contents.items()}
        since = None
        if self.since is not None:
            since = bool(self.since)
        task = prompt.ReviewTask(self.type.name, lines, self.part, has_earlier, since)
        has_diff, skills = self.diff is not None, sorted(self.skills)
        return prompt.user(task, self.names, list(self.concepts), has_diff, skills)


def _number_of_lines(text: str) -> int:
    return len(reading.lines_of(text.encode(errors="replace")))


def question_about(
    change: Change,
    approvals: Approvals,
    type: ApprovalType,
    paths: list[str],
    report: CheckReport,
) -> Question:
    """Return the question about some files of a change. `report` is that of Layers 1 to 3."""
    instructions = rubric(change.rules, type, paths, change.approvals)
    reports = [file for file in report.files if file.path in paths]
    concepts = [*dict.fromkeys(file.concept.path for file in reports if file.concept)]
    return Question(
        type=type,
        agent=agent(approvals, type.run.agent, os.environ),
        rubric=instructions.text,
        briefs=instructions.briefs,
        skills=instructions.skills,
        files=tuple(approval_result.ReviewedFile(path, hash_of(change, path)) for path in paths),
        concepts=tuple(concepts),
        findings=tuple(finding for file in reports for finding in file.findings),
        diff=_diff(change, [*paths, *concepts]),
        entries=_entries(change, type, {*paths, *concepts}),
        schema=instructions.schema,
        light=_light_agent(approvals, type),
        others=tuple(agent(approvals, name, os.environ) for name in type.agents[1:]),
    )


def _entries(change: Change, type: ApprovalType, paths: set[str]) -> list[Item]:
    """Return the part of the tree that a judge may read: `codebase`, or all without it."""
    if not type.codebase:
        return change.entries
    return [
        item for item in change.entries if item.path in paths or matches(item.path, type.codebase)
    ]


def _light_agent(approvals: Approvals, type: ApprovalType) -> Agent | None:
    smart = type.run.smart
    if not smart:
        return None
    return agent(approvals, smart.agent or type.run.agent, os.environ)


def hash_of(change: Change, path: str) -> str:
    """Return the object id of a regular file's content; "" for anything else."""
    blob = change.tree.blob(path)
    if not blob or blob[0] != FILE:
        return ""
    return blob[1]


def _diff(change: Change, paths: list[str]) -> bytes | None:
    if not change.merge_base:
        return None
    shown = change.with_links(paths)
    base, head = change.merge_base, change.head
    return snapshot.difference(change.root, base, head, shown, _MOST_DIFF) or None


def unshowable(question: Question, read: ReadText) -> str:
    """Return the reason why a judge can't see one of the files; "" if it can see all of them."""
    for path, hash in question.files:
        if not hash:
            reason = "is not a regular file (a link, a submodule, or missing)"
            return f"{path} {reason}"
        if not path.isprintable():
            return f"{path!a} has non-printable characters in its name; rename it"
        if read(path) is None:
            storage = "is in Git LFS, is larger than 1 MB, or has an unsafe path"
            return f"{path} cannot be shown to a judge: it instructs agents, {storage}"
    return ""
