"""One review by a judge: the tries it is allowed, and the verdict that comes of them. Whatever did not happen is rejected."""

import json
import os
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ..config.approvals import Agent, ApprovalType
from ..errors import HelixError
from ..finding import Finding
from ..repository.snapshot import Item
from ..text.masking import Secrets, masked, masked_values
from ..verdict import parts, prompt, reading, verdict
from ..verdict.prompt import Brief
from ..verdict.verdict import APPROVED, REJECTED, AgentContext, Answer, ApprovalResult, ReadText, RefusedError, Schema
from . import process, workspace
from .claude import CLAUDE
from .command import COMMAND
from .process import Limits, Stop
from .provider import Call, FailedError, Provider, Reader

PROVIDERS = {"claude": CLAUDE, "command": COMMAND}
SLOW = 60
"""Seconds beyond which a verdict is one that people wait for."""

_STOPPED = {
    "time": ("timeout", "the judge had no answer after {} seconds", "raise `timeout` in config/approvals.yaml, or review fewer files at once"),
    "output": ("output", "the judge printed more than {} MB", ""),
    "asked": ("agent", "the run was stopped", ""),
}
_MOST_FILES = 1000
_READ_ALL = "run it again; name fewer files or raise max_turns if it has too much to read, and leave out with `paths` what no tool can show"


class Question(NamedTuple):
    """What a judge is asked: `files` are the paths under review with git's name of their content, `entries` the whole tree they lie in.

    `part` says which part of how many the files are.
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

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.files]

    @property
    def names(self) -> list[str]:
        return [brief.name for brief in self.briefs]

    def about(self, paths: list[str], part: tuple[int, int]) -> "Question":
        """Return the question about a part of its files."""
        files = tuple(file for file in self.files if file[0] in {*paths})
        return self._replace(files=files, schema=verdict.about(self.schema, paths), part=part)

    def texts(self, contents: dict[str, str], boundary: str = "") -> dict[str, bytes]:
        """Return the files of the judge's folder. A `boundary` is the word between which the contents of its files are sent."""
        system = prompt.system(self.rubric, list(self.briefs), boundary)
        lines = {path: len(reading.lines_of(text.encode(errors="replace"))) for path, text in contents.items()}
        asked = prompt.Asked(self.type.name, lines, self.part)
        user = prompt.user(asked, self.names, list(self.concepts), self.diff is not None, sorted(self.skills))
        sent = prompt.contents(contents, boundary) if boundary else ""
        schema = json.dumps(self.schema, indent=1)
        texts = {
            "rubric.md": system,
            "prompt.md": user,
            "whole.md": f"{system}\n---\n\n{user}\n{sent}\n{prompt.asked_for(schema)}",
            "schema.json": schema,
            "findings.json": prompt.known(list(self.findings)),
            **{f"checks/{brief.name}.md": brief.text for brief in self.briefs},
        }
        skills = {f"skills/{path}": data for path, data in self.skills.items()}
        diff = {} if self.diff is None else {"change.diff": self.diff}
        return {**{path: text.encode(errors="surrogateescape") for path, text in texts.items()}, **skills, **diff}


class Outside(NamedTuple):
    """What a review needs of the world: the repository, the texts of the reviewed tree, the environment, and someone who watches.

    `secrets` are those that nothing a judge says may hold. `tell` is called with the seconds that a try has taken and what the judge does;
    `kept` gets the folder of each try, when folders are to be kept.
    """

    root: str
    text: ReadText
    environment: dict[str, str]
    secrets: Secrets
    stop: Stop
    tell: Callable[[float, str], None]
    kept: Callable[[str], None] | None = None


class Spent(NamedTuple):
    """What all tries took together; `cost` is None where an agent does not say."""

    cost: float | None = 0
    tokens: int = 0
    turns: int = 0
    model: str = ""
    attempts: int = 0


def review(question: Question, outside: Outside) -> tuple[ApprovalResult, dict[str, Any] | None]:
    """Return the verdict, and the answer it was made of (None where there is none), both without secrets."""
    began = time.monotonic()
    tries = _Tries(question, outside)
    try:
        given, answer = tries.until_answered()
    except FailedError as error:
        failure = error
    except OSError as error:
        failure = FailedError("setup", f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except BaseException as error:  # noqa: BLE001 -- one of the two boundaries: whatever goes wrong around a judge is no approval
        failure = FailedError("agent", f"internal error: {type(error).__name__}: {error}")
    else:
        found = result(question, answer, tries.context(time.monotonic() - began))
        return without_secrets(found, outside.secrets), masked_values(given, outside.secrets)
    return without_secrets(failed(question, failure, tries.context(time.monotonic() - began)), outside.secrets), None


def without_secrets(found: ApprovalResult, secrets: Secrets) -> ApprovalResult:
    """Return a verdict in whose texts no secret stands. A quote that is changed by that is none any more, and is left out."""
    model = masked(found.agent_context.model, secrets)
    return found._replace(
        findings=tuple(_without_secrets(item, secrets) for item in found.findings),
        recommendations=masked_values(found.recommendations, secrets),
        summary=masked(found.summary, secrets),
        agent_context=found.agent_context._replace(model=model),
    )


def _without_secrets(finding: Finding, secrets: Secrets) -> Finding:
    quote = finding.evidence if masked(finding.evidence, secrets) == finding.evidence else ""
    return finding._replace(message=masked(finding.message, secrets), help=masked(finding.help, secrets), evidence=quote)


class _Ready:
    """Whether a provider can be run, found out while its folder is laid out."""

    def __init__(self, provider: Provider, agent: Agent, environment: dict[str, str]) -> None:
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._find_out, args=(provider, agent, environment))
        self._thread.start()

    def _find_out(self, provider: Provider, agent: Agent, environment: dict[str, str]) -> None:
        try:
            provider.ready(agent, environment)
        except BaseException as error:  # noqa: BLE001 -- raised again by whoever waits
            self._error = error

    def wait(self) -> None:
        """Raises FailedError."""
        self._thread.join()
        if self._error:
            raise self._error


class _Tries:
    def __init__(self, question: Question, outside: Outside) -> None:
        self._question, self._outside = question, outside
        self._provider: Provider = PROVIDERS[question.agent.provider]
        self._answers: list[tuple[dict[str, Any], Answer]] = []
        self._missing: tuple[reading.Unread, ...] = ()
        self._seconds = 0.0
        self.spent = Spent()

    def context(self, seconds: float) -> AgentContext:
        spent, agent = self.spent, self._question.agent
        model = spent.model or (self._question.type.run.model if agent.provider == "claude" else "")
        is_whole = self._question.part[0] == len(self._answers)
        tries = spent.attempts - len(self._answers) + is_whole
        return AgentContext(agent.name, model, round(seconds, 3), spent.tokens, spent.cost, spent.turns, tries)

    def until_answered(self) -> tuple[dict[str, Any], Answer]:
        """Ask about each part of the files. What was answered is not asked again."""
        whole = self._question
        if len(self._question.files) > _MOST_FILES:
            raise FailedError(
                "setup", f"{len(self._question.files)} files are under review, and {_MOST_FILES} is the most", "name fewer, or narrow `paths`"
            )
        texts = {path: self._outside.text(path) or "" for path in whole.paths}
        if not self._provider.records:
            _refuse_unsent(texts)
        ready = _Ready(self._provider, whole.agent, self._outside.environment)
        groups = parts.parts((path, len(text)) for path, text in texts.items())
        for number, paths in enumerate(groups, 1):
            self._question = whole.about(paths, (number, len(groups))) if groups[1:] else whole
            self._answers.append(self._until_answered(ready, {path: texts[path] for path in paths}))
        answer = parts.united([answer for _, answer in self._answers])
        return parts.written([given for given, _ in self._answers], answer), answer

    def _until_answered(self, ready: _Ready, texts: dict[str, str]) -> tuple[dict[str, Any], Answer]:
        """Another try follows where the judge failed and may do better; never where it answered. A try has `timeout` seconds for all parts."""
        run = self._question.type.run
        while True:
            began = time.monotonic()
            try:
                found = self._one(ready, texts)
            except FailedError as error:
                failed = self.spent.attempts - len(self._answers)
                if not error.again or failed > run.max_retries or self._outside.stop.asked or self._unpriced:
                    raise
                self._pause(run.retry_delay * 2 ** (failed - 1), error)
                self._seconds = 0
            else:
                self._seconds += time.monotonic() - began
                return found

    @property
    def _unpriced(self) -> bool:
        """Whether a model was asked, and nobody knows for how much: a further try could break the budget."""
        return self.spent.cost is None and self.spent.turns > 0

    def _pause(self, seconds: float, error: FailedError) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self._outside.stop.asked:
            self._tell(0, f"{error}; again in {left:.0f} s")
            time.sleep(min(0.1, left))

    def _tell(self, seconds: float, doing: str) -> None:
        self._outside.tell(seconds, masked(doing, self._outside.secrets))

    def _one(self, ready: _Ready, texts: dict[str, str]) -> tuple[dict[str, Any], Answer]:
        question, run = self._question, self._question.type.run
        left = run.max_cost_usd - (self.spent.cost or 0)
        if left <= 0:
            raise FailedError("budget", f"the budget of ${run.max_cost_usd:.2f} is used up", "raise max_cost_usd in config/approvals.yaml")
        folder = workspace.fresh(self._outside.root)
        try:
            boundary = "" if self._provider.records else f"file-{os.urandom(16).hex()}"
            work = workspace.build(folder, self._outside.root, question.entries, question.texts(texts, boundary))
            ready.wait()
            given = self._asked(Call(work, question.agent, run, question.schema, left, _uuid()))
        except HelixError as error:
            raise FailedError("setup", str(error)) from None
        finally:
            if self._outside.kept:
                workspace.keep(folder)
                self._outside.kept(folder)
            else:
                workspace.Workspace(folder).remove()
        if self.spent.cost is not None and self.spent.cost > run.max_cost_usd:
            raise FailedError("budget", f"the review took ${self.spent.cost:.4f}, more than the ${run.max_cost_usd:.2f} allowed",
                              "raise max_cost_usd in config/approvals.yaml, or review fewer files at once")  # fmt: skip
        answer = self._accepted(given)
        if self._missing:
            raise FailedError("agent", reading.message(self._missing), _READ_ALL, again=True)
        return given, answer

    def _asked(self, call: Call) -> dict[str, Any]:
        """Run the judge once. Its answer counts only when it has left its inputs as they were."""
        before = workspace.fingerprint(call.work, self._question.paths)
        reader = self._provider.reader()
        try:
            ended = self._run(call, reader)
        except OSError as error:
            raise FailedError("spawn", f"{self._question.agent.command[0]} could not be started: {error.strerror}") from None
        finally:
            self._count(reader)
        if ended.stopped:
            check, message, help = _STOPPED[ended.stopped]
            amount = call.run.timeout if ended.stopped == "time" else Limits(0).output // 1_000_000
            raise FailedError(check, message.format(amount), help, again=ended.stopped == "time")
        try:
            given = reader.answer(ended)
        finally:
            self._count(reader)
        if workspace.fingerprint(call.work, self._question.paths) != before:
            raise FailedError("agent", "the judge changed files that it was to judge", "give it read-only tools")
        self._missing = self._unread(call.work, reader) if self._provider.records else ()
        if not isinstance(given, dict):
            raise FailedError("parse", "the answer is no JSON object", again=True)
        return given

    def _unread(self, work: workspace.Workspace, reader: Reader) -> tuple[reading.Unread, ...]:
        files = {}
        for path in self._question.paths:
            with open(os.path.join(work.repo, path), "rb") as file:
                files[path] = file.read()
        return reading.unread(files, reader.shown(), work.repo)

    def _run(self, call: Call, reader: Reader) -> process.Ended:
        began = time.monotonic()
        provider, environment = self._provider, self._outside.environment
        self._before = self.spent
        self.spent = self.spent._replace(attempts=self.spent.attempts + 1)
        given = os.path.join(call.work.judge, provider.given)
        limits = Limits(max(0.1, call.run.timeout - self._seconds))
        return process.run(provider.argv(call), call.work.repo, provider.environment(call, environment), given, limits, reader.feed,
                           lambda: self._tell(time.monotonic() - began, reader.doing()), self._outside.stop)  # fmt: skip

    def _count(self, reader: Reader) -> None:
        used, before = reader.usage(), self._before
        cost = None if used.cost_usd is None or before.cost is None else before.cost + used.cost_usd
        self.spent = Spent(cost, before.tokens + used.tokens, before.turns + used.turns, used.model or before.model, before.attempts + 1)

    def _accepted(self, given: dict[str, Any]) -> Answer:
        question = self._question
        try:
            return verdict.accepted(given, question.schema, question.names, question.paths, self._outside.text)
        except RefusedError as error:
            raise FailedError(
                error.check, str(error), "run it again, or sharpen the brief; --keep-workspace leaves what was asked", again=True
            ) from None


def _refuse_unsent(texts: dict[str, str]) -> None:
    """Raises FailedError for a file that can't be sent as it is: large, or with bytes of which a message shows no character."""
    large = [path for path, text in texts.items() if len(text) > parts.MOST_CHARACTERS]
    if large:
        raise FailedError(
            "setup",
            f"{large[0]} has {len(texts[large[0]])} characters, and a judge that is sent the files is sent {parts.MOST_CHARACTERS} at most",
            "leave it out with `paths`, or let claude review it, which opens files",
        )
    unsent = [path for path, text in texts.items() if "\0" in text or "\ufffd" in text]
    if unsent:
        message = f"{unsent[0]} is no text in UTF-8, and a judge that is sent the files would not see what stands there"
        raise FailedError("setup", message, "save it as UTF-8, leave it out with `paths`, or let claude review it, which opens files")


def result(question: Question, answer: Answer, context: AgentContext) -> ApprovalResult:
    """The verdict that an accepted answer is."""
    slow: tuple[Finding, ...] = ()
    if context.duration_seconds > SLOW:
        message = f"the review took {context.duration_seconds:.0f} seconds; people wait for a check that takes more than {SLOW}"
        slow = (Finding("warning", "slow", "agent", message, question.paths[0], help="a smaller model, fewer briefs, or smaller changes"),)
    return ApprovalResult(_id(), question.type.name, answer.result, answer.confidence, answer.summary, (*answer.findings, *slow), answer.checks,
                          question.files, answer.recommendations, _now(), context)  # fmt: skip


def failed(question: Question, error: FailedError, context: AgentContext) -> ApprovalResult:
    """The rejection that a run without an answer is."""
    finding = Finding("error", error.check, "agent", str(error), "", help=error.help)
    summary = "There is no verdict: the judge could not be run to an answer."
    return ApprovalResult(_id(), question.type.name, REJECTED, 0, summary, (finding,), {}, question.files, (), _now(), context)


def stated(type: str, result: str, reason: str, findings: tuple[Finding, ...] = ()) -> ApprovalResult:
    """What holds for a type for which no judge was asked."""
    return ApprovalResult(_id(), type, result, float(result == APPROVED), reason, findings, {}, (), (), _now(), AgentContext(""))


def _id() -> str:
    return os.urandom(4).hex()


def _uuid() -> str:
    text = os.urandom(16).hex()
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-8{text[17:20]}-{text[20:]}"


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
