"""The question to a judge as a value, its files in the judge's folder, and what can't be asked."""

import json
import os
from typing import NamedTuple

from ..adr.check_report import CheckReport
from ..change.approvals import agent
from ..change.change import Change
from ..change.rubric import rubric
from ..config.agents import Agent
from ..config.approvals import Approvals, ApprovalType
from ..finding import Finding
from ..globs import matches
from ..repository import snapshot
from ..repository.links import FILE
from ..repository.snapshot import Item
from ..verdict import earlier, prompt, reading, verdict
from ..verdict.earlier import EarlierFinding, EarlierRound
from ..verdict.prompt import Brief
from ..verdict.verdict import ReadText, Schema

_MOST_DIFF = 1_000_000
"""Bytes of the change that a judge is shown; it can read the files for the rest."""

EARLIER = f"../judge/{earlier.FILE}"
"""The file with earlier findings, from the folder in which a judge works."""


class Question(NamedTuple):
    """The question to a judge of one approval type.

    `files` are the paths under review with git's name of their content, `entries` the whole tree
    that has them. `part` is the number of this part of the files, and the number of parts. `light`
    is the judge that is asked first, None without one.

    `earlier` is the last round of the type on this pull request, of which the findings `asked` are
    for this judge. `since` is what was changed in the files since then (None where it is not
    known), and `has_changed` whether anything was.
    """

    type: ApprovalType
    agent: Agent
    rubric: str
    briefs: tuple[Brief, ...]
    skills: dict[str, bytes]
    files: tuple[tuple[str, str], ...]
    concepts: tuple[str, ...]
    findings: tuple[Finding, ...]
    diff: bytes | None
    entries: list[Item]
    schema: Schema
    part: tuple[int, int] = (1, 1)
    light: Agent | None = None
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
        asked = tuple(
            item
            for item in self.asked
            if item.finding.path in paths or (part[0] == 1 and item.finding.path not in others)
        )
        schema = verdict.about(self.schema, paths)
        return self._replace(files=files, schema=schema, part=part).asking(asked)

    def asking(self, asked: tuple[EarlierFinding, ...]) -> "Question":
        """Return the question about some earlier findings too."""
        allowed = earlier.choices(asked, self.has_changed)
        return self._replace(asked=asked, schema=verdict.with_earlier(self.schema, allowed))

    @property
    def earlier_text(self) -> str:
        """The file with earlier findings, "" without any."""
        if self.earlier is None or not (self.asked or self.earlier.settled):
            return ""
        return earlier.text(self.earlier, self.asked)

    def texts(self, contents: dict[str, str], boundary: str = "") -> dict[str, bytes]:
        """Return the files of the judge's folder, by their path in it.

        With a `boundary` the contents of the reviewed files are sent too, between such words.
        """
        before = self.earlier_text
        system = prompt.system(self.rubric, list(self.briefs), boundary, bool(before))
        lines = {path: _number_of_lines(text) for path, text in contents.items()}
        since = None if self.since is None else bool(self.since)
        asked = prompt.ReviewTask(self.type.name, lines, self.part, bool(before), since)
        has_diff, skills = self.diff is not None, sorted(self.skills)
        user = prompt.user(asked, self.names, list(self.concepts), has_diff, skills)
        data = {**contents, **({EARLIER: before} if before else {})}
        sent = prompt.contents(data, boundary) if boundary else ""
        schema = json.dumps(self.schema, indent=1)
        texts = {
            "rubric.md": system,
            "prompt.md": user,
            "whole.md": f"{system}\n---\n\n{user}\n{sent}\n{prompt.asked_for(schema)}",
            "schema.json": schema,
            "findings.json": prompt.known(list(self.findings)),
            **{f"checks/{brief.name}.md": brief.text for brief in self.briefs},
            **({earlier.FILE: before} if before else {}),
        }
        return {
            **{path: text.encode(errors="surrogateescape") for path, text in texts.items()},
            **{f"skills/{path}": data for path, data in self.skills.items()},
            **({} if self.diff is None else {"change.diff": self.diff}),
            **({earlier.SINCE: self.since} if before and self.since else {}),
        }


def _number_of_lines(text: str) -> int:
    return len(reading.lines_of(text.encode(errors="replace")))


def question_about(
    change: Change,
    approvals: Approvals,
    type: ApprovalType,
    paths: list[str],
    report: CheckReport,
) -> Question:
    """Return the question about some files of a change, whose deterministic report is known."""
    going_by = rubric(change.rules, type, paths, change.approvals)
    reports = [file for file in report.files if file.path in paths]
    concepts = tuple(dict.fromkeys(file.concept.path for file in reports if file.concept))
    entries = change.entries
    if type.codebase:
        near, globs = {*paths, *concepts}, type.codebase
        entries = [item for item in entries if item.path in near or matches(item.path, globs)]
    smart = type.run.smart
    light = agent(approvals, smart.agent or type.run.agent, os.environ) if smart else None
    return Question(
        type=type,
        agent=agent(approvals, type.run.agent, os.environ),
        rubric=going_by.text,
        briefs=going_by.briefs,
        skills=going_by.skills,
        files=tuple((path, hash_of(change, path)) for path in paths),
        concepts=concepts,
        findings=tuple(finding for file in reports for finding in file.findings),
        diff=_diff(change, [*paths, *concepts]),
        entries=entries,
        schema=going_by.schema,
        light=light,
    )


def hash_of(change: Change, path: str) -> str:
    """Return git's name of a regular file's content; "" for anything else."""
    blob = change.tree.blob(path)
    return blob[1] if blob and blob[0] == FILE else ""


def _diff(change: Change, paths: list[str]) -> bytes | None:
    if not change.merge_base:
        return None
    shown = change.with_links(paths)
    base, head = change.merge_base, change.head
    return snapshot.difference(change.root, base, head, shown, _MOST_DIFF) or None


def unshowable(question: Question, read: ReadText) -> str:
    """Return why a judge can't be shown one of the files; "" if it can be shown all."""
    for path, hash in question.files:
        if not hash:
            reason = "is a link, a submodule or not there, and only regular files are reviewed"
            return f"{path} {reason}"
        if not path.isprintable():
            return f"{path!a} has a name that can't be shown; rename it"
        if read(path) is None:
            storage = "lies in large file storage, is larger than 1 MB or at no harmless place"
            return f"{path} is not given to a judge: it instructs agents, {storage}"
    return ""
